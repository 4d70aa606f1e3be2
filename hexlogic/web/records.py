"""Load recorded games for the viewer: Hex games in any notation, tournaments, and matches of general game players.

Both kinds become frames, states with what was done in each, which one page steps through.
"""

import gzip
import hashlib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from hexlogic.errors import HexlogicError, PositionError
from hexlogic.games.game_state import GameRecord, GameState
from hexlogic.games.record_formats import read_games
from hexlogic.ggp.language.reading import read_sheet, read_term
from hexlogic.ggp.playing.picture import find_picture
from hexlogic.ggp.playing.record import MatchRecord, decode_match
from hexlogic.language.dialects.gdl import render
from hexlogic.language.syntax import Program
from hexlogic.players.tournament.records import GameLine, Line, game_record
from hexlogic.process.files import decode_json, readable
from hexlogic.web.game_request import Fields, from_record, winning_cells, word_of
from hexlogic.web.sheets import picture_of

_LARGEST: Final = 200_000_000  # Bytes that are read of one file, after decompression
_BLANK: Final[Mapping[str, object]] = {"svg": None, "rest": (), "last": None, "chain": (), "faults": ()}
"""A frame in which there is nothing to see."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game of Hex or a match, with the sheet of the match where it was found."""

    title: str
    record: GameRecord | MatchRecord
    sheet: Program | None = None

    def frames(self) -> Fields:
        """What the viewer shows: a title, words about it, and the states; `link` opens the play page where it can."""
        if isinstance(self.record, GameRecord):
            return _game_frames(self.title, self.record)
        return _match_frames(self.title, self.record, self.sheet or Program())


def load_records(path: Path, sheet: Path | None = None) -> tuple[Recorded, ...]:
    """The games of a file or a folder: SGF and what else `hexlogic convert` reads, a zip of such files,
    `tournament.jsonl`, `matches.jsonl`, either also with `.gz`. `sheet` is that of the matches; without it the file
    that the record names is looked for beside it. Raises HexlogicError.
    """
    records: list[Recorded] = []
    for name, text in _texts(path):
        if text.lstrip().startswith("{"):
            records += _lines(name, text, path, sheet)
        else:
            games = read_games(text, file=name)
            records += (
                Recorded(_title(game, Path(name).stem, n if games[1:] else 0), game) for n, game in enumerate(games, 1)
            )
    if not records:
        raise PositionError("there is no game here", file=str(path))
    return tuple(records)


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with readable(path, kind=PositionError):
            if path.is_dir():
                lines = [path / name for name in ("tournament.jsonl", "matches.jsonl") if (path / name).is_file()]
                for file in lines or sorted(path.glob("*.sgf")):
                    yield str(file), file.read_text(encoding="utf-8-sig")
            elif zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
                        raise PositionError(f"more than {_LARGEST:,} bytes when unpacked", file=str(path))
                    for entry in sorted(archive.namelist()):
                        yield entry, archive.read(entry).decode("utf-8-sig")
            elif path.suffix == ".gz":
                with gzip.open(path) as packed:
                    yield str(path), packed.read(_LARGEST).decode("utf-8-sig")
            else:
                yield str(path), path.read_text(encoding="utf-8-sig")
    except (EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise PositionError(f"cannot be read: {error}", file=str(path)) from None


def _lines(name: str, text: str, path: Path, sheet: Path | None) -> Iterator[Recorded]:
    """The games of a tournament, or matches. A torn last line is left out, as where tournaments are continued."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        try:
            if not line:
                continue
            if '"sheet_sha256"' in line:
                match = decode_match(line)
                yield Recorded(f"{match.match}: {', '.join(match.players)}", match, _sheet_of(match, path, sheet))
            elif isinstance(game := decode_json(line.encode(), Line), GameLine):
                yield Recorded(f"{game.key}, {game.winner} wins", game_record(game))
        except msgspec.DecodeError as error:
            if number < len(lines):
                raise PositionError(f"no line of games: {error}", file=name, line=number) from None


def _sheet_of(match: MatchRecord, path: Path, sheet: Path | None) -> Program | None:
    """The sheet of a match: the one that was given, or the file of its name that has its text."""
    if sheet is not None:
        return read_sheet(sheet)
    folder = path if path.is_dir() else path.parent
    for file in filter(Path.is_file, (folder / Path(match.sheet).name, Path(match.sheet))):
        with suppress(HexlogicError):
            program = read_sheet(file)
            if hashlib.sha256(render(program).encode()).hexdigest() == match.sheet_sha256:
                return program
    return None


def _title(game: GameRecord, stem: str, number: int) -> str:
    names = f"{game.red_name} - {game.blue_name}" if game.red_name or game.blue_name else stem
    won = f", {game.winner} wins" if game.winner else ""
    return f"{f'{number}. ' if number else ''}{names}, {game.board.size_text}{won}"


def _game_frames(title: str, record: GameRecord) -> Fields:
    state = GameState(record.board)
    frames = [_board_frame(state, "the empty board")]
    for turn in record.turns:
        state.play(turn.player, turn.action)
        frames.append(_board_frame(state, f"{turn.player} {word_of(record.board, turn.action)}"))
    frames[-1]["chain"] = list(map(record.board.cell_name, winning_cells(state)))
    link = None
    with suppress(HexlogicError):
        link = from_record(record)
    words = [f"red {record.red_name or 'unnamed'}", f"blue {record.blue_name or 'unnamed'}"]
    words += [text for text in (record.event, record.comment) if text]
    words.append(f"{record.winner} wins" if record.winner else "not finished")
    return {"title": title, "words": words, "frames": frames, "link": link}


def _board_frame(state: GameState, words: str) -> Fields:
    board, position = state.board, state.position
    last = state.last_cell if state.turns and isinstance(state.turns[-1].action, int) else None
    stones = {"red": board.cell_names(position.red), "blue": board.cell_names(position.blue)}
    drawn = {"board": {"size": board.size_text, **stones}, "last": None if last is None else board.cell_name(last)}
    return {**_BLANK, **drawn, "words": words}


def _match_frames(title: str, match: MatchRecord, sheet: Program) -> Fields:
    picture = find_picture(sheet, match.roles, match.states)
    moments = [("the beginning", match.start_faults)]
    for step in match.steps:
        moves = (f"{role} {move}" for role, move in zip(match.roles, step.moves, strict=True))
        moments.append((", ".join(moves), step.faults))
    frames = [
        {
            **_BLANK,
            **picture_of(picture, frozenset(map(read_term, state))),
            "words": words,
            "faults": [f"{match.roles[fault.role]}: {fault.kind}, {fault.message}" for fault in faults],
        }
        for state, (words, faults) in zip(match.states, moments, strict=True)
    ]
    goals = list(map(str, match.goals or [])) or ["no goal"] * len(match.roles)
    words = [f"{r} {p}: {g}" for r, p, g in zip(match.roles, match.players, goals, strict=True)]
    return {"title": title, "words": [*words, f"{match.sheet}, {match.outcome}"], "frames": frames, "link": None}
