"""A program from examples alone: positions with their winners and the words of the board, no rules.

    python benchmarks/from_examples.py [SIZE] [POSITIONS]

Inductive logic programming with one invented predicate, after Popper (Cropper and Morel 2021, "Learning programs by
learning from failures"): clingo generates the smallest program that no constraint excludes; it is run on all positions;
a program that calls a lost position won excludes all that are more general, one that misses a win all that are more
special. What explains the examples is then proved equal to `follow-line-tabled` for all boards, along a bridge that is
found. Printed: the programs that were tried, CPU seconds, the rules, and what came of the proof.
"""

from __future__ import annotations

import itertools
import random
import sys
import time

import clingo
import numpy as np

from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.smt.lemmas import LemmaProver

LONGEST = 3
ATOMS = [f"{name}(P,{place})" for name in ("owns", "first", "last", "invented") for place in "XY"] + ["adjacent(X,Y)"]


def examples(size, count, chance):
    """Tables of owns, first, last and adjacent, and who has won, of random positions with some chains in them."""
    board = Hex(size, size)
    place = {cell: number for number, cell in enumerate(board.cells)}
    owns, won = np.zeros((count, 2, len(place)), bool), np.zeros((count, 2), bool)
    for number in range(count):
        share = chance.random()
        owner = {cell: chance.random() < share for cell in board.cells if chance.random() < 0.9}
        red = frozenset(cell for cell, is_red in owner.items() if is_red)
        position = Position(board, red, frozenset(owner) - red)
        for player, stones in enumerate((position.red, position.blue)):
            owns[number, player, [place[cell] for cell in stones]] = True
            won[number, player] = board.has_won(stones, PLAYERS[player])
    model = RuleSet.from_text("wins(P) :- owns(P,X).").instantiate(board)
    from hexlogic.language.ground.solving import least_model

    tables = {"owns": owns, "first": np.zeros((1, 2, len(place)), bool), "last": np.zeros((1, 2, len(place)), bool)}
    adjacent = np.zeros((len(place), len(place)), bool)
    for atom in least_model(model):
        if atom.name in ("first", "last"):
            player, cell = atom.arguments
            tables[atom.name][0, PLAYERS.index(str(player)), place[cell.value]] = True
        elif atom.name == "adjacent":
            adjacent[tuple(place[cell.value] for cell in atom.arguments)] = True
    return tables, adjacent, won


def rules():
    """(head, body) for each rule that may be used: what a body says of Y is tied to X."""
    for count in range(1, LONGEST + 1):
        for body in itertools.combinations(ATOMS, count):
            uses_y = [atom for atom in body if "Y" in atom]
            tied = not uses_y or (len(uses_y) > 1 and "adjacent(X,Y)" in body)
            of_x = any("X" in atom for atom in body)
            if tied and of_x and "invented(P,X)" not in body:
                yield "invented(P,X)", frozenset(body)
            if of_x and not uses_y:
                yield "wins(P)", frozenset(body)


def holds(body, tables, adjacent):
    """Where a body holds: [position, player, X]."""
    held = np.ones((1, 1, 1), bool)
    other = np.ones((1, 1, 1), bool)
    for atom in body:
        name = atom.partition("(")[0]
        if name != "adjacent" and atom.endswith("X)"):
            held = held & tables[name]
        elif name != "adjacent":
            other = other & tables[name]
    if "adjacent(X,Y)" not in body:
        return held
    reached = np.broadcast_to(other, (*np.broadcast_shapes(other.shape, (1, 1, len(adjacent))),))
    return held & (reached.astype(np.int32) @ adjacent.T > 0)


def answers(program, tables, adjacent):
    """Who has won by a program: its least model."""
    tables = {**tables, "invented": np.zeros_like(tables["owns"])}
    while True:
        new = tables["invented"].copy()
        for head, body in program:
            if head != "wins(P)":
                new |= holds(body, tables, adjacent)
        if (new == tables["invented"]).all():
            break
        tables["invented"] = new
    won = np.zeros(new.shape[:2], bool)
    for head, body in program:
        if head == "wins(P)":
            won |= np.broadcast_to(holds(body, tables, adjacent), new.shape).any(axis=2)
    return won


def search(tables, adjacent, won):
    """The smallest program that says who has won in each example, and the number of those that were tried."""
    every, tried = list(rules()), 0
    control = clingo.Control(["--warn=none"])
    facts = "".join(
        f"rule({n},{1 + len(body)}). {'asks' if head == 'wins(P)' else 'tells'}({n})."
        for n, (head, body) in enumerate(every)
    )
    control.add("base", [], facts + "{use(R)} :- rule(R,_). :- not 1 {use(R): asks(R)} 1. :- 4 {use(R): tells(R)}.")
    control.add("size", ["n"], "#external at(n). :- at(n), #sum {S,R: use(R), rule(R,S)} != n.")
    control.ground([("base", [])])
    for size in range(2, 20):
        control.ground([("size", [clingo.Number(size)])])
        control.assign_external(clingo.Function("at", [clingo.Number(size)]), True)
        while True:
            with control.solve(yield_=True) as handle:
                symbols = [symbol for model in handle for symbol in model.symbols(atoms=True)]
            chosen = [symbol.arguments[0].number for symbol in symbols if symbol.name == "use"]
            if not chosen:
                break
            tried += 1
            program = [every[number] for number in chosen]
            said = answers(program, tables, adjacent)
            if (said == won).all():
                return program, tried
            name = f"c{tried}"
            general = [[n for n, (h, b) in enumerate(every) if h == head and b <= body] for head, body in program]
            special = {n for n, (h, b) in enumerate(every) for head, body in program if h == head and b >= body}
            constraint = ""
            if (said & ~won).any():
                constraint += (
                    ":- " + ", ".join(f"1 {{{'; '.join(f'use({n})' for n in each)}}}" for each in general) + "."
                )
            if (won & ~said).any():
                constraint += f":- {{{'; '.join(f'use({n})' for n in range(len(every)) if n not in special)}}} 0."
            control.add(name, [], constraint)
            control.ground([(name, [])])
        control.assign_external(clingo.Function("at", [clingo.Number(size)]), False)
    return None, tried


def main():
    """Find, print and prove."""
    size, count = (
        (int(word) for word in (*sys.argv[1:], "3", "400")[:2])
        if len(sys.argv) > 2
        else (int((*sys.argv[1:], 3)[0]), 400)
    )
    begin = time.process_time()
    program, tried = search(*examples(size, count, random.Random(0)))
    print(f"{size}x{size}, {count} positions: {tried:,} programs tried, {time.process_time() - begin:.1f} CPU seconds")
    if program is None:
        return
    text = "\n".join(
        f"{head} :- {', '.join(sorted(body, key=lambda atom: ('invented' not in atom, atom)))}."
        for head, body in program
    )
    print(text)
    world, shipped = BoardWorld("hex", LemmaProver()), load_rule_set("follow-line-tabled")
    learned = RuleSet.from_text(text, "learned")
    bridge = find_bridge(shipped, learned, world, limit_s=120)
    print(world.prove(shipped, learned, bridge) if isinstance(bridge, str) else "\n".join(bridge.lines))


if __name__ == "__main__":
    main()
