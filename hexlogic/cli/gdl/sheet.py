"""`hexlogic gdl export`: a rule set of a connection game as a sheet; `show`: a sheet as a program; `check`: whether a
sheet is a proper game."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, flag, say, value
from hexlogic.errors import HexlogicError
from hexlogic.games import Game
from hexlogic.ggp import read_sheet
from hexlogic.ggp.check import Finding, Plays, Verdict, check_sheet
from hexlogic.ggp.export import Sheet, export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.export.sheet import check_sheet_dialect, family, rules_for, sheet_text
from hexlogic.ggp.language.reading import SUFFIXES, text_of
from hexlogic.ggp.machines import REASONERS
from hexlogic.ggp.propnet.ground_size import Size, measure_kif
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.dialects import load_dialect, render
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Died, Stopped, call_isolated
from hexlogic.process.files import write_text
from hexlogic.process.limits import Limits


def export(
    size: options.BoardSize,
    rules: Annotated[str, options.rules(metavar="NAME|FILE", help="The rule set or file that decides the win.")] = "",
    player: Annotated[
        str | None, value("prover|propnet|compiled|epilog|unknown", "The best rule set for such a player.", "--for")
    ] = None,
    game: Annotated[str, options.game(help="The game.")] = "hex",
    swap: Annotated[bool, flag("--swap", "Blue may answer the first stone by swapping it.")] = False,
    pipeline: Annotated[str, options.pipeline(help="Passes to apply to the sheet, as prune.")] = "none",
    dialect: Annotated[
        str, options.dialect(metavar="gdl|hrf|epilog", help="KIF, the infix form, or a rulesheet with operations.")
    ] = "gdl",
    out: Annotated[Path | None, options.out("-o", metavar="FILE", help="Where to write it. [default: stdout]")] = None,
    report: Annotated[bool, flag("--report", "A table of sizes: of each rule set, or of that of --rules.")] = False,
    time_s: Annotated[float, options.time(help="CPU seconds to count a sheet's ground rules.")] = 60,
    memory_mb: Annotated[float, value("MB", "Memory to count them.", "--memory")] = 2000,
) -> None:
    """Write a complete sheet of a game, its win decided by a rule set.

    The header says what the sheet is good for, how its cells are named and how large it is when ground. Recursive
    sheets are small; cycle-free ones are for players that cannot take recursion. With --report, --size takes several
    sizes, as 5,7,9.

    \b
    hexlogic gdl export --size 11 --rules follow-line-tabled -o hex.kif
    hexlogic gdl export --size 9 --for prover --swap -o hex.kif
    hexlogic gdl export --game y --size 8 --rules y/follow-line --dialect hrf
    hexlogic gdl export --size 5,7,9 --report
    """
    check_sheet_dialect(dialect)
    passes, limits = Pipeline.parse(pipeline), Limits.of(cpu_s=time_s, memory_mb=memory_mb)
    if player is not None:
        if rules:
            raise HexlogicError("--for chooses the rule set that --rules names", hint="give one of the two")
        rules = rules_for(player, game)
    if report:
        names = (rules,) if rules else sheet_rule_sets(game)
        boards = [options.board_of_size(part, game) for part in size.split(",")]
        text = _size_table(names, boards, game, swap, passes, limits)
    elif not rules:
        raise HexlogicError("--rules is missing", hint=f"or --for; one of {', '.join(sheet_rule_sets(game))}")
    else:
        board = options.board_of_size(size, game)
        sheet = export_sheet(find_rules(rules, game), board, swap=swap, pipeline=passes)
        text = sheet_text(sheet, dialect, _sheet_size(sheet, limits))
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_text(out, text)


def _sheet_size(sheet: Sheet, limits: Limits) -> Size | str:
    try:
        return call_isolated(measure_kif, {"text": render(sheet.program, "gdl")}, limits)
    except Stopped as stopped:
        return f"counting them takes more than {limits.text_of(stopped.termination)}"


def _size_table(
    names: Sequence[str], boards: Sequence[Game], game: str, swap: bool, passes: Pipeline, limits: Limits
) -> str:
    """Ground rules and atoms of each rule set on each board, and why there is no sheet where there is none."""
    rows: list[list[str]] = []
    notes: dict[str, None] = {}
    for name in names:
        rules = find_rules(name, game)
        cells: list[str] = []
        families: set[str] = set()
        for board in boards:
            say(f"{name} for {board} ...")
            try:
                sheet = export_sheet(rules, board, swap=swap, pipeline=passes)
                size = _sheet_size(sheet, limits)
            except HexlogicError as error:
                cells.append("-")
                notes[f"{name}: {error}\n"] = None
                continue
            families.add(family(sheet.program, size))
            if isinstance(size, str):
                notes[f"{name} for {board}: {size}\n"] = None
            cells.append("?" if isinstance(size, str) else f"{size.rules:,} / {size.atoms:,}")
        if families:
            rows.append([name, max(families), *cells])
    headers = ["ground rules / atoms", "family", *(board.size_text for board in boards)]
    table = tabulate(rows, headers, tablefmt="simple", colalign=("left", "left", *("right" for _ in boards)))
    return f"{table}\n{''.join(notes)}"


def show(
    file: Annotated[Path, argument("FILE.kif", "A sheet; FILE.hrf and FILE.epilog are infix.")],
    dialect: Annotated[str, options.dialect(help="asp, gdl (KIF), hrf (infix), prolog or another.")] = "asp",
    pipeline: Annotated[str, options.pipeline(help="Passes to apply, as ground,reorder.")] = "none",
    as_json: options.Json = False,
) -> None:
    """Print a sheet as a program in a dialect.

    What a state and a move bring, true and does, are its inputs; legal, next, goal and the like are its queries. For
    engines that go from left to right, tests stand behind what binds their variables.

    \b
    hexlogic gdl show game.kif
    hexlogic gdl show game.kif --dialect hrf > game.hrf
    hexlogic gdl show game.hrf --dialect gdl --pipeline ground,prune
    """
    text = load_dialect(dialect)
    program = Pipeline.parse(pipeline).apply(read_sheet(file))
    if text.keeps_order and not all(map(is_legal, program.rules)):
        program = Pipeline.parse("reorder:textual").apply(program)
    rendered = text.render(program)
    if as_json:
        rules, queries = len(program.rules), list(map(str, program.queries))
        data = {"file": str(file), "dialect": dialect, "rules": rules, "queries": queries, "text": rendered}
        typer.echo(json.dumps(data))
    else:
        typer.echo(rendered, nl=False)


_FINDING = ("kind", "line", "column", "message", "hint", "check")


def check(
    file: Annotated[Path, argument("FILE.kif|DIR", "A sheet, or a folder; FILE.hrf and FILE.epilog are infix.")],
    games: Annotated[int, value("N", "Random games to play.", min=0)] = 10,
    seed: Annotated[int, value("N", "The seed of the random games.")] = 0,
    longest: options.Longest = 2000,
    reasoner: Annotated[str, value("NAME", "Who plays: compiled, clingo, swipl or swipl:sld.")] = "compiled",
    against: Annotated[str | None, value("NAME", "A second reasoner; it is an error where the two differ.")] = None,
    time_s: Annotated[float, options.time(help="CPU seconds for all of it.")] = 60,
    memory_mb: Annotated[float, value("MB", "Memory for all of it.", "--memory")] = 2000,
    summary: Annotated[bool, flag("--summary", "A line for each sheet instead of its findings.")] = False,
    as_json: Annotated[bool, flag("--json", "One JSON object for each sheet instead of text.")] = False,
) -> None:
    """Say what is wrong with a sheet, and where.

    First what is written is checked, down to the recursion restriction; where that has no errors, random games are
    played, and base and input are compared with all that the rules may bring. With --against a second reasoner is asked
    the same in each state of as many games. A finding is a line with its place; warnings are marked. Of a folder each
    sheet in it is checked, and then it is said how many could be read and played, and in how many the two agree. Exit
    status 0: no errors; 1: errors, or a sheet of a folder that cannot be read; 2: the sheet cannot be read, or a
    random game took too much.

    \b
    hexlogic gdl check game.kif
    hexlogic gdl check game.kif --games 1000 --seed 1
    hexlogic gdl check game.kif --memory 500 --time 10 --json
    hexlogic gdl check games --summary --against swipl
    """
    for name in (reasoner, against):
        if name is not None:
            REASONERS.check(name)
    plays = Plays(games, seed, reasoner, longest, against)
    is_folder = file.is_dir()
    files = [file]
    if is_folder:
        files = sorted(path for path in file.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not files:
        raise HexlogicError("no sheets in this folder", file=str(file), hint="files that end in .kif, .hrf or .epilog")
    limits = Limits.of(cpu_s=time_s, memory_mb=memory_mb)
    verdicts: list[Verdict] = []
    for sheet in files:
        data: dict[str, object] = {"file": str(sheet)}
        try:
            verdict = _checked(sheet, plays, limits, as_json or summary)
        except HexlogicError as error:
            if not is_folder:
                raise
            typer.echo(str(error), err=as_json)
            data |= {"errors": 1, "refused": str(error)}
        else:
            verdicts.append(verdict)
            text = _summary(verdict)
            findings = [fields(finding, *_FINDING) for finding in verdict.findings]
            data |= fields(verdict, "rules", "games", "steps", "errors", *(["agreeing"] if verdict.agreeing else []))
            data |= {"seed": seed, "reasoner": reasoner, "findings": findings}
            if not as_json:
                typer.echo(f"{sheet}: {text}" if is_folder or summary else text)
        if as_json:
            typer.echo(json.dumps(data, indent=2))
    if is_folder:
        typer.echo(_together(verdicts, len(files)), err=as_json)
    if len(verdicts) < len(files) or any(verdict.errors for verdict in verdicts):
        raise typer.Exit(1)


def _checked(file: Path, plays: Plays, limits: Limits, quiet: bool) -> Verdict:
    """The verdict of a child process; its findings are printed, even those of one that was stopped."""
    heard: list[Verdict] = []

    def hear(verdict: Verdict) -> None:
        for finding in verdict.findings[len(heard[-1].findings) if heard else 0 :]:
            if not quiet:
                typer.echo(str(finding))
        heard.append(verdict)

    task = {"text": text_of(file), "file": str(file), "plays": plays}
    try:
        return call_isolated(check_sheet, task, limits, report=hear)
    except Died as died:
        hint = "it may have needed more memory than there is"
        raise HexlogicError(f"the check ended by itself: {died}", file=str(file), hint=hint) from None
    except Stopped as stopped:
        late = "three times the CPU seconds of --time and half a minute: --time"
        kinds = {"memory-limit": (" of memory", "--memory"), "wall-limit": (" by the clock", late)}
        words, option = kinds.get(stopped.termination, ("", "--time"))
        most, hint = f"{limits.text_of(stopped.termination)}{words}", f"{option} allows more"
        if len(heard) < 2:
            raise HexlogicError(f"to play this sheet takes more than {most}", file=str(file), hint=hint) from None
        left_out = f"base, input and cycles were not checked: to ground this sheet takes more than {most}"
        warning = Finding("warning", 1, 1, left_out, hint, "ground", str(file))
        hear(replace(heard[-1], findings=(*heard[-1].findings, warning)))
        return heard[-1]


def _together(verdicts: Sequence[Verdict], sheets: int) -> str:
    """What came of the sheets of a folder, of which some could be read.

    >>> from hexlogic.ggp.check import Verdict
    >>> _together([Verdict((), 35, 10, 81), Verdict((), 20, 0, 0)], 2)
    '2 sheets: 2 read, 1 played, 2 without errors'
    >>> _together([Verdict((), 35, 10, 81, 90), Verdict((), 20, 0, 0)], 2)
    '2 sheets: 2 read, 1 played, 1 agree, 2 without errors'
    """
    agreeing = [verdict for verdict in verdicts if verdict.agreeing]
    same = sum(all(finding.check != "agree" for finding in verdict.findings) for verdict in agreeing)
    parts = {
        "read": len(verdicts),
        "played": sum(verdict.games > 0 for verdict in verdicts),
        "agree": same if agreeing else None,
        "without errors": sum(not verdict.errors for verdict in verdicts),
    }
    counts = ", ".join(f"{count} {words}" for words, count in parts.items() if count is not None)
    return f"{_counted(sheets, 'sheet')}: {counts}"


def _summary(verdict: Verdict) -> str:
    """What there was to check, and what came of it.

    >>> from hexlogic.ggp.check import Verdict
    >>> _summary(Verdict((), 35, 10, 81))
    'no findings: 35 rules, 10 games played (81 steps)'
    >>> _summary(Verdict((), 35, 10, 81, 90))
    'no findings: 35 rules, 10 games played (81 steps), 90 states the same'
    """
    warnings = len(verdict.findings) - verdict.errors
    counts = [_counted(count, what) for count, what in ((verdict.errors, "error"), (warnings, "warning")) if count]
    games = f"{_counted(verdict.games, 'game')} played ({_counted(verdict.steps, 'step')})"
    played = games if verdict.games else "no games played"
    agreed = f", {_counted(verdict.agreeing, 'state')} the same" if verdict.agreeing else ""
    return f"{', '.join(counts) or 'no findings'}: {_counted(verdict.rules, 'rule')}, {played}{agreed}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
