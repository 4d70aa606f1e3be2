"""A rewriting keeps what clingo reads in a program and an instance, where constants are named like terms of both."""

from __future__ import annotations

import random

import clingo
import pytest

from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.passes import Pipeline

CONSTANTS = ("#const red = blue.", "#const n = 3.", "#const b = red.", "#const k = n+1.", "#const three = 3.")
NAMES = ("red", "blue", "n", "3", "k", "4", "three", "b")
PIPELINES = (
    *(
        "ground",
        "unfold",
        "prune",
        "merge",
        "chase",
        "reorder:cost",
        "project",
        "magic",
        "semijoin",
        "split",
        "replace",
    ),
    *("reorder:cost,unfold,prune,merge,chase,magic,project,split", "ground,merge,unfold"),
)


def answers(text: str) -> set[str]:
    """What clingo derives of w/2 from a text."""
    control = clingo.Control([], logger=lambda code, message: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms.by_signature("w", 2) if atom.is_fact}


def program_and_instance(seed: int) -> tuple[str, str]:
    chance = random.Random(seed)
    terms = (*NAMES, "X", "Y", "X", "Y")
    lines = [*chance.sample(CONSTANTS, chance.randint(1, 3)), "#defined e/2."]
    for head in chance.choice((("p", "q", "w"), ("p", "p", "w"), ("p", "q", "w", "w"))):
        known = ["e", "e", *{"p": "", "q": "p", "w": "pq"}[head]]
        known = [name for name in known if name != "q" or any(line.startswith("q(") for line in lines)]
        body = ["e(X,Y)"]
        body += [
            f"{chance.choice(known)}({chance.choice(terms)},{chance.choice(terms)})"
            for _ in range(chance.randint(1, 2))
        ]
        if chance.random() < 0.4:
            body.append(f"{chance.choice(terms)} {chance.choice(('=', '!=', '<'))} {chance.choice(terms)}")
        lines.append(f"{head}({chance.choice(terms)},{chance.choice(terms)}) :- {', '.join(body)}.")
    facts = (f"e({chance.choice(NAMES)},{chance.choice(NAMES)})." for _ in range(24))
    return "\n".join([*lines, "#show w/2.\n"]), " ".join(facts)


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 1000), marks=pytest.mark.slow)])
def test_rewritings_keep_the_answers_beside_constants(seeds: range) -> None:
    derived = 0
    for seed in seeds:
        text, instance = program_and_instance(seed)
        program, expected = parse_checked(text), answers(text + instance)
        derived += bool(expected)
        for pipeline in PIPELINES:
            assert answers(str(Pipeline.parse(pipeline).apply(program)) + instance) == expected, (seed, pipeline)
    assert derived > len(seeds) // 5
