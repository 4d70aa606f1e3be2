"""Random words, terms and sheets, random games by the reference semantics, and the sheets of this folder."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import strategies as st

from hexlogic.ggp import read_sheet, sheet_of
from hexlogic.language import Atom, Comparison, Function, Integer, Literal, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.dialects.gdl import constant, symbol_name
from hexlogic.language.ground.solving import least_model
from tests.checkout import CHECKOUT

LIGHTS = CHECKOUT / "docs" / "examples" / "lights.kif"
GAMES = [LIGHTS, *sorted((Path(__file__).parent / "games").glob("*.kif"))]
IDS = [path.stem for path in GAMES]
PLIES = 20

words = st.one_of(
    st.sampled_from(
        ["cell", "Red", "not", "or", "w''", "w''x", "a'2d'b", "p'", "_h", "007", "-0", "2147483648", "+", '"']
    ),
    st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"], exclude_characters="();?"), min_size=1, max_size=5),
)
names = words.map(symbol_name)
variables = st.sampled_from(["X", "Y2", "Row", "_Under", "X'", "X_2"]).map(Variable)
constants = words.map(constant)
terms = st.recursive(
    st.one_of(variables, constants, st.integers(-20, 20).map(Integer)),
    lambda inner: st.builds(Function, names, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=6,
)
_KEYWORDS = {"true": 1, "does": 2, "role": 1, "init": 1, "legal": 2, "next": 1, "goal": 2, "terminal": 0}


@st.composite
def syntax_sheets(draw: st.DrawFn) -> Program:
    """Any sheet that can be written; its relations have any word as their name."""
    taken = {*_KEYWORDS, "or", "not", "and", "distinct", "<="}  # in capitals, too
    own = draw(st.lists(words.filter(lambda word: word.lower() not in taken), max_size=3))
    arities = _KEYWORDS | {symbol_name(word): draw(st.integers(0, 3)) for word in own}
    atoms = st.sampled_from(sorted(arities)).flatmap(
        lambda name: st.lists(terms, min_size=arities[name], max_size=arities[name]).map(
            lambda parts: Atom(name, tuple(parts))
        )
    )
    rules = []
    for _ in range(draw(st.integers(0, 5))):
        body: list[Literal | Comparison] = draw(st.lists(st.builds(Literal, atoms, st.booleans()), max_size=3))
        bound = [part for item in body if item.positive for part in item.atom.arguments if isinstance(part, Variable)]
        body += draw(st.lists(st.builds(Comparison, st.just("!="), terms, terms), max_size=2))
        if bound:  # `=` tests only what is bound: GDL has no assignment
            sides = st.one_of(st.sampled_from(bound), constants)
            body += draw(st.lists(st.builds(Comparison, st.just("="), sides, sides), max_size=1))
        rules.append(Rule(draw(atoms), tuple(draw(st.permutations(body)))))
    return sheet_of(rules)


def state_facts(state: frozenset[Atom]) -> list[Atom]:
    return [Atom("true", atom.arguments) for atom in state]


def found(model: frozenset[Atom], name: str, arity: int) -> list[Atom]:
    return sorted((atom for atom in model if atom.predicate == Predicate(name, arity)), key=str)


def random_game(sheet: Program, seed: int) -> list[frozenset[Atom]]:
    """The queries' atoms in each state of a random game, all roles choosing among their legal moves.

    A game that goes on is left after `PLIES` steps, for the reference semantics is slow.
    """
    chance = random.Random(seed)
    model = least_model(sheet, only=sheet.queries)
    roles = [atom.arguments[0] for atom in found(model, "role", 1)]
    state = frozenset(found(model, "init", 1))
    record = [model]
    for _ in range(PLIES):
        facts = state_facts(state)
        model = least_model(sheet, facts, only=sheet.queries)
        record.append(model)
        if Atom("terminal") in model:
            return record
        for role in roles:
            moves = [atom for atom in found(model, "legal", 2) if atom.arguments[0] == role]
            facts.append(Atom("does", chance.choice(moves).arguments))
        state = frozenset(found(least_model(sheet, facts, only=sheet.queries), "next", 1))
    return record


def load(stem: str) -> Program:
    return read_sheet(next(path for path in GAMES if path.stem == stem))


def symbol(word: str) -> Symbol:
    return Symbol(symbol_name(word))


def wrong(sheet: Program, head: str, change) -> Program:
    """The sheet with the last rule for a predicate changed."""
    number = max(n for n, rule in enumerate(sheet.rules) if rule.head and rule.head.name == head)
    rules = list(sheet.rules)
    rules[number : number + 1] = change(rules[number])
    return sheet.with_rules(tuple(rules))
