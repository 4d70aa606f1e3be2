"""Epilog: the JavaScript engine of the paper, SLD resolution left to right without tables; it counts its work.

Its licence forbids handing it on, so it is the user's own file, named in the environment variable
`HEXLOGIC_EPILOG_JS`. Node runs it behind a small driver (`epilog_runner.js`), one process per session, which reads
questions from stdin and writes one line per answer. The driver first asks the file about a few known truths: versions
differ, and an unknown builtin would be a relation that never holds.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from hexlogic.errors import EngineError, HexlogicError, StratificationError
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.binding import descending_predicates
from hexlogic.language.analysis.dependence import recursive_predicates, strata
from hexlogic.language.dialects.epilog import EpilogWriter
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, ProcessSession, leaves_32_bits, reached_unbound, require_ground
from hexlogic.language.syntax import Predicate
from hexlogic.process.children import tool_version

_VARIABLE = "HEXLOGIC_EPILOG_JS"
_DRIVER = Path(__file__).with_name("epilog_runner.js")
FILLS_THE_STACK = "is recursive and Epilog keeps no table: over a cycle it fills the stack"


class _Reply(msgspec.Struct):
    """A line of the driver: an error, `ready`, `loaded` or an answer."""

    error: str | None = None
    ready: object = None
    loaded: object = None
    holds: bool | None = None
    said: object = None
    seconds: float = 0.0
    counters: dict[str, int] = {}
    cpu: float | None = None


class EpilogSession(ProcessSession):
    """One Node process with Epilog and the program loaded."""

    def __init__(self, program: Program, node: str, file: Path) -> None:
        self._writer = EpilogWriter(program)
        sentences = self._writer.sentences()
        loaded = _line({"text": "\n".join(sentences), "sentences": len(sentences)})
        super().__init__("epilog", [node, str(_DRIVER), str(file)], loaded)

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ask a question; counters are Epilog's own. Errors inside it, a full stack too, leave the session usable."""
        require_ground(facts, query)
        try:
            added = [self._writer.atom(fact) for fact in dict.fromkeys(facts)]
            asked = self._writer.atom(query)
        except HexlogicError as error:
            raise EngineError(f"epilog: {error}") from None
        self._process.send(_line({"facts": "\n".join(added), "sentences": len(added), "query": asked}))
        reply = self._receive("holds")
        return Answer(bool(reply.holds), reply.seconds, None, reply.counters, reply.cpu)

    def _receive(self, *kinds: str) -> _Reply:
        """The reply, which has a value for all of these kinds."""
        line = self._process.receive()
        try:
            reply = msgspec.json.decode(line, type=_Reply)
        except msgspec.DecodeError:
            reply = _Reply()
        if reply.error is not None:
            raise EngineError(f"epilog: {reply.error}")
        if any(getattr(reply, kind) is None for kind in kinds):
            self.close()
            raise EngineError(f"epilog: unexpected reply {line!r}")
        return reply


class GameSession(EpilogSession):
    """One Node process with Epilog and a rulesheet loaded."""

    def __init__(self, text: str, sentences: int, node: str, file: Path) -> None:
        loaded = _line({"game": text, "sentences": sentences})
        ProcessSession.__init__(self, "epilog", [node, str(_DRIVER), str(file)], loaded)

    def play(self, **request: object) -> tuple[object, float, Mapping[str, int]]:
        """What the driver says to a request (see `epilog_runner.js`), its CPU seconds and Epilog's counters."""
        self._process.send(_line(request))
        reply = self._receive("said")
        return reply.said, reply.cpu or 0.0, reply.counters


def _line(request: dict[str, object]) -> str:
    return msgspec.json.encode(request).decode() + "\n"


def stack_fillers(program: Program) -> list[Predicate]:
    """The predicates whose recursion takes no list apart, sorted: over a cycle they fill the stack."""
    return sorted(recursive_predicates(program) - descending_predicates(program))


class EpilogEngine(Engine):
    """The adapter of the file that `HEXLOGIC_EPILOG_JS` names."""

    name = "epilog"
    dialect = "epilog"
    order_sensitive = True

    def missing(self) -> str | None:
        """Which of the two it needs is not here: the file, or Node."""
        path = os.environ.get(_VARIABLE)
        if not path:
            return f"set {_VARIABLE} to your copy of epilog.js (Stanford hands it out, its licence forbids us to)"
        if not Path(path).is_file():
            return f"{_VARIABLE} names {path}, which is not a file"
        if shutil.which("node") is None:
            return "node is not on the PATH; Debian: apt-get install nodejs"
        return None

    def version(self) -> str:
        """What there is to tell versions apart: a digest of the file, which has no number, and Node's version."""
        node, file = self._tools()
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        return f"epilog.js sha256 {digest[:12]}, node {tool_version('node', node)}"

    def supports(self, program: Program) -> str | None:
        """Refuses recursion without a table, bodies in an illegal order, and arithmetic on what may be a symbol.

        Epilog keeps no table, so recursion ends only where each call takes a bound list apart; over the cycles of a
        board it fills the stack.
        """
        try:
            strata(program)
            EpilogWriter(program)
        except (StratificationError, HexlogicError) as error:
            return str(error)
        if deep := stack_fillers(program):
            return f"{deep[0]} {FILLS_THE_STACK}"
        return reached_unbound(program) or leaves_32_bits(program)

    def open(self, program: Program) -> EpilogSession:
        """Start a process and load the program. Raises EngineError, also for a file that is no Epilog."""
        node, file = self._tools()
        self.require(program)
        return EpilogSession(program, node, file)

    def open_game(self, text: str, sentences: int) -> GameSession:
        """Start a process and load a rulesheet of so many sentences. Raises EngineError."""
        return GameSession(text, sentences, *self._tools())

    def _tools(self) -> tuple[str, Path]:
        """Node and the file. Raises EngineError."""
        node = shutil.which("node")
        if (reason := self.missing()) or node is None:
            raise EngineError(f"epilog: {reason}")
        return node, Path(os.environ[_VARIABLE])


ENGINE = EpilogEngine()
