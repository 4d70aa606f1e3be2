"""Transition rules as the `next` rules of a sheet: what they keep from move to move is carried in the state.

    next_cluster(X,X,P) :- plays(P,X).                         next(cluster(X,X,P)) :- does(P,place(X)).
    next_cluster(I,Y,P) :-                                     next(cluster(I,Y,P)) :-
        cluster(I,Y,P), not touched(P,I).                          true(cluster(I,Y,P)), not touched(P,I).

With the swap rule a move is what `plays` says (`rules/gdl/stones-with-swap.lp`), and what only stays does not survive
the swap: the one stone there is then counts as a new one of blue's.
"""

from __future__ import annotations

import dataclasses

from hexlogic.games.rulesets.transitions import Transitions
from hexlogic.ggp.language.sheet import INPUTS
from hexlogic.language import Atom, BodyLiteral, Comparison, Function, Literal, Program, Rule

TRANSITION_RULES = {
    "clusters-by-side": "free",
    "clusters-merging": "taken",
    "components-by-step": "taken",
    "follow-line-kept": "free",
}
"""The sets of transition rules that a sheet can carry in its state. Each has a frame of its own in `rules/gdl/`, beside
that which says where a stone may be put."""

_NOT_SWAPPED = Literal(Atom("swapped"), positive=False)


def next_rules(transitions: Transitions, *, swap: bool) -> Program:
    """The rules with `true`, `next` and, without the swap rule, `does` in the place of their own state and move."""
    rules = tuple(_rule(rule, transitions, swap) for rule in transitions.program.rules)
    inputs = (*INPUTS, transitions.move) if swap else INPUTS
    return dataclasses.replace(transitions.program, rules=rules, inputs=inputs)


def _rule(rule: Rule, transitions: Transitions, swap: bool) -> Rule:
    head = rule.head
    body = tuple(_item(item, transitions, swap) for item in rule.body)
    if head is not None and head.predicate in transitions.initial:
        return dataclasses.replace(rule, head=_in_state("init", transitions.becomes(head)), body=body)
    if head is None or head.predicate not in transitions.after:
        return rule.with_body(body)
    if swap and transitions.move not in [literal.atom.predicate for literal in rule.literals]:
        body += (_NOT_SWAPPED,)
    return dataclasses.replace(rule, head=_in_state("next", transitions.becomes(head)), body=body)


def _in_state(word: str, kept: Atom) -> Atom:
    return Atom(word, (Function(kept.name, kept.arguments),))


def _item(item: BodyLiteral, transitions: Transitions, swap: bool) -> BodyLiteral:
    if isinstance(item, Comparison):
        return item
    atom = item.atom
    if atom.predicate in transitions.state:
        return Literal(_in_state("true", atom), item.positive)
    if atom.predicate == transitions.move and not swap:
        player, cell = atom.arguments
        return Literal(Atom("does", (player, Function("place", (cell,)))), item.positive)
    return item
