"""Least models of a program on random positions of small boards, and whether a claim holds in all of them.

A predicate is a table of truth values with an axis for the model and one for each argument; a claim is a product of
tables. Arguments that share values share an axis.
"""

import functools
import itertools
import operator
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Integer, Literal, Predicate, Program, Variable
from hexlogic.language.analysis.columns import Columns
from hexlogic.language.analysis.dependence import static_predicates
from hexlogic.language.analysis.graph import UnionFind
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom, has_interval, map_atoms
from hexlogic.proofs.finding.facts import COMPARED, NOT, Claim, Fact, Value, fact_of, is_test, is_variable, variables_of
from hexlogic.proofs.finding.worlds import World

Table: TypeAlias = NDArray[np.bool_]

_LARGEST: Final = 10_000_000
"""Entries of a table: a claim with many variables is looked at on the smaller boards only."""
_POINTS: Final = 1000
"""Places of a body that a head is looked at first."""
_MOST: Final = 200_000_000
"""Entries of the table of a predicate, at most: bytes."""


def atoms_of(program: Program, world: World, wanted: Collection[Predicate]) -> list[dict[str, list[Fact]]]:
    """The atoms of the wanted predicates, by name, in each model that `Samples` has: all that a comparison needs."""
    models = [model for given, drawn in world.sampled(0) for model in least_models(given + program, drawn, wanted)]
    return [{each.name: [fact for fact in model if fact[0] == each.name] for each in wanted} for model in models]


def least_models(
    program: Program, instances: Sequence[Sequence[Atom]], wanted: Collection[Predicate] | None = None
) -> Iterator[list[Fact]]:
    """The least model of each set of facts, or its `wanted` part, all by one call of clingo: what the facts change has
    the number of the set."""
    static = static_predicates(program)
    number, numbers, marked = Variable("Instance'"), internal_name("instance"), internal_name("at")

    def numbered(atom: Atom) -> Atom:
        return atom if atom.predicate in static else Atom(marked + atom.name, (number, *atom.arguments))

    rules = []
    for rule in program.without_constraints().rules:
        again = map_atoms(rule, numbered)
        is_static = rule.conclusion.predicate in static
        rules.append(again if is_static else again.with_body((Literal(Atom(numbers, (number,))), *again.body)))
    facts = [
        Atom(marked + fact.name, (Integer(place), *fact.arguments))
        for place, instance in enumerate(instances)
        for fact in instance
    ]
    facts += [Atom(numbers, (Integer(place),)) for place in range(len(instances))]
    common: list[Fact] = []
    models: list[list[Fact]] = [[] for _ in instances]
    only = None if wanted is None else [numbered(general_atom(predicate)).predicate for predicate in wanted]
    for name, *arguments in map(fact_of, least_model(Program(tuple(rules), program.constants), facts, only=only)):
        if str(name).startswith(marked):
            models[int(str(arguments[0]))].append((str(name).removeprefix(marked), *arguments[1:]))
        elif name != numbers:
            common.append((name, *arguments))
    return ([*common, *model] for model in models)


class Samples:
    """The models of a program; `arities` are those of all predicates that some model has. Raises EngineError where the
    table of one would be too large."""

    def __init__(self, program: Program, world: World, seed: int = 0) -> None:
        """`program` are the rules beside what the world gives."""
        self.arities: dict[str, int] = {}
        self._boards: list[_Models] = []
        self._answers: list[list[Fact]] = []
        self._supports: dict[Claim, int] = {}
        for given, instances in world.sampled(seed):
            models = list(least_models(given + program, instances))
            self._answers += models
            self.arities |= {str(fact[0]): len(fact) - 1 for model in models for fact in model}
            rules = (rule for rule in (*given.rules, *program.rules) if not has_interval(rule))
            self._boards.append(_Models(models, Columns(Program(tuple(rules)))))

    def answers(self, query: str) -> list[frozenset[Fact]]:
        """The atoms of a predicate in each model."""
        return [frozenset(fact for fact in model if fact[0] == query) for model in self._answers]

    def support(self, claim: Claim) -> int:
        """How often the body holds; 0 where the head fails once."""
        if claim not in self._supports:
            counts = [*itertools.takewhile(lambda count: count >= 0, (each.support(claim) for each in self._boards))]
            self._supports[claim] = sum(counts) if len(counts) == len(self._boards) else 0
        return self._supports[claim]

    def is_symmetric(self, name: str) -> bool:
        """Whether a predicate of two arguments holds both ways wherever it holds."""
        turned = Claim(((name, "X1", "X0"),), ((name, "X0", "X1"),))
        return self.arities.get(name) == 2 and bool(self.support(turned))

    def holds(self, name: str, place: int, value: Value) -> bool:
        """Whether an argument of a predicate (from 0) is of the kind of a value."""
        return any(models.holds(name, place, value) for models in self._boards)

    def kind(self, name: str, place: int) -> int:
        """A number for the values of an argument of a predicate (from 0): arguments that share values share it."""
        return self._boards[-1].kind(name, place)

    def define(self, head: Fact, bodies: Sequence[Sequence[Fact]]) -> bool:
        """Add a predicate by the bodies of its rules; its name was not used before. False where it never holds."""
        defined = [models.define(head, bodies) for models in self._boards]
        self.arities[str(head[0])] = len(head) - 1
        return any(defined)

    def implied(self, body: Sequence[Fact], heads: Iterable[Fact]) -> list[Fact]:
        """The heads that hold wherever the body does, for some value of a variable that it does not have; none where
        the body never holds."""
        kept, holds = list(heads), False
        for models in self._boards:
            implied = models.implied(body, kept)
            holds = holds or implied is not None
            kept = kept if implied is None else implied
            if not kept:
                break
        return kept if holds else []

    def excludes(self, body: Sequence[Fact]) -> bool:
        """Whether the atoms never hold together, although each of them does on some board on which the others do."""
        apart = {models.excludes(body) for models in self._boards}
        return True in apart and False not in apart

    def forget(self, name: str) -> None:
        """Drop a predicate that was added."""
        for models in self._boards:
            models.forget(name)
        self.arities.pop(name, None)
        for claim in [each for each in self._supports if any(atom[0] == name for atom in (*each.head, *each.body))]:
            del self._supports[claim]

    def derives(self, heads: Sequence[Fact], rules: Sequence[Claim]) -> bool:
        """Whether rules derive all that the predicates of these heads hold of."""
        return all(models.derives(heads, rules) for models in self._boards)

    def count(self, name: str) -> int:
        """How many atoms of a predicate there are in the largest models."""
        return self._boards[-1].count(name)


class _Models:
    """The models on one board; `passed` says which columns rules pass values on between."""

    def __init__(self, models: Sequence[Sequence[Fact]], passed: Columns) -> None:
        self._count = len(models)
        columns: dict[tuple[str, int], set[Value]] = {}
        for fact in (fact for model in models for fact in model):
            for place, part in enumerate(fact[1:]):
                columns.setdefault((str(fact[0]), place), set()).add(part)
        self._kinds, self._values = _kinds(columns, passed)
        self._places = [{value: place for place, value in enumerate(values)} for values in self._values]
        names = sorted((each for values in self._values for each in values if not isinstance(each, int)), key=str)
        self._names = {name: 2**40 + number for number, name in enumerate(names)}
        """How names and compound terms are ordered where they are compared."""
        self._tables: dict[str, Table] = {}
        for number, model in enumerate(models):
            for fact in model:
                name = str(fact[0])
                kinds = [self._kinds[name, place] for place in range(len(fact) - 1)]
                if name not in self._tables:
                    shape = self._shape(kinds)
                    if prod(shape) > _MOST:
                        raise EngineError(f"samples of {name} would have {prod(shape):,} entries")
                    self._tables[name] = np.zeros(shape, bool)
                where = (self._places[kind][part] for kind, part in zip(kinds, fact[1:], strict=True))
                self._tables[name][(number, *where)] = True

    def _shape(self, kinds: Iterable[int]) -> tuple[int, ...]:
        return self._count, *(len(self._values[kind]) for kind in kinds)

    def holds(self, name: str, place: int, value: Value) -> bool:
        kind = self._kinds.get((name, place))
        return kind is not None and value in self._places[kind]

    def support(self, claim: Claim) -> int:
        """How often the body holds; -1 where the head fails."""
        axes = self._axes((*claim.body, *claim.head))
        body = None if axes is None else self._conjunction(claim.body, axes)
        if axes is None or body is None:
            return 0
        held = self._conjunction(claim.head, axes) if claim.head else None
        if held is None:
            return -int(body.any())
        bound = {variable for atom in claim.body for variable in variables_of(atom)}
        free = tuple(place for place, variable in enumerate(axes, 1) if variable not in bound)
        if free:
            held = np.asarray(held.any(axis=free, keepdims=True))
        return -1 if (body & ~held).any() else int(body.sum())

    def kind(self, name: str, place: int) -> int:
        """The number of an argument's kind; -1 where no model has the predicate."""
        return self._kinds.get((name, place), -1)

    def forget(self, name: str) -> None:
        self._tables.pop(name, None)
        self._kinds = {column: kind for column, kind in self._kinds.items() if column[0] != name}

    def derives(self, heads: Sequence[Fact], rules: Sequence[Claim]) -> bool:
        names = [str(head[0]) for head in heads]
        wanted = {name: self._tables[name] for name in names if name in self._tables}
        try:
            least = self._least({name: table.shape for name, table in wanted.items()}, rules)
            return all((least[name] == table).all() for name, table in wanted.items())
        finally:
            self._tables |= wanted

    def count(self, name: str) -> int:
        return int(self._tables[name].sum()) if name in self._tables else 0

    def define(self, head: Fact, bodies: Sequence[Sequence[Fact]]) -> bool:
        """Add the table of a predicate, the least that its rules allow; False where no body ever holds."""
        name = str(head[0])
        axes_of = [axes for body in bodies if (axes := self._axes(body)) is not None]
        kinds = {tuple(axes[str(part)] for part in head[1:]) for axes in axes_of}
        if len(kinds) != 1:
            return False
        (columns,) = kinds
        self._kinds |= {(name, place): kind for place, kind in enumerate(columns)}
        self._tables |= self._least({name: self._shape(columns)}, [Claim((head,), tuple(body)) for body in bodies])
        return bool(self._tables[name].any())

    def _least(self, shapes: Mapping[str, Sequence[int]], rules: Sequence[Claim]) -> dict[str, Table]:
        """The least tables of these shapes that the rules allow."""
        tables = {name: np.zeros(shape, bool) for name, shape in shapes.items()}
        while True:
            self._tables |= tables
            new = dict(tables)
            for rule in rules:
                name = str(rule.head[0][0])
                if name in new and (derived := self._projected(rule.head[0], rule.body)) is not None:
                    new[name] = new[name] | derived
            if all((new[name] == table).all() for name, table in tables.items()):
                return tables
            tables = new

    def implied(self, body: Sequence[Fact], heads: Sequence[Fact]) -> list[Fact] | None:
        """The heads that hold wherever the body does; None where it never holds."""
        axes = self._axes(body)
        held = None if axes is None else self._conjunction(body, axes)
        if axes is None or held is None or not held.any():
            return None
        some = [places[:: len(places) // _POINTS + 1] for places in np.nonzero(held)]
        kept = []
        for head in heads:
            kinds = [(part, self._kinds.get((str(head[0]), place))) for place, part in enumerate(head[1:])]
            if all(kind is not None and axes.get(str(part), kind) == kind for part, kind in kinds):
                wider = axes | {str(part): kind for part, kind in kinds if is_variable(part) and kind is not None}
                table = self._atom(head, wider)
                if table is not None and len(wider) > len(axes):
                    table = np.asarray(table.any(axis=tuple(range(len(axes) + 1, len(wider) + 1))))
                shape = () if table is None else table.shape
                asked = tuple(places if size > 1 else 0 for places, size in zip(some, shape, strict=False))
                if table is not None and table[asked].all() and not (held & ~table).any():
                    kept.append(head)
        return kept

    def excludes(self, body: Sequence[Fact]) -> bool | None:
        """Whether the atoms never hold together; None where one of them never does at all."""
        axes = self._axes(body)
        tables = [None if axes is None else self._atom(atom, axes) for atom in body]
        known = [table for table in tables if table is not None and table.any()]
        if len(known) < len(tables):
            return None
        return not functools.reduce(operator.and_, known).any()

    def _projected(self, head: Fact, body: Sequence[Fact]) -> Table | None:
        """What one rule derives, with the axes of its head; None where its body never holds or is too wide."""
        axes = self._axes(body)
        table = None if axes is None else self._conjunction(body, axes)
        if axes is None or table is None:
            return None
        full = np.broadcast_to(table, self._shape(axes.values()))
        order = list(axes)
        kept = list(dict.fromkeys(order.index(str(part)) + 1 for part in head[1:] if is_variable(part)))
        gone = [place for place in range(1, len(order) + 1) if place not in kept]
        projected: Table = np.any(full.transpose([0, *kept, *gone]), axis=tuple(range(len(kept) + 1, len(order) + 1)))
        if len(kept) == len(head) - 1:
            return projected
        kinds = [self._kinds[str(head[0]), place] for place in range(len(head) - 1)]
        widened = np.zeros(self._shape(kinds), bool)
        fixed = [
            slice(None) if is_variable(part) else self._places[kind].get(part)
            for part, kind in zip(head[1:], kinds, strict=True)
        ]
        if None not in fixed:  # a view of the places where arguments are equal, and constants where they are
            places = [order.index(str(part)) + 1 for part in head[1:] if is_variable(part)]
            np.einsum(widened[(slice(None), *fixed)], [0, *places], [0, *kept])[...] = projected
        return widened

    def _axes(self, atoms: Iterable[Fact]) -> dict[str, int] | None:
        """Each variable with the kind of its values; None where kinds differ, a variable is part of a term or the table
        would be too large."""
        axes: dict[str, int] = {}
        for atom in sorted(atoms, key=is_test):
            name = str(atom[0])
            for place, part in enumerate(atom[1:]):
                if isinstance(part, tuple) and any(variables_of(part)):
                    return None
                if not is_variable(part):
                    continue
                kind = self._kinds.get((name.removeprefix(NOT), place), axes.get(str(part)))
                if kind is None or axes.setdefault(str(part), kind) != kind:
                    return None
        return axes if prod(self._shape(axes.values())) <= _LARGEST else None

    def _conjunction(self, atoms: Sequence[Fact], axes: Mapping[str, int]) -> Table | None:
        """Where all atoms hold; None where one of them never does."""
        tables = [table for atom in atoms if (table := self._atom(atom, axes)) is not None]
        held: Table | None = functools.reduce(operator.and_, tables) if len(tables) == len(atoms) else None
        return held

    def _atom(self, atom: Fact, axes: Mapping[str, int]) -> Table | None:
        """Where the atom holds, of length 1 along the variables that it does not have; None where it never does."""
        name = str(atom[0])
        if name in COMPARED:
            return np.asarray(COMPARED[name](*(self._numbers(part, axes) for part in atom[1:])), bool)
        negated = name.startswith(NOT)
        name = name.removeprefix(NOT)
        never = np.ones((1,) * (len(axes) + 1), bool) if negated else None
        if name not in self._tables:
            return never
        index: list[int | slice] = [slice(None)]
        order = list(axes)
        read = [0, *(order.index(str(part)) + 1 for part in atom[1:] if is_variable(part))]
        for place, part in enumerate(atom[1:]):
            where = slice(None) if is_variable(part) else self._places[self._kinds[name, place]].get(part)
            if where is None:
                return never
            index.append(where)
        kept = sorted(set(read))
        table = np.einsum(self._tables[name][tuple(index)], read, kept)
        sizes = [len(self._values[kind]) if place in kept else 1 for place, kind in enumerate(axes.values(), 1)]
        shaped: Table = table.reshape([self._count, *sizes])
        return ~shaped if negated else shaped

    def _numbers(self, part: Value, axes: Mapping[str, int]) -> NDArray[np.int64]:
        """The integers of a variable's axis or of a constant; other terms come after all integers."""
        values = self._values[axes[str(part)]] if is_variable(part) else [part]
        shape = [len(values) if variable == part else 1 for variable in axes]
        numbers = [
            value if isinstance(value, int) else self._names.setdefault(value, 2**40 + len(self._names))
            for value in values
        ]
        return np.array(numbers).reshape([1, *shape])


def _kinds(
    columns: Mapping[tuple[str, int], set[Value]], passed: Columns
) -> tuple[dict[tuple[str, int], int], list[list[Value]]]:
    """A number for each column, the same where two share a name or rules pass integers from one to the other, and the
    values by number."""
    arities, sets = Counter(name for name, _ in columns), UnionFind[Hashable]()
    for (name, place), values in columns.items():
        number = passed.kinds(Predicate(name, arities[name]))[place].number
        for value in values:
            sets.join((name, place), ("integers", number) if isinstance(value, int) else ("value", value))
    groups = dict[Hashable, list[tuple[str, int]]]()
    for column in columns:
        groups.setdefault(sets.find(column), []).append(column)
    kinds = {column: number for number, group in enumerate(groups.values()) for column in group}
    return kinds, [sorted(set().union(*map(columns.__getitem__, group)), key=_rank) for group in groups.values()]


def _rank(value: Value) -> tuple[str, int, str]:
    """Integers by value, other terms by their text."""
    return str(type(value)), value if isinstance(value, int) else 0, str(value)
