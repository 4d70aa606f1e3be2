"""Which integers a theorem is about: a program is finite, and up to a largest board its arithmetic stays in 32 bits.

Clingo counts in 32 bits and wraps, provers and other engines count without end. So a proof for all boards is about the
boards up to the largest one on which no term of the texts leaves 32 bits: of Hex 46,340 columns and rows, unless a rule
multiplies or adds more than the board's own rules. `hexlogic.language.analysis.bounds` finds and checks the bounds;
they are the certificate that `smt/export.py` gives to provers.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game
from hexlogic.language import Atom, Function, Integer, Interval, Literal, Program, Rule, Symbol
from hexlogic.language.analysis.bounds import Bounds, bounds
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.constants import LARGEST
from hexlogic.language.walk import rule_terms
from hexlogic.proofs.joint import at_rule, with_values

LEAST_LARGEST: Final = 100
"""A text that may leave 32 bits on a board with a side of this length is refused."""
_ROOTS: Final = tuple(int(LARGEST ** (1 / power)) for power in (2, 3, 4))
"""The sides from which a square, or a third or fourth power, leaves 32 bits: tried first."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The bounds of all integers on boards whose sizes, `names`, are at most `largest`."""

    names: tuple[str, ...]
    largest: int
    bounds: Bounds


def finite_integers(board: Program, program: Program, statements: Iterable[Rule] = ()) -> Certificate:
    """Conditions "finite program", for numbers, and "32 bits": of a program beside its board, and of what is stated.

    `statements` are lemmas and claims. Raises HexlogicError, with the place, for a rule by which numbers grow along a
    cycle, and for one that may leave 32 bits on a board with a side of `LEAST_LARGEST`.
    """
    whole = replace(board, rules=(*board.rules, *program.rules), constants=())
    names = tuple(name for name, _ in board.constants)
    # A statement derives nothing: its head is read like the rest of it.
    stated = tuple(
        Rule(None, (*rule.body, *([] if rule.head is None else [Literal(rule.head, False)])), rule.place)
        for rule in statements
    )
    largest, last = _largest(whole, names, stated, _largest(replace(board, constants=()), names, (), LARGEST)[0])
    if largest < LEAST_LARGEST:
        failed = bounds(whole, dict.fromkeys(names, (1, largest + 1)), others=stated).overflow
        assert failed is not None
        where = f"with {', '.join(f'{name} = {largest + 1}' for name in names)}"
        hint = f"from {failed.values.low} to {failed.values.high}, as far as the bounds of its variables tell"
        raise at_rule(failed.rule, f"the term {failed.term} may leave 32 bits on a board {where}", hint)
    return Certificate(names, largest, last)


def finite_terms(program: Program) -> Program:
    """Condition "finite program", for compound terms: the same program, where none grows along a cycle.

    Raises HexlogicError, with the place.
    """
    growing = growing_predicates(program)
    compound = [
        rule
        for rule in program.rules
        if rule.head is not None
        and rule.head.predicate in growing
        and any(isinstance(term, Function) for term in rule_terms(rule))
    ]
    for rule in sorted(
        compound, key=lambda rule: not any(literal.atom.predicate in growing for literal in rule.literals)
    ):
        raise _endless(rule)
    return program


@functools.lru_cache(maxsize=64)
def _largest(whole: Program, names: tuple[str, ...], stated: tuple[Rule, ...], most: int) -> tuple[int, Bounds]:
    """The largest sizes up to `most` within which no term leaves 32 bits, 0 when there are none, and the bounds.

    What holds of all sizes up to a number holds up to each smaller one. Raises HexlogicError for numbers that grow.
    """

    def at(size: int) -> Bounds:
        tried_bounds = bounds(whole, dict.fromkeys(names, (1, size)), others=stated)
        if tried_bounds.growing is not None:
            raise _endless(tried_bounds.growing)
        return tried_bounds

    best = at(most)
    if best.overflow is None:
        return most, best
    low, high = 0, most
    while high - low > 1:
        roots = [side for side in _ROOTS if low < side < high]
        middle = roots[0] if roots else low + 1 if low in _ROOTS else (low + high) // 2
        tried = at(middle)
        if tried.overflow is None:
            low, best = middle, tried
        else:
            high = middle
    return low, best


def _endless(rule: Rule) -> HexlogicError:
    hint = "a ground program is finite; a number that grows needs a bound in the body, such as D < rows"
    return at_rule(rule, f"`{rule}` may derive atoms without end: its terms grow along a cycle", hint)


def finite_on(program: Program, game: Game) -> None:
    """Condition "finite program", for numbers, on one board. Raises HexlogicError, with the place."""
    growing = _on_board(program, game).growing
    if growing is not None:
        raise _endless(growing)


def _on_board(program: Program, game: Game) -> Bounds:
    cells = Interval(Integer(min(game.cells)), Integer(max(game.cells)))
    stones = tuple(Rule(Atom("owns", (Symbol(player), cells))) for player in PLAYERS)
    return bounds(replace(with_values(program), inputs=()) + Program(stones), {})


def in_32_bits(program: Program, game: Game) -> None:
    """Condition "32 bits" for a program on one board, where an engine with other integers than clingo's decides.

    Raises HexlogicError, with the place, for a rule that may leave 32 bits.
    """
    on_board = _on_board(program, game)
    failed = on_board.overflow
    if on_board.growing is not None:
        raise at_rule(
            on_board.growing, "its numbers have no bound that is known, and the engine's do not wrap at 32 bits"
        )
    if failed is not None:
        hint = "clingo's integers wrap there, those of the engine that is asked do not"
        raise at_rule(failed.rule, f"the term {failed.term} may leave 32 bits on this board", hint)
