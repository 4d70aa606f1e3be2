"""A general game player, text of the protocol in, text out, several matches at once; and its HTTP server.

A message is the body of a POST, the answer `text/acl`. A request that is not a message gets status 400 and a line that
says why. Each connection carries one request.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.language.static_facts import roles_of
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.playing import protocol
from hexlogic.ggp.playing.match import Match
from hexlogic.ggp.playing.protocol import BUSY, Message, Start, read_message
from hexlogic.ggp.playing.strategy import Clock, MakeMachine, StrategyFactory
from hexlogic.language.dialects.gdl import write_term
from hexlogic.process.http import ARRIVAL_S, CLOSE, LOOPBACK, HttpServer, read_body
from hexlogic.process.threads import in_thread

NAME = "hexlogic"
LONGEST_S: Final = 3600
"""Longer clocks count as so many seconds: nobody should make a player think for years."""

_ONE_STEP = """
(role robot) (init dark) (base dark) (base light) (input robot press) (input robot wait)
(<= (legal robot press) (true dark)) (<= (legal robot wait) (true dark))
(<= (next light) (true dark)) (<= terminal (true light)) (<= (goal robot 100) (true light))
(<= (goal robot 0) (true dark))
"""


@dataclass
class Player:
    """Answers the messages of hosts, from any thread.

    `most_matches` are played at a time. `margin_s` seconds of each clock are kept for the way back to the host, less
    where the clock is short. `log` gets a line for each message about a match.

    >>> from hexlogic.ggp.playing import choose_strategy
    >>> Player(choose_strategy("random")).answer("( info )")
    '((name hexlogic) (status available))'
    """

    choice: StrategyFactory
    seed: int = 0
    make: MakeMachine = StateMachine.from_sheet
    most_matches: int = 4
    margin_s: float = 0.5
    log: Callable[[str], None] = lambda line: None
    _matches: dict[str, Match] = field(default_factory=dict, init=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, init=False)

    def answer(self, text: str, arrived: float | None = None) -> str:
        """The answer to the text of a message that arrived then, on the clock of `time.monotonic`, or now.

        Raises HexlogicError, in one line, for a text that is not a message, a sheet that cannot be played, and moves
        that do not belong to the match."""
        begun = time.monotonic() if arrived is None else arrived
        return self.reply(read_message(text), begun)

    def warm_up(self) -> None:
        """Play a game of one step, so that libraries load and numba compiles. Raises HexlogicError."""
        machine = self.make(read_kif(_ONE_STEP))
        try:
            self.choice(machine, 0, self.seed).choose(machine.initial_state, Clock(0))
        finally:
            machine.close()

    def close(self) -> None:
        """Give up all matches."""
        with self._guard:
            matches = list(self._matches.values())
            self._matches.clear()
        for match in matches:
            match.abandon()

    def reply(self, message: Message, begun: float) -> str:
        """The answer to a message; as `answer`."""
        match message:
            case protocol.Info():
                return f"((name {NAME}) (status {'available' if self._room() else BUSY}))"
            case protocol.Preview():
                return protocol.READY
            case Start(start_clock_s=ready_s, play_clock_s=move_s):
                start = replace(message, start_clock_s=min(ready_s, LONGEST_S), play_clock_s=min(move_s, LONGEST_S))
                return self._start(start, Clock(start.start_clock_s - _since(begun)), begun)
            case protocol.Play(name, moves):
                playing = self._matches.get(name)
                if playing is None:
                    return self._unknown(message)
                chosen, note = playing.play(moves, Clock(playing.start.play_clock_s - _since(begun)))
                move = write_term(chosen)
                self._tell(name, f"{move} in {_since(begun):.2f} s", note)
                return move
            case protocol.Stop(name) | protocol.Abort(name):
                with self._guard:
                    match = self._matches.pop(name, None)
                if match is None:
                    return self._unknown(message)
                if isinstance(message, protocol.Stop):
                    self._tell(name, "over", match.finish(message.moves))
                else:
                    match.abandon()
                    self._tell(name, "given up by the host")
                return protocol.DONE

    def _start(self, start: Start, clock: Clock, begun: float) -> str:
        roles = roles_of(start.sheet)
        if roles and start.role not in roles:
            raise UnknownNameError.among("role", write_term(start.role), list(map(write_term, roles)))
        with self._guard:
            if start.match in self._matches or not self._room(for_match=True):
                why = "it is being played" if start.match in self._matches else "too many matches"
                self._tell(start.match, f"not started: {why}")
                return BUSY
            started = Match(start, self.choice, self.seed, self.make, self.margin_s)
            self._matches[start.match] = started
        try:
            notes = [started.get_ready(clock)]
        except Exception:
            self._matches.pop(start.match, None)
            started.abandon()
            raise
        if start.fault is not None:
            notes.append(f"some rules are left out: {start.fault}")
        ready = f"{write_term(start.role)} is ready in {_since(begun):.2f} s"
        self._tell(start.match, ready, "; ".join(filter(None, notes)))
        return protocol.READY

    def _room(self, *, for_match: bool = False) -> bool:
        """Whether another match can begin; silent hosts make room, sooner `for_match`, when another wants to start."""
        for name, match in list(self._matches.items()):
            is_left = for_match and len(self._matches) >= self.most_matches and match.is_late
            if (match.is_forgotten or is_left) and self._matches.pop(name, None) is match:
                match.close()
                self._tell(name, "forgotten: its host has been silent")
        return len(self._matches) < self.most_matches

    def _unknown(self, message: protocol.Play | protocol.Stop | protocol.Abort) -> str:
        self._tell(message.match, f"{type(message).__name__} for a match that is not played")
        return BUSY

    def _tell(self, match: str, what: str, more: str = "") -> None:
        self.log(f"{match[:40]}: {what}" + (f" ({more})" if more else ""))


def _since(begun: float) -> float:
    return time.monotonic() - begun


PORT: Final = 9147
"""The port that players have by custom."""
LARGEST_BODY: Final = 2_000_000
"""Bytes of a message; a sheet of a thousand rules has some 100,000."""
_SMALL: Final = 64_000
"""Larger messages are read one after the other, so that many at once do not fill the memory."""
_ANSWERS: Final = 64
"""Requests that are answered at a time."""


class GameServer(HttpServer):
    """Serves one player."""

    def __init__(self, player: Player, host: str = LOOPBACK, port: int = PORT, arrival_s: float = ARRIVAL_S) -> None:
        # The end does not wait for moves; the player has a log of its own.
        super().__init__(self._app, host, port, arrival_s=arrival_s, end_s=0, half_closed=True, log_level="critical")
        self.player = player
        self._large = threading.Lock()
        self._answering = asyncio.Semaphore(_ANSWERS)

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            if request.method != "POST":
                raise HTTPException(405, "this is a general game player: send its messages by POST")
            if "content-length" not in request.headers:
                raise HTTPException(411, "a message needs its Content-Length")
            body = await read_body(request, LARGEST_BODY)
            async with self._answering:
                text = await asyncio.wrap_future(in_thread(lambda: self._reply(body, request.state.arrived)))
            response = Response(" ".join(text.split()), 200, CLOSE, "text/acl")
        except HTTPException as error:
            response = PlainTextResponse(error.detail, error.status_code, CLOSE)
        await response(scope, receive, send)

    def _reply(self, body: bytes, arrived: float) -> str:
        """The player's answer to a message. Raises HTTPException."""
        try:
            with self._large if len(body) > _SMALL else nullcontext():
                message = read_message(body.decode())
            return self.player.reply(message, arrived)
        except UnicodeDecodeError:
            raise HTTPException(400, "the message is not UTF-8 text") from None
        except HexlogicError as error:
            self.player.log(f"refused: {error}")
            raise HTTPException(400, " ".join(str(error).split())) from None
        except Exception as error:
            self.player.log(f"internal error: {type(error).__name__}: {error}")
            raise HTTPException(500, "internal error, told in the log of the player") from None
