"""Two coordinates as one cell are other names for the same game: each rule with cells, taken apart, is a rule as given.

    legal_place(P,X,Y) :- row(X), col(Y), at(X,Y,C), not true_cell(C,red).      C is the pair (X',Y')
    legal_place(P,X,Y) :- row(X), col(Y), not true_cell(X,Y,red).               X is X', and Y is Y'

Nothing depends on how the rules with cells were made, nor on the size of the board.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hexlogic.ggp.reformulation.flat_game import FlatGame
from hexlogic.language import Atom, BodyLiteral, Function, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.homomorphism import find_homomorphism, match_terms, unfold_calls
from hexlogic.language.names import fresh_variables, internal_name
from hexlogic.language.walk import map_atoms, predicates, rule_variables, substitute

Pair: TypeAlias = "tuple[Term | None, ...]"
COORDINATES: Final = (Variable("X"), Variable("Y"))
"""The variables of coordinates in ranges."""
_CELL: Final = Variable("C")
_PAIR: Final = internal_name("pair")


@dataclass(frozen=True)
class Renaming:
    """What cells and relations with cells are called: for each relation the first columns of its pairs, from 0, and its
    name with cells; for each pair its cell; the relation `at(X,Y,C)`; those of cells with given coordinates, and those
    of cells whose coordinates X and Y are in ranges, which come as rules need them."""

    columns: Mapping[Predicate, frozenset[int]]
    renamed: Mapping[Predicate, Predicate]
    cells: Mapping[tuple[Term, Term], Term]
    at: str
    sides: dict[Pair, str] = field(default_factory=dict)
    ranges: dict[tuple[BodyLiteral, ...], str] = field(default_factory=dict)

    def merged(self, atom: Atom, cells: Mapping[tuple[Term, Term], Term]) -> Atom:
        """An atom with its pairs as cells: those of the mapping, or constants."""
        places = self.columns.get(atom.predicate)
        if places is None:
            return atom
        terms: list[Term] = []
        for place, term in enumerate(atom.arguments):
            if place in places:
                pair = term, atom.arguments[place + 1]
                terms.append(cells[pair] if pair in cells else self.cells[pair])
            elif place - 1 not in places:
                terms.append(term)
        return Atom(self.renamed[atom.predicate].name, tuple(terms))

    def definitions(self) -> Iterator[Rule]:
        """Which coordinates each cell has; the cells of sides; ranges."""
        for pair, cell in self.cells.items():
            yield Rule(Atom(self.at, (*pair, cell)))
            for side, name in self.sides.items():
                if all(given in (None, part) for given, part in zip(side, pair, strict=True)):
                    yield Rule(Atom(name, (cell,)))
        at = Literal(Atom(self.at, (*COORDINATES, _CELL)))
        yield from (Rule(Atom(name, (_CELL,)), (*literals, at)) for literals, name in self.ranges.items())

    def is_same(self, before: FlatGame, after: FlatGame) -> bool:
        """Whether the second game is the first one with these names."""
        static = {each for each in self.columns if each in before.program.heads - before.moving}
        own = {Predicate(self.at, 3), *(Predicate(name, 1) for name in (*self.sides.values(), *self.ranges.values()))}
        new = {*own, *self.renamed.values()}
        is_one_to_one = len({*self.cells.values()}) == len(self.cells) and len(new) == len(own) + len(self.renamed)
        if not is_one_to_one or new & (predicates(before.program) - {*self.columns}):
            return False
        merged = own | {self.renamed[each] for each in static}
        known = [atom for atoms in facts_of(before.program, static).values() for atom in atoms]
        defined = [*self.definitions(), *(Rule(self.merged(atom, {})) for atom in known)]
        listed = {rule for rule in after.program.rules if rule.conclusion.predicate in merged}
        asked = {atom.predicate for rule in after.program.rules for atom in rule.atoms}
        return (
            listed == {rule for rule in defined if rule.conclusion.predicate in asked}
            and _same_rules(
                _needed(before, static), [*map(self._given_back, _needed(after, merged, self.ranges.values()))]
            )
            and {self.merged(atom, {}) for atom in before.initial} == after.initial
            and {self.renamed.get(each, each) for each in before.program.queries} == {*after.program.queries}
        )

    def _given_back(self, rule: Rule) -> Rule | None:
        """A rule with cells taken apart; None where that cannot be."""
        cell = Function(_PAIR, COORDINATES)
        of_cells = [Rule(Atom(self.at, (*COORDINATES, cell)))]
        for side, name in self.sides.items():
            parts = (free if part is None else part for part, free in zip(side, COORDINATES, strict=True))
            of_cells.append(Rule(Atom(name, (Function(_PAIR, tuple(parts)),))))
        of_cells += [Rule(Atom(name, (cell,)), literals) for literals, name in self.ranges.items()]
        given = Program(tuple(of_cells))
        old_names, places = {}, {each: [each.arity - 1] for each in given.heads}
        for old, new in self.renamed.items():
            old_names[new] = old.name
            places[new] = [place - number for number, place in enumerate(sorted(self.columns[old]))]
        names = iter(fresh_variables("Part", rule_variables(rule)))
        terms = [atom.arguments[place] for atom in rule.atoms for place in places.get(atom.predicate, ())]
        split = {term: Function(_PAIR, (next(names), next(names))) for term in terms if isinstance(term, Variable)}
        pairs: Mapping[Term, Term] = {constant: Function(_PAIR, pair) for pair, constant in self.cells.items()}

        def paired(atom: Atom) -> Atom:
            at = places.get(atom.predicate, ())
            found = (pairs.get(term, term) if place in at else term for place, term in enumerate(atom.arguments))
            return Atom(atom.name, tuple(found))

        def apart(atom: Atom) -> Atom:
            at, found = places.get(atom.predicate, ()), list[Term]()
            for place, term in enumerate(atom.arguments):
                found += term.arguments if place in at and isinstance(term, Function) else (term,)
            return Atom(old_names.get(atom.predicate, atom.name), tuple(found))

        whole = map_atoms(substitute(rule, split), paired)
        read = {
            atom.arguments[place]
            for atom in whole.atoms
            if atom.predicate in old_names
            for place in places[atom.predicate]
        }
        asked = [item for item in whole.literals if item.atom.predicate in given.heads]
        if not all(item.positive and item.atom.arguments[-1] in read for item in asked):
            return None  # only of a cell that a relation has, `at` and the like say nothing more
        unfolded = unfold_calls(whole, given, given.heads, 1)
        return map_atoms(unfolded[0], apart) if unfolded else None


def _needed(game: FlatGame, given: Collection[Predicate], passed: Collection[str] = ()) -> list[Rule]:
    """The rules that the queries depend on, but those of the `given` relations, and what these read but where their
    names are `passed`."""
    rules = game.program.rules
    left = (each for each in rules if each.conclusion.name in passed or each.conclusion.predicate not in given)
    needed = rules_below(Program(tuple(left)), game.program.queries).rules
    return [rule for rule in needed if rule.conclusion.predicate not in given]


def _same_rules(before: Sequence[Rule], after: Sequence[Rule | None]) -> bool:
    """Whether each rule of one side is one of the other, but for names of variables and literals said twice."""
    left, right = ({rule for rule in rules if rule is None or rule.body} for rules in (before, after))
    return (
        {*before} - left == {*after} - right
        and all(any(_is_part(one, two) and _is_part(two, one) for two in right if two) for one in left if one)
        and all(any(_is_part(one, two) and _is_part(two, one) for one in left if one) for two in right)
    )


def _is_part(left: Rule | None, right: Rule | None) -> bool:
    """Whether the first rule derives what the second one does."""
    if left is None or right is None or left.conclusion.predicate != right.conclusion.predicate:
        return False
    bound = match_terms(left.conclusion.arguments, right.conclusion.arguments, {})
    return bound is not None and find_homomorphism(left.body, right.body, bound) is not None
