"""Drop an argument: a list of visited cells, a length, a name that a recursion carries along.

    line(P,Y,visited(Y,V)) :- line(P,X,V), adjacent(X,Y), owns(P,Y), unvisited(Y,V).
    line(P,Y) :- line(P,X), adjacent(X,Y), owns(P,Y).

What tested the argument goes with it, so that more could be derived. The bridge says why it is not: an element that is
on no line at all passes each test of a line (`guard`), and so it would be on the line that it was reached from. That is
induction on lines, without an argument on shortest or simple paths.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import general_atom, head_variables, predicates, variables
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World


def droppings(program: Program, _samples: Samples, world: World) -> Iterator[Proposal]:
    """The program without each argument of each recursive predicate."""
    for predicate in sorted(recursive_predicates(program) - set(program.queries)):
        for place in range(predicate.arity if predicate.arity > 1 else 0):
            if proposal := _without(program, predicate, place, world.names):
                yield proposal


def _without(program: Program, predicate: Predicate, place: int, given: frozenset[str]) -> Proposal | None:
    taken = {other.name for other in predicates(program)}
    name = next(iter(fresh_names(predicate.name, taken)))

    def shorter(atom: Atom) -> Atom:
        return Atom(name, _cut(atom.arguments, place)) if atom.predicate == predicate else atom

    rules, guards = list[Rule](), list[tuple[Rule, Literal]]()
    for rule in program.rules:
        sources = [item for item in rule.body if isinstance(item, Literal) and item.atom.predicate == predicate]
        if rule.head is None or not all(item.positive for item in sources):
            return None
        dropped = variables(*(item.atom.arguments[place] for item in sources))
        kept = frozenset[Variable]().union(
            *(variables(*_cut(item.atom.arguments, place)) for item in sources), variables(shorter(rule.head))
        )
        lost = {item for item in rule.body if item not in sources and variables(item) & dropped - kept}
        guards += [(rule, item) for item in rule.body if item in lost and isinstance(item, Literal)]
        if not all(isinstance(item, Literal) and item.positive for item in lost):
            return None
        body = (Literal(shorter(item.atom), item.positive) if isinstance(item, Literal) else item
                for item in rule.body if item not in lost)  # fmt: skip
        rules.append(Rule(shorter(rule.head), tuple(body)))
        if not head_variables(rules[-1]) <= variables(*rules[-1].literals):
            return None
    whole = general_atom(predicate)
    some_name = next(iter(fresh_names(f"some_{predicate.name}", taken | {name})))
    some = Atom(some_name, _cut(whole.arguments, place))
    blocks = [
        f"%% means: some {predicate.name}\n{Rule(some, (Literal(whole),))}",
        f"%% claim: without the argument\n{Rule(shorter(whole), (Literal(whole),))}",
        *(block for rule, guard in guards for block in _guarded(program, rule, guard, predicate, place, some, given)),
        f"%% claim: and with some\n{Rule(some, (Literal(shorter(whole)),))}",
    ]
    words = f"argument {place + 1} of {predicate} is dropped"
    return Proposal(asked_for(program.with_rules(tuple(rules))), words, "\n\n".join(dict.fromkeys(blocks)) + "\n")


def _cut(terms: Sequence[Term], place: int) -> tuple[Term, ...]:
    return (*terms[:place], *terms[place + 1 :])


def _guarded(
    program: Program, rule: Rule, guard: Literal, predicate: Predicate, place: int, some: Atom, given: frozenset[str]
) -> Iterator[str]:
    """What is on none of the lines passes the test of each, with what the test asks of an element by itself, if what is
    given says so: lemmas that are proved or refuted later."""
    assert rule.head is not None
    source, *more = (item for item in rule.literals if item.atom.predicate == predicate)
    if rule.head.predicate != predicate or more:
        return
    new = variables(*_cut(rule.head.arguments, place))
    moved = variables(*_cut(source.atom.arguments, place)) - new
    rest = [item for item in rule.body if item not in (source, guard) and variables(item) <= new - moved]
    for asked in (item.atom for test in program.defining(guard.atom.predicate) for item in test.literals):
        for known in (item.atom for item in rest if isinstance(item, Literal) and item.positive):
            shared = variables(known) & variables(guard)
            names = {asked.name, known.name}
            if names <= given and len(names) == 2 and len(asked.arguments) == 1 == len(shared):
                lemma = Rule(Atom(asked.name, tuple(shared)), (Literal(known),))
                yield f"%% lemma {asked.name} of {known.name}: what is given says so\n{lemma}"
    missing = Literal(Atom(some.name, _cut(rule.head.arguments, place)), False)
    yield f"%% claim: what is on none of them passes their tests\n{Rule(guard.atom, (source, *rest, missing))}"


MOVE: Final = Move("an argument that a recursion carries along is dropped", droppings, on_rules=True)
