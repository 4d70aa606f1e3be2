"""Write what is given in place: a board's rules for neighbours where a rule asks for a neighbour.

    reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).

    reach(P,Y) :- reach(P,X), Y = X+1, not column(X,columns), owns(P,Y).        and so for each rule for `adjacent`

A neighbour is computed from the stone that is reached: no engine makes all pairs of neighbours first, and none looks
through all cells for the six. What stones promise (they lie on cells) takes tests away. Source: partial evaluation of
logic programs (Lloyd and Shepherdson 1991).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from hexlogic.language import Arithmetic, Atom, BodyLiteral, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import reachable
from hexlogic.language.homomorphism import resolve, unify
from hexlogic.language.names import fresh_copies
from hexlogic.language.walk import general_atom, predicates, rename_rule, rule_variables, substitute, variables
from hexlogic.proofs.finding.facts import Claim, canonical, fact_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_MOST: Final = 40
"""Rules of a program that is proposed."""


def inlinings(program: Program, samples: Samples, world: World) -> Iterator[Proposal]:
    """The program with each given predicate that has rules written in place."""
    inputs = frozenset(world.board.inputs)
    for predicate in sorted(predicates(program) & world.board.heads):
        definitions = world.board.defining(predicate)
        static = not reachable(world.board, [predicate]) & inputs
        plain = all(rule.body and predicate not in _below(rule, world) for rule in definitions)
        called = [rule for rule in program.rules if any(_calls(item, predicate) for item in rule.body)]
        if not static or not plain or any(_denies(rule, predicate) for rule in called):
            continue
        tests = frozenset(_promised(program, samples, world))
        rules = [new for rule in program.rules for new in _written(rule, predicate, definitions, tests)]
        if len(rules) <= _MOST:
            hints = _bridge(program, called, predicate, definitions, tests)
            yield Proposal(asked_for(program.with_rules(tuple(rules))), f"{predicate} is written in place", hints)


def _below(rule: Rule, world: World) -> frozenset[Predicate]:
    return reachable(world.board, [literal.atom.predicate for literal in rule.literals])


def _calls(item: BodyLiteral, predicate: Predicate) -> bool:
    return isinstance(item, Literal) and item.positive and item.atom.predicate == predicate


def _denies(rule: Rule, predicate: Predicate) -> bool:
    return any(literal.atom.predicate == predicate and not literal.positive for literal in rule.literals)


def _promised(program: Program, samples: Samples, world: World) -> Iterator[Rule]:
    """What an atom of the rules or an input says of one of its arguments: `cell(X) :- owns(P,X).`"""
    for given in sorted(world.board.heads):
        for known in sorted({*world.board.inputs, *program.heads} - set(program.queries)):
            for term in general_atom(known).arguments:
                rule = Rule(Atom(given.name, (term,)), (Literal(general_atom(known)),))
                claim = Claim((fact_of(rule.conclusion),), (fact_of(general_atom(known)),))
                if given.arity == 1 and samples.support(canonical(claim)):
                    yield rule


def _written(
    rule: Rule, predicate: Predicate, definitions: Sequence[Rule], tests: frozenset[Rule]
) -> Iterator[Rule]:
    """The rule with the first call of the predicate replaced, once for each definition; and so for the other calls."""
    call = next((item for item in rule.body if _calls(item, predicate)), None)
    if not isinstance(call, Literal):
        yield rule
        return
    for definition in definitions:
        used = rule_variables(rule)
        renamed = substitute(definition, fresh_copies(rule_variables(definition), used))
        assert renamed.head is not None
        binding: dict[Variable, object] = {}
        place = rule.body.index(call)
        if all(
            unify(wanted, asked, binding)  # type: ignore[arg-type]
            for wanted, asked in zip(renamed.head.arguments, call.atom.arguments, strict=True)
        ):
            body = (*rule.body[:place], *renamed.body, *rule.body[place + 1 :])
            resolved = {variable: resolve(variable, binding) for variable in binding}  # type: ignore[arg-type]
            new = substitute(rule.with_body(body), resolved)
            yield from _written(_ordered(_untested(new, tests)), predicate, definitions, tests)


def _untested(rule: Rule, tests: frozenset[Rule]) -> Rule:
    """The rule without what other atoms of it promise."""
    body = list(dict.fromkeys(rule.body))
    for item in tuple(body):
        if isinstance(item, Literal) and item.positive:
            for test, other in itertools.product(tests, body):
                (known,) = test.literals
                if test.head and test.head.predicate == item.atom.predicate and other != item and _calls(other, known.atom.predicate):
                    assert isinstance(other, Literal)
                    binding = dict(zip(known.atom.arguments, other.atom.arguments, strict=True))
                    if binding[test.head.arguments[0]] == item.atom.arguments[0]:
                        body.remove(item)
                        break
    return rule.with_body(tuple(body))


def _ordered(rule: Rule) -> Rule:
    """Each test and each computed value as soon as its variables are bound, atoms in the order in which they stand."""
    body, bound, waiting = list[BodyLiteral](), frozenset[Variable](), list(rule.body)

    def ready(item: BodyLiteral) -> bool:
        if isinstance(item, Literal):
            return variables(item) <= bound
        return variables(item) <= bound or (item.operator == "=" and any(
            isinstance(one, Variable) and variables(other) <= bound and isinstance(other, Arithmetic)
            for one, other in ((item.left, item.right), (item.right, item.left))
        ))  # fmt: skip

    while waiting:
        item = next((item for item in waiting if ready(item)), None) or next(
            (item for item in waiting if isinstance(item, Literal) and item.positive), waiting[0]
        )
        waiting.remove(item)
        body.append(item)
        bound |= variables(item)
    return rule.with_body(tuple(body))


def _bridge(
    program: Program, called: Sequence[Rule], predicate: Predicate, definitions: Sequence[Rule], tests: frozenset[Rule]
) -> str:
    """What the definitions say, as lemmas of the board; each rule again, by cases of what it calls; both directions."""
    names = dict.fromkeys(rule.head.predicate for rule in program.rules if rule.head)

    def side(rule: Rule, name: str) -> Rule:
        return rename_rule(rule, {head: f"{head.name}_{name}" for head in names})

    derived = {test for test in tests if any(literal.atom.predicate in names for literal in test.literals)}
    lemmas = [(f"{test.conclusion.name} of {next(test.literals).atom}", test) for test in tests - derived]
    lemmas += [(f"{predicate.name} case {number}", rule) for number, rule in enumerate(definitions, 1)]
    blocks = [f"%% lemma {name}: what is given says so\n{rule}" for name, rule in sorted(lemmas, key=str)]
    blocks += [f"%% claim: it lies there\n{side(rule, name)}" for rule in sorted(derived, key=str) for name in ("left", "right")]
    for rule in called:
        first, *rest = sorted(rule.body, key=lambda item: not _calls(item, predicate))
        claim = side(rule.with_body((first, *rest)), "right")
        blocks.append(f"%% claim: each rule again, by cases of {predicate}\n{claim}")
    for head in names:
        if head not in program.queries:
            atom = general_atom(head)
            left, right = Atom(f"{head.name}_left", atom.arguments), Atom(f"{head.name}_right", atom.arguments)
            blocks += [f"%% claim: the same\n{Rule(one, (Literal(other),))}" for one, other in ((right, left), (left, right))]
    return "\n\n".join(blocks) + "\n"


MOVE: Final = Move("what the board defines is written in place", inlinings)
