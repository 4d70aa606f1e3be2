"""All checks on one sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hexlogic.ggp.check.examined import Examined, examine
from hexlogic.ggp.check.finding import STAGES, Finding, Stage, all_checks, error
from hexlogic.ggp.check.games import Plays
from hexlogic.ggp.machines.side_by_side import Difference


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of all checks of a sheet: the findings, stage by stage and in the order of the text; the numbers of
    facts and rules, of games and their steps, 0 when errors made playing pointless, and of the states in which a second
    reasoner agrees, 0 where none was asked."""

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
    text: str,
    file: str = "<text>",
    plays: Plays | None = None,
    report: Callable[[Finding], None] = lambda _: None,
    played: Callable[[Verdict], None] = lambda _: None,
) -> Verdict:
    """Check a sheet, HRF when the file's name ends in `.hrf`, and report each finding as soon as its place is known.
    `played` gets the verdict so far when the random games are over, and only what the ground rules show is to come.

    Raises RuleSyntaxError when parentheses do not match, and EngineError when the reasoner cannot take the sheet.

    >>> verdict = check_sheet("(role robot) (<= (legal robot (wait ?n)) (role robot))")
    >>> verdict.errors, verdict.games
    (4, 0)
    >>> print(verdict.findings[-1])
    <text>:1:14: ?n stands in no positive literal of the body (that is where values come from)
    """
    sheet = examine(text, file, plays)
    findings: list[Finding] = []
    games = steps = agreeing = 0
    for stage in STAGES:
        stage_findings = _stage(sheet, stage)
        if stage == "games" and (difference := sheet.games.difference) is not None:
            stage_findings.append(_disagreement(sheet, difference))
        for finding in stage_findings:
            report(finding)
        findings += stage_findings
        if stage == "text" and any(finding.kind == "error" for finding in stage_findings):
            break
        if stage == "games":
            games, steps, agreeing = len(sheet.games.games), sheet.games.steps, sheet.games.agreeing
            played(Verdict(tuple(findings), len(sheet.expressions), games, steps, agreeing))
    return Verdict(tuple(findings), len(sheet.expressions), games, steps, agreeing)


def check_in_child(
    text: str, file: str, plays: Plays, report: Callable[[tuple[Finding | None, Verdict | None]], None]
) -> Verdict:
    """As `check_sheet`: for a child process, as gringo cannot be interrupted. Reports each finding, and the verdict
    so far when the games are over."""
    return check_sheet(
        text, file, plays, lambda finding: report((finding, None)), lambda verdict: report((None, verdict))
    )


def text_findings(text: str, file: str = "<text>") -> list[Finding]:
    """What is seen in a sheet as it is written, without playing or grounding it; otherwise as `check_sheet`."""
    return _stage(examine(text, file), "text")


def _disagreement(sheet: Examined, difference: Difference) -> Finding:
    """The first state in which the second reasoner differs: no property of the sheet, so no check of the registry."""
    what = f"{sheet.plays.against} does not agree with {sheet.plays.reasoner}: {difference}"
    finding = error(None, what, "one of the two has a fault, or reads the sheet differently")
    return replace(finding, check="agree", file=sheet.file)


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
