"""The players in a match: built-in ones in this process, and those behind a URL; both get the same messages."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from hexlogic.errors import HexlogicError
from hexlogic.ggp.playing.player import Player
from hexlogic.ggp.playing.protocol import Message, write_message
from hexlogic.ggp.playing.strategy import MakeMachine, NamedStrategy, choose_strategy

_MARGIN_S = 0.2
_LONGEST_ANSWER = 10_000
_CONNECT_S = 5.0


class Seat(Protocol):
    """The player of one role in one match."""

    def ask(self, message: Message, seconds: float) -> str:
        """The answer to a message, for which it has so many seconds.

        Raises OSError when there is none, HexlogicError when the message was refused."""

    def leave(self) -> None:
        """The match is over."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A player behind a URL. Keeps nothing from message to message, so one value may play several roles."""

    host: str
    port: int
    path: str = "/"

    def ask(self, message: Message, seconds: float) -> str:
        """As `Seat.ask`."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=max(seconds, 0.1))
        try:
            connection.request("POST", self.path, write_message(message).encode(), {"Content-Type": "text/acl"})
            with connection.getresponse() as reply:
                text = reply.read(_LONGEST_ANSWER).decode(errors="replace").strip()
        except http.client.HTTPException as error:
            raise OSError(f"no HTTP answer: {type(error).__name__}") from None
        finally:
            connection.close()
        if reply.status != http.HTTPStatus.OK:
            raise HexlogicError(f"status {reply.status}: {text[:200] or reply.reason}")
        return text

    def leave(self) -> None:
        """Nothing to do: the player got a message."""

    def check(self) -> None:
        """Raises HexlogicError when nobody listens there."""
        try:
            socket.create_connection((self.host, self.port), timeout=_CONNECT_S).close()
        except OSError as error:
            raise HexlogicError(
                f"cannot be reached: {error.strerror or error}",
                file=f"player http://{self.host}:{self.port}",
                hint="is it running? hexlogic gdl serve starts one",
            ) from None


@dataclass(slots=True)
class _Local:
    """A built-in player."""

    player: Player

    def ask(self, message: Message, seconds: float) -> str:
        """As `Seat.ask`; the seconds stand in the match's START."""
        return self.player.reply(message, time.monotonic())

    def leave(self) -> None:
        """Close its machines."""
        self.player.close()


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player as it was named: `uct:1000`, or a URL."""

    text: str
    home: NamedStrategy | Remote

    def check(self) -> None:
        """Raises HexlogicError when the player cannot be reached."""
        if isinstance(self.home, Remote):
            self.home.check()

    def seat(self, seed: int, make: MakeMachine, log: Callable[[str], None]) -> Seat:
        """The player for one match; the arguments are for built-in ones."""
        if isinstance(self.home, Remote):
            return self.home
        player = Player(self.home, seed=seed, make=make, margin_s=_MARGIN_S, log=log)
        player.warm_up()
        return _Local(player)


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
