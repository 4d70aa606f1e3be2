"""Cells by name: `12` becomes `c2`, and an order of cell numbers becomes facts, for GDL has none.

    candidate(P,X) :- owns(P,X), adjacent(X,Y), Y < X.     candidate(P,X) :- owns(P,X), adjacent(X,Y), smaller(Y,X).
    adjacent(1,2).                                         adjacent(a1,b1).  smaller(a1,b1).

Which numbers are cells is seen from where they stand: all that exchange values with `cell/1` (`logic.columns`).
"""

from __future__ import annotations

import itertools

from hexlogic.errors import HexlogicError
from hexlogic.games import Game
from hexlogic.logic import (
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Integer,
    Literal,
    Predicate,
    Program,
    Rule,
    Symbol,
    Term,
)
from hexlogic.logic.columns import Columns, Kind
from hexlogic.logic.names import fresh_predicate

__all__ = ["name_cells"]

_CELL = Predicate("cell", 1)


def name_cells(program: Program, game: Game) -> Program:
    """The program with the names of cells in the place of their numbers.

    It has neither constants nor intervals. Raises HexlogicError when numbers that are no cells stand among them.
    """
    return _Naming(program, game).program()


class _Naming:
    def __init__(self, program: Program, game: Game) -> None:
        self._source = program
        self._columns = Columns(program)
        self._cells = self._columns.argument(_CELL, 0)
        self._names = {cell: Symbol(game.cell_name(cell)) for cell in game.cells}
        self._smaller = fresh_predicate(program, "smaller", 2).name
        self._ordered = False

    def program(self) -> Program:
        rules = [self._rule(number, rule) for number, rule in enumerate(self._source.rules)]
        if self._ordered:
            pairs = itertools.combinations(self._names.values(), 2)
            rules += [Rule(Atom(self._smaller, pair)) for pair in pairs]
        return self._source.with_rules(tuple(rules))

    def _rule(self, number: int, rule: Rule) -> Rule:
        body = tuple(self._item(item, self._columns.compared(number, place)) for place, item in enumerate(rule.body))
        return Rule(None if rule.head is None else self._atom(rule.head), body, rule.place)

    def _item(self, item: BodyLiteral, kind: Kind) -> BodyLiteral:
        if isinstance(item, Literal):
            return Literal(self._atom(item.atom), item.positive)
        left, right = self._term(item.left, kind), self._term(item.right, kind)
        if kind != self._cells or item.operator in ("=", "!="):
            return Comparison(item.operator, left, right)
        self._ordered = True
        if item.operator in ("<", ">="):
            return Literal(Atom(self._smaller, (left, right)), item.operator == "<")
        return Literal(Atom(self._smaller, (right, left)), item.operator == ">")

    def _atom(self, atom: Atom) -> Atom:
        kinds = (self._columns.argument(atom.predicate, position) for position in range(len(atom.arguments)))
        return Atom(atom.name, tuple(map(self._term, atom.arguments, kinds)))

    def _term(self, term: Term, kind: Kind) -> Term:
        match term:
            case Integer(value) if kind == self._cells:
                if value not in self._names:
                    raise HexlogicError(f"the rules use {value}, which is no cell, like the number of a cell")
                return self._names[value]
            case Function(name, arguments):
                functor = (name, len(arguments))
                fields = (self._columns.field(functor, position) for position in range(len(arguments)))
                return Function(name, tuple(map(self._term, arguments, fields)))
            case _:
                return term
