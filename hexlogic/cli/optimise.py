"""`hexlogic optimise`: any program or sheet made cheaper, with reasons, counters and a check."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.output import is_quiet, sarif, say
from hexlogic.encodings.files import optimise_files
from hexlogic.encodings.hooks import text_to_ground
from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.language.passes.optimise import Request
from hexlogic.process.files import named

_SHEETS = (".kif", ".hrf", ".epilog")
_COLOURS = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}


def optimise(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE.lp...|FILE.kif", help="A program that clingo reads, or a sheet (also .hrf)."),
    ],
    query: Annotated[
        str | None, typer.Option(metavar="P/N,...", help="What is asked for, instead of its #show lines.")
    ] = None,
    inputs: Annotated[
        str | None,
        typer.Option(metavar="P/N,...", help="What comes at run time, beside its #defined and what no rule defines."),
    ] = None,
    pipeline: Annotated[
        str | None,
        options.pipeline(help="The passes to apply: ground,reorder:cost,prune unless given; else the best of several."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", metavar="OUT", help="Write the program here.")] = None,
    reasoner: Annotated[
        str | None, typer.Option(metavar="NAME", help="For a sheet: who plays it; swipl unless given.")
    ] = None,
    player_kind: Annotated[
        str | None,
        typer.Option("--for", metavar="prover|propnet|swipl|compiled", help="For a sheet: the kind of its player."),
    ] = None,
    measure: Annotated[
        str | None, typer.Option(metavar="A,B", help="For a sheet: reasoners whose playouts are timed.")
    ] = None,
    instance: Annotated[
        Path | None,
        typer.Option("--instance", "--profile", metavar="FILE.lp", help="A typical instance to measure with."),
    ] = None,
    constants: Annotated[
        list[str] | None,
        typer.Option("--const", "-c", metavar="NAME=TERM", help="For clingo's language: measure with this constant."),
    ] = None,
    last_step: Annotated[
        int | None,
        typer.Option(
            "--steps",
            metavar="N",
            min=1,
            help="For clingo's language: parts such as step(t) are ground once for each t of 1..N.",
        ),
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option(
            metavar="ground|solve|swipl",
            help="What is to get cheaper; swipl is for the rule language and the default there, else ground.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Sizes for each rewriting and for each trial.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 when a cheaper program was found.")
    ] = False,
    allow_scripts: Annotated[bool, typer.Option("--allow-scripts", help="Let scripts of the program run.")] = False,
    seed: Annotated[int, typer.Option("--random", metavar="SEED", help="Measure with random input facts.")] = 0,
    limit: Annotated[
        float,
        typer.Option(metavar="S", min=0.1, help="CPU seconds for all of it; for a sheet, for each phase."),
    ] = 10.0,
    as_json: options.Json = False,
    form: Annotated[
        str, typer.Option("--format", metavar="text|sarif", help="SARIF: one result for each rewriting.")
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
    if form not in ("text", "sarif"):
        raise UnknownNameError.among("format", form, ["text", "sarif"])
    request = Request(**given)
    if any(file.suffix.lower() in _SHEETS for file in files):
        from hexlogic.ggp.optimise.files import optimise_sheet_file

        if len(files) > 1:
            raise HexlogicError("a sheet is optimised alone", file=str(files[0]))
        outcome = optimise_sheet_file(files[0], request, _say_phase)
    else:
        request.refuse(files[0], "is for sheets", "reasoner", "measure", "player_kind")
        outcome = optimise_files(files, request, _say_phase)
    text = outcome.text.encode(outcome.charset)
    if output is not None and not check:
        with named(output):
            output.write_bytes(text)
    if as_json:
        typer.echo(json.dumps(outcome.fields, indent=2))
    elif form == "sarif":
        typer.echo(json.dumps(sarif(_results(outcome.fields.get("rewritings", []))), indent=2))
    else:
        if output is None and not check:
            typer.echo(text, nl=False)
        colours = _COLOURS if sys.stderr.isatty() else {}
        for line in outcome.notes:
            typer.secho(line, fg=colours.get(line[:1]), reset=line[:1] in colours, err=True)
    if not outcome.is_same or (check and outcome.changed):
        raise typer.Exit(1)


optimize = optimise


def _results(rewritings: object) -> Iterator[tuple[str, int, int, str, str]]:
    """Each rewriting as a result of SARIF."""
    for rewriting in rewritings if isinstance(rewritings, list) else ():
        file, line, column = rewriting["place"].rsplit(":", 2)
        after = " ".join(rewriting["after"]) or "dropped"
        yield file, int(line), int(column), rewriting["step"], f"can be written: {after} ({rewriting['proof']})"


def ground(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.lp...", help="A program, and last its instance.")],
    limit: Annotated[float, typer.Option(metavar="S", min=0.1, help="CPU seconds to optimise it.")] = 10.0,
) -> None:
    """Ground a program in clingo's language, optimised on the way: the output is aspif, for clasp.

    With several files the last one is the instance. The optimised text is kept in the user's cache folder and serves
    every instance with facts of the same predicates.

    \b
    hexlogic ground encoding.lp instance.lp | clasp
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hexlogic" / "ground"
    text = text_to_ground(files, limit, cache, _say_phase)
    with tempfile.NamedTemporaryFile("w", suffix=".lp", encoding="utf-8") as program:
        program.write(text)
        program.flush()
        command = [sys.executable, "-m", "clingo", "--mode=gringo", "--warn=none", program.name]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise HexlogicError(f"clingo: {' '.join(done.stderr.split())[:300]}", file=str(files[0]))


def _say_phase(what: str) -> None:
    """Say which phase begins, or was stopped."""
    if not is_quiet():
        say(f"; ... {what}")
