"""Drop an argument: a list of visited cells, a length, a name that a recursion carries along.

    line(P,Y,visited(Y,V)) :- line(P,X,V), adjacent(X,Y), owns(P,Y), unvisited(Y,V).
    line(P,Y) :- line(P,X), adjacent(X,Y), owns(P,Y).

What tested the argument goes with it, so that more could be derived. The bridge says why it is not: an element that is
on no line at all passes each test of a line (`guard`), and so it would be on the line that it was reached from. That is
induction on lines, without an argument on shortest or simple paths.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Term
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.names import fresh_predicate
from hexlogic.language.walk import general_atom, head_variables, map_atoms, variables
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, block, blocks
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World


def droppings(program: Program, _samples: Samples, world: World) -> Iterator[Proposal]:
    """The program without each argument of each recursive predicate."""
    for predicate in sorted(recursive_predicates(program) - set(program.queries)):
        for place in range(predicate.arity if predicate.arity > 1 else 0):
            if proposal := _without(program, predicate, place, world.names):
                yield proposal


def _without(program: Program, predicate: Predicate, place: int, given: frozenset[str]) -> Proposal | None:
    name = fresh_predicate(program, predicate.name, predicate.arity - 1).name

    def shorter(atom: Atom) -> Atom:
        return Atom(name, _cut(atom.arguments, place)) if atom.predicate == predicate else atom

    rules, guards = list[Rule](), list[tuple[Rule, Literal]]()
    for rule in program.rules:
        sources = [item for item in rule.body if isinstance(item, Literal) and item.atom.predicate == predicate]
        if rule.head is None or not all(item.positive for item in sources):
            return None
        dropped = variables(*(item.atom.arguments[place] for item in sources))
        kept = variables(shorter(rule.head), *(shorter(item.atom) for item in sources))
        lost = {item for item in rule.body if item not in sources and variables(item) & dropped - kept}
        guards += [(rule, item) for item in rule.body if item in lost and isinstance(item, Literal)]
        if not all(isinstance(item, Literal) and item.positive for item in lost):
            return None
        kept_body = tuple(item for item in rule.body if item not in lost)
        rules.append(map_atoms(Rule(rule.head, kept_body), shorter))
        if not head_variables(rules[-1]) <= variables(*rules[-1].literals):
            return None
    whole = general_atom(predicate)
    some = Atom(fresh_predicate(program, f"some_{predicate.name}", 0).name, _cut(whole.arguments, place))
    said = [
        block("means", f"some {predicate.name}", [Rule(some, (Literal(whole),))]),
        block("claim", "without the argument", [Rule(shorter(whole), (Literal(whole),))]),
        *(each for rule, guard in guards for each in _guarded(program, rule, guard, predicate, place, some, given)),
        block("claim", "and with some", [Rule(some, (Literal(shorter(whole)),))]),
    ]
    words = f"argument {place + 1} of {predicate} is dropped"
    return Proposal(asked_for(program.with_rules(tuple(rules))), words, "\n\n".join(dict.fromkeys(said)) + "\n")


def _cut(terms: Sequence[Term], place: int) -> tuple[Term, ...]:
    return (*terms[:place], *terms[place + 1 :])


def _guarded(
    program: Program, rule: Rule, guard: Literal, predicate: Predicate, place: int, some: Atom, given: frozenset[str]
) -> Iterator[str]:
    """What is on none of the lines passes the test of each, with what the test asks of an element by itself, if what is
    given says so: lemmas that are proved or refuted later."""
    source, *more = (item for item in rule.literals if item.atom.predicate == predicate)
    if rule.conclusion.predicate != predicate or more:
        return
    new = variables(*_cut(rule.conclusion.arguments, place))
    moved = variables(*_cut(source.atom.arguments, place)) - new
    rest = [item for item in rule.body if item not in (source, guard) and variables(item) <= new - moved]
    for asked in (item.atom for test in program.defining(guard.atom.predicate) for item in test.literals):
        for known in (item.atom for item in rest if isinstance(item, Literal) and item.positive):
            shared = variables(known) & variables(guard)
            names = {asked.name, known.name}
            if names <= given and len(names) == 2 and len(asked.arguments) == 1 == len(shared):
                lemma = Rule(Atom(asked.name, tuple(shared)), (Literal(known),))
                yield from blocks("lemma", [(f"{asked.name} of {known.name}", lemma)])
    missing = Literal(Atom(some.name, _cut(rule.conclusion.arguments, place)), False)
    yield block("claim", "what is on none of them passes their tests", [Rule(guard.atom, (source, *rest, missing))])


MOVE: Final = Move("an argument that a recursion carries along is dropped", droppings, on_rules=True)
