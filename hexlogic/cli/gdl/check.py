"""`hexlogic gdl check`: whether a sheet is a proper game."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hexlogic.gdl.check import Plays, Verdict

__all__ = ["check"]


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE.kif", help="A sheet; FILE.hrf is infix.")],
    games: Annotated[int, typer.Option(metavar="N", min=0, help="Random games to play.")] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random games.")] = 0,
    longest: Annotated[
        int, typer.Option(metavar="N", min=1, help="Steps after which a game counts as endless.")
    ] = 2000,
    reasoner: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: compiled, clingo, swipl or swipl:sld.")
    ] = "compiled",
    time_s: Annotated[float, typer.Option("--time", metavar="S", help="CPU seconds for all of it.")] = 60,
    memory_mb: Annotated[float, typer.Option("--memory", metavar="MB", help="Memory for all of it.")] = 2000,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Say what is wrong with a sheet, and where.

    First what is written is checked, down to the recursion restriction; where that has no errors, random games are
    played, and base and input are compared with all that the rules may bring. A finding is a line with its place;
    warnings are marked. Exit status 0: no errors; 1: errors; 2: the sheet cannot be read, or took too much.

    \b
    hexlogic gdl check game.kif
    hexlogic gdl check game.kif --games 1000 --seed 1
    hexlogic gdl check game.kif --memory 500 --time 10 --json
    """
    from hexlogic.gdl.check import Plays

    verdict = _checked(file, Plays(games, seed, reasoner, longest), time_s, memory_mb, as_json)
    if as_json:
        typer.echo(_json(file, verdict, seed, reasoner))
    else:
        typer.echo(_summary(verdict))
    if verdict.errors:
        raise typer.Exit(1)


def _checked(file: Path, plays: Plays, time_s: float, memory_mb: float, quiet: bool) -> Verdict:
    """The verdict of a child process; its findings are printed, even those of one that was stopped."""
    from hexlogic.errors import HexlogicError
    from hexlogic.gdl.check import Finding, Verdict
    from hexlogic.gdl.language.reading import text_of
    from hexlogic.gdl.machines import check_reasoner
    from hexlogic.process.call import Died, Stopped, call_isolated
    from hexlogic.process.limits import Limits

    check_reasoner(plays.reasoner)
    limits = Limits.of(cpu_s=time_s, memory_mb=memory_mb)
    findings: list[Finding] = []

    def hear(fields: dict[str, Any]) -> None:
        findings.append(Finding(**fields))
        if not quiet:
            typer.echo(str(findings[-1]))

    task = {"text": text_of(file), "file": str(file), "plays": asdict(plays)}
    try:
        counts = call_isolated("hexlogic.gdl.check.run:check_in_child", task, limits, report=hear)
    except Died as died:
        hint = "it may have needed more memory than there is"
        raise HexlogicError(f"the check ended by itself: {died}", file=str(file), hint=hint) from None
    except Stopped as stopped:
        most, hint = f"{time_s:g} s", "--time allows more"
        if stopped.termination == "memory-limit":
            most, hint = f"{memory_mb:g} MB of memory", "--memory allows more"
        raise HexlogicError(
            f"to play and ground this sheet takes more than {most}", file=str(file), hint=hint
        ) from None
    return Verdict(tuple(findings), **counts)


def _summary(verdict: Verdict) -> str:
    """What there was to check, and what came of it.

    >>> from hexlogic.gdl.check import Verdict
    >>> _summary(Verdict((), 35, 10, 81))
    'no findings: 35 rules, 10 games played (81 steps)'
    """
    warnings = len(verdict.findings) - verdict.errors
    counts = [_counted(count, what) for count, what in ((verdict.errors, "error"), (warnings, "warning")) if count]
    games = f"{_counted(verdict.games, 'game')} played ({_counted(verdict.steps, 'step')})"
    played = games if verdict.games else "no games played"
    return f"{', '.join(counts) or 'no findings'}: {_counted(verdict.rules, 'rule')}, {played}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _json(file: Path, verdict: Verdict, seed: int, reasoner: str) -> str:
    found = [{name: value for name, value in asdict(finding).items() if name != "file"} for finding in verdict.findings]
    counts = {"rules": verdict.rules, "games": verdict.games, "steps": verdict.steps, "errors": verdict.errors}
    return json.dumps({"file": str(file), **counts, "seed": seed, "reasoner": reasoner, "findings": found}, indent=2)
