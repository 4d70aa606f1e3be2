"""Check a lemma that a bridge assumes, by clingo on every position of every small board.

least(P,X,L) :- owns(P,X).          for every stone some L
held(P,X) :- least(P,X,L).
broken :- owns(P,X), not held(P,X).
:- not broken.                      no model: the lemma holds on every position of the board
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Final

from hexlogic.games import Game
from hexlogic.language import Atom, Literal, Program, Rule, Variable
from hexlogic.language.analysis.dependence import static_predicates
from hexlogic.language.names import internal_name
from hexlogic.language.walk import variables
from hexlogic.proofs.bounded import choice_of_stones
from hexlogic.proofs.deciding import AtomPair, decide
from hexlogic.proofs.miter import needed

LARGEST: Final = {"board": 8, "stones": 3}
"""The longest side of the boards that are tried: for lemmas about the board alone, and about stones."""


def check_lemma(lemma: Rule, program: Program, boards: Iterator[tuple[Game, Program]]) -> tuple[bool, str]:
    """Whether the lemma holds on every position of the boards, and a few words about which those are.

    `program` holds the rules that give the lemma its meaning, `boards` the rules of each board from small to large.
    """
    broken, never, text = Atom(internal_name("broken")), Atom(internal_name("never")), ""
    test = _broken(lemma, broken)
    for board, rules in boards:
        whole = rules + program + Program(test)
        static = broken.predicate in static_predicates(whole)
        sides: dict[str, int] = asdict(board)  # type: ignore[call-overload]  # a board is a dataclass
        if max(sides.values()) > LARGEST["board" if static else "stones"]:
            continue
        part = replace(needed(whole, [broken.predicate]), queries=())
        # `never` cannot be derived: "equal" means that no position breaks the lemma.
        (ruling,) = decide(f"{part}{choice_of_stones(board)}", [AtomPair("lemma", str(broken), str(never))])
        if ruling.verdict != "equal":
            stones = ", ".join(ruling.model) or "no stones"
            return False, f"it does not hold on {board} with {stones}"
        side = LARGEST["board" if static else "stones"]
        text = f"holds on {'every board' if static else 'every position of every board'} up to {side}x{side}"
    return True, text


def _broken(lemma: Rule, broken: Atom) -> tuple[Rule, ...]:
    """Rules that derive `broken` where the lemma's body holds and its head does not."""
    if lemma.head is None:
        return (Rule(broken, lemma.body),)
    bound = frozenset().union(*(variables(item) for item in lemma.body))
    kept = tuple(term for term in lemma.head.arguments if not isinstance(term, Variable) or term in bound)
    held = Atom(internal_name("held"), kept)
    return Rule(held, (Literal(lemma.head),)), Rule(broken, (*lemma.body, Literal(held, False)))
