"""Two coordinates as one term: a cell that is named by its row and its column is one argument from then on.

    true_cell(X,Y,P), adjacent(X,Y,Z,W), true_cell(Z,W,P)       becomes       true_cell(C,P), adjacent(C,D), true_cell(D,P)

Where a rule takes the coordinates apart, `at(X,Y)` stands for the cell. The moves keep their form. Other moves of the
search see arguments one by one: they find nothing where a cell is two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hexlogic.ggp.language.opened import Flattening
from hexlogic.ggp.reformulation.flat_game import FlatGame
from hexlogic.language import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import map_atoms, rule_variables, substitute, variables

_Columns = dict[Predicate, frozenset[int]]
"""For each relation the columns, from 0, at which a pair begins."""


def pairings(game: FlatGame) -> Iterator[tuple[FlatGame, str]]:
    """The game with the columns of a state relation as pairs, and those of all relations that pass them on."""
    seen: list[_Columns] = []
    for true in sorted(game.state):
        for column in range(true.arity - 1):
            columns = _spread(game, {true: frozenset({column})})
            moves = {name for (word, _), name in game.flat.names.items() if word in ("does", "legal")}
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
    """The game with each pair as one term."""
    cell = game.fresh("at")
    renamed: dict[Predicate, Predicate] = {}
    taken = {predicate.name for predicate in (*game.program.heads, *game.sheet.heads)}
    names = dict(game.flat.names)
    for predicate, places in columns.items():
        arity, name = predicate.arity - len(places), predicate.name
        if predicate not in game.flat.kinds:
            name = next(iter(fresh_names(f"{name}_of_cells", taken)))
            taken.add(name)
        renamed[predicate] = Predicate(name, arity)
    for (word, shape), predicate in game.flat.names.items():
        if predicate in renamed:
            del names[word, shape]
            names[word, (shape[0], renamed[predicate].arity)] = renamed[predicate]
    sides = dict[tuple[Term | None, Term | None], str]()
    boards = dict[tuple[BodyLiteral, ...], str]()

    def merged(atom: Atom, cells: Mapping[tuple[Term, Term], Term]) -> Atom:
        places = columns.get(atom.predicate)
        if places is None:
            return atom
        terms: list[Term] = []
        for place, term in enumerate(atom.arguments):
            if place in places:
                pair = term, atom.arguments[place + 1]
                terms.append(cells.get(pair, Function(cell, pair)))
            elif place - 1 not in places:
                terms.append(term)
        return Atom(renamed[atom.predicate].name, tuple(terms))

    def changed(rule: Rule) -> Rule:
        pairs = list(dict.fromkeys(pair for atom in rule.atoms for pair in _pairs_in(atom, columns)))
        fresh = iter(fresh_names("C", {variable.name for variable in rule_variables(rule)}))
        ranges = {
            pair: tuple(item for item in rule.literals if item.positive and _is_range(game, item, pair))
            for pair in pairs
        }
        outside = [
            part
            for item in rule.items
            if not any(item in literals for literals in ranges.values())
            for part in _outside(item.atom if isinstance(item, Literal) else item, columns)
        ]
        cells: dict[tuple[Term, Term], Term] = {}
        tests: list[Literal] = []
        for pair in pairs:
            free = [part for part in pair if isinstance(part, Variable)]
            alone = all(sum(part in other for other in pairs) == 1 and part not in outside for part in free)
            if free and alone and pair[0] != pair[1] and rule.body:
                cells[pair] = Variable(next(fresh))
                rule = rule.with_body(tuple(item for item in rule.body if item not in ranges[pair]))
                if ranges[pair]:
                    x, y = (Variable(name) for name in "XY")
                    literals = substitute(Rule(None, ranges[pair]), {pair[0]: x, pair[1]: y}).body
                    if literals not in boards:
                        boards[literals] = game.fresh("board")
                    tests.append(Literal(Atom(boards[literals], (cells[pair],))))
                if len(free) == 1:
                    left, right = (None if isinstance(part, Variable) else part for part in pair)
                    key = (left, right)
                    if key not in sides:
                        sides[key] = game.fresh(f"side_{left or right}")
                    tests.append(Literal(Atom(sides[key], (cells[pair],))))
        placed = map_atoms(rule, lambda atom: merged(atom, cells))
        return placed.with_body((*placed.body, *tests))

    rules = list(map(changed, game.program.rules))
    possible = sorted({pair for atom in game.initial for pair in _pairs_in(atom, columns)} | _values(game, columns), key=str)
    for (left, right), name in sides.items():
        rules += [
            Rule(Atom(name, (Function(cell, pair),)))
            for pair in possible
            if left in (None, pair[0]) and right in (None, pair[1])
        ]
    for literals, name in boards.items():
        rules.append(Rule(Atom(name, (Function(cell, (Variable("X"), Variable("Y"))),)), literals))
    initial = frozenset(merged(atom, {}) for atom in game.initial)
    queries = tuple(renamed.get(predicate, predicate) for predicate in game.program.queries)
    inputs = tuple(renamed.get(predicate, predicate) for predicate in game.program.inputs)
    program = replace(game.program, inputs=inputs, queries=queries)
    return FlatGame(game.sheet, Flattening(program, names), initial).with_rules(rules)


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
    static = item.atom.predicate in game.program.heads - game.moving
    return static and len(item.atom.arguments) == 1 and all(isinstance(part, Variable) for part in pair) and item.atom.arguments[0] in pair


def _values(game: FlatGame, columns: _Columns) -> set[tuple[Term, Term]]:
    """The pairs that static relations hold."""
    static = [predicate for predicate in columns if predicate in game.program.heads - game.moving]
    facts = facts_of(game.program, static)
    return {pair for atoms in facts.values() for atom in atoms for pair in _pairs_in(atom, columns)}
