"""A host: tells players the rules and the clocks, asks them for moves, and plays the match by the sheet.

An answer that is no legal move in time is replaced by a legal move drawn at random, as hosts do; the record says so.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import msgspec

import hexlogic
from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.playing.contestant import NamedPlayer, Seat
from hexlogic.ggp.playing.protocol import READY, Abort, Message, Play, Start, Stop
from hexlogic.ggp.playing.record import Fault, Kind, MatchRecord, Outcome, Step
from hexlogic.ggp.playing.strategy import MakeMachine, Moves
from hexlogic.language.dialects.gdl import render, write_term
from hexlogic.language.syntax import Program, Term
from hexlogic.process.threads import in_thread

GRACE_S: Final = 0.25
"""Seconds that an answer may need on its way, beyond its clock."""
LONGEST_MATCH: Final = 1000
"""Steps after which a match is stopped as endless."""
_STOP_S = 2.0


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of a player: its text and the seconds it took, or the fault."""

    text: str | None
    seconds: float | None
    kind: Kind | None = None
    message: str = ""

    def fault(self, role: int, kind: Kind, message: str) -> Fault:
        return Fault(role=role, kind=kind, answer=None if self.text is None else self.text[:200], message=message)


@dataclass(frozen=True)
class Host:
    """Plays matches of one sheet. `machine` knows its rules, `make` makes the machines of built-in players, and `log`
    gets what those have to say."""

    sheet: Program
    name: str
    machine: StateMachine
    make: MakeMachine
    start_clock_s: int = 30
    play_clock_s: int = 2
    longest: int = LONGEST_MATCH
    log: Callable[[str], None] = lambda line: None

    def play(self, match: str, entries: Sequence[NamedPlayer], seed: int) -> MatchRecord:
        """One match, the entries in the order of the roles. Raises GameError when the sheet has not as many roles, or
        no legal move or no goal for a role where it needs one."""
        roles = self.machine.roles
        if len(entries) != len(roles):
            raise GameError(f"{self.name} has {len(roles)} roles, but {len(entries)} players were named")
        draw = random.Random(f"{seed}:{match}")
        seats = [entry.seat(draw.getrandbits(32), self.make, self.log) for entry in entries]
        record = MatchRecord(
            match=match,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            hexlogic=hexlogic.__version__,
            sheet=self.name,
            sheet_sha256=hashlib.sha256(render(self.sheet).encode()).hexdigest(),
            seed=seed,
            start_clock_s=self.start_clock_s,
            play_clock_s=self.play_clock_s,
            roles=list(map(write_term, roles)),
            players=[entry.text for entry in entries],
            steps=[],
            outcome="endless",
            end=[],
            goals=None,
        )
        try:
            return self._play(_Table(seats), record, draw)
        finally:
            for seat in seats:
                seat.leave()

    def _play(self, table: _Table, record: MatchRecord, draw: random.Random) -> MatchRecord:
        names = [f"{record.match}.{role}" for role in range(len(self.machine.roles))]
        clocks = (self.start_clock_s, self.play_clock_s)
        try:
            starts = [
                Start(name, role, self.sheet, *clocks) for name, role in zip(names, self.machine.roles, strict=True)
            ]
            unready = [
                _not_ready(role, answer) for role, answer in enumerate(table.ask(starts, float(self.start_clock_s)))
            ]
            steps, state, moves = self._steps(table, names, draw)
        except BaseException:
            table.tell([Abort(name) for name in names])
            raise
        over = self.machine.is_terminal(state)
        table.tell([Stop(name, moves) if over else Abort(name) for name in names])
        outcome: Outcome = "finished" if over else "endless"
        return msgspec.structs.replace(
            record,
            start_faults=[fault for fault in unready if fault is not None],
            steps=steps,
            outcome=outcome,
            end=_facts(state),
            goals=[self.machine.goal(state, role) for role in self.machine.roles] if over else None,
        )

    def _steps(
        self, table: _Table, names: Sequence[str], draw: random.Random
    ) -> tuple[list[Step], State, Moves | None]:
        """Every step to the end, the last state, and the moves that led to it."""
        state, moves = self.machine.initial_state, None
        steps: list[Step] = []
        while not self.machine.is_terminal(state) and len(steps) < self.longest:
            legal = [self.machine.legal_moves(state, role) for role in self.machine.roles]
            for role, options in zip(self.machine.roles, legal, strict=True):
                if not options:
                    raise GameError(f"{write_term(role)} has no legal move in a state that is not terminal")
            answers = table.ask([Play(name, moves) for name in names], float(self.play_clock_s))
            judged = [_judge(role, answers[role], legal[role], draw) for role in range(len(legal))]
            moves = tuple(move for move, _ in judged)
            steps.append(
                Step(
                    state=_facts(state),
                    moves=list(map(write_term, moves)),
                    answered_s=[answer.seconds for answer in answers],
                    faults=[fault for _, fault in judged if fault is not None],
                )
            )
            state = self.machine.next_state(state, moves)
        return steps, state, moves


@dataclass(frozen=True)
class _Table:
    """The players of a match, asked at the same time."""

    seats: Sequence[Seat]

    def ask(self, messages: Sequence[Message], clock_s: float) -> list[_Answer]:
        """The answer of each to its message within the clock; later ones are not waited for."""
        begun = time.monotonic()
        pairs = zip(self.seats, messages, strict=True)
        asked = [in_thread(partial(_ask, seat, message, clock_s + GRACE_S)) for seat, message in pairs]
        return [_answer(answer, begun, clock_s + GRACE_S) for answer in asked]

    def tell(self, messages: Sequence[Message]) -> None:
        """Send each its message, whatever they answer."""
        self.ask(messages, _STOP_S)


def _ask(seat: Seat, message: Message, seconds: float) -> tuple[str, float]:
    return seat.ask(message, seconds), time.monotonic()


def _answer(asked: Future[tuple[str, float]], begun: float, clock_s: float) -> _Answer:
    late = _Answer(None, None, "late", f"no answer within {clock_s - GRACE_S:g} s")
    try:
        text, arrived = asked.result(timeout=max(0.0, begun + clock_s - time.monotonic()))
    except TimeoutError:  # of the wait or of the socket
        return late
    except OSError as error:
        return _Answer(None, None, "unreachable", str(error.strerror or error))
    except HexlogicError as error:
        return _Answer(None, None, "refused", str(error))
    return _Answer(text, arrived - begun) if arrived <= begun + clock_s else replace(late, text=text)


def _not_ready(role: int, answer: _Answer) -> Fault | None:
    if answer.kind is not None:
        return answer.fault(role, answer.kind, answer.message)
    if (answer.text or "").strip().upper() != READY:
        return answer.fault(role, "not-ready", "the answer to START is not READY")
    return None


def _judge(role: int, answer: _Answer, legal: Sequence[Term], draw: random.Random) -> tuple[Term, Fault | None]:
    """The move that counts, and what was wrong with the answer when it is another one."""
    if answer.kind is not None:
        fault = answer.fault(role, answer.kind, answer.message)
    else:
        try:
            move = read_term(answer.text or "")
        except HexlogicError as error:
            fault = answer.fault(role, "unparsable", str(error))
        else:
            if move in legal:
                return move, None
            fault = answer.fault(role, "illegal", f"{write_term(move)[:100]} is no legal move")
    return draw.choice(legal), fault


def _facts(state: State) -> list[str]:
    return sorted(map(write_term, state.facts))
