"""Random programs with arithmetic near 32 bits: what is said to stay within bounds does, in clingo and without end."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import clingo
import pytest

from hexlogic.errors import HexlogicError
from hexlogic.language import Arithmetic, Comparison, Integer, Literal, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.bounds import NAMES, Bounds, bounds
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.constants import compare
from hexlogic.language.walk import variables

LARGE = (1000, 46341, 65536, 33000000, 429496730, 1073741824, 2147483583, 2147483640, 2147483647)
SIGNS = "++--**/\\"
SMALL = (0, 1, 1, 2, 2, 3, 5, 7)
N = 5


def term(rng: random.Random, names: list[str], depth: int = 2) -> str:
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return rng.choice(names) if rng.random() < 0.7 else str(rng.choice(SMALL if rng.random() < 0.8 else LARGE))
    if kind < 0.42:
        return "n"
    return f"({term(rng, names, depth - 1)}{rng.choice(SIGNS)}{term(rng, names, depth - 1)})"


def program(rng: random.Random) -> str:
    """Recursive predicates p/1 and q/2 over d(1..n), with guards, assignments, names and solvable arguments."""
    rules = [f"d(1..{rng.choice(['n', 'n*n', 'n+2', '3'])}).", "e(red). e(2). e(n)."]
    for _ in range(rng.randint(1, 4)):
        names = ["X", "Y"][: rng.randint(1, 2)]
        body = [f"{rng.choice('dep')}({name})" for name in names]
        if rng.random() < 0.4:
            body.append(rng.choice(["q(X,Z)", "q(Z,X)", "q(X,Z), d(Z)"]))
            names.append("Z")
        if rng.random() < 0.4:
            body.append(f"W = {term(rng, names)}")
            names.append("W")
        for _ in range(rng.randint(0, 2)):
            body.append(f"{term(rng, names)} {rng.choice(['<', '<=', '>', '>=', '=', '!='])} {term(rng, names)}")
        if rng.random() < 0.3:
            body.append(f"{rng.choice(['', 'not '])}{rng.choice('de')}({term(rng, names)})")
        rng.shuffle(body)
        head = f"p({term(rng, names, 1)})" if rng.random() < 0.6 else f"q({term(rng, names, 1)},{rng.choice(names)})"
        rules.append(f"{head} :- {', '.join(body)}.")
    return "p(1). q(1,n). " + " ".join(rules)


def evaluate(item: Term, values: dict[Variable, Term], size: int) -> Term | None:
    """The value of a term over integers without end; None where it has none."""
    match item:
        case Variable():
            return values[item]
        case Symbol("n"):
            return Integer(size)
        case Arithmetic(sign, left, right):
            one, other = evaluate(left, values, size), evaluate(right, values, size)
            if not isinstance(one, Integer) or not isinstance(other, Integer):
                return None
            if sign in "/\\":
                if other.value == 0:
                    return None
                quotient = abs(one.value) // abs(other.value)
                quotient = quotient if (one.value < 0) == (other.value < 0) else -quotient
                return Integer(quotient if sign == "/" else one.value - quotient * other.value)
            return Integer({"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[sign](one.value, other.value))
        case _:
            return item


def model(text: Program, size: int) -> set[tuple[str, tuple[Term, ...]]]:
    """The least model by trying every value for every variable, over integers without end."""
    atoms: set[tuple[str, tuple[Term, ...]]] = set()
    for rule in text.rules:
        if rule.is_fact and rule.head is not None and rule.head.name == "d":
            ends = [evaluate(end, {}, size) for end in (rule.head.arguments[0].low, rule.head.arguments[0].high)]
            atoms |= {("d", (Integer(number),)) for number in range(ends[0].value, ends[1].value + 1)}
    rules = [rule for rule in text.rules if not (rule.is_fact and rule.head.name == "d")]
    for chosen in ([rule for rule in rules if rule.is_fact], rules):  # what is negated is a fact
        while not (made := {atom for rule in chosen for atom in fired(rule, atoms, size)}) <= atoms:
            atoms |= made
    return atoms


def fired(rule: Rule, atoms: set[tuple[str, tuple[Term, ...]]], size: int) -> Iterator[tuple[str, tuple[Term, ...]]]:
    plain = [
        item
        for item in rule.literals
        if item.positive and all(isinstance(one, Variable) for one in item.atom.arguments)
    ]
    tables = [[row for name, row in atoms if name == literal.atom.name] for literal in plain]
    for rows in itertools.product(*tables):
        values: dict[Variable, Term] = {}
        if not all(
            values.setdefault(variable, value) == value
            for literal, row in zip(plain, rows, strict=True)
            for variable, value in zip(literal.atom.arguments, row, strict=True)
        ):
            continue
        if holds(rule, values, atoms, size):
            head = tuple(evaluate(argument, values, size) for argument in rule.head.arguments)
            if None not in head:
                yield rule.head.name, head


def holds(rule: Rule, values: dict[Variable, Term], atoms: set[tuple[str, tuple[Term, ...]]], size: int) -> bool:
    assigned = Variable("W")
    assigns = [
        item
        for item in rule.body
        if isinstance(item, Comparison)
        and (item.left, item.operator) == (assigned, "=")
        and variables(item.right) <= values.keys()
    ]
    items = [*assigns, *(item for item in rule.body if item not in assigns)]
    for item in items:
        if (
            isinstance(item, Comparison)
            and item.left == assigned
            and assigned not in values
            and variables(item.right) <= values.keys()
        ):
            value = evaluate(item.right, values, size)
            if value is None:
                return False
            values[assigned] = value
        elif isinstance(item, Comparison):
            left, right = evaluate(item.left, values, size), evaluate(item.right, values, size)
            if left is None or right is None or not compare(item.operator, left, right):
                return False
        elif isinstance(item, Literal):
            row = tuple(evaluate(argument, values, size) for argument in item.atom.arguments)
            if None in row or ((item.atom.name, row) in atoms) != item.positive:
                return False
    return True


def by_clingo(text: str, size: int) -> set[tuple[str, tuple[Term, ...]]]:
    control = clingo.Control(["-Wnone", "-c", f"n={size}"])
    control.add("base", [], text)
    control.ground([("base", [])])
    return {
        (
            atom.symbol.name,
            tuple(
                Integer(one.number) if one.type == clingo.SymbolType.Number else Symbol(one.name)
                for one in atom.symbol.arguments
            ),
        )
        for atom in control.symbolic_atoms
        if atom.is_fact
    }


def judged(seed: int) -> Bounds | None:
    """The bounds of a random program, checked on real sizes where they stand; None for a program that is not safe."""
    rng = random.Random(seed)
    text = program(rng)
    try:
        parsed = parse_checked(text)
    except HexlogicError:
        return None
    found = bounds(parsed, {"n": (1, N)})
    if found.overflow is not None or found.growing is not None:
        return found
    for size in (1, 2, N):
        atoms = by_clingo(text, size)
        assert atoms == model(parsed, size), (seed, size, text)
        for name, row in atoms:
            for value, values in zip(
                row, next(known for one, known in found.places.items() if one.name == name), strict=True
            ):
                if isinstance(value, Integer):
                    assert values.low <= value.value <= values.high, (seed, size, text)
                else:
                    assert values.others, (seed, size, text)
    return found


@pytest.mark.parametrize("start", range(4))
def test_what_is_said_to_stay_within_bounds_does(start):
    """400 programs: some of each outcome, and where bounds stand clingo agrees with integers without end."""
    outcomes = [judged(seed) for seed in range(100 * start, 100 * start + 100)]
    stands = [found for found in outcomes if found is not None and found.overflow is None and found.growing is None]
    assert len(stands) >= 20
    assert any(found is not None and found.overflow is not None for found in outcomes)
    assert any(found is not None and found.growing is not None for found in outcomes)


@pytest.mark.parametrize(
    "text",
    [
        "p(X) :- d(X), X*429496730 < 0.",
        "p(X) :- d(X), X*429496730 < 5, X*429496730 < 3.",
        "p(X) :- d(X), 0-X*429496730-X > 0.",
        "p(X) :- d(X), Y = X*429496730, Y < X.",
        "p(X) :- d(X), e(X*429496730).",
        "p(X) :- d(X), not e(X*429496730).",
        "p(X*429496730) :- d(X).",
        "p(X) :- d(X), X < 2147483647+1.",
        "p(2147483640..2147483647).",
        "p(X) :- d(X), X/((0-2147483647)-1) = 0.",
        "p(1). p(X*2) :- p(X), X*2 < 2147483647+1.",
        "p(X) :- d(X), e(f(X*429496730)).",
    ],
)
def test_a_comparison_does_not_vouch_for_its_own_terms(text):
    """Without end `X*429496730 < 0` never holds, so nothing would come of it; in 32 bits it does."""
    assert bounds(parse_checked(f"d(1..n). e(1). {text}"), {"n": (1, N)}).overflow is not None


def test_what_other_literals_exclude_is_not_computed():
    for guard in ("X < 3", "X != red, 3 > X", "e(X)", "Y = X, Y <= 2", "X+1 < 4"):
        text = f"d(1..n). e(1..2). p(X*1000000000) :- X*1000000000 > 7, d(X), {guard}."
        found = bounds(parse_checked(text), {"n": (1, 100)})
        assert found.overflow is None
        assert found.growing is None


def test_inputs_are_bounded_by_constraints_alone():
    text = "#defined owns/2. cell(1..n). :- owns(P,X), not cell(X). p(X*X) :- owns(P,X)."
    found = bounds(parse_checked(text), {"n": (1, 30)})
    places = {predicate.name: values for predicate, values in found.places.items()}
    assert places["owns"] == (NAMES, (1, 30, False))
    assert places["p"] == ((1, 900, False),)
