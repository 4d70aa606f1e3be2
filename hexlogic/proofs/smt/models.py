"""Formulas evaluated in the least model of a real position: do the exported axioms mean what the rules mean?

Axioms that are all true of a real position have a model, so no step follows from them for nothing. The model is
clingo's; the evaluation below reads the formulas, not the rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from hexlogic.games import Game, Position, load_game
from hexlogic.ground.least_model import least_model
from hexlogic.logic import Arithmetic, Atom, Comparison, Integer, Predicate, Program, Symbol, Term, Variable
from hexlogic.logic.constants import fold
from hexlogic.logic.order import compare
from hexlogic.logic.walk import subterms, term_key
from hexlogic.proofs.all_boards import Universal
from hexlogic.proofs.obligation import Obligation
from hexlogic.proofs.smt.formulas import Connective, Formula, Named, Not, Quantified, Sort
from hexlogic.proofs.smt.steps import theory_axioms
from hexlogic.proofs.smt.translate import LESS
from hexlogic.rulesets import position_facts

__all__ = ["Structure", "check_axioms", "false_axioms", "structure_of"]

Value = Term
Binding = Mapping[Variable, Value]
_SIZE: Final = 2


class Structure:
    """A finite model: its atoms, the values of `parameters`, and the values that quantifiers range over."""

    def __init__(self, atoms: Iterable[Atom], parameters: Mapping[Symbol, int]) -> None:
        self._tables: dict[Predicate, set[tuple[Term, ...]]] = {}
        values: set[Term] = {Integer(0), Integer(1), *(Integer(value) for value in parameters.values())}
        things: set[Term] = set()
        for atom in atoms:
            self._tables.setdefault(atom.predicate, set()).add(atom.arguments)
            for term in (part for argument in atom.arguments for part in subterms(argument)):
                (values if isinstance(term, Integer) else things).add(term)
        self._parameters = {symbol: Integer(value) for symbol, value in parameters.items()}
        self._domains: dict[Sort, list[Term]] = {
            "int": sorted(values, key=term_key),
            "thing": sorted(things, key=term_key),
        }

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
                return any(self.holds(part, one) for one in self._bindings(variables, part, bound))
            case Quantified(_, variables, part):
                guard = part.parts[0] if isinstance(part, Connective) and part.kind == "=>" else Connective("and", ())
                return all(self.holds(part, one) for one in self._bindings(variables, guard, bound))
            case _:
                raise AssertionError(formula)

    def _bindings(
        self, typed: Sequence[tuple[Variable, Sort]], guard: Formula, bound: Binding
    ) -> Iterator[dict[Variable, Value]]:
        """Every binding under which the atoms that `guard` needs are true; the rest of the guard is not looked at."""
        parts = guard.parts if isinstance(guard, Connective) and guard.kind == "and" else (guard,)
        own = {variable for variable, _ in typed}
        atoms = [part for part in parts if isinstance(part, Atom) and part.predicate != Predicate(LESS, 2)]
        found = [{variable: value for variable, value in bound.items() if variable not in own}]
        for atom in atoms:
            table = self._tables.get(atom.predicate, set())
            found = [more for one in found for row in table if (more := self._match(atom, row, one)) is not None]
        for variable, sort in typed:
            found = [
                more
                for one in found
                for more in ([one] if variable in one else [{**one, variable: value} for value in self._domains[sort]])
            ]
        yield from found

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
                one, other = (self._value(part, binding) for part in (left, right))
                assert isinstance(one, Integer)
                assert isinstance(other, Integer)
                value = fold(Arithmetic(sign, one, other))
                # Any value will do for a division by 0: what divides says beside it that the divisor is none.
                return value if isinstance(value, Integer) else Integer(0)
            case _:
                return term


def structure_of(rules: Program, position: Position, board: Program) -> Structure:
    """The least model of the board's rules and `rules` on a position."""
    sizes: dict[str, int] = dataclasses.asdict(position.game)  # type: ignore[call-overload]  # a board is a dataclass
    constants = tuple((name, Integer(sizes[name]) if name in sizes else value) for name, value in board.constants)
    whole = dataclasses.replace(board, constants=constants) + dataclasses.replace(rules, inputs=(), queries=())
    kept = tuple(rule for rule in whole.rules if rule.head is not None)
    atoms = least_model(whole.with_rules(kept), position_facts(position))
    return Structure(atoms, {Symbol(name): sizes[name] for name, _ in constants if name in sizes})


def false_axioms(axioms: Iterable[Named], structure: Structure) -> list[Named]:
    """The axioms that the structure does not fulfil."""
    return [axiom for axiom in axioms if not structure.holds(axiom.formula)]


def check_axioms(proof: Universal, board: Program) -> list[str]:
    """A sentence for each set of axioms of the proof that some of a few real positions does not fulfil."""
    kind = load_game(proof.game)
    game: Game = kind.of_size(_SIZE + 1)
    cells = list(game.cells)
    stones = [cells[::2], cells[1::2], cells[: len(cells) // 2 + 1]]
    positions = [Position(game, frozenset(red), frozenset(set(cells[::3]) - set(red))) for red in stones]
    found, seen = [], set[tuple[object, ...]]()
    for step in (step for section in proof.sections for step in section.steps if step.obligation is not None):
        obligation = step.obligation
        assert obligation is not None
        key = (obligation.axioms, obligation.learned)
        if key in seen:
            continue
        seen.add(key)
        axioms = axioms_of(obligation, board)
        for position in positions:
            wrong = false_axioms(axioms, structure_of(Program(obligation.axioms), position, board))
            found += [f"{axiom.text} is false of {position.to_moves()}" for axiom in wrong]
    return list(dict.fromkeys(found))


def axioms_of(obligation: Obligation, board: Program) -> tuple[Named, ...]:
    """The axioms of a step that hold on every position, as they are exported."""
    return theory_axioms(obligation.axioms, obligation.complete, obligation.learned, board=board).axioms
