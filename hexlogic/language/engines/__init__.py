"""Engines, found by name: a module of this folder that defines `ENGINE` is an engine.

A module imports its heavy library inside methods, so that looking for engines is cheap.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from hexlogic.errors import EngineError
from hexlogic.language.engines.base import Answer, Follower, Session, StackFollower
from hexlogic.language.syntax import Atom, Program
from hexlogic.process.extras import EXTRAS, installing
from hexlogic.registry import Registry

__all__ = ["Answer", "Engine", "Follower", "Session", "engine_names", "installed_engines", "load_engine"]


class Engine(ABC):
    """An adapter: `open` gives a session for many positions, `follow` a follower of one game."""

    name: str
    dialect: str
    """The printer of `hexlogic.language.dialects` that makes its text."""
    order_sensitive: bool
    """Whether the order of body literals changes its work."""
    options: tuple[str, ...] = ()
    """The options that the tool is started with, as on a command line."""

    package: str = ""
    """The Python package that runs it; an engine without one overrides `missing` and `version`."""

    def missing(self) -> str | None:
        """Why the engine cannot run here and how to get it; None when it is installed."""
        from importlib.metadata import PackageNotFoundError

        try:
            self.version()
        except PackageNotFoundError:
            how = installing(self.package) if self.package in EXTRAS else f"pip install {self.package}"
            return f"the Python package {self.package} is not installed; {how}"
        return None

    def version(self) -> str:
        """The version of the tool."""
        # Imported late: the module loads e-mail and zip files, and each measured process would pay for them.
        from importlib.metadata import version

        return version(self.package)

    @abstractmethod
    def supports(self, program: Program) -> str | None:
        """Why this engine cannot run `program`; None when it can."""

    def require(self, program: Program) -> None:
        """Raise EngineError unless the engine is installed and can run the program."""
        if reason := self.missing() or self.supports(program):
            raise EngineError(reason if reason.startswith(self.name) else f"{self.name}: {reason}")

    @abstractmethod
    def open(self, program: Program) -> Session:
        """Start the engine and load the program. Raises EngineError."""

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Load the program for a game: `inputs` come one by one and go in reverse. Raises EngineError."""
        return StackFollower(lambda: self.open(program), inputs, queries)


_ENGINES: Registry[Engine] = Registry(__name__, "ENGINE", "engine")


def engine_names() -> tuple[str, ...]:
    """The names of all engines, installed or not, sorted."""
    return _ENGINES.names()


def load_engine(name: str) -> Engine:
    """The engine called `name`. Raises UnknownNameError; that it is installed is another question (`missing`)."""
    return _ENGINES.load(name)


def installed_engines() -> tuple[Engine, ...]:
    """The engines that can run here, by name."""
    return tuple(engine for engine in _ENGINES if engine.missing() is None)
