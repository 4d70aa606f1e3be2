"""Rewrite transition rules for many states at once: clingo text in parts that are ground one move at a time.

Each atom that may change gets one argument more: the number of its state.

Before:  next_p(X) :- p(X), not hit(X).   hit(X) :- plays(X).   wins :- p(X), goal(X).   goal(7).
After:   goal(7).
         #program step(old,new).  next_p(X,new) :- p(X,old), not hit(X,new).   hit(X,new) :- plays(X,new).
         #program look(new).      p(X,new) :- next_p(X,new).   wins(new) :- p(X,new), goal(X).

States need not follow each other: `step(4,9)` makes state 9 out of state 4, whatever became of 5 to 8. `step` and
`look` are ground one after the other: together they would be recursive through negation in gringo's eyes, which sees
predicates and not numbers of states, and the atoms after a `not` would stay undecided.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from hexlogic.games.rulesets.transitions import Transitions
from hexlogic.language import Atom, BodyLiteral, Integer, Literal, Predicate, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.dependence import dependency_graph
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import rule_terms


class ProgramPart(NamedTuple):
    """A part of a clingo program: `#program name(parameters).` and its text."""

    name: str
    parameters: tuple[str, ...]
    text: str


def timed(transitions: Transitions) -> tuple[ProgramPart, ...]:
    """The parts `base`, what never changes; `look(new)`, what follows from one state; `step(old,new)`; and
    `move(...,new)`, the fact of a move. State 0 is in `base`.
    """
    program, state = transitions.program, frozenset(transitions.state)
    graph = dependency_graph(program)
    moved = graph.above([transitions.move]) | frozenset(transitions.after)
    seen = graph.above(state) - moved
    names = fresh_names("state", _symbols(program))
    old, new = (Symbol(name) for name in islice(names, 2))

    def at(atom: Atom, look: bool) -> Atom:
        if atom.predicate in state or atom.predicate in seen:
            return _with(atom, new if look else old)
        return _with(atom, new) if atom.predicate in moved else atom

    def rewritten(rule: Rule, look: bool) -> Rule:
        def literal(item: BodyLiteral) -> BodyLiteral:
            return Literal(at(item.atom, look), item.positive) if isinstance(item, Literal) else item

        assert rule.head is not None
        return Rule(at(rule.head, look), tuple(map(literal, rule.body)))

    base: list[Rule] = [Rule(_with(atom, Integer(0))) for atom in sorted(transitions.first_state(), key=str)]
    look = [_copied(transitions, predicate, new) for predicate in transitions.after]
    step: list[Rule] = []
    for rule in program.rules:
        if rule.head is None or rule.head.predicate in transitions.initial:
            continue
        if rule.head.predicate in moved:
            step.append(rewritten(rule, look=False))
        elif rule.head.predicate in seen:
            look.append(rewritten(rule, look=True))
        else:
            base.append(rule)
    parameters = tuple(islice(fresh_names("part", _symbols(program)), transitions.move.arity))
    fact = Rule(_with(Atom(transitions.move.name, tuple(map(Symbol, parameters))), new))
    return (
        ProgramPart("base", (), str(Program(tuple(base), program.constants))),
        ProgramPart("look", (new.name,), str(Program(tuple(look)))),
        ProgramPart("step", (old.name, new.name), str(Program(tuple(step)))),
        ProgramPart("move", (*parameters, new.name), f"{fact}\n"),
    )


def _with(atom: Atom, state: Term) -> Atom:
    return Atom(atom.name, (*atom.arguments, state))


def _copied(transitions: Transitions, predicate: Predicate, state: Term) -> Rule:
    """p(X1,...,state) :- next_p(X1,...,state)."""
    atom = Atom(predicate.name, tuple(Variable(f"X{place}") for place in range(1, predicate.arity + 1)))
    return Rule(_with(transitions.becomes(atom), state), (Literal(_with(atom, state)),))


def _symbols(program: Program) -> frozenset[str]:
    """The symbolic constants of a program: a parameter of the same name would replace them."""
    terms = (term for rule in program.rules for term in rule_terms(rule))
    return frozenset(term.name for term in terms if isinstance(term, Symbol)) | {name for name, _ in program.constants}
