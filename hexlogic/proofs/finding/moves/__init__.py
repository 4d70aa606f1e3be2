"""The moves of the search for reformulations: what a program may become. A new move is one module that defines `MOVE`.

A move proposes; it may be wrong. What it proposes is compared on samples, then proved along a bridge, or dropped.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hexlogic.language import Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World
from hexlogic.registry import Registry


@dataclass(frozen=True, slots=True)
class Proposal:
    """A program that should have the same answers; `words` say what was changed."""

    program: Program
    words: str
    hints: str = ""
    """Statements of a bridge, in the words of both programs, that the search for one begins with."""


@dataclass(frozen=True, slots=True)
class Move:
    """One way to reformulate.

    `propose` is given a program with its query, its models, and the world that says what is given. The
    models of a program without end are None, and only moves `on_rules` alone are asked. What only tidies a program has
    to be cheaper than what it was.
    """

    summary: str
    propose: Callable[[Program, Samples, World], Iterator[Proposal]]
    on_rules: bool = False
    tidies: bool = False


MOVES: Final[Registry[Move]] = Registry("hexlogic.proofs.finding.moves", "MOVE", "move")


def block(kind: str, words: str, rules: Iterable[Rule]) -> str:
    """A block of a bridge with some rules."""
    return "\n".join([f"%% {kind}: {words}", *map(str, rules)])


def blocks(kind: str, rules: Iterable[tuple[str, Rule]], words: str = "what is given says so") -> Iterator[str]:
    """A block of a bridge for each rule, which has a name where it is a lemma."""
    return (block(f"{kind} {name}".rstrip(), words, [rule]) for name, rule in rules)


def calls(rule: Rule, predicate: Predicate) -> list[Literal]:
    """The literals of a predicate in a body."""
    return [item for item in rule.literals if item.atom.predicate == predicate]


def asked_for(program: Program) -> Program:
    """The rules that the query needs."""
    return program.with_rules(rules_below(program, program.queries).rules)
