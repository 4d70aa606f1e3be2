"""Findings, the registry of the checks that make them, and all checks on one sheet.

A check is a function in a module of `hexlogic.ggp.check.checks`, named in the module's `CHECKS`. To add one, write it
there, with a broken sheet in `tests/ggp/broken` that it finds; nothing else names it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

from hexlogic.ggp.check.examined import Examined, Plays, examine
from hexlogic.ggp.language.expressions import Expression
from hexlogic.language.syntax import Place, Rule
from hexlogic.registry import Registry

Severity: TypeAlias = Literal["error", "warning"]
Stage: TypeAlias = Literal["text", "games", "ground"]
STAGES: tuple[Stage, ...] = ("text", "games", "ground")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `check` and `file` are filled in where the check is run; lines and columns count from 1.

    >>> print(Finding("warning", 3, 1, "no rule says what `dark` is", None, "undefined", "lights.kif"))
    lights.kif:3:1: warning: no rule says what `dark` is
    """

    kind: Severity
    line: int
    column: int
    message: str
    hint: str | None = None
    check: str = ""
    file: str = ""

    def __str__(self) -> str:
        marked = self.message if self.kind == "error" else f"{self.kind}: {self.message}"
        text = f"{self.file}:{self.line}:{self.column}: {marked}"
        return f"{text} ({self.hint})" if self.hint else text


def error(at: Expression | Place | Rule | None, message: str, hint: str | None = None) -> Finding:
    """What a sheet must not be; without a place of its own it stands at the beginning of the text."""
    return Finding("error", *_place(at), message, hint)


def warning(at: Expression | Place | Rule | None, message: str, hint: str | None = None) -> Finding:
    """What some players cannot take, or what is likely to be a mistake."""
    return Finding("warning", *_place(at), message, hint)


def _place(at: Expression | Place | Rule | None) -> tuple[int, int]:
    if isinstance(at, Rule):
        at = at.place
    return (1, 1) if at is None else (at.line, at.column)


class Check(NamedTuple):
    """A check: the function that looks for mistakes, its name, and when it is run.

    The stages come one after the other. Those of `text` ask what is written; where they find an error the others make
    no sense. Those of `games` look at random games, those of `ground` at everything that the rules may bring.
    """

    name: str
    look: Callable[[Examined], Iterator[Finding]]
    stage: Stage


def checks(stage: Stage, *looks: Callable[[Examined], Iterator[Finding]]) -> tuple[Check, ...]:
    """The checks that these functions are, for the `CHECKS` of a module."""
    return tuple(Check(look.__name__, look, stage) for look in looks)


_MODULES: Registry[tuple[Check, ...]] = Registry("hexlogic.ggp.check.checks", "CHECKS", "module of checks")


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check, sorted by name."""
    return tuple(sorted(chain.from_iterable(_MODULES), key=lambda check: check.name))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of all checks of a sheet, or of those so far.

    It has the findings, stage by stage and in the order of the text; the numbers of facts and rules, of games and their
    steps, 0 when errors made playing pointless, and of the states in which a second reasoner agrees, 0 where none was
    asked.
    """

    findings: tuple[Finding, ...]
    rules: int
    games: int
    steps: int
    agreeing: int = 0

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.kind == "error" for finding in self.findings)


def check_sheet(
    text: str, file: str = "<text>", plays: Plays | None = None, report: Callable[[Verdict], None] = lambda _: None
) -> Verdict:
    """Check a sheet, HRF when the file's name ends in `.hrf`, and report the verdict so far after each stage. Raises
    RuleSyntaxError when parentheses do not match, and EngineError when the reasoner cannot take the sheet.

    >>> verdict = check_sheet("(role robot) (<= (legal robot (wait ?n)) (role robot))")
    >>> verdict.errors, verdict.games
    (4, 0)
    >>> print(verdict.findings[-1])
    <text>:1:14: ?n stands in no positive literal of the body (that is where values come from)
    """
    sheet = examine(text, file, plays)
    verdict = Verdict((), len(sheet.expressions), 0, 0)
    for stage in STAGES:
        findings = _stage(sheet, stage)
        if stage == "games":
            games, difference = sheet.games, sheet.games.difference
            verdict = replace(verdict, games=len(games.games), steps=games.steps, agreeing=games.agreeing)
            if difference is not None:  # no property of the sheet, so no check of the registry
                what = f"{sheet.plays.against} does not agree with {sheet.plays.reasoner}: {difference}"
                differ = error(None, what, "one of the two has a fault, or reads the sheet differently")
                findings.append(replace(differ, check="agree", file=file))
        verdict = replace(verdict, findings=(*verdict.findings, *findings))
        report(verdict)
        if verdict.errors and stage == "text":
            break
    return verdict


def text_findings(text: str, file: str = "<text>") -> list[Finding]:
    """What is seen in a sheet as it is written, without playing or grounding it; otherwise as `check_sheet`."""
    return _stage(examine(text, file), "text")


def _stage(sheet: Examined, stage: Stage) -> list[Finding]:
    """The findings of a stage, each once, in the order of the text."""
    findings = {
        replace(finding, check=check.name, file=sheet.file): None
        for check in all_checks()
        if check.stage == stage
        for finding in check.look(sheet)
    }
    return sorted(
        findings, key=lambda finding: (finding.line, finding.column, finding.kind, finding.check, finding.message)
    )
