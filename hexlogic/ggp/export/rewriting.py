"""The rules of a rule set in a sheet: cells by name, the order of numbers as facts, transition rules as `next` rules.

    candidate(P,X) :- owns(P,X), adjacent(X,Y), Y < X.     candidate(P,X) :- owns(P,X), adjacent(X,Y), smaller(Y,X).
    adjacent(1,2).                                         adjacent(a1,b1).  smaller(a1,b1).
    next_cluster(X,X,P) :- plays(P,X).                     next(cluster(X,X,P)) :- does(P,place(X)).
    next_cluster(I,Y,P) :-                                 next(cluster(I,Y,P)) :-
        cluster(I,Y,P), not touched(P,I).                      true(cluster(I,Y,P)), not touched(P,I).

Which numbers are cells is seen from where they stand: all that exchange values with `cell/1` (`analysis.columns`).
With the swap rule a move is what `plays` says (`rules/gdl/stones-with-swap.lp`), and what only stays does not survive
the swap: the one stone there is then counts as a new one of blue's.
"""

import dataclasses
import itertools
from collections.abc import Iterator

from hexlogic.errors import HexlogicError
from hexlogic.games import Game
from hexlogic.games.rulesets.transitions import Transitions
from hexlogic.ggp.language.sheet import INPUTS
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.columns import ColumnKind, Columns
from hexlogic.language.names import fresh_names
from hexlogic.language.terms import Function, Integer, Symbol, Term
from hexlogic.language.walk import map_atoms, predicates

_CELL = Predicate("cell", 1)


def name_cells(program: Program, game: Game) -> Program:
    """The program with the names of cells in the place of their numbers, and facts in the place of an order. It has
    neither constants nor intervals. Raises HexlogicError when numbers that are no cells stand among them."""
    naming = _Naming(program, game)
    rules = [naming.rule(number, rule) for number, rule in enumerate(program.rules)]
    return program.with_rules((*rules, *naming.orders()))


class _Naming:
    def __init__(self, program: Program, game: Game) -> None:
        self._columns = Columns(program)
        self._cells = self._columns.kinds(_CELL)[0]
        self._names = {cell: Symbol(game.cell_name(cell)) for cell in game.cells}
        self._values: dict[ColumnKind, set[int]] = {}
        self._orders: dict[ColumnKind, str] = {}
        self._fresh: Iterator[str] = iter(fresh_names("smaller", {predicate.name for predicate in predicates(program)}))

    def orders(self) -> Iterator[Rule]:
        for kind, name in self._orders.items():
            values = [self._constant(value, kind) for value in sorted(self._values.get(kind, ()))]
            yield from (Rule(Atom(name, pair)) for pair in itertools.combinations(values, 2))

    def rule(self, number: int, rule: Rule) -> Rule:
        body = tuple(self._item(item, self._columns.compared(number, place)) for place, item in enumerate(rule.body))
        return Rule(None if rule.head is None else self._atom(rule.head), body, rule.place)

    def _item(self, item: BodyLiteral, kind: ColumnKind) -> BodyLiteral:
        if isinstance(item, Literal):
            return Literal(self._atom(item.atom), item.positive)
        left, right = self._term(item.left, kind), self._term(item.right, kind)
        if item.operator in ("=", "!=") or kind.computed:
            return Comparison(item.operator, left, right)
        if kind not in self._orders:
            self._orders[kind] = next(self._fresh)
        pair = (left, right) if item.operator in ("<", ">=") else (right, left)
        return Literal(Atom(self._orders[kind], pair), item.operator in ("<", ">"))

    def _atom(self, atom: Atom) -> Atom:
        kinds = self._columns.kinds(atom.predicate)
        return Atom(atom.name, tuple(map(self._term, atom.arguments, kinds)))

    def _term(self, term: Term, kind: ColumnKind) -> Term:
        match term:
            case Integer(value):
                self._values.setdefault(kind, set()).add(value)
                return self._constant(value, kind)
            case Function(name, arguments):
                functor = (name, len(arguments))
                fields = self._columns.kinds(functor)
                return Function(name, tuple(map(self._term, arguments, fields)))
            case _:
                return term

    def _constant(self, value: int, kind: ColumnKind) -> Term:
        if kind != self._cells:
            return Integer(value)
        if value not in self._names:
            raise HexlogicError(f"the rules use {value}, which is no cell, like the number of a cell")
        return self._names[value]


TRANSITION_RULES = {
    "clusters-by-side": "free",
    "clusters-merging": "taken",
    "clusters-with-sides": "free",
    "components-by-step": "taken",
    "follow-line-kept": "free",
}
"""The sets of transition rules that a sheet can carry in its state. Each has a frame of its own in `rules/gdl/`, beside
that which says where a stone may be put."""

_NOT_SWAPPED = Literal(Atom("swapped"), positive=False)


def next_rules(transitions: Transitions, *, swap: bool) -> Program:
    """The rules with `true`, `next` and, without the swap rule, `does` in the place of their own state and move."""
    rules = tuple(_rule(rule, transitions, swap) for rule in transitions.program.rules)
    inputs = (*INPUTS, transitions.move) if swap else INPUTS
    return dataclasses.replace(transitions.program, rules=rules, inputs=inputs)


def _rule(rule: Rule, transitions: Transitions, swap: bool) -> Rule:
    def in_sheet(atom: Atom) -> Atom:
        if atom.predicate in transitions.state:
            return _in_state("true", atom)
        if atom.predicate == transitions.move and not swap:
            player, cell = atom.arguments
            return Atom("does", (player, Function("place", (cell,))))
        return atom

    head = rule.head
    body = map_atoms(dataclasses.replace(rule, head=None), in_sheet).body
    if head is not None and head.predicate in transitions.initial:
        return dataclasses.replace(rule, head=_in_state("init", transitions.becomes(head)), body=body)
    if head is None or head.predicate not in transitions.after:
        return rule.with_body(body)
    if swap and transitions.move not in [literal.atom.predicate for literal in rule.literals]:
        body += (_NOT_SWAPPED,)
    return dataclasses.replace(rule, head=_in_state("next", transitions.becomes(head)), body=body)


def _in_state(word: str, kept: Atom) -> Atom:
    return Atom(word, (Function(kept.name, kept.arguments),))
