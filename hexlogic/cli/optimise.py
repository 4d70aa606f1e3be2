"""`hexlogic optimise`: any program or sheet made cheaper, with reasons, counters and a check."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, flag, value
from hexlogic.cli.output import is_quiet, sarif, say
from hexlogic.encodings.files import optimise_files
from hexlogic.encodings.hooks import ground_files
from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.language.passes.optimise import Optimised, Request
from hexlogic.process.files import named

_SHEETS = (".kif", ".hrf", ".epilog")
_COLOURS = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}


def optimise(
    files: Annotated[
        list[Path], argument("FILE.lp...|FILE.kif", "A program that clingo reads, or a sheet (also .hrf).")
    ],
    query: Annotated[str | None, value("P/N,...", "What is asked for, instead of its #show lines.")] = None,
    inputs: Annotated[
        str | None, value("P/N,...", "What comes at run time, beside its #defined and what no rule defines.")
    ] = None,
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
    instance: Annotated[
        Path | None, value("FILE.lp", "A typical instance to measure with.", "--instance", "--profile")
    ] = None,
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
    form: Annotated[
        str, value("text|sarif|lines", "lines: each better text as it comes, as JSON.", "--format")
    ] = "text",
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
        from hexlogic.ggp.optimise.files import optimise_sheet_file

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
    """Each rewriting as a result of SARIF."""
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
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hexlogic" / "ground"
    for data in ground_files(files, limit, cache, _say_better):
        typer.echo(data, nl=False)


def _say_better(outcome: Optimised) -> None:
    if "reason" in outcome.fields:
        _say_phase(str(outcome.fields["reason"]))


def _say_phase(what: str) -> None:
    """Say which phase begins, or was stopped."""
    if not is_quiet():
        say(f"; ... {what}")
