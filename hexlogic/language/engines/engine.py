"""What every engine adapter offers: `Engine.open(program)` gives a `Session` that answers many positions, and
`Engine.follow(program, inputs, queries)` a `Follower` that answers after every move of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from hexlogic.language import Atom, Program
from hexlogic.language.engines.base import Follower, Session
from hexlogic.language.engines.incremental import AskingFollower
from hexlogic.process.extras import EXTRAS, installing


class Engine(ABC):
    """An adapter: thin and honest about what it cannot do."""

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

    @abstractmethod
    def open(self, program: Program) -> Session:
        """Start the engine and load the program. Raises EngineError."""

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Load the program for a game: the `inputs` come one by one and go in reverse, and the `queries` are asked
        after each. Raises EngineError.

        Unless an engine can do better, it is asked anew, with all facts, after every change.
        """
        return AskingFollower(lambda: self.open(program), inputs, queries)
