"""The options that several commands take, each declared once: whole ones, and those whose help differs by command."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

_POSITION = "A file, - for stdin, a named board, or a position as text."

# Options whose names are the same wherever they stand, and whose help says what they do there.
size = partial(typer.Option, "--size", "-s", metavar="N|RxC")
game = partial(typer.Option, "--game", "-g", metavar="NAME")
pipeline = partial(typer.Option, "--pipeline", "-p", metavar="PASSES")
rules = partial(typer.Option, "--rules", "-r", metavar="NAME")
dialect = partial(typer.Option, "--dialect", "-d", metavar="DIALECT")
time = partial(typer.Option, "--time", metavar="S")
out = partial(typer.Option, "--out", metavar="DIR")
jobs = partial(typer.Option, "--jobs", metavar="N", min=1)
player = partial(typer.Option, "--player", "-p", metavar="NAME")
svg = partial(typer.Option, "--svg", metavar="FILE")
executor = partial(typer.Option, "--executor", metavar="local|dask|dask:ADDRESS")

PositionText = Annotated[str, typer.Argument(metavar="POSITION", help=_POSITION)]
OptionalPosition = Annotated[str | None, typer.Argument(metavar="[POSITION]", help=_POSITION)]
Size = Annotated[str | None, size(help="The size, for a move list without one.")]
GameName = Annotated[str, game(help="The game, for a position that does not name it.")]
ToMove = Annotated[str | None, typer.Option(metavar="red|blue", help="[default: by the numbers of stones]")]
Svg = Annotated[str | None, svg(help="Write a picture to FILE, or to stdout with -.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
JsonList = Annotated[bool, typer.Option("--json", help="One JSON list instead of a table.")]
BoardSize = Annotated[str, size(help="The board.")]
OutFile = Annotated[Path | None, out("-o", metavar="FILE", help="Write to FILE, not stdout.")]
Playouts = Annotated[int | None, typer.Option(metavar="N", min=1, help="Playouts for a move, at most.")]
Executor = Annotated[str, executor(help="This machine, or each host of a cluster.")]
Mix = Annotated[bool, typer.Option("--mix", help="Take sessions together though host, limits or versions differ.")]
Port = Annotated[
    int, typer.Option("--port", "-p", metavar="N", min=0, max=65535, help="The port to listen on; 0 is any free one.")
]
Reasoner = Annotated[
    str, typer.Option(metavar="NAME", help="What works the rules out: compiled, forward, clingo, swipl.")
]
Longest = Annotated[int, typer.Option(metavar="N", min=1, help="Steps after which a game counts as endless.")]
