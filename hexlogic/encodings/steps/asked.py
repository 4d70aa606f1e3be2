"""A predicate is derived only where it is asked for: magic sets, for programs with choices too.

Before:  reach(X,Y) :- in(X,Y).            reach(X,Z) :- reach(X,Y), in(Y,Z).   :- node(Y), start(S), not reach(S,Y).
After:   reach(X,Y) :- in(X,Y), start(X).  reach(X,Z) :- reach(X,Y), in(Y,Z).   :- node(Y), start(S), not reach(S,Y).

Before:  before(A,B) :- at(A,S), at(B,T), S < T.                :- needs(A,B,_), not before(A,B).   :- before(a,c).
After:   asked(A,B) :- needs(A,B,_).   asked(a,c).
         before(A,B) :- at(A,S), at(B,T), S < T, asked(A,B).    and the same constraints

Made where `#show p/n.` lines hide the predicate, and every other body that asks has constants, or variables that facts
bind there, for the same arguments; recursive rules must pass these on unchanged. The facts must not depend on the
predicate. Atoms for other values support and decide nothing. *Preserves* what is shown, the costs, and the answer sets
over all other predicates. *Leaves alone* predicates that an instance, a choice, another part, a classical negation or
anything but a body mentions, and rules where the estimate finds no gain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexlogic.encodings.analysis import Analysis, is_plain
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE, Item, Statement
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Symbol, Variable
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import bind_parameters, substitute, subterms, variables

_GAIN = 0.7


@dataclass(frozen=True)
class _Use:
    """An atom that is asked for, and the facts that hold where it is."""

    atom: Atom
    facts: tuple[BodyLiteral, ...]

    def is_bound(self, place: int) -> bool:
        """Whether an argument is a constant, or computed from variables that the facts bind."""
        term = self.atom.arguments[place]
        if any(part == Symbol("_") for part in subterms(term)):
            return False
        return is_plain(term) or (bool(variables(term)) and variables(term) <= variables(*self.facts))

    def rule(self, places: Sequence[int]) -> Rule:
        """What is asked for, as the body of a rule with these arguments in its head."""
        head = Atom("asked", tuple(self.atom.arguments[place] for place in places))
        near = variables(head)
        while (wider := near.union(*(variables(fact) for fact in self.facts if variables(fact) & near))) != near:
            near = wider
        return Rule(head, tuple(fact for fact in self.facts if variables(fact) & near))


def _uses(predicate: Predicate, statement: Statement, sure: set[Predicate]) -> list[_Use] | None:
    """Where a statement asks for a predicate; None where it mentions it in another way."""
    heads = statement.head.names.predicates if statement.head is not None else frozenset[Predicate]()
    if statement.part != BASE or predicate in heads or not (statement.is_rule or statement.kind in _BODIES):
        return None
    uses: list[_Use] = []
    for item in statement.body:
        if predicate not in item.names.predicates:
            continue
        scopes: list[tuple[Item, ...]] = [(item,)]
        if item.aggregate is not None:
            scopes = [
                (*element.condition, *([element.literal] if element.literal is not None else []))
                for element in item.aggregate.elements
            ]
        for scope in scopes:
            asking = [each for each in scope if predicate in each.names.predicates]
            if any(each.literals is None for each in asking):
                return None
            around = [literal for each in (*statement.body, *scope) for literal in each.literals or ()]
            facts = [each for each in around if isinstance(each, Literal) and each.positive]
            known = tuple(dict.fromkeys(each for each in facts if each.atom.predicate in sure))
            literals = [literal for each in asking for literal in each.literals or ()]
            uses += [
                _Use(each.atom, known)
                for each in literals
                if isinstance(each, Literal) and each.atom.predicate == predicate
            ]
    return uses


_BODIES = ("minimize", "weak", "show")


def _asked(predicate: Predicate, context: RuleContext, analysis: Analysis) -> tuple[list[int], list[Rule]] | None:
    """The arguments that are restricted, and a rule for what each body asks for; None where there are none."""
    rules, circle = analysis.definitions.get(predicate, ()), analysis.components.get(predicate, frozenset())
    negation = Predicate(f"-{predicate.name}".removeprefix("--"), predicate.arity)
    if predicate not in analysis.hidden or not rules or negation in analysis.predicates or circle - {predicate}:
        return None
    # of what gringo computes, two that each derive what the other one has derive nothing: what is defined before asks
    names = list(analysis.definitions)
    later = set(names[names.index(predicate) :]) & analysis.hidden if predicate in context.facts else set[Predicate]()
    waiting = [each for each in later if any(rule.body for rule in analysis.definitions[each])]
    sure = context.facts & analysis.predicates - analysis.dependence.above(waiting)
    uses: list[_Use] = []
    for statement in analysis.encoding.statements:
        if predicate in statement.names.predicates and statement.heads != {predicate}:
            known = _uses(predicate, statement, sure)
            if known is None:
                return None
            uses += known
    places = [place for place in range(predicate.arity) if all(use.is_bound(place) for use in uses)]
    for rule in rules:
        own = [each for each in rule.literals if each.atom.predicate == predicate]
        places = [
            place
            for place in places
            if isinstance(value := rule.conclusion.arguments[place], Variable) or not own
            if all(each.positive and each.atom.arguments[place] == value for each in own)
        ]
    return (places, list(dict.fromkeys(use.rule(places) for use in uses))) if places and uses else None


def _restricting(atom: Atom, places: Sequence[int], asking: Sequence[Rule]) -> BodyLiteral | None:
    """What says of an atom that it is asked for, without a predicate of its own; None where that needs one."""
    first, *others = asking
    terms = first.conclusion.arguments
    if others or len(first.body) + len(terms) > 2 or len(set(terms)) < len(terms):
        return None
    values = [atom.arguments[place] for place in places]
    match first.body:
        case ():
            return Comparison("=", values[0], terms[0])
        case (Literal() as fact,) if all(isinstance(term, Variable) for term in terms):
            bound = substitute(Rule(None, (fact,)), bind_parameters(terms, values)).body[0]
            return bound if variables(fact) <= variables(*terms) else None
        case _:
            return None


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """A rule that does not go on with its own predicate, with what asks for it."""
    head = rule.head
    if block.kind != "rule" or block.part != BASE or head is None or rule != block.rule:
        return
    if any(each.atom.predicate == head.predicate for each in rule.literals):
        return
    if (asked := _asked(head.predicate, context, analysis)) is None:
        return
    places, asking = asked
    made: list[Rule] = []
    item = _restricting(head, places, asking)
    if item is None:
        arguments = tuple(Variable(f"A{place}") for place in places)
        predicate = context.auxiliary(
            "asked", arguments, [literal for each in asking for literal in (Literal(each.conclusion), *each.body)]
        ).predicate
        made = [Rule(Atom(predicate.name, each.conclusion.arguments), each.body) for each in asking]
        item = Literal(Atom(predicate.name, tuple(head.arguments[place] for place in places)))
        context.statistics.sizes[predicate] = sum(context.statistics.answers(each.body) for each in made)
        context.facts.add(predicate)
    new, sizes = rule.with_body((*rule.body, item)), context.statistics
    is_closure = head.predicate in analysis.components
    if is_closure or sizes.answers(new.body) < _GAIN * sizes.answers(rule.body):
        yield Change((*made, new), "asked")


STEP = Step("asked", changes, adds_predicates=True, kinds=("rule",))
