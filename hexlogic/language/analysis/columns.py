"""Types of columns: arguments, fields of compound terms and variables that exchange values share a kind.

    p(X,red) :- q(X), X < 3.      p's first column, q's column and X are one kind: integers, ordered
    r(f(X)) :- p(X,Y).            r's column holds the compound term f/1, whose field is of that kind as well

Typed and untyped engines need the answer: Souffle declares one type for each column, Epilog indexes symbols only.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from hexlogic.language.analysis.graph import UnionFind
from hexlogic.language.syntax import Comparison, Predicate, Program
from hexlogic.language.terms import Arithmetic, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import predicates, variables

Functor: TypeAlias = tuple[str, int]
"""Name and number of fields of a compound term."""
_Place: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """The types of the values in one group of columns; groups are numbered from 1.

    `integer` and `symbol` are the first such value that the text has; `computed` is set when arithmetic reads or makes
    these values, `ordered` when `<`, `<=`, `>` or `>=` compares them.
    """

    number: int = 0
    integer: Integer | None = None
    symbol: Symbol | None = None
    functors: frozenset[Functor] = field(default_factory=frozenset)
    computed: bool = False
    ordered: bool = False

    @property
    def numeric(self) -> bool:
        """Whether something is done with these values that only integers take, or every engine takes of integers."""
        return self.computed or self.ordered

    def merged(self, other: "ColumnKind") -> "ColumnKind":
        """What both say."""
        integer, symbol = self.integer or other.integer, self.symbol or other.symbol
        computed, ordered = self.computed or other.computed, self.ordered or other.ordered
        return ColumnKind(self.number, integer, symbol, self.functors | other.functors, computed, ordered)


class Columns:
    """The kinds of a program without intervals and constants (see `dialects.lower`), numbered in text order.

    >>> from hexlogic.language.parser import parse
    >>> columns = Columns(parse("p(X,red) :- q(X), X < 3. r(f(X)) :- p(X,Y)."))
    >>> first, second = columns.kinds(Predicate("p", 2))
    >>> [first] == columns.kinds(("f", 1)), second.symbol
    (True, Symbol(name='red'))
    """

    def __init__(self, program: Program) -> None:
        self._sets = UnionFind[_Place]()
        self._said: dict[_Place, ColumnKind] = {}
        for number, rule in enumerate(program.rules):
            for atom in rule.atoms:
                for position, term in enumerate(atom.arguments):
                    self._hold((atom.predicate, position), term, number)
            for position, item in enumerate(rule.body):
                if isinstance(item, Comparison):
                    compared = ("compared", number, position)
                    for side in (item.left, item.right):
                        self._hold(compared, side, number)
                    self._say(compared, ColumnKind(ordered=item.operator not in ("=", "!=")))
        for predicate in sorted(predicates(program)):
            for position in range(predicate.arity):
                self._sets.find((predicate, position))
        self._kinds: dict[_Place, ColumnKind] = {}
        for place in self._sets:
            root = self._sets.find(place)
            kind = self._kinds.setdefault(root, ColumnKind(len(self._kinds) + 1))
            self._kinds[root] = kind.merged(self._said.get(place, ColumnKind()))

    def kinds(self, owner: Predicate | Functor) -> list[ColumnKind]:
        """The kinds of a predicate's arguments, or of a compound term's fields; unknown ones say nothing."""
        arity = owner.arity if isinstance(owner, Predicate) else owner[1]
        return [self._kind((owner, position)) for position in range(arity)]

    def named(self, owner: Predicate | Functor) -> list[tuple[str, ColumnKind]]:
        """The same, each with what an error calls the column."""
        text = str(owner) if isinstance(owner, Predicate) else "{}/{}".format(*owner)
        return [(f"argument {number} of {text}", kind) for number, kind in enumerate(self.kinds(owner), 1)]

    def compared(self, rule: int, item: int) -> ColumnKind:
        """The kind of both sides of a comparison: body item `item` of rule number `rule`."""
        return self._kind(("compared", rule, item))

    def __iter__(self) -> Iterator[ColumnKind]:
        return iter(self._kinds.values())

    def _kind(self, place: _Place) -> ColumnKind:
        return self._kinds[self._sets.find(place)] if place in self._sets else ColumnKind()

    def _say(self, place: _Place, kind: ColumnKind) -> None:
        self._sets.find(place)
        self._said[place] = self._said.get(place, ColumnKind()).merged(kind)

    def _hold(self, place: _Place, term: Term, rule: int) -> None:
        match term:
            case Variable(name):
                self._sets.join(place, ("variable", rule, name))
            case Integer():
                self._say(place, ColumnKind(integer=term))
            case Symbol():
                self._say(place, ColumnKind(symbol=term))
            case Function(name, arguments):
                functor = (name, len(arguments))
                self._sets.join(place, ("values", functor))
                self._say(place, ColumnKind(functors=frozenset((functor,))))
                for position, argument in enumerate(arguments):
                    self._hold((functor, position), argument, rule)
            case Arithmetic():
                self._say(place, ColumnKind(computed=True))
                for variable in variables(term):
                    self._say(("variable", rule, variable.name), ColumnKind(computed=True))
