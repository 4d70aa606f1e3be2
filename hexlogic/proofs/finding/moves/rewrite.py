"""The passes as moves: magic sets, projections, reducers and what else rewrites rules without inventing a recursion.

cousin(Y) :- generation(1,Y).       magic: only generations that are asked for, from 1 upwards

Why a predicate that magic narrows is right is said from below: it derives no more, and all of it that is asked for.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from hexlogic.language import Atom, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import rules_below, sccs
from hexlogic.language.names import taken_name
from hexlogic.language.passes import Pipeline, pass_names
from hexlogic.language.walk import general_atom, predicates, rename_rule
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, block
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import written_in_place
from hexlogic.proofs.finding.worlds import World

_LEFT_OUT: Final = ("ground", "reorder", "stage")
"""Passes that are about one size or one engine's order of joins, not about what is computed."""
_BOUND: Final = "reorder:bound-first,magic"
_HIDDEN: Final = re.compile(r"_hexlogic_(\w+)_[0-9a-f]{8}")


def rewritings(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """What each pass makes of the program, in names that a person can read; and the program with short definitions
    written in place."""
    passes = (name for name in pass_names() if name not in _LEFT_OUT)
    made = [(f"the pass {name}", Pipeline.parse(name).apply(program)) for name in (*passes, _BOUND)]
    for words, rewritten in (*made, ("short definitions are written in place", written_in_place(program))):
        if rewritten != program:
            names = _short_names(rewritten)
            short = asked_for(rewritten.with_rules(tuple(rename_rule(rule, names) for rule in rewritten.rules)))
            yield Proposal(short, words, "\n\n".join(_why(program, short, names)))


def _short_names(program: Program) -> dict[Predicate, str]:
    taken = {predicate.name for predicate in predicates(program)}
    hidden = ((predicate, _HIDDEN.fullmatch(predicate.name)) for predicate in sorted(predicates(program)))
    return {predicate: taken_name(match[1], taken) for predicate, match in hidden if match}


def _why(program: Program, short: Program, names: Mapping[Predicate, str]) -> Iterator[str]:
    """Claims for the predicates of the program, from below: what became of them derives no more, and as much where it
    is asked for."""
    became = dict[Predicate, list[tuple[Atom, tuple[Literal, ...]]]]()
    for head in program.heads & short.heads:
        if {*rules_below(program, [head]).rules} != {*rules_below(short, [head]).rules}:
            became[head] = [(replace(general_atom(head), name=f"{head.name}_right"), ())]
    read = {match[1]: name for hidden, name in names.items() if (match := _HIDDEN.fullmatch(hidden.name))}
    for adorned, name in read.items():
        whole, _, bound = adorned.rpartition("_")
        predicate, demand = Predicate(whole, len(bound)), read.get(f"demand_{adorned}")
        if demand and predicate in program.heads and {Predicate(name, len(bound))} <= short.heads:
            atom = general_atom(predicate)
            asked = itertools.compress(atom.arguments, (letter == "b" for letter in bound))
            became.setdefault(predicate, []).append((replace(atom, name=name), (Literal(Atom(demand, (*asked,))),)))
    right = {head: f"{head.name}_right" for head in became}
    for rule in program.rules:
        for call in rule.literals:
            definitions = program.defining(call.atom.predicate)
            if call.atom.predicate not in short.heads and definitions and not any(each.body for each in definitions):
                again = rule.with_body((call, *(item for item in rule.body if item is not call)))
                yield block("claim", f"by cases of {call.atom.predicate}", [rename_rule(again, right)])
    for component in sccs(program):
        new = [(general_atom(each), *part) for each in sorted(component) for part in became.get(each, ())]
        for words, rules in (
            ("derives no more", [Rule(whole, (Literal(part),)) for whole, part, _ in new]),
            ("all that is asked for", [Rule(part, (Literal(whole), *asked)) for whole, part, asked in new]),
        ):
            if rules:
                yield block("claim", words, rules)


MOVE: Final = Move("the passes there are", rewritings, tidies=True)
