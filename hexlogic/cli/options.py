"""What several commands take: options, each declared once; a size, a position, words with commas; their modules, when
they are called. What several commands print: a text to a file or to stdout, an object as JSON; progress on stderr."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
from typer.core import TyperGroup

from hexlogic.errors import PositionError, SizeError, UnknownNameError

if TYPE_CHECKING:
    from typer._click import Command, HelpFormatter

    from hexlogic.games import Game, NamedBoard

_POSITION = "A file, - for stdin, a named board, or a position as text."


def value(metavar: str, help: str, *names: str, min: float | None = None, max: float | None = None) -> object:
    """An option that takes a value, for an annotation of typer. Its name is that of the parameter unless given."""
    return typer.Option(*names, metavar=metavar, help=help, min=min, max=max)


def argument(metavar: str, help: str) -> object:
    """A positional argument."""
    return typer.Argument(metavar=metavar, help=help)


def flag(name: str, help: str) -> object:
    """An option without a value."""
    return typer.Option(name, help=help)


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

PositionText = Annotated[str, argument("POSITION", _POSITION)]
OptionalPosition = Annotated[str | None, argument("[POSITION]", _POSITION)]
Size = Annotated[str | None, size(help="The size, for a move list without one.")]
GameName = Annotated[str, game(help="The game, for a position that does not name it.")]
ToMove = Annotated[str | None, value("red|blue", "[default: by the numbers of stones]")]
Svg = Annotated[str | None, svg(help="Write a picture to FILE, or to stdout with -.")]
Json = Annotated[bool, flag("--json", "One JSON object instead of text.")]
JsonList = Annotated[bool, flag("--json", "One JSON list instead of a table.")]
BoardSize = Annotated[str, size(help="The board.")]
OutFile = Annotated[Path | None, out("-o", metavar="FILE", help="Write to FILE, not stdout.")]
Playouts = Annotated[int | None, value("N", "Playouts for a move, at most.", min=1)]
Executor = Annotated[str, executor(help="This machine, or each host of a cluster.")]
Mix = Annotated[bool, flag("--mix", "Take sessions together though host, limits or versions differ.")]
Port = Annotated[int, value("N", "The port to listen on; 0 is any free one.", "--port", "-p", min=0, max=65535)]
Reasoner = Annotated[str, value("NAME", "What works the rules out: compiled, clingo, swipl.")]
Longest = Annotated[int, value("N", "Steps after which a game counts as endless.", min=1)]


class LazyGroup(TyperGroup):
    """Commands whose modules are imported when they are called, so that help loads none of them."""

    listing: ClassVar[Mapping[str, tuple[str, str]]]
    """By command, its module in `hexlogic.cli`, which has a function of that name or else an `app` of commands; and its
    line in the help, empty for a command that is not listed. In the order of the help."""

    def list_commands(self, ctx: object) -> list[str]:
        """The commands that are listed."""
        return [name for name, (_, words) in self.listing.items() if words]

    def get_command(self, ctx: object, cmd_name: str) -> Command | None:
        """Import a command."""
        if cmd_name not in self.listing:
            return None
        home, words = self.listing[cmd_name]
        module = import_module(f"hexlogic.cli.{home}")
        if hasattr(module, cmd_name):
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(cmd_name, short_help=words)(getattr(module, cmd_name))
            return typer.main.get_command(alone)
        group = typer.main.get_group(module.app)
        group.name = cmd_name
        return group

    def format_commands(self, ctx: object, formatter: HelpFormatter) -> None:
        """Write the list."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in self.listing.items() if words])


# One word that is a position and not a name: a row of a board, a move, a size.
_ONE_WORD = re.compile(r"[RrBb.]+|[A-Za-z]{1,2}\d+|\d+(x\d+)?")


def board_of_size(text: str, game: str = "hex", option: str = "--size") -> Game:
    """The board that `--game` and an option with a size name. Raises UnknownNameError and SizeError."""
    from hexlogic.games import load_game

    kind = load_game(game)
    try:
        return kind.of_text(text)
    except SizeError as error:
        raise error.at(file=option) from None


def read_board(text: str, size: str | None = None, game: str = "hex") -> NamedBoard:
    """The position that the user means: a file, `-` for stdin, a named board, or the text of a position itself.

    The text may name its game; `game` is what it is otherwise.
    A position that is not a named board has an empty idea and what the referee says as its expected answer.
    Raises PositionError, UnknownNameError and SizeError.
    """
    from hexlogic.games import NamedBoard, board_names, load_board, parse_position, winner

    wanted = board_of_size(size, game) if size is not None else None
    given = text_of(text)
    if given is not None:
        content, file = given
    elif text in board_names() or ("@" in text and " " not in text):
        board = load_board(text)
        if wanted not in (None, board.position.game):
            what = f"the board {text} is {board.position.game}, not {wanted}"
            raise SizeError(what, file="--size", hint="leave it out")
        return board
    elif len(text.split()) > 1 or "," in text or text.lstrip()[:1] in ("", "{", "[") or _ONE_WORD.fullmatch(text):
        content, file = text, "<argument>"
    elif "/" in text or "." in text:
        raise PositionError("there is no such file", file=text)
    else:
        known = UnknownNameError.among("board", text, list(board_names()))
        known.hint = f"{known.hint}; or a file, - for stdin, or the text of a position"
        raise known
    position = parse_position(content, file=file, size=wanted, game=game)
    return NamedBoard(position.name or "", "", position, winner(position))


def text_of(argument: str) -> tuple[str, str] | None:
    """What a file, or stdin for `-`, holds, and its name in errors; None for what is no file. Raises HexlogicError."""
    from hexlogic.process.files import readable

    if argument == "-":
        return sys.stdin.read(), "<stdin>"
    path = Path(argument)
    try:
        if path.is_dir() and str(path) != ".":
            raise PositionError("this is a folder, not a position", file=str(path))
        if not (path.is_file() or path.is_fifo() or path.is_char_device()):
            return None
    except (OSError, ValueError):  # text too long for a path, or with a NUL
        return None
    with readable(path, kind=PositionError):
        return path.read_text(encoding="utf-8"), str(path)


def warn_about(board: NamedBoard) -> None:
    """Say on stderr what is odd about a position. A named board is a task for rules and need not come from a game."""
    if not board.idea:
        for warning in board.position.warnings():
            print(f"warning: {warning}", file=sys.stderr)


def split_commas(text: str) -> tuple[str, ...]:
    """The parts of an option that takes several, between commas."""
    return tuple(word.strip() for word in text.split(","))


def fields(value: object, *names: str) -> dict[str, object]:
    """These attributes by their names, as a JSON object has them."""
    return {name: getattr(value, name) for name in names}


def sarif(results: Iterable[tuple[str, int, int, str, str]]) -> dict[str, object]:
    """A SARIF 2.1.0 log of results, each with file, line, column, rule and message."""
    entries = [
        {
            "ruleId": rule,
            "level": "note",
            "message": {"text": message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": file},
                        "region": {"startLine": line, "startColumn": column},
                    }
                }
            ],
        }
        for file, line, column, rule, message in results
    ]
    run = {"tool": {"driver": {"name": "hexlogic", "rules": []}}, "results": entries}
    return {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [run]}


def say(text: str) -> None:
    """Print progress, a warning or what was written, on stderr."""
    typer.echo(text, err=True)


def say_progress(text: str) -> None:
    """Print progress on stderr, unless the user asked for none."""
    if not is_quiet():
        say(text)


def put_text(text: str, file: Path | str | None, what: str = "") -> None:
    """Write a text to a file and note that on stderr; print it when `file` is None or `-`."""
    from hexlogic.process.files import STDIN, write_text

    if file is None or Path(file) == STDIN:
        typer.echo(text, nl=False)
    else:
        write_text(Path(file), text)
        say(f"wrote {what}{file}")


_NOTES_AFTER_S = 4.0
_FIRST_AFTER_S = 5.0


def is_quiet() -> bool:
    """Whether the user asked for no progress: HEXLOGIC_QUIET is set. Results and errors are printed all the same."""
    return bool(os.environ.get("HEXLOGIC_QUIET"))


def notes(after_s: float = _NOTES_AFTER_S, every_s: float = 0.0) -> Callable[[str], None]:
    """A function that prints progress on stderr: from `after_s` seconds on, one line in `every_s` seconds."""
    next_s = monotonic() + after_s

    def note(text: str) -> None:
        nonlocal next_s
        if not is_quiet() and monotonic() > next_s:
            next_s = monotonic() + every_s if every_s else next_s
            say(text)

    return note


class TimeLeft:
    """Prints progress and the time left, first after five seconds and then at growing intervals."""

    def __init__(self) -> None:
        self._what = ""
        self._begin = self._next = 0.0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """`done` of `whole` are done."""
        now = monotonic()
        if what != self._what:
            self._what, self._begin, self._next = what, now, now + _FIRST_AFTER_S
        elif now >= self._next and 0 < done < whole and not is_quiet():
            spent = now - self._begin
            left = spent / done * (whole - done)
            say(f"{what}: {done} of {whole} after {spent:.0f} s, about {left:.0f} s left")
            self._next = now + max(_FIRST_AFTER_S, spent)
