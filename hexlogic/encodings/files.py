"""Optimise files with programs: the new text, a diff, proofs, trials, a comparison. All of it in a child under a limit.

A program in the rule language is optimised for whoever asks it queries; any other one in clingo's whole language is
rewritten in place.
"""

import difflib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from hexlogic.encodings.checking import takes_too_long
from hexlogic.encodings.clingo_jobs import Unmeasured
from hexlogic.encodings.clingo_runs import ClingoCost
from hexlogic.encodings.optimising import OptimisedEncoding, optimise_encoding
from hexlogic.encodings.reading import read_encoding, with_constants
from hexlogic.encodings.rewriting import Rewriting
from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError, StratificationError, UnsafeRuleError
from hexlogic.language import Predicate
from hexlogic.language.passes.request import Optimised, Request
from hexlogic.process.files import check_writable, read_bytes, readable

_OWN_PART = 0.8
"""The part of the limit after which nothing new is begun."""
_LARGE = 1 << 16
"""Bytes from which on a program is not read in the rule language: 150,000 facts take 62 s there, and 1 s by clingo."""
_UNREAD = re.compile(rb'%\*(?s:.*?)\*%|%.*|"(?:[^"\\]|\\.)*"')
"""Comments and strings."""


def optimise(
    files: Sequence[Path], request: Request, report: Callable[[Optimised], None] = lambda _: None
) -> Optimised:
    """Optimise a program in the rule language, or in the rest of clingo's language, here."""
    file, aim = files[0], request.aim
    if aim == "swipl":
        request.refuse(file, "is for --aim ground and solve", "check", "explain")
    asked = request.check or request.explain or request.constants or request.last_step is not None
    if aim in ("ground", "solve") or (aim is None and (len(files) > 1 or asked or _is_beyond(file))):
        return optimise_encodings(files, request, report)
    # a parser and engines that encodings do without
    from hexlogic.language.passes.optimise import NoQueryError, read_program
    from hexlogic.proofs.optimising import optimise_rules

    try:
        program, taken = read_program(files, request.query, request.inputs)
    except (ArityError, NoQueryError, RuleSyntaxError, StratificationError, UnsafeRuleError):
        if aim == "swipl":
            raise
        return optimise_encodings(files, request, report)
    return optimise_rules(program, taken, file, request, report)


def _is_beyond(file: Path) -> bool:
    """Whether a file is too large for the parser of the rule language, or has what that does not read: braces, and
    letters of other character sets."""
    with readable(file):
        data = read_bytes(file)
    is_large = len(data) > _LARGE or data != data.decode("utf-8", "replace").encode()
    return is_large or b"{" in _UNREAD.sub(b"", data)


def optimise_encodings(
    files: Sequence[Path], request: Request, report: Callable[[Optimised], None] = lambda _: None
) -> Optimised:
    """Optimise one program in several files in place. `report` gets a text that is proved and not measured yet. Raises
    HexlogicError where the program takes longer than the limit."""
    encoding, file, output = read_encoding(files), files[0], request.output
    if output is not None and encoding.has_includes and output.resolve().parent != file.resolve().parent:
        raise HexlogicError(f"{output} must lie beside {file}, as the program includes files", file=str(file))
    if output is not None and not request.check:
        check_writable(output)
    instance = None if request.instance is None else read_encoding([request.instance])
    steps = None if request.pipeline is None else [name.strip() for name in request.pipeline.split(",")]
    queries, inputs = (_predicates(names or "") for names in (request.query, request.inputs))
    done = optimise_encoding(
        encoding,
        with_constants(instance, request.constants) if request.constants else instance,
        aim="ground" if request.aim == "ground" else "solve",
        limit_s=request.limit * _OWN_PART,
        scripts=request.allow_scripts,
        steps=steps,
        queries=queries,
        inputs=inputs,
        last_step=request.last_step,
        report=lambda so_far: report(_optimised(so_far, request)),
    )
    before = done.before
    if isinstance(before, Unmeasured) and before.is_slow and done.chosen is None and done.check is None:
        what = "the program" if instance is None else "the program with its instance"
        raise takes_too_long(encoding, f"{what} takes {before.reason}")
    if isinstance(before, Unmeasured) and not before.is_slow and request.allow_scripts and encoding.has_scripts:
        raise HexlogicError(before.reason, file=str(file), hint="a script failed")
    return _optimised(done, request)


def _predicates(names: str) -> list[Predicate]:
    from hexlogic.language.parser import parse_predicate

    return [parse_predicate(name) for name in names.split(",") if name]


def _optimised(done: OptimisedEncoding, request: Request) -> Optimised:
    is_same = done.check is None or done.check.equal
    notes, changed = tuple(_notes(done, request.explain)), done.chosen is not None
    return Optimised(done.text, notes, _fields(done), is_same, changed, done.encoding.charset)


def _notes(done: OptimisedEncoding, explain: bool) -> list[str]:
    """The diff, what was done and why it is right, what was measured."""
    before, after = (text.splitlines() for text in (done.encoding.text, done.text))
    lines = list(difflib.unified_diff(before, after, "given", "optimised", lineterm="", n=1))
    for rewriting in done.rewritings:
        lines.append(f"% {rewriting.block.place}: {rewriting}{_sizes(rewriting) if explain else ''}")
    if explain:
        lines += [f"% tried {','.join(trial.steps)}: {_figures(trial.measured)}" for trial in done.trials]
    what = "the program is left as it is" if done.chosen is None else ",".join(done.chosen.steps)
    lines += [f"% {what}: {done.reason}", f"% measured before: {_figures(done.before)}"]
    if done.chosen is not None:
        lines.append(f"% measured after: {_figures(done.after)}")
    if done.check is not None:
        lines.append(f"% checked: {done.check}")
    return lines


def _sizes(rewriting: Rewriting) -> str:
    return f"; instances by the estimate {rewriting.estimated_before:,.0f} -> {rewriting.estimated_after:,.0f}"


def _figures(measured: ClingoCost | Unmeasured) -> str:
    if isinstance(measured, Unmeasured):
        return measured.reason
    solved = "" if measured.solve_cpu_s is None else f", solved in {measured.solve_cpu_s:.3f} CPU s"
    return f"{measured.rules:,} ground rules, {measured.atoms:,} atoms, {measured.ground_cpu_s:.3f} CPU s{solved}"


def _fields(done: OptimisedEncoding) -> dict[str, object]:
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
            }
            for rewriting in done.rewritings
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
