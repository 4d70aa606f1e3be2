"""Turn a recursion round: begin where the question ends.

    reach(P,X) :- owns(P,X), first(P,X).                     back(P,X) :- last(P,X), owns(P,X).
    reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).      back(P,X) :- back(P,Y), adjacent(X,Y), owns(P,X).
    wins(P) :- reach(P,X), last(P,X).                        wins(P) :- back(P,X), first(P,X).

What each rule for `reach` says of the element that it adds, `owns` here, is said of each element of `back` too. Two
that meet: `wins(P) :- reach(P,X), back(P,X)` is what the proof goes by, in both directions.

Where more than one rule asks, or for more, the steps become a closure, which `magic` and `fuse` walk from either end:

    holds(X,Y) :- share(X,Y).                                holds(X,Y) :- share(X,Y).
    holds(X,Z) :- holds(X,Y), share(Y,Z), company(Z).        holds(X,Z) :- holds_on(Y,Z), share(X,Y).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through
from hexlogic.language.names import fresh_copies, fresh_predicate
from hexlogic.language.walk import bind_parameters, general_atom, has_distinct_variables, substitute, variables
from hexlogic.proofs.finding.facts import canonical
from hexlogic.proofs.finding.known import claim_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, blocks, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import squares
from hexlogic.proofs.finding.worlds import World

_X, _Y = Variable("X"), Variable("Y")


@dataclass(frozen=True, slots=True)
class _Step:
    """A rule for a recursive predicate: where it came from (None for a beginning), and the rest of the body."""

    source: Atom | None
    head: Atom
    rest: tuple[BodyLiteral, ...]


def turnings(program: Program, samples: Samples, world: World) -> Iterator[Proposal]:
    """The program with each linear recursion turned that one rule asks."""
    mutual = [name for name in sorted(world.names & samples.arities.keys()) if samples.is_symmetric(name)]
    for predicate in sorted(recursive_predicates(program) - set(program.queries)):
        steps = [_step(rule, predicate) for rule in program.defining(predicate)]
        uses = [rule for rule in program.rules if calls(rule, predicate) and rule not in program.defining(predicate)]
        known = [step for step in steps if step is not None]
        if len(known) == len(steps) and any(step.source for step in known):
            turned = [*_turned(program, predicate, known, uses[0], world, mutual)] if len(uses) == 1 else []
            yield from turned or _with_steps_apart(program, predicate, known, samples)


def _step(rule: Rule, predicate: Predicate) -> _Step | None:
    """The rule in its parts; None where it is not linear or its atoms are not of different variables."""
    own = calls(rule, predicate)
    atoms = [call.atom for call in own if call.positive] + ([] if rule.head is None else [rule.head])
    if rule.head is None or len(own) > 1 or len(atoms) <= len(own) or not all(map(has_distinct_variables, atoms)):
        return None
    rest = tuple(item for item in rule.body if item not in own)
    return _Step(atoms[0] if own else None, rule.head, rest)


def _turned(
    program: Program, predicate: Predicate, steps: Sequence[_Step], use: Rule, world: World, mutual: Sequence[str]
) -> Iterator[Proposal]:
    (call,) = calls(use, predicate)[:1]
    goal = tuple(item for item in use.body if item != call)
    places = [place for place in range(predicate.arity) if all(_keeps(step, place) for step in steps)]
    kept = [call.atom.arguments[place] for place in places]
    if use.head is None or not call.positive or len(calls(use, predicate)) > 1:
        return
    if not has_distinct_variables(call.atom) or not variables(use.head) <= variables(*kept):
        return
    name = fresh_predicate(program, f"{predicate.name}_back", predicate.arity).name
    support = _support(steps, call.atom, world)

    def back(atom: Atom) -> Atom:
        return replace(atom, name=name)

    def says(atom: Atom) -> tuple[BodyLiteral, ...]:
        return substitute(Rule(None, support), bind_parameters(call.atom.arguments, atom.arguments)).body

    def mirrored(item: BodyLiteral) -> BodyLiteral:
        """A symmetric atom with its arguments exchanged: what is bound stands first in the turned rule too."""
        if not isinstance(item, Literal) or item.atom.name not in mutual:
            return item
        return replace(item, atom=replace(item.atom, arguments=item.atom.arguments[::-1]))

    rules = [Rule(back(call.atom), tuple(dict.fromkeys((*goal, *support))))]
    for step in steps:
        rest = tuple(mirrored(item) for item in step.rest if item not in says(step.head))
        if step.source is not None:
            rules.append(Rule(back(step.source), (Literal(back(step.head)), *rest, *says(step.source))))
            continue
        apart = fresh_copies(variables(step.head, *rest), variables(*use.items))
        named = {**apart, **bind_parameters(step.head.arguments, call.atom.arguments)}
        rules.append(Rule(use.head, (Literal(back(call.atom)), *substitute(Rule(None, rest), named).body)))
    others = [rule for rule in program.rules if rule != use and rule.head and rule.head.predicate != predicate]
    new = asked_for(program.with_rules((*rules, *others)))
    if any(map(unsafe_variables, rules)):
        return
    meeting = Literal(call.atom), Literal(back(call.atom))
    told = [item.atom.name for step in steps for item in step.rest if isinstance(item, Literal)]
    ways = [Rule(Atom(name, (_Y, _X)), (Literal(Atom(name, (_X, _Y))),)) for name in mutual if name in told]
    claims = [
        *(Rule(item.atom, (each,)) for item in support if isinstance(item, Literal) for each in meeting),
        Rule(replace(use.head, name=f"{use.head.name}_right"), meeting),
        Rule(use.head, meeting[::-1]),
    ]
    both_ways = blocks("lemma", [(f"{rule.conclusion.name} both ways", rule) for rule in ways])
    hints = "\n\n".join((*both_ways, *blocks("claim", [("", rule) for rule in claims], "where both meet")))
    yield Proposal(new, f"the recursion of {predicate} is turned round", hints)


def _with_steps_apart(
    program: Program, predicate: Predicate, steps: Sequence[_Step], samples: Samples
) -> Iterator[Proposal]:
    """The program in which the steps of the recursion are a closure of their own, unless all of it is closed."""
    goes, places = [(step.source, step) for step in steps if step.source is not None], range(predicate.arity)
    ways = [[place for place in places if _keeps(step, place)] for _, step in goes]
    kept = ways[0]
    two = [[*squares(rule, samples)] for rule in program.defining(predicate) if calls(rule, predicate)]
    is_closed = all(any(samples.support(canonical(claim_of(rule))) for rule in each) for each in two)
    if is_closed or any(way != kept for way in ways) or recursive_through(program, predicate) != {predicate}:
        return
    spoken = [(step.head, variables(*step.rest)) for _, step in goes]
    carried = [place for place in kept if any(variables(head.arguments[place]) & said for head, said in spoken)]
    name = fresh_predicate(program, f"{predicate.name}_on", predicate.arity).name

    def on(start: Atom, end: Atom) -> Literal:
        moved = [atom.arguments[place] for atom in (start, end) for place in places if place not in kept]
        return Literal(Atom(name, (*(end.arguments[place] for place in carried), *moved)))

    def further(step: _Step) -> Atom:
        moved = variables(*(term for place, term in enumerate(step.head.arguments) if place not in kept))
        whole = Rule(step.source, (Literal(step.head), *step.rest))
        return substitute(Rule(step.head), fresh_copies(moved, variables(*whole.items))).conclusion

    def right(atom: Atom) -> Literal:
        return Literal(replace(atom, name=f"{atom.name}_right"))

    rules = [Rule(on(source, step.head).atom, step.rest) for source, step in goes]
    for step in steps:
        head = further(step) if step.source is None else on(step.source, further(step)).atom
        rules.append(Rule(head, (on(step.head, further(step)), *step.rest)))
    if any(map(unsafe_variables, rules)):
        return
    (source, first), whole = goes[0], general_atom(predicate)
    claims = [
        Rule(on(source, further(first)).atom, (on(source, first.head), on(first.head, further(first)))),
        *(Rule(right(step.head).atom, (right(source), *step.rest)) for source, step in goes),
        Rule(first.head, (on(source, first.head), Literal(source))),
        Rule(right(whole).atom, (Literal(whole),)),
        Rule(whole, (right(whole),)),
    ]
    others = [rule for rule in program.rules if rule.conclusion.predicate != predicate or not calls(rule, predicate)]
    hints = "\n\n".join(blocks("claim", [("", rule) for rule in claims], "the steps"))
    new = asked_for(program.with_rules((*others, *rules)))
    yield Proposal(new, f"the steps of {predicate} become a closure", hints)


def _keeps(step: _Step, place: int) -> bool:
    return step.source is None or step.source.arguments[place] == step.head.arguments[place]


def _support(steps: Sequence[_Step], atom: Atom, world: World) -> tuple[BodyLiteral, ...]:
    """What every rule says of the element that it adds, in the words of what is given."""
    said = []
    for step in steps:
        literals = [item for item in step.rest if isinstance(item, Literal) and variables(item) <= variables(step.head)]
        given = tuple(item for item in literals if item.positive and item.atom.predicate in world.given)
        said.append(substitute(Rule(None, given), bind_parameters(step.head.arguments, atom.arguments)).body)
    return tuple(item for item in said[0] if all(item in each for each in said))


MOVE: Final = Move("a recursion begins where the question ends", turnings)
