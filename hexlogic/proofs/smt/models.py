"""Evaluate exported formulas in the least model of real positions: do the axioms mean what the rules mean?

Axioms that are all true of a real position have a model, so no step follows from them for nothing. The model is
clingo's; the evaluation below reads the formulas, not the rules.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hexlogic.games import Game, Hex, Position, load_game
from hexlogic.games.rulesets import board_rules, position_facts, sized
from hexlogic.language import Arithmetic, Atom, Comparison, Integer, Predicate, Program, Symbol, Term, Variable
from hexlogic.language.constants import compare, fold
from hexlogic.language.ground.solving import least_model
from hexlogic.language.walk import subterms, term_key
from hexlogic.proofs.intervals import with_intervals
from hexlogic.proofs.smt.export import Exported
from hexlogic.proofs.smt.formulas import (
    Connective,
    Formula,
    Named,
    Not,
    Problem,
    Quantified,
    Sort,
    conjunction,
    implication,
    quantified,
    replaced,
)
from hexlogic.proofs.smt.translate import LESS
from hexlogic.proofs.trial_boards import sized_boards

Value = Term
Binding = Mapping[Variable, Value]
_SHAPES: Final = ((1, 1), (1, 4), (4, 1), (2, 3), (3, 2))
_MOST_CELLS: Final = 8


class Structure:
    """A finite model: its atoms, the values of `parameters`, and the values that quantifiers range over."""

    def __init__(self, atoms: Iterable[Atom], parameters: Mapping[Symbol, Term]) -> None:
        self._tables: dict[Predicate, set[tuple[Term, ...]]] = {}
        self._parameters = parameters
        values = {Integer(0), Integer(1), *parameters.values()}
        for atom in atoms:
            self._tables.setdefault(atom.predicate, set()).add(atom.arguments)
            values.update(part for argument in atom.arguments for part in subterms(argument))
        self._domains: dict[Sort, list[Term]] = {"int": [], "thing": []}
        for value in sorted(values, key=term_key):
            self._domains["int" if isinstance(value, Integer) else "thing"].append(value)

    def holds(self, formula: Formula, binding: Binding | None = None) -> bool:
        """Whether the formula is true; every free variable is bound."""
        bound = binding or {}
        match formula:
            case Atom():
                arguments = tuple(self._value(term, bound) for term in formula.arguments)
                if formula.predicate == Predicate(LESS, 2):
                    return term_key(arguments[0]) < term_key(arguments[1])
                return arguments in self._tables.get(formula.predicate, ())
            case Comparison(sign, left, right):
                return compare(sign, self._value(left, bound), self._value(right, bound))
            case Not(part):
                return not self.holds(part, bound)
            case Connective("and", parts):
                return all(self.holds(part, bound) for part in parts)
            case Connective("or", parts):
                return any(self.holds(part, bound) for part in parts)
            case Connective("=>", (left, right)):
                return not self.holds(left, bound) or self.holds(right, bound)
            case Connective(_, (left, right)):
                return self.holds(left, bound) == self.holds(right, bound)
            case Quantified("exists", variables, part):
                return any(self.holds(part, binding) for binding in self._bindings(variables, part, bound))
            case Quantified(_, variables, part):
                guard = part.parts[0] if isinstance(part, Connective) and part.kind == "=>" else Connective("and", ())
                return all(self.holds(part, binding) for binding in self._bindings(variables, guard, bound))
            case _:
                raise AssertionError(formula)

    def _bindings(
        self, typed: Sequence[tuple[Variable, Sort]], guard: Formula, bound: Binding
    ) -> Iterator[dict[Variable, Value]]:
        """Every binding under which the atoms that `guard` needs are true; the rest of the guard is not looked at."""
        parts = guard.parts if isinstance(guard, Connective) and guard.kind == "and" else (guard,)
        bindings = [dict(bound)]
        for variable, _ in typed:
            bindings[0].pop(variable, None)
        for atom in parts:
            if isinstance(atom, Atom) and atom.predicate != Predicate(LESS, 2):
                table = self._tables.get(atom.predicate, set())
                matches = (self._match(atom, row, partial) for partial in bindings for row in table)
                bindings = [match for match in matches if match is not None]
        for variable, sort in typed:
            domain = self._domains[sort]
            bindings = [
                {**partial, variable: value}
                for partial in bindings
                for value in ([partial[variable]] if variable in partial else domain)
            ]
        yield from bindings

    def _match(self, atom: Atom, row: tuple[Term, ...], binding: Binding) -> dict[Variable, Value] | None:
        more = dict(binding)
        for term, value in zip(atom.arguments, row, strict=True):
            if isinstance(term, Variable):
                if more.setdefault(term, value) != value:
                    return None
            elif not any(isinstance(part, Variable) for part in subterms(term)) and self._value(term, more) != value:
                return None
        return more

    def _value(self, term: Term, binding: Binding) -> Term:
        match term:
            case Variable():
                return binding[term]
            case Symbol():
                return self._parameters.get(term, term)
            case Arithmetic(sign, left, right):
                first, second = (self._value(part, binding) for part in (left, right))
                assert isinstance(first, Integer)
                assert isinstance(second, Integer)
                value = fold(Arithmetic(sign, first, second))
                # Any value will do for a division by 0: what divides says beside it that the divisor is none.
                return value if isinstance(value, Integer) else Integer(0)
            case _:
                return term


def structure_of(rules: Program, position: Position, board: Program) -> Structure:
    """The least model of the board's rules and `rules` on a position."""
    sizes = sized(board, position.game)
    whole = sizes + replace(with_intervals(rules), inputs=(), queries=())
    atoms = least_model(whole.without_constraints(), position_facts(position))
    return Structure(atoms, {Symbol(name): value for name, value in sizes.constants})


def false_axioms(axioms: Iterable[Named], structure: Structure) -> list[Named]:
    """The axioms that the structure does not fulfil."""
    return [axiom for axiom in axioms if not structure.holds(axiom.formula)]


def check_axioms(problems: Iterable[Exported], game: str) -> list[str]:
    """A sentence for each exported formula that is false of some real position, of those in `_positions`.

    What an exported problem takes for true has to be true of every position: its rules, definitions, schemas, lemmas
    and claims; what it asks of a lemma; and of a step, that the hypotheses and the goal hold wherever the facts do.
    Bounds of integers speak of no predicate, so no position can show that one is false.
    """
    board = board_rules(game)
    false: dict[str, None] = {}
    structure_at = functools.cache(lambda rules, position: structure_of(rules, position, board))
    seen = set[tuple[Program, Formula]]()
    for exported in (problem for problem in problems if problem.kind != "bound"):
        formulas = [named for named in closed(exported.problem) if (exported.rules, named.formula) not in seen]
        seen |= {(exported.rules, named.formula) for named in formulas}
        for position in _positions(load_game(game)) if formulas else ():
            moves = position.to_moves() or "no stones"
            failed = false_axioms(formulas, structure_at(exported.rules, position))
            false |= dict.fromkeys(f"{axiom.text} is false of {moves} on {position.game}" for axiom in failed)
    return list(false)


def closed(problem: Problem) -> list[Named]:
    """What the problem says of every position, as formulas without free constants.

    The definitions and axioms are true, and what a lemma asks; of a step, that wherever its facts are true, its
    hypotheses and its goal are. A constant that stands for any value is a variable.
    """
    typed = tuple((Variable(f"C{number}"), sort) for number, (_, sort) in enumerate(problem.constants, 1))
    places: dict[Term, Term] = {
        constant: place for (constant, _), (place, _) in zip(problem.constants, typed, strict=True)
    }

    defined = [
        Named(named.name, named.text, quantified("forall", places_of, Connective("<=>", (atom, named.formula))))
        for atom, places_of, named in problem.definitions
    ]
    frozen = [axiom for axiom in problem.axioms if axiom.name.startswith(("fact ", "hypothesis"))]
    facts = conjunction(axiom.formula for axiom in frozen if axiom.name.startswith("fact "))
    wanted = [axiom for axiom in frozen if not axiom.name.startswith("fact ")] + [problem.goal]
    about_any = (replaced(implication(facts, named.formula), places) for named in wanted)
    said = [Named(n.name, n.text, quantified("forall", typed, part)) for n, part in zip(wanted, about_any, strict=True)]
    return [*defined, *(axiom for axiom in problem.axioms if axiom not in frozen), *said]


def _positions(kind: type[Game]) -> Iterator[Position]:
    """Positions of small boards of several shapes, without stones, with stones of both players, and full ones."""
    for game in sized_boards(kind, _SHAPES if kind is Hex else ((side,) for side in range(1, _MOST_CELLS))):
        cells = list(game.cells)
        for red, blue in ((0, 0), (1, 0), (2, 3), (1, 1), (3, 2)) if len(cells) <= _MOST_CELLS else ():
            reds = {cell for cell in cells if red and cell % (red + 1)}
            yield Position(game, frozenset(reds), frozenset(cells[::blue] if blue else ()) - reds)
