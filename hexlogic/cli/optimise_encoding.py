"""`hexlogic optimise` for programs in clingo's whole language: the new text, a diff, proofs, trials, a comparison."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hexlogic.cli.arguments import split_commas
from hexlogic.cli.output import fields
from hexlogic.errors import HexlogicError
from hexlogic.files import check_writable, write_text

if TYPE_CHECKING:
    from hexlogic.encodings.measuring import ClingoCost, Unmeasured
    from hexlogic.encodings.optimising import Aim, OptimisedEncoding
    from hexlogic.encodings.rewriting import Rewriting

__all__ = ["optimise_files"]

_COLOURS = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}


def optimise_files(
    files: Sequence[Path],
    output: Path | None,
    *,
    query: str | None,
    inputs: str | None,
    pipeline: str | None,
    profile: Path | None,
    constants: Sequence[str],
    last_step: int | None,
    aim: Aim,
    limit_s: float,
    allow_scripts: bool,
    explain: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Print or write the program, everything else on stderr.

    Exit status 1 when the answer sets differ, and with `check` when a cheaper program was found.
    """
    from hexlogic.encodings.measuring import Unmeasured
    from hexlogic.encodings.optimising import optimise_encoding
    from hexlogic.encodings.reading import read_encoding, with_constants
    from hexlogic.logic.parser import parse_predicate

    encoding = read_encoding(files)
    if output is not None and encoding.has_includes and output.resolve().parent != files[0].resolve().parent:
        raise HexlogicError(f"{output} must lie beside {files[0]}, as the program includes files", file=str(files[0]))
    if output is not None and not check:
        check_writable(output)
    instance = None if profile is None else read_encoding([profile])
    outcome = optimise_encoding(
        encoding,
        with_constants(instance, constants) if constants else instance,
        aim=aim,
        limit_s=limit_s,
        scripts=allow_scripts,
        steps=None if pipeline is None else split_commas(pipeline),
        queries=[parse_predicate(name) for name in (query or "").split(",") if name],
        inputs=[parse_predicate(name) for name in (inputs or "").split(",") if name],
        last_step=last_step,
        count=explain,
    )
    before = outcome.before
    if isinstance(before, Unmeasured) and before.is_slow and outcome.chosen is None and outcome.check is None:
        what = "the program" if profile is None else "the program with its instance"
        raise HexlogicError(f"{what} takes {before.reason}", file=str(files[0]), hint="--limit S allows more time")
    if isinstance(before, Unmeasured) and not before.is_slow and allow_scripts and encoding.has_scripts:
        raise HexlogicError(before.reason, file=str(files[0]), hint="a script failed")
    if output is not None and not check:
        write_text(output, outcome.text)
    if as_json:
        typer.echo(json.dumps(_result(outcome), indent=2))
    else:
        if output is None and not check:
            typer.echo(outcome.text, nl=False)
        for line in _lines(outcome, explain):
            typer.echo(line, err=True)
    if (outcome.check is not None and not outcome.check.equal) or (check and outcome.chosen is not None):
        raise typer.Exit(1)


def _lines(outcome: OptimisedEncoding, explain: bool) -> list[str]:
    """The diff, what was done and why it is right, what was measured."""
    before, after = (text.splitlines() for text in (outcome.encoding.text, outcome.text))
    diff = difflib.unified_diff(before, after, "given", "optimised", lineterm="", n=1)
    coloured = _COLOURS if sys.stderr.isatty() else {}
    lines = [typer.style(line, fg=coloured[line[:1]]) if line[:1] in coloured else line for line in diff]
    for place, rewriting in enumerate(outcome.rewritings):
        sizes = _sizes(rewriting, _counted(outcome, place)) if explain else ""
        lines.append(f"% {rewriting.block.place}: {rewriting}{sizes}")
    if explain:
        lines += [f"% tried {','.join(trial.steps)}: {_figures(trial.measured)}" for trial in outcome.trials]
    if outcome.chosen is None:
        lines.append(f"% the program is left as it is: {outcome.reason}")
    else:
        lines.append(f"% {','.join(outcome.chosen.steps)}: {outcome.reason}")
    lines.append(f"% measured before: {_figures(outcome.before)}")
    if outcome.chosen is not None:
        lines.append(f"% measured after: {_figures(outcome.after)}")
    if outcome.check is not None:
        lines.append(f"% checked: {outcome.check}")
    return lines


def _sizes(rewriting: Rewriting, counted: tuple[int | None, int] | None) -> str:
    """Instances of the rule before and after, estimated and measured."""
    text = f"; instances by the estimate {rewriting.estimated_before:,.0f} -> {rewriting.estimated_after:,.0f}"
    if counted is None:
        return text
    before, after = counted
    return f"{text}, measured {'over the limit' if before is None else f'{before:,}'} -> {after:,}"


def _counted(outcome: OptimisedEncoding, place: int) -> tuple[int | None, int] | None:
    return outcome.instances[place] if outcome.instances else None


def _figures(measured: ClingoCost | Unmeasured) -> str:
    from hexlogic.encodings.measuring import Unmeasured

    if isinstance(measured, Unmeasured):
        return measured.reason
    solved = "" if measured.solve_cpu_s is None else f", solved in {measured.solve_cpu_s:.3f} CPU s"
    return f"{measured.rules:,} ground rules, {measured.atoms:,} atoms, {measured.ground_cpu_s:.3f} CPU s{solved}"


def _result(outcome: OptimisedEncoding) -> dict[str, object]:
    return {
        "program": outcome.text,
        "changed": outcome.chosen is not None,
        "pipeline": None if outcome.chosen is None else ",".join(outcome.chosen.steps),
        "reason": outcome.reason,
        "rewritings": [
            {
                "step": rewriting.step,
                "place": rewriting.block.place,
                "before": str(rewriting.before),
                "after": rewriting.after,
                "proof": rewriting.proof,
                "estimated_instances": [rewriting.estimated_before, rewriting.estimated_after],
                "measured_instances": _counted(outcome, place),
            }
            for place, rewriting in enumerate(outcome.rewritings)
        ],
        "before": _measured(outcome.before),
        "after": _measured(outcome.after),
        "trials": [{"pipeline": ",".join(trial.steps), **_measured(trial.measured)} for trial in outcome.trials],
        "equal": None if outcome.check is None else outcome.check.equal,
        "how": None if outcome.check is None else str(outcome.check),
    }


def _measured(measured: ClingoCost | Unmeasured) -> dict[str, object]:
    from hexlogic.encodings.measuring import Unmeasured

    if isinstance(measured, Unmeasured):
        return {"unmeasured": measured.reason}
    return fields(measured, "ground_cpu_s", "solve_cpu_s", "rules", "atoms")
