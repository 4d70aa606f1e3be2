"""A host: tells players the rules and the clocks, asks them for moves, and plays the match by the sheet; several
matches of the same players, their standing, and the folder where records and pages of them are kept.

Built-in players of this process and those behind a URL get the same messages. An answer that is no legal move in time
is replaced by a legal move drawn at random, as hosts do; the record says so.
"""

from __future__ import annotations

import hashlib
import http.client
import random
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import hexlogic
from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.playing.picture import find_picture
from hexlogic.ggp.playing.player import Player
from hexlogic.ggp.playing.protocol import READY, Abort, Message, Play, Start, Stop, write_message
from hexlogic.ggp.playing.record import Fault, Kind, MatchRecord, Step, encode_match
from hexlogic.ggp.playing.strategy import MakeMachine, Moves, NamedStrategy, choose_strategy
from hexlogic.language.dialects.gdl import render, write_term
from hexlogic.language.syntax import Program, Term
from hexlogic.process.files import load_template, named, write_text
from hexlogic.process.threads import in_thread

GRACE_S: Final = 0.25
"""Seconds that an answer may need on its way, beyond its clock."""
LONGEST_MATCH: Final = 1000
"""Steps after which a match is stopped as endless."""
_STOP_S: Final = 2.0
_MARGIN_S: Final = 0.2
_LONGEST_ANSWER: Final = 10_000
_CONNECT_S: Final = 5.0
_NOT_READY: Final = "the answer to START is not READY"

Ask: TypeAlias = Callable[[Message, float], str]
"""The answer of a player to a message, for which it has so many seconds. Raises OSError when there is none,
HexlogicError when the message was refused."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A player behind a URL. Keeps nothing from message to message, so one value may play several roles."""

    host: str
    port: int
    path: str = "/"

    def ask(self, message: Message, seconds: float) -> str:
        """As `Ask`."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=max(seconds, 0.1))
        with closing(connection):
            try:
                connection.request("POST", self.path, write_message(message).encode(), {"Content-Type": "text/acl"})
                with connection.getresponse() as reply:
                    text = reply.read(_LONGEST_ANSWER).decode(errors="replace").strip()
            except http.client.HTTPException as error:
                raise OSError(f"no HTTP answer: {type(error).__name__}") from None
        if reply.status != http.HTTPStatus.OK:
            raise HexlogicError(f"status {reply.status}: {text[:200] or reply.reason}")
        return text


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player as it was named: `uct:1000`, or a URL."""

    text: str
    home: NamedStrategy | Remote

    def check(self) -> None:
        """Raises HexlogicError when nobody listens at the URL."""
        if isinstance(self.home, Remote):
            try:
                socket.create_connection((self.home.host, self.home.port), timeout=_CONNECT_S).close()
            except OSError as error:
                who = f"player http://{self.home.host}:{self.home.port}"
                what = f"cannot be reached: {error.strerror or error}"
                raise HexlogicError(what, file=who, hint="is it running? hexlogic gdl serve starts one") from None

    @contextmanager
    def seat(self, seed: int, make: MakeMachine, log: Callable[[str], None]) -> Iterator[Ask]:
        """The player of one role in one match; the arguments are for built-in ones."""
        if isinstance(self.home, Remote):
            yield self.home.ask
            return
        with closing(Player(self.home, seed=seed, make=make, margin_s=_MARGIN_S, log=log)) as player:
            player.warm_up()
            yield lambda message, seconds: player.reply(message, monotonic())


def enter(text: str) -> NamedPlayer:
    """The player that a strategy's name or a URL names. Raises HexlogicError.

    >>> enter("http://127.0.0.1:9148").home
    Remote(host='127.0.0.1', port=9148, path='/')
    """
    if "://" not in text:
        return NamedPlayer(text, choose_strategy(text))
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme != "http" or not parts.hostname or port is None:
        raise HexlogicError(f"player {text!r} is no URL of a player", hint="http://HOST:PORT")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return NamedPlayer(text, Remote(parts.hostname, port, path))


@dataclass(frozen=True)
class Host:
    """Plays matches of a sheet. `machine` knows its rules, `make` and `log` are for built-in players."""

    sheet: Program
    name: str
    machine: StateMachine
    make: MakeMachine
    start_clock_s: int = 30
    play_clock_s: int = 2
    longest: int = LONGEST_MATCH
    log: Callable[[str], None] = lambda line: None

    def play(self, match: str, players: Sequence[NamedPlayer], seed: int) -> MatchRecord:
        """One match, players in the order of the roles. Raises GameError for a wrong number of players or no game."""
        roles, clocks = self.machine.roles, (self.start_clock_s, self.play_clock_s)
        if len(players) != len(roles):
            raise GameError(f"{self.name} has {len(roles)} roles, but {len(players)} players were named")
        draw = random.Random(f"{seed}:{match}")
        names = [f"{match}.{role}" for role in range(len(roles))]
        with ExitStack() as seats:
            asks = [seats.enter_context(each.seat(draw.getrandbits(32), self.make, self.log)) for each in players]
            started = datetime.now(UTC).isoformat(timespec="seconds")
            try:
                starts = [Start(name, role, self.sheet, *clocks) for name, role in zip(names, roles, strict=True)]
                answers = _ask_all(asks, starts, self.start_clock_s)
                steps, state, moves = self._steps(asks, names, draw)
            except BaseException:
                _ask_all(asks, [Abort(name) for name in names], _STOP_S)
                raise
            over = self.machine.is_terminal(state)
            _ask_all(asks, [Stop(name, moves) if over else Abort(name) for name in names], _STOP_S)
        return MatchRecord(
            match=match,
            started=started,
            hexlogic=hexlogic.__version__,
            sheet=self.name,
            sheet_sha256=hashlib.sha256(render(self.sheet).encode()).hexdigest(),
            seed=seed,
            start_clock_s=self.start_clock_s,
            play_clock_s=self.play_clock_s,
            roles=list(map(write_term, roles)),
            players=[player.text for player in players],
            start_faults=[
                answer if isinstance(answer, Fault) else _fault(role, "not-ready", _NOT_READY, answer[0])
                for role, answer in enumerate(answers)
                if isinstance(answer, Fault) or answer[0].strip().upper() != READY
            ],
            steps=steps,
            outcome="finished" if over else "endless",
            end=sorted(map(write_term, state.facts)),
            goals=[self.machine.goal(state, role) for role in roles] if over else None,
        )

    def _steps(
        self, asks: Sequence[Ask], names: Sequence[str], draw: random.Random
    ) -> tuple[list[Step], State, Moves | None]:
        """Every step to the end, the last state, and the moves that led to it."""
        state, moves = self.machine.initial_state, None
        steps: list[Step] = []
        while not self.machine.is_terminal(state) and len(steps) < self.longest:
            legal = [self.machine.legal_moves(state, role) for role in self.machine.roles]
            for role, options in zip(self.machine.roles, legal, strict=True):
                if not options:
                    raise GameError(f"{write_term(role)} has no legal move in a state that is not terminal")
            answers = _ask_all(asks, [Play(name, moves) for name in names], self.play_clock_s)
            judged = [_judge(role, *pair, draw) for role, pair in enumerate(zip(answers, legal, strict=True))]
            moves = tuple(move for move, _ in judged)
            steps.append(
                Step(
                    state=sorted(map(write_term, state.facts)),
                    moves=list(map(write_term, moves)),
                    answered_s=[None if isinstance(answer, Fault) else answer[1] for answer in answers],
                    faults=[fault for _, fault in judged if fault is not None],
                )
            )
            state = self.machine.next_state(state, moves)
        return steps, state, moves


_Answer: TypeAlias = tuple[str, float] | Fault
"""What a player said, and the seconds it took; or the fault."""


def _fault(role: int, kind: Kind, message: str, text: str | None = None) -> Fault:
    return Fault(role=role, kind=kind, answer=None if text is None else text[:200], message=message)


def _ask_all(asks: Sequence[Ask], messages: Sequence[Message], clock_s: float) -> list[_Answer]:
    """The answer of each player to its message within the clock; later ones are not waited for."""
    begun = monotonic()

    def ask(player: Ask, message: Message) -> tuple[str, float]:
        return player(message, clock_s + GRACE_S), monotonic()

    asked = [in_thread(partial(ask, *pair)) for pair in zip(asks, messages, strict=True)]
    return [_answer(role, answer, begun, clock_s) for role, answer in enumerate(asked)]


def _answer(role: int, asked: Future[tuple[str, float]], begun: float, clock_s: float) -> _Answer:
    until, text, arrived = begun + clock_s + GRACE_S, None, inf
    try:
        text, arrived = asked.result(timeout=max(0.0, until - monotonic()))
    except TimeoutError:  # of the wait or of the socket
        pass
    except OSError as error:
        return _fault(role, "unreachable", str(error.strerror or error))
    except HexlogicError as error:
        return _fault(role, "refused", str(error))
    if text is None or arrived > until:
        return _fault(role, "late", f"no answer within {clock_s:g} s", text)
    return text, arrived - begun


def _judge(role: int, answer: _Answer, legal: Sequence[Term], draw: random.Random) -> tuple[Term, Fault | None]:
    """The move that counts, and what was wrong with the answer when it is another one."""
    if isinstance(answer, Fault):
        return draw.choice(legal), answer
    try:
        move = read_term(answer[0])
    except HexlogicError as error:
        return draw.choice(legal), _fault(role, "unparsable", str(error), answer[0])
    if move in legal:
        return move, None
    return draw.choice(legal), _fault(role, "illegal", f"{write_term(move)[:100]} is no legal move", answer[0])


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
        svg = "" if picture is None else picture.draw(facts, title)
        rest = [text for text, fact in zip(state, facts, strict=True) if picture is None or not picture.draws(fact)]
        states.append({"svg": svg, "rest": rest})
    return load_template(Path(__file__).with_name("match.html.j2")).render(record=record, states=states)
