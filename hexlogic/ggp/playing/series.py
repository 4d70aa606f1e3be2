"""Several matches of the same players, their standing, and the folder where records and pages of them are kept."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.playing.host import Host, NamedPlayer
from hexlogic.ggp.playing.picture import find_picture
from hexlogic.ggp.playing.record import MatchRecord, encode_match
from hexlogic.language.syntax import Program
from hexlogic.process.files import named, write_text
from hexlogic.process.pages import load_template


@dataclass(frozen=True, slots=True)
class Played:
    """A match, and for each role the number of the player who had it."""

    seats: tuple[int, ...]
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player got: a win for the highest goal, a draw for a shared one; alone, a win for 100."""

    player: str
    matches: int
    wins: int
    draws: int
    goals: tuple[int, ...]
    """Of the matches that came to an end."""
    faults: int

    @property
    def losses(self) -> int:
        """The matches that came to an end, neither won nor drawn."""
        return len(self.goals) - self.wins - self.draws

    @property
    def mean_goal(self) -> float | None:
        """None when no match came to an end."""
        return sum(self.goals) / len(self.goals) if self.goals else None


def play_series(
    host: Host, players: Sequence[NamedPlayer], games: int, *, swap: bool = False, seed: int = 0
) -> Iterator[Played]:
    """Each match once it is over. With `swap`, players take the next role each time. Raises as `Host.play`."""
    stem = re.sub(r"[^\w.-]", "_", Path(host.name).stem, flags=re.ASCII)
    for number in range(games):
        seats = tuple((role - number * swap) % len(players) for role in range(len(players)))
        yield Played(seats, host.play(f"{stem}.{number + 1}", [players[seat] for seat in seats], seed))


def standings(players: Sequence[NamedPlayer], matches: Sequence[Played]) -> list[Standing]:
    """The standing of each player, in their order."""
    rows = []
    for number, player in enumerate(players):
        wins = draws = faults = 0
        goals = []
        for match in matches:
            role, all_goals = match.seats.index(number), match.record.goals
            faults += sum(fault.role == role for _, fault in match.record.faults)
            if all_goals is not None:
                goals.append(all_goals[role])
                if all_goals[role] == max(all_goals) and (len(all_goals) > 1 or all_goals == [100]):
                    wins += all_goals.count(all_goals[role]) == 1
                    draws += all_goals.count(all_goals[role]) > 1
        rows.append(Standing(player.text, len(matches), wins, draws, tuple(goals), faults))
    return rows


@dataclass
class Gallery:
    """A folder of records and pages. Raises HexlogicError when it holds matches already or cannot be written."""

    folder: Path
    sheet: Program
    pages: list[Path] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.records = self.folder / "matches.jsonl"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.records.open("xb").close()  # of two series that start at once, one makes it
        except OSError as error:
            if isinstance(error, FileExistsError) and self.records.exists():
                raise HexlogicError("there are matches already", file=str(self.records), hint="another --out") from None
            raise HexlogicError(f"cannot be written: {error.strerror}", file=str(self.folder)) from None

    def add(self, record: MatchRecord) -> None:
        """Append the record and write the page."""
        with named(self.records), self.records.open("ab") as file:
            file.write(encode_match(record))
        page = self.folder / f"{record.match}.html"
        write_text(page, match_page(self.sheet, record))
        self.pages.append(page)


def match_page(sheet: Program, record: MatchRecord) -> str:
    """One HTML text, without other files: each state's picture, its moves and faults. Same record, same bytes."""
    picture = find_picture(sheet, record.roles, record.states)
    states = []
    for number, state in enumerate(record.states, 1):
        facts = [read_term(fact) for fact in state]
        title = "the end" if number == len(record.states) else f"before step {number}"
        states.append(
            {
                "svg": "" if picture is None else picture.draw(facts, title),
                "rest": [
                    text for text, fact in zip(state, facts, strict=True) if picture is None or not picture.draws(fact)
                ],
            }
        )
    return load_template(Path(__file__).with_name("match.html.j2")).render(record=record, states=states)
