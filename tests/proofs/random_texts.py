"""Random pairs of texts with a bridge between them, honest ones and false ones.

The texts are made as strings, so nothing in them is as our parser would have it. `judged_texts.py` says what becomes of
their proofs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from tests.proofs.false_equivalences import HEADER

__all__ = ["INTEGERS", "NAMES", "NUMBERS", "Case"]

NUMBERS: Final = (
    1,
    2,
    3,
    4,
    5,
    7,
    9,
    10,
    12,
    13,
    16,
    17,
    25,
    30,
    64,
    65,
    66,
    80,
    81,
    82,
    100,
    143,
    144,
    145,
    300,
    1000,
)
INTEGERS: Final = 2**31
_NAMES = """
stone stone_1 held broken never contradiction known less shorter different hypothesis some not_owns wins_c
owns_left wins_left wins_right left right size_rows name_red value_c c_P k_X fact goal lemma axiom least thing
int forall true over remainder split base cell_left inverse0 learned1 number red_ blue1 aux domain choice
"""
NAMES: Final = tuple(_NAMES.split())


@dataclass
class Case:
    """Two texts and a bridge under construction: rules and statements as text, in order."""

    kind: str
    seed: int
    left: list[str]
    right: list[str]
    bridge: list[str]
    chance: random.Random = field(repr=False)

    def sides(self) -> tuple[str, str]:
        """The two texts."""
        texts = ("\n".join(rules).replace("{end}", "") for rules in (self.left, self.right))
        left, right = (
            f"{HEADER.format(name=name, game='hex')}{text}\n" for name, text in zip(("one", "two"), texts, strict=True)
        )
        return left, right

    def bridge_text(self) -> str:
        """The text of the bridge."""
        return "% left:   one\n% right:  two\n% idea:   none\n\n" + "\n\n".join(self.bridge) + "\n"

    def __str__(self) -> str:
        return "\n".join((f"{self.kind} {self.seed}", *self.sides(), self.bridge_text()))


CLUSTERS = [
    "same{s}(P,X,X) :- owns(P,X).",
    "same{s}(P,X,Z) :- same{s}(P,X,Y), adjacent(Y,Z), owns(P,Z).",
    "starts{s}(P,X) :- owns(P,X), first(P,X).",
    "wins(P) :- same{s}(P,X,Y), starts{s}(P,X), last(P,Y){end}.",
]
FLOOD = [
    "reach{s}(P,X) :- owns(P,X), first(P,X).",
    "reach{s}(P,Y) :- reach{s}(P,X), adjacent(X,Y), owns(P,Y).",
    "wins(P) :- reach{s}(P,Y), last(P,Y){end}.",
]
STONES = "%% claim: a cluster begins with a stone\nowns(P,X) :- same_b(P,X,Y)."
RENAMED = [
    STONES,
    "%% claim: there\nsame_b(P,X,Y) :- same_a(P,X,Y).",
    "%% claim: and back\nsame_a(P,X,Y) :- same_b(P,X,Y).",
]
FLOODED = [
    "%% means: reached\nfrom_first(P,Y) :- first(P,X), same_b(P,X,Y).",
    STONES,
    "%% claim: there\nfrom_first(P,Y) :- reach_a(P,Y).",
    "%% claim: and back\nreach_a(P,Y) :- same_b(P,X,Y), first(P,X).",
]
FLOODS = ["%% claim: there\nreach_b(P,Y) :- reach_a(P,Y).", "%% claim: and back\nreach_a(P,Y) :- reach_b(P,Y)."]
PAIRS = ((CLUSTERS, CLUSTERS, RENAMED), (FLOOD, CLUSTERS, FLOODED), (FLOOD, FLOOD, FLOODS))


def equal_pair(kind: str, seed: int) -> Case:
    """Two equal texts with a bridge that proves it; `{end}` still stands where the rule for `wins` may go on."""
    chance = random.Random(f"{kind} {seed}")
    left, right, bridge = chance.choice(PAIRS)
    return Case(
        kind,
        seed,
        [line.replace("{s}", "_a") for line in left],
        [line.replace("{s}", "_b") for line in right],
        list(bridge),
        chance,
    )


def shuffled(case: Case) -> None:
    """Harmless: other orders of rules and of bodies, repeated rules."""
    chance = case.chance
    for rules in (case.left, case.right):
        for number, line in enumerate(rules):
            head, arrow, body = line.partition(" :- ")
            if arrow and "{end}" not in body and ")" in body and chance.random() < 0.3:
                literals = body.removesuffix(".").replace("), ", ")\n").split("\n")
                chance.shuffle(literals)
                rules[number] = f"{head} :- {', '.join(literals)}."
        if chance.random() < 0.3:
            rules.append(chance.choice([line for line in rules if "{end}" not in line] or ["idle(1)."]))
        if chance.random() < 0.3 and len(rules) > 1:
            chance.shuffle(rules)


def renamed(case: Case, names: tuple[str, ...] = ()) -> None:
    """Harmless: other names for the texts' own predicates, those that provers make among them."""
    chance = case.chance
    chosen = chance.sample(names or NAMES, 4)
    for old, new in zip(("same_a", "same_b", "reach_a", "starts_a"), chosen, strict=True):
        if chance.random() < 0.6:
            for lines in (case.left, case.right, case.bridge):
                lines[:] = [line.replace(f"{old}(", f"{new}(") for line in lines]


def number(case: Case) -> int:
    """A number that matters on some board."""
    return case.chance.choice(NUMBERS)


def number_guard(case: Case) -> str:
    """A condition on the cell X, with a number or a size in it."""
    n, m = number(case), number(case)
    return case.chance.choice(
        (
            f"X > {n}",
            f"X = {n}",
            f"X >= {n}*{case.chance.choice((2, 3))}",
            f"X != {n}",
            f"X < {n}",
            f"X-{n} = {m}",
            f"column(X,C), C > {n}",
            f"column(X,{n})",
            f"row(X,R), R = {n}",
            f"row(X,R), column(X,C), R*C = {n}",
            f"cell(X), rows > {n}",
            f"cell(X), columns = {n}, rows < {n}+3",
            f"cell(X), rows*columns > {n}",
            f"cell(X), cell({n})",
            f"cell(X), not cell({n})",
            f"cell(X), adjacent({n},{n}+1)",
            "cell(X), X > rows*columns",
            "cell(X), X < 1",
            f"X = (0-{n})/{m}+{n}",
            f"X = (0-{n})\\{m}+{n}",
        )
    )


def limit_guard(case: Case) -> str:
    """A condition on the cell X whose arithmetic leaves 32 bits on some board, or comes near."""
    n = number(case)
    return case.chance.choice(
        (
            f"X+{INTEGERS - n} < 0",
            f"X+{INTEGERS - n - 1} < 0",
            f"X*{INTEGERS // n} < 0",
            f"X*{INTEGERS // n + 1} < 0",
            f"0-X-{INTEGERS - n} > 0",
            "X*X < 0",
            "X*X*X < 0",
            f"{INTEGERS - 1}+X < X",
            f"X*65536*65536 < 1, X > {n}",
            f"(X+{INTEGERS - 1})/2 < 0",
            f"(X*{INTEGERS // n})\\2 < 0",
            f"X+{2 * INTEGERS} < {n}",
            f"X = {2 * INTEGERS + n}",
        )
    )


def with_guard(case: Case, guard: str, both: bool, lemma: bool) -> None:
    """Put a guard into one text or both, as a way to win or as a condition; perhaps with a lemma: never."""
    chance = case.chance
    sides = ((case.left, "a"), (case.right, "b")) if both else (chance.choice(((case.left, "a"), (case.right, "b"))),)
    way = chance.choice(("wins", "helper wins", "not helper", "helper"))
    for rules, mark in sides:
        helper = f"odd_{mark}"
        if way == "wins":
            rules.append(f"wins(P) :- owns(P,X), {guard}.")
            continue
        rules.append(f"{helper}(X) :- owns(P,X), {guard}.")
        if way == "helper wins":
            rules.append(f"wins(P) :- {helper}(X), owns(P,X).")
        else:
            end = f", not {helper}(Y)" if way == "not helper" else f", {helper}(Y)"
            rules[:] = [line.replace("{end}", end + "{end}") for line in rules]
    if both and way != "wins":
        case.bridge += ["%% claim: odd\nodd_b(X) :- odd_a(X).", "%% claim: odd too\nodd_a(X) :- odd_b(X)."]
    if lemma:
        stones = chance.choice(("owns(P,X), ", "cell(X), ", "owns(P,X), cell(X), "))
        case.bridge.insert(0, f"%% lemma never {chance.randrange(9)}: it never holds\n:- {stones}{guard}.")


def with_constant(case: Case) -> None:
    """A constant: of a colour, of a number that has to be calculated, or one that is only used."""
    chance = case.chance
    n = number(case)
    rules, mark = chance.choice(((case.left, "a"), (case.right, "b")))
    value = chance.choice(
        (
            str(n),
            f"{n}*3-{n}",
            "65536*65536/65536",
            f"65536*32768+{n}",
            f"{INTEGERS - 1}+1",
            f"{INTEGERS}",
            f"{2 * INTEGERS + n}",
            f"(0-{n})/2",
            f"(0-{n})\\{n + 2}",
            f"{n}/0+1",
            "red",
            "other",
        )
    )
    chosen = chance.choice(("big", "big", "big", "red", "blue", "owns", "left", "x", "base"))
    rules.append(
        f"#const {chosen} = {value if chosen not in ('red', 'blue') else chance.choice(('blue', 'red', 'green', '1'))}."
    )
    use = chance.choice(
        (
            f"wins(P) :- owns(P,X), X > {chosen}.",
            f"wins(P) :- owns(P,X), X = {chosen}.",
            f"idle_{mark}(X) :- owns({chosen},X).",
            f"wins({chosen}) :- owns({chosen},X), X < 1.",
            f"idle_{mark}({chosen}).",
        )
    )
    rules.append(use)
    if chance.random() < 0.3:
        (case.right if rules is case.left else case.left).append(
            use.replace(f"idle_{mark}", f"idle_{'b' if mark == 'a' else 'a'}")
        )


def with_comment(case: Case) -> None:
    """A comment that may hide a rule from one reader and not from another."""
    chance = case.chance
    rules = chance.choice((case.left, case.right))
    hidden = chance.choice(
        ("wins(P) :- owns(P,X).", "wins(red).", "idle_z(X) :- cell(X).", f"wins(P) :- owns(P,X), X > {number(case)}.")
    )
    rules.insert(
        chance.randrange(len(rules) + 1),
        chance.choice(
            (
                f"% {hidden}",
                f"%* {hidden} *%",
                f"%* *% {hidden}",
                f"%*\n{hidden}\n*%",
                f"%* a\n*% {hidden}",
                f"% %* \n{hidden}\n% *%",
                f"%* %* *% {hidden} *%",
                f"%% *% {hidden}",
                f"idle_y(X) :- cell(X). %* {hidden}\n*%",
                f"idle_y(X) :- %* not *% cell(X). % {hidden}",
                f"%*% {hidden}",
                f"%**% {hidden}",
                f"% {hidden}\r{hidden}",
                f"% \u2028{hidden}",
                f"#! {hidden}",
                f"idle_y(X) :- cell(X), X %\n > 3. {hidden}",
            )
        ),
    )


def with_growth(case: Case) -> None:
    """A helper that grows: with an end in a text, or in a `means` block with a lemma about its least value."""
    chance = case.chance
    n = chance.choice((65, 66, 81, 100, 145))
    far = chance.randrange(5)
    grows = chance.choice(
        (
            f"far_{far}(X) :- cell(X).\nfar_{far}(X-1) :- far_{far}(X), X > {-n}.",
            f"far_{far}(1).\nfar_{far}(X+1) :- far_{far}(X), X < {n}.",
            f"far_{far}(X) :- cell(X), X > {n}.\nfar_{far}(X-1) :- far_{far}(X), X > 3.",
            f"far_{far}(X) :- cell(X), X > {n}.\nfar_{far}(X-2) :- far_{far}(X).",
            f"far_{far}(X) :- cell(X), X = {n}.\nfar_{far}(X-1) :- far_{far}(X).",
        )
    )
    endless = "X > " not in grows.partition("\n")[2] and "X < " not in grows
    low = f"low_{far}(K) :- far_{far}(K), not below_{far}(K).\nbelow_{far}(K) :- far_{far}(K), far_{far}(L), L < K."
    if endless or chance.random() < 0.5:
        case.bridge[:0] = [
            f"%% means: numbers that grow\n{grows}\n{low}",
            f"%% lemma least element: one of them is the least\nlow_{far}(K) :- far_{far}(X).",
            f"%% claim: no number is the least\ncontradiction :- low_{far}(K).",
        ]
        if chance.random() < 0.5:
            case.bridge.insert(2, f"%% lemma none: there are none\n:- cell(X), X = {n}.")
    else:
        (case.left if chance.random() < 0.5 else case.right).append(grows)
    with_guard(case, chance.choice((f"cell(X), X = {n}", f"X > {n}")), both=False, lemma=False)


def with_prover_names(case: Case) -> None:
    """A predicate of a text with the name of something that a prover makes, and a lemma about it."""
    chance = case.chance
    name = chance.choice(NAMES)
    rules = chance.choice((case.left, case.right))
    guard = number_guard(case)
    arity = chance.choice((1, 2, 2, 2))
    atom = f"{name}(P,X)" if arity == 2 else f"{name}(X)"
    rules.append(f"{atom} :- owns(P,X), {guard}.")
    rules.append(
        chance.choice(
            (
                f"wins(P) :- owns(P,X), not {atom}.",
                f"wins(P) :- owns(P,X), {atom}.",
                f"idle_n(X) :- {atom.replace('(P,', '(red,')}.",
            )
        )
    )
    if chance.random() < 0.6:
        lemma = chance.choice((f"{atom} :- owns(P,X).", f":- {atom}.", f":- {atom}, owns(P,X).", f"cell(X) :- {atom}."))
        case.bridge.insert(0, f"%% lemma named: about it\n{lemma}")


def with_small_lemma(case: Case) -> None:
    """A lemma that holds on small boards only, and a text that needs it."""
    n = case.chance.choice((9, 10, 12, 17, 65, 82, 145, 1000))
    guard = case.chance.choice(
        (
            f"X > {n}",
            f"column(X,C), C > {n}",
            f"row(X,{n})",
            f"rows > {n}",
            f"cell({n})",
            f"row(X,R), column(X,C), R*C > {n}",
        )
    )
    with_guard(case, guard, both=False, lemma=True)
