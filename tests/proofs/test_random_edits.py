"""Random edits of rule texts, with random helpers and bridges: what is proved for all boards holds on all small ones.

The oracle shares no code with the induction: clingo's least model of each text alone, on every position of the boards
of 2x2, 2x3 and 3x3 cells, all positions of a board in one program. A proof may only be lacking, never wrong.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import random
from pathlib import Path

import clingo
import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.process.files import rules_folder
from hexlogic.proofs import Proof, Refutation, prove_equivalent
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.conditions import own_program
from tests.proofs.proving import prove_for_all_boards

BOARDS = (Hex(2, 2), Hex(2, 3), Hex(3, 3))
NAMES = ("follow-line-tabled", "clusters")
BRIDGE = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text(encoding="utf-8")
WORDS = ("contradiction", "not__owns", "c_P", "less__", "wins_right", "wins_left", "hyp__reach", "from", "near", "held")
LITERALS = (
    "owns(P,X)",
    "not owns(P,X)",
    "first(P,X)",
    "last(P,X)",
    "first(P,Y)",
    "adjacent(X,Y)",
    "adjacent(Y,X)",
    "opponent(P,Q)",
    "owns(Q,X)",
    "cell(X)",
    "column(X,C)",
    "C < 3",
    "C <= cap",
    "X < Y",
    "X != Y",
    "P = red",
    "X = Y+1",
)


@functools.cache
def answers(text: str, board: Hex) -> tuple[frozenset[tuple[str, int]], ...]:
    """The true atoms of wins/1 for each position of the board, by clingo alone; stones of one colour are enough to
    tell most programs apart on 3x3, so there blue has what red has not, or nothing."""
    base = (rules_folder() / "games" / "hex.lp").read_text(encoding="utf-8")
    cells = board.rows * board.columns
    owners = [(False, False), (True, False), (False, True)]
    if cells > 6:
        sets = list(itertools.product((False, True), repeat=cells))
        positions = [[(red, False) for red in chosen] for chosen in sets]
        positions += [[(red, not red) for red in chosen] for chosen in sets]
    else:
        positions = [list(chosen) for chosen in itertools.product(owners, repeat=cells)]
    control = clingo.Control([f"-crows={board.rows}", f"-ccolumns={board.columns}", "--warn=none"])
    control.add("base", [], base + text)
    names = [(clingo.Function(c), number) for c in ("red", "blue") for number in range(1, cells + 1)]
    atoms = [clingo.Function("owns", [player, clingo.Number(number)]) for player, number in names]
    control.add("base", [], "".join(f"{{{atom}}}." for atom in atoms))
    control.ground([("base", [])])
    literals = [control.symbolic_atoms[atom].literal for atom in atoms]
    found = []
    for position in positions:
        stones = [red for red, _ in position] + [blue for _, blue in position]
        assumed = [lit if held else -lit for lit, held in zip(literals, stones, strict=True)]
        with control.solve(assumptions=assumed, yield_=True) as handle:
            model = handle.model()
            assert model is not None, "a position was forbidden"
            found.append(frozenset(str(atom) for atom in model.symbols(atoms=True) if atom.match("wins", 1)))
    return tuple(found)


ENDINGS = (
    "",
    "P = red",
    "opponent(P,Q), owns(Q,Z)",
    "column(Z,C), C <= cap, owns(P,Z)",
    "near(Z), owns(P,Z)",
    "near(P)",
    "not near(P)",
    "odd(Z)",
)
HELPERS = (
    "near(1..cap).",
    "near(1..2).",
    "near(X) :- cell(X), X <= cap.",
    "near(red).",
    "near(c_P).",
    "odd(P+1) :- owns(P,X).",
)


def bent(name: str, ending: str, chance: random.Random) -> str:
    """The text of a rule set with an ending for its `wins` rule, up to two edits and some helpers."""
    lines = [line for line in load_rule_set(name).text.splitlines() if line and line[0] not in "%#"]
    lines = [f"{line.removesuffix('.')}, {ending}." if ending and line.startswith("wins") else line for line in lines]
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        number = chance.randrange(len(lines))
        head, _, body = lines[number].removesuffix(".").partition(" :- ")
        literals = split(body)
        match chance.randrange(5):
            case 0 if len(literals) > 1:
                literals.pop(chance.randrange(len(literals)))
            case 1:
                literals.append(chance.choice(LITERALS))
            case 2:
                spot = chance.randrange(len(literals))
                literals[spot] = exchange(literals[spot], chance)
            case 3:
                literals.append(chance.choice(literals))
            case 4:
                head = exchange(head, chance)
        lines[number] = f"{head} :- {', '.join(literals)}."
    own = [line.partition(" :- ")[0] for line in lines]
    for _ in range(chance.choice((0, 1, 1, 2))):
        word = f"{chance.choice(WORDS)}(P,X)"
        body = [chance.choice(own), *chance.sample(LITERALS, 2), *([word] if chance.random() < 0.2 else [])]
        lines.append(f"{chance.choice((*own, word, word, 'adjacent(X,Y)'))} :- {', '.join(body)}.")
    lines += [chance.choice(HELPERS), f"#const cap = {chance.choice((1, 2, 2, 400))}."]
    return "\n".join(lines) + "\n"


def exchange(atom: str, chance: random.Random) -> str:
    one, other = chance.sample("PXYZ", 2)
    return "".join(other if letter == one else one if letter == other else letter for letter in atom)


def split(body: str) -> list[str]:
    """The literals of a body, cut at the commas outside parentheses."""
    parts, depth = [""], 0
    for letter in body:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def bent_bridge(chance: random.Random) -> str:
    """The bridge as it is, or with the variables of one head exchanged, which may leave a weaker or a false claim."""
    lines = BRIDGE.splitlines()
    if chance.random() < 0.3:
        number = chance.choice([number for number, line in enumerate(lines) if ":-" in line])
        head, _, body = lines[number].partition(" :- ")
        lines[number] = f"{exchange(head, chance)} :- {body}"
    return "\n".join(lines) + "\n"


def sound(name: str, ending: str, chance: random.Random) -> RuleSet:
    """A bent rule set; those that a condition refuses are thrown away, for there is nothing to prove."""
    while True:
        text = bent(name, ending, chance)
        rules = dataclasses.replace(load_rule_set(name), text=text, path=Path(f"{name}-bent.lp"))
        with contextlib.suppress(HexlogicError):
            own_program(rules, "hex")
            return rules


def tried(seed: int) -> str:
    """`refused`, `not proved`, or `proved`, and then checked."""
    chance = random.Random(seed)
    ending = chance.choice(ENDINGS)
    sides = [sound(name, ending, chance) for name in NAMES]
    texts = [side.text for side in sides]
    try:
        bridge = read_bridge(bent_bridge(chance), "bent.lp")
        done = prove_for_all_boards(*sides, bridges=[bridge])
    except HexlogicError:
        return "refused"
    if not done.proved:
        return "not proved"
    assert not done.assumed
    for board in BOARDS:
        assert answers(texts[0], board) == answers(texts[1], board), f"{board}, seed {seed}:\n{texts[0]}---\n{texts[1]}"
    return "proved"


@pytest.mark.takes_seconds
@pytest.mark.parametrize("start", [0, 30])
def test_what_is_proved_of_random_texts_holds_on_every_small_board(start):
    outcomes = [tried(seed) for seed in range(start, start + 30)]
    assert {"not proved", "proved"} <= set(outcomes)


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("seed", range(500, 508))
def test_what_is_said_of_one_board_is_what_the_positions_say(seed):
    chance = random.Random(seed)
    ending = chance.choice(ENDINGS)
    sides = [sound(name, ending, chance) for name in NAMES]
    board = BOARDS[seed % 2]
    same = answers(sides[0].text, board) == answers(sides[1].text, board)
    assert isinstance(prove_equivalent(*sides, board), Proof if same else Refutation)
