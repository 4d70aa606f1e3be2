"""Two coordinates as one term: a cell that is named by its row and its column is one argument from then on.

    true_cell(X,Y,P), adjacent(X,Y,Z,W), true_cell(Z,W,P)     becomes     true_cell(C,P), adjacent(C,D), true_cell(D,P)

Where a rule takes the coordinates apart, `at(X,Y,C)` says which cell has them. Moves keep their form. Other moves of
the search see arguments one by one: they find nothing where a cell is two of them.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from hexlogic.ggp.language.opened import Flattening
from hexlogic.ggp.reformulation.flat_game import FlatGame, Origin
from hexlogic.ggp.reformulation.renaming import COORDINATES, Renaming
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Symbol, Term, Variable
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import map_atoms, rule_variables, substitute, variables

_Columns: TypeAlias = Mapping[Predicate, frozenset[int]]
"""For each relation the columns, from 0, at which a pair begins."""


def pairings(game: FlatGame) -> Iterator[tuple[FlatGame, str]]:
    """The game with the columns of a state relation as pairs, and those of all relations that pass them on."""
    seen: list[_Columns] = []
    for true in sorted(game.state):
        for column in range(true.arity - 1):
            columns = _spread(game, {true: frozenset({column})})
            moves = {*game.moves, *game.moves.values()}
            if columns is not None and moves & set(columns) and columns not in seen:
                seen.append(columns)
                paired = {predicate: places for predicate, places in columns.items() if predicate not in moves}
                yield paired_game(game, paired), f"columns {column + 1} and {column + 2} of {true} are one"


def _spread(game: FlatGame, columns: _Columns) -> _Columns | None:
    """The columns of all relations that hold the same pairs; None where columns would be in two pairs."""
    following = {**game.state, **{after: before for before, after in game.state.items()}}
    while True:
        found: dict[Predicate, set[int]] = {predicate: set(places) for predicate, places in columns.items()}
        for predicate, places in columns.items():
            if predicate in following:
                found.setdefault(following[predicate], set()).update(places)
        for rule in game.program.rules:
            pairs = {pair for atom in rule.atoms for pair in _pairs_in(atom, columns)}
            for atom in rule.atoms:
                if atom.name != "goal":
                    for place, pair in enumerate(zip(atom.arguments, atom.arguments[1:], strict=False)):
                        if pair in pairs and all(isinstance(part, Variable) for part in pair):
                            found.setdefault(atom.predicate, set()).add(place)
        wider = {predicate: frozenset(places) for predicate, places in found.items()}
        if any(place + 1 in places for places in wider.values() for place in places):
            return None
        if wider == columns:
            return columns
        columns = wider


def _pairs_in(atom: Atom, columns: _Columns) -> Iterator[tuple[Term, Term]]:
    for place in columns.get(atom.predicate, ()):
        yield atom.arguments[place], atom.arguments[place + 1]


def paired_game(game: FlatGame, columns: _Columns) -> FlatGame:
    """The game with each pair as one constant."""
    renamed: dict[Predicate, Predicate] = {}
    taken = {predicate.name for predicate in (*game.program.heads, *game.sheet.heads)}
    names = dict(game.flat.names)
    for predicate, places in columns.items():
        name = predicate.name
        if predicate not in game.flat.kinds:
            name = next(iter(fresh_names(f"{name}_of_cells", taken)))
            taken.add(name)
        renamed[predicate] = Predicate(name, predicate.arity - len(places))
    for (word, shape), predicate in game.flat.names.items():
        if predicate in renamed:
            del names[word, shape]
            names[word, (shape[0], renamed[predicate].arity)] = renamed[predicate]
    cells = {
        (left, right): Symbol(f"{left}_{right}" if isinstance(left, Symbol) else f"c_{left}_{right}")
        for left, right in itertools.product(*_coordinates(game, columns))
    }
    renaming = Renaming(columns, renamed, cells, game.fresh("at"))
    static = [predicate for predicate in columns if predicate in game.program.heads - game.moving]
    rules = [_changed(rule, game, renaming) for rule in game.program.rules if rule.conclusion.predicate not in static]
    facts = [atom for atoms in facts_of(game.program, static).values() for atom in atoms]
    rules += [*(Rule(renaming.merged(atom, {})) for atom in facts), *renaming.definitions()]
    initial = frozenset(renaming.merged(atom, {}) for atom in game.initial)
    queries = tuple(renamed.get(predicate, predicate) for predicate in game.program.queries)
    inputs = tuple(renamed.get(predicate, predicate) for predicate in game.program.inputs)
    program = replace(game.program, inputs=inputs, queries=queries)
    paired = FlatGame(game.sheet, Flattening(program, names), initial).with_rules(rules)
    return replace(paired, origin=Origin(game, paired, renaming.is_same))


def _coordinates(game: FlatGame, columns: _Columns) -> Iterator[list[Term]]:
    """What stands first in pairs, and what stands second, each sorted."""
    for number in (0, 1):
        kinds = {game.types.of((each, place + number)) for each, places in columns.items() for place in places}
        yield sorted({term for kind in kinds for term in kind.constants}, key=str)


def _changed(rule: Rule, game: FlatGame, renaming: Renaming) -> Rule:
    """A rule with its pairs as cells. Where a coordinate is used alone, a fact says which cell has it."""
    pairs = dict.fromkeys(pair for atom in rule.atoms for pair in _pairs_in(atom, renaming.columns))
    ranges = {pair: [item for item in rule.literals if _is_range(game, item, pair)] for pair in pairs}
    known = [item for literals in ranges.values() for item in literals]
    outside = {
        part
        for item in rule.items
        if item not in known
        for part in _outside(item.atom if isinstance(item, Literal) else item, renaming.columns)
    }
    fresh = iter(fresh_names("C", {variable.name for variable in rule_variables(rule)}))
    cells, body = dict[tuple[Term, Term], Term](), list(rule.body)
    apart, tests = list[tuple[tuple[Term, Term], Literal]](), list[BodyLiteral]()
    for pair in pairs:
        free = variables(*pair)
        if not free:
            continue
        cells[pair] = Variable(next(fresh))
        if pair[0] == pair[1] or any(part in outside or sum(part in other for other in pairs) > 1 for part in free):
            apart.append((pair, Literal(Atom(renaming.at, (*pair, cells[pair])))))
            continue
        if len(free) == 1:
            side = tuple(None if isinstance(part, Variable) else part for part in pair)
            name = renaming.sides.setdefault(side, game.fresh(f"side_{side[0] or side[1]}"))
            tests.append(Literal(Atom(name, (cells[pair],))))
        if ranges[pair]:
            body = [item for item in body if item not in ranges[pair]]
            coordinates = dict(zip(pair, COORDINATES, strict=True))
            literals = substitute(Rule(None, tuple(ranges[pair])), coordinates).body  # type: ignore[arg-type]
            name = renaming.ranges.setdefault(literals, game.fresh("board"))
            tests.append(Literal(Atom(name, (cells[pair],))))
    placed = map_atoms(rule.with_body(tuple(body)), lambda atom: renaming.merged(atom, cells))
    return placed.with_body((*_with_cells(body, placed.body, apart), *tests))


def _with_cells(
    before: Sequence[BodyLiteral], body: Sequence[BodyLiteral], apart: Sequence[tuple[tuple[Term, Term], Literal]]
) -> Iterator[BodyLiteral]:
    """A body with the facts about cells, each before a literal that needs it, once its coordinates are bound."""
    bound, waiting = set[Variable](), list(apart)
    for old, item in zip(before, body, strict=True):
        for pair, literal in tuple(waiting):
            if variables(*pair) <= bound and variables(literal) & variables(item):
                waiting.remove((pair, literal))
                yield literal
        yield item
        bound |= variables(old, item)
    yield from (literal for _, literal in waiting)


def _outside(item: Atom | Comparison, columns: _Columns) -> Iterator[Variable]:
    """The variables of an atom or a comparison that do not stand in pairs."""
    if isinstance(item, Comparison):
        yield from variables(item)
        return
    places = columns.get(item.predicate, frozenset())
    for place, term in enumerate(item.arguments):
        if place not in places and place - 1 not in places:
            yield from variables(term)


def _is_range(game: FlatGame, item: Literal, pair: tuple[Term, Term]) -> bool:
    """Whether a literal says from which static relation a coordinate is."""
    static = item.positive and item.atom.predicate in game.program.heads - game.moving
    alone = static and len(item.atom.arguments) == 1 and item.atom.arguments[0] in pair
    return alone and all(isinstance(part, Variable) for part in pair)
