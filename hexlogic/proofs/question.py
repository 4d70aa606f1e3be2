"""The one question whether two texts mean the same, over an input space; `hexlogic.proofs.equality` lists the kinds."""

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar


class Verdict(Protocol):
    """An answer; as text it says how it was found, or where the two differ."""

    @property
    def equal(self) -> bool:
        """Whether the two were compared and no difference was found."""

    @property
    def proved(self) -> bool:
        """Whether all inputs were decided, and not only samples."""


L = TypeVar("L", contravariant=True)
R = TypeVar("R", contravariant=True)
V = TypeVar("V", bound=Verdict, covariant=True)


class InputSpace(ABC, Generic[L, R, V]):
    """The inputs over which two texts are compared, and the limits of the comparison."""

    @abstractmethod
    def compare(self, left: L, right: R) -> V:
        """Whether the texts mean the same on all these inputs, as far as it is found out within the limits."""


def equal(left: L, right: R, over: InputSpace[L, R, V]) -> V:
    """Whether two texts mean the same over some inputs.

    >>> from hexlogic.language.analysis.checks import parse_checked
    >>> from hexlogic.proofs.program_equality import Instances
    >>> short, long = (parse_checked(f"p(X) :- {body}. q(1..3). #show p/1.") for body in ("q(X)", "q(X), q(Y)"))
    >>> verdict = equal(short, long, Instances(limit_s=10))
    >>> print(verdict.equal, verdict.proved)
    True True
    """
    return over.compare(left, right)
