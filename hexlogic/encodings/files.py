"""Optimise files in clingo's whole language: the new text, a diff, proofs, trials, a comparison."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from hexlogic.encodings.clingo_jobs import ClingoCost, Unmeasured
from hexlogic.encodings.optimising import OptimisedEncoding, optimise_encoding
from hexlogic.encodings.reading import read_encoding, with_constants
from hexlogic.encodings.rewriting import Rewriting
from hexlogic.errors import HexlogicError
from hexlogic.language.parser import parse_predicate
from hexlogic.language.passes.optimise import Optimised, Request
from hexlogic.process.files import check_writable


def optimise_encodings(files: Sequence[Path], request: Request) -> Optimised:
    """Optimise one program in several files. Raises HexlogicError also where it takes longer than the limit."""
    encoding, file, output = read_encoding(files), files[0], request.output
    if output is not None and encoding.has_includes and output.resolve().parent != file.resolve().parent:
        raise HexlogicError(f"{output} must lie beside {file}, as the program includes files", file=str(file))
    if output is not None and not request.check:
        check_writable(output)
    instance = None if request.instance is None else read_encoding([request.instance])
    steps = None if request.pipeline is None else [name.strip() for name in request.pipeline.split(",")]
    queries, inputs = (
        [parse_predicate(name) for name in (names or "").split(",") if name]
        for names in (request.query, request.inputs)
    )
    done = optimise_encoding(
        encoding,
        with_constants(instance, request.constants) if request.constants else instance,
        aim="ground" if request.aim == "ground" else "solve",
        limit_s=request.limit,
        scripts=request.allow_scripts,
        steps=steps,
        queries=queries,
        inputs=inputs,
        last_step=request.last_step,
        count=request.explain,
    )
    before = done.before
    if isinstance(before, Unmeasured) and before.is_slow and done.chosen is None and done.check is None:
        what = "the program" if instance is None else "the program with its instance"
        raise HexlogicError(f"{what} takes {before.reason}", file=str(file), hint="--limit S allows more time")
    if isinstance(before, Unmeasured) and not before.is_slow and request.allow_scripts and encoding.has_scripts:
        raise HexlogicError(before.reason, file=str(file), hint="a script failed")
    is_same = done.check is None or done.check.equal
    return Optimised(done.text, tuple(_notes(done, request.explain)), _fields(done), is_same, done.chosen is not None)


def _notes(done: OptimisedEncoding, explain: bool) -> list[str]:
    """The diff, what was done and why it is right, what was measured."""
    before, after = (text.splitlines() for text in (done.encoding.text, done.text))
    lines = list(difflib.unified_diff(before, after, "given", "optimised", lineterm="", n=1))
    counts = done.instances or [None] * len(done.rewritings)
    for rewriting, counted in zip(done.rewritings, counts, strict=True):
        sizes = _sizes(rewriting, counted) if explain else ""
        lines.append(f"% {rewriting.block.place}: {rewriting}{sizes}")
    if explain:
        lines += [f"% tried {','.join(trial.steps)}: {_figures(trial.measured)}" for trial in done.trials]
    what = "the program is left as it is" if done.chosen is None else ",".join(done.chosen.steps)
    lines += [f"% {what}: {done.reason}", f"% measured before: {_figures(done.before)}"]
    if done.chosen is not None:
        lines.append(f"% measured after: {_figures(done.after)}")
    if done.check is not None:
        lines.append(f"% checked: {done.check}")
    return lines


def _sizes(rewriting: Rewriting, counted: tuple[int | None, int] | None) -> str:
    """Instances of the rule before and after, estimated and measured."""
    text = f"; instances by the estimate {rewriting.estimated_before:,.0f} -> {rewriting.estimated_after:,.0f}"
    if counted is None:
        return text
    before, after = counted
    return f"{text}, measured {'over the limit' if before is None else f'{before:,}'} -> {after:,}"


def _figures(measured: ClingoCost | Unmeasured) -> str:
    if isinstance(measured, Unmeasured):
        return measured.reason
    solved = "" if measured.solve_cpu_s is None else f", solved in {measured.solve_cpu_s:.3f} CPU s"
    return f"{measured.rules:,} ground rules, {measured.atoms:,} atoms, {measured.ground_cpu_s:.3f} CPU s{solved}"


def _fields(done: OptimisedEncoding) -> dict[str, object]:
    counts = done.instances or [None] * len(done.rewritings)
    return {
        "program": done.text,
        "changed": done.chosen is not None,
        "pipeline": None if done.chosen is None else ",".join(done.chosen.steps),
        "reason": done.reason,
        "rewritings": [
            {
                "step": rewriting.step,
                "place": rewriting.block.place,
                "before": str(rewriting.before),
                "after": rewriting.after,
                "proof": rewriting.proof,
                "estimated_instances": [rewriting.estimated_before, rewriting.estimated_after],
                "measured_instances": counted,
            }
            for rewriting, counted in zip(done.rewritings, counts, strict=True)
        ],
        "before": _measured(done.before),
        "after": _measured(done.after),
        "trials": [{"pipeline": ",".join(trial.steps), **_measured(trial.measured)} for trial in done.trials],
        "equal": None if done.check is None else done.check.equal,
        "how": None if done.check is None else str(done.check),
    }


def _measured(measured: ClingoCost | Unmeasured) -> dict[str, object]:
    if isinstance(measured, Unmeasured):
        return {"unmeasured": measured.reason}
    return {name: getattr(measured, name) for name in ("ground_cpu_s", "solve_cpu_s", "rules", "atoms")}
