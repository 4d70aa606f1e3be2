"""`hexlogic optimise` and `ground`: any program or sheet made cheaper, with reasons, counters and a check; `hexlogic
profile`: where the ground rules of a program come from.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, flag, put_text, sarif, say, say_progress, value
from hexlogic.encodings.limited import optimise_files
from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.language.passes.request import Optimised, Request
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.files import named
from hexlogic.process.limits import Limits

if TYPE_CHECKING:
    from hexlogic.encodings.profile import Profile, StatementProfile

_SHEETS = (".kif", ".hrf", ".epilog")
_COLOURS = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}


def optimise(
    files: Annotated[list[Path], argument("FILE.lp...|FILE.kif", "A program for clingo, or a sheet (also .hrf).")],
    query: Annotated[str | None, value("P/N,...", "What is asked for, instead of its #show lines.")] = None,
    inputs: Annotated[str | None, value("P/N,...", "Inputs beside its #defined and what no rule defines.")] = None,
    pipeline: Annotated[
        str | None,
        options.pipeline(help="The passes to apply: ground,reorder:cost,prune unless given; else the best of several."),
    ] = None,
    output: Annotated[Path | None, value("OUT", "Write the program here.", "-o")] = None,
    reasoner: Annotated[str | None, value("NAME", "For a sheet: who plays it; swipl unless given.")] = None,
    player_kind: Annotated[
        str | None, value("prover|propnet|swipl|compiled", "For a sheet: the kind of its player.", "--for")
    ] = None,
    measure: Annotated[str | None, value("A,B", "For a sheet: reasoners whose playouts are timed.")] = None,
    instance: Annotated[Path | None, value("FILE.lp", "Instance to measure with.", "--instance", "--profile")] = None,
    constants: Annotated[
        list[str] | None, value("NAME=TERM", "For clingo's language: measure with this constant.", "--const", "-c")
    ] = None,
    last_step: Annotated[
        int | None,
        value(
            "N", "For clingo's language: parts such as step(t) are ground once for each t of 1..N.", "--steps", min=1
        ),
    ] = None,
    aim: Annotated[
        str | None,
        value(
            "ground|solve|swipl",
            "What is to get cheaper; swipl is for the rule language and the default there, else ground.",
        ),
    ] = None,
    explain: Annotated[bool, flag("--explain", "Sizes for each rewriting and for each trial.")] = False,
    check: Annotated[bool, flag("--check", "Write nothing; exit status 1 when a cheaper program was found.")] = False,
    allow_scripts: Annotated[bool, flag("--allow-scripts", "Let scripts of the program run.")] = False,
    seed: Annotated[int, value("SEED", "Measure with random input facts.", "--random")] = 0,
    limit: Annotated[float, value("S", "CPU seconds for all of it; for a sheet, for each phase.", min=0.1)] = 10.0,
    as_json: options.Json = False,
    form: Annotated[str, value("text|sarif|lines", "lines: better texts as they come, as JSON.", "--format")] = "text",
) -> None:
    """Optimise a program: print the new text, and what changed and why.

    The text goes to stdout, everything else to stderr: one line for each change, what clingo grounds and what
    SWI-Prolog infers before and after, and whether the answers are the same. Exit status 1: they are not.

    For a sheet: what the reasoner has to do, its playouts a second, and whether it is the same game: in random games,
    and by proof where that is possible. Exit status 1 also when it is no valid sheet any more.

    \b
    hexlogic optimise benchmarks/programs/triangles.lp
    hexlogic optimise rules.lp --query reach/1 --inputs edge/2 -p ground,reorder:cost,prune,magic -o faster.lp
    hexlogic optimise queens.lp -c n=40 -o faster.lp
    hexlogic optimise encoding.lp --profile instance.lp --aim ground --explain -o faster.lp
    hexlogic optimise game.kif --for prover -o faster.kif
    """
    given = {name: value for name, value in locals().items() if name not in ("files", "as_json", "form")}
    if form not in (forms := ("text", "sarif", "lines")):
        raise UnknownNameError.among("format", form, list(forms))
    request = Request(**given)
    if any(file.suffix.lower() in _SHEETS for file in files):
        from hexlogic.ggp.optimise.phases import optimise_sheet_file

        if len(files) > 1:
            raise HexlogicError("a sheet is optimised alone", file=str(files[0]))
        outcome = optimise_sheet_file(files[0], request, _say_phase)
    else:
        request.refuse(files[0], "is for sheets", "reasoner", "measure", "player_kind")
        outcome = optimise_files(files, request, lambda earlier: _put(earlier, request, form, _say_better))
    _put(outcome, request, form)
    if as_json and form != "lines":
        typer.echo(json.dumps(outcome.fields, indent=2))
    elif form == "sarif":
        typer.echo(json.dumps(sarif(_results(outcome.fields.get("rewritings", []))), indent=2))
    elif form == "text":
        if output is None and not check:
            typer.echo(outcome.text.encode(outcome.charset), nl=False)
        colours = _COLOURS if sys.stderr.isatty() else {}
        for line in outcome.notes:
            typer.secho(line, fg=colours.get(line[:1]), reset=line[:1] in colours, err=True)
    if not outcome.is_same or (check and outcome.changed):
        raise typer.Exit(1)


optimize = optimise


def _put(outcome: Optimised, request: Request, form: str, tell: Callable[[Optimised], None] = lambda _: None) -> None:
    """Write a text to the file that was named, and to stdout where each is wanted as it comes."""
    if request.output is not None and not request.check:
        with named(request.output):
            request.output.write_bytes(outcome.text.encode(outcome.charset))
    if form == "lines":
        typer.echo(json.dumps(outcome.fields))
    tell(outcome)


def _results(rewritings: object) -> Iterator[tuple[str, int, int, str, str]]:
    for rewriting in rewritings if isinstance(rewritings, list) else ():
        file, line, column = rewriting["place"].rsplit(":", 2)
        after = " ".join(rewriting["after"]) or "dropped"
        yield file, int(line), int(column), rewriting["step"], f"can be written: {after} ({rewriting['proof']})"


def ground(
    files: Annotated[list[Path], argument("FILE.lp...", "A program, and last its instance.")],
    limit: Annotated[float | None, value("S", "CPU seconds for all; else 10 to optimise it.", min=0.1)] = None,
) -> None:
    """Ground a program in clingo's language, optimised on the way: the output is aspif, for clasp.

    With several files the last one is the instance. The optimised text is kept in the user's cache folder and serves
    every instance with facts of the same predicates.

    \b
    hexlogic ground encoding.lp instance.lp | clasp
    """
    from hexlogic.encodings.hooks import ground_files

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hexlogic" / "ground"
    for data in ground_files(files, limit, cache, _say_better):
        typer.echo(data, nl=False)


def _say_better(outcome: Optimised) -> None:
    if "reason" in outcome.fields:
        _say_phase(str(outcome.fields["reason"]))


def _say_phase(what: str) -> None:
    say_progress(f"; ... {what}")


_SHOWN = 10
_LOOKS = 2  # First looks that are printed: counts alone, and with advice


def profile(
    files: Annotated[list[Path], argument("FILE.lp...", "A program that clingo reads.")],
    constants: Annotated[list[str] | None, value("NAME=TERM", "Ground with this constant.", "--const", "-c")] = None,
    limit: Annotated[float, value("S", "CPU seconds for all of it.", min=0.1)] = 10.0,
    allow_scripts: Annotated[bool, flag("--allow-scripts", "Let scripts of the program run.")] = False,
    as_json: options.Json = False,
    as_sarif: Annotated[bool, flag("--sarif", "As SARIF, for editors and code review.")] = False,
    html: Annotated[Path | None, value("FILE", "Write a page.", "--html")] = None,
    every: Annotated[bool, flag("--all", "All statements, not only the ten with the most.")] = False,
) -> None:
    """Say where the instances of a program come from: the largest statements first, and what could be done.

    A first look at an eighth of the facts goes to stderr. Instances are exact where nothing else is said; matches tried
    are estimates. Growth is how many times more instances half as many facts more give.

    \b
    hexlogic profile encoding.lp instance.lp
    hexlogic profile encoding.lp instance.lp --html profile.html
    """
    from hexlogic.encodings.checking import takes_too_long
    from hexlogic.encodings.profile import profile_files
    from hexlogic.encodings.reading import read_encoding

    best: list[Profile] = []

    def better(earlier: "Profile") -> None:
        best.append(earlier)
        if earlier.part > 1 and len(best) <= _LOOKS:
            say("\n".join([f"first look, at {1 / earlier.part:.0%} of the facts:", *_lines(earlier, 3)]))

    task = {"files": list(map(str, files)), "constants": constants or [], "limit_s": limit * 0.8}
    task |= {"scripts": allow_scripts}
    try:
        result = call_isolated(profile_files, task, Limits.of(cpu_s=limit, memory_mb=6_000), report=better)
    except (Stopped, KeyboardInterrupt) as stopped:
        error = takes_too_long(read_encoding(files), f"the program was {stopped}")
        if not best or (error.line is not None and isinstance(stopped, Stopped)):
            raise error from None
        result = replace(best[-1], note=f"{1 / best[-1].part:.0%} of the facts only: {stopped}")
    if html is not None:
        from jinja2 import Environment, PackageLoader

        pages = Environment(loader=PackageLoader("hexlogic.encodings", ""), autoescape=True)
        put_text(pages.get_template("profile.html.j2").render(profile=result, title=", ".join(map(str, files))), html)
    elif as_json:
        typer.echo(json.dumps(asdict(result), indent=2))
    elif as_sarif:
        rows = [row for row in result.statements if row.instances or not row.is_counted]
        results = ((row.file, row.line, row.column, "instances", _words(row)) for row in rows)
        typer.echo(json.dumps(sarif(results), indent=2))
    else:
        typer.echo("\n".join(_lines(result, len(result.statements) if every else _SHOWN)))


def _words(row: "StatementProfile") -> str:
    growth = "" if row.growth is None else f", {row.growth:.1f} times as many with half as many facts more"
    if not row.is_counted:
        return f"{row.instances:,} instances (estimated: they were not counted in time): {row.advice}"
    return f"{row.instances:,} instances, {row.share:.0%} of all{growth}: {row.advice}"


def _lines(result: "Profile", shown: int) -> list[str]:
    note = f" ({result.note})" if result.note else ""
    lines = [f"{result.rules:,} ground rules in {result.cpu_s:.3f} CPU s{note}"]
    for row in result.statements[:shown]:
        lines.append(f"{row.share:4.0%} {row.instances:>11,}  {row.file}:{row.line}:{row.column}  {row.text[:160]}")
        if row.advice:
            lines.append(f"      {_words(row).partition(' instances')[2].lstrip(', ')}")
            lines.append(f"      about {row.matches:,.0f} matches tried (estimated), {row.cpu_s:.3f} CPU s")
    for name, counts in (("choices", result.choices), ("lemmas", result.lemmas)):
        if counts:
            most = ", ".join(f"{predicate} {count:,}" for predicate, count in list(counts.items())[:5])
            lines.append(f"clasp, {name} by predicate: {most}")
    return [*lines, f"clasp: {result.conflicts:,} conflicts"] if result.choices else lines
