"""Project: drop an argument that a recursion only carries along, and test it where the recursion begins.

Before:  path(X,Y) :- edge(X,Y).  path(X,Z) :- path(X,Y), edge(Y,Z).
         goal(Y) :- start(X), path(X,Y).
After:   path(Y) :- edge(X,Y), start(X).  path(Z) :- path(Y), edge(Y,Z).
         goal(Y) :- path(Y).

Pairs become places: who asks whether some start leads to Y need not know which. `magic` narrows the calls of the same
program, but keeps one path for each start.
Keeps the answers to the queries; the predicate has fewer arguments. Leaves alone inputs, queries, declared
equivalences, predicates that are negated, spoken of in a constraint, called from more than one place outside their own
rules or recursive through others, arguments that the caller hands on or compares with what the recursion changes, and
programs without a query.
Source: Aho and Ullman 1979 (selection before the fixpoint); Ramakrishnan, Beeri and Krishnamurthy 1988 (projection).
"""

from collections.abc import Iterable, Sequence, Set

from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import reachable, recursive_predicates, recursive_through
from hexlogic.language.names import fresh_copies
from hexlogic.language.passes import Pass
from hexlogic.language.walk import body_terms, computes, head_variables, map_atoms, substitute, subterms, variables


def project(program: Program) -> Program:
    """The program with fewer arguments; the same object when nothing is only carried."""
    shorter: Program | None = program
    while shorter is not None:
        program = shorter
        shorter = next(
            (after for predicate in sorted(_recursions(program)) if (after := _projected(program, predicate))), None
        )
    return program


def _recursions(program: Program) -> set[Predicate]:
    """The predicates that call themselves and that nothing forbids to change."""
    if not program.queries:
        return set()
    kept = {*program.inputs, *program.queries, *program.equivalences}
    for rule in program.rules:
        kept |= {literal.atom.predicate for literal in rule.literals if rule.is_constraint or not literal.positive}
    alone = {
        predicate for predicate in recursive_predicates(program) if recursive_through(program, predicate) == {predicate}
    }
    return alone - kept


class _Call:
    """A call of a predicate outside its own rules: the rule, the literal, its arguments, the rest of the body."""

    def __init__(self, rule: Rule, place: int) -> None:
        self.rule, self.literal = rule, rule.body[place]
        self.arguments = body_terms(self.literal)
        self.rest = [*rule.body[:place], *rule.body[place + 1 :]]


def _projected(program: Program, predicate: Predicate) -> Program | None:
    """The program in which this predicate has lost what it only carries; None when there is no such argument."""
    defining = program.defining(predicate)
    outside = [
        _Call(rule, place) for rule in program.rules if rule not in defining for place in _calls(rule, predicate)
    ]
    steps = [(rule, calls[0]) for rule in defining if (calls := _calls(rule, predicate))]
    exits = [rule for rule in defining if not _calls(rule, predicate)]
    if len(outside) != 1 or any(len(_calls(rule, predicate)) > 1 for rule, _ in steps):
        return None
    (call,) = outside
    handed_on = [zip(rule.conclusion.arguments, body_terms(rule.body[step]), strict=True) for rule, step in steps]
    carried = [
        place
        for place, pairs in enumerate(zip(*handed_on, strict=True))
        if all(isinstance(argument, Variable) and argument == given for argument, given in pairs)
    ]
    dropped = [
        place
        for place in carried
        # the caller neither hands the variable on nor repeats it in the call, and the steps do no more than carry it
        if call.arguments[place] not in head_variables(call.rule)
        and _times(call.arguments[place], [call.literal]) == 1
        and isinstance(call.arguments[place], Variable)
        and all(_times(rule.conclusion.arguments[place], rule.items) == 2 for rule, _ in steps)
    ]
    context = _context(call, carried, dropped)
    asked = {item.atom.predicate for item in context if isinstance(item, Literal)}
    if not dropped or predicate in reachable(program, asked):
        return None
    used = variables(*context)
    moved = [place for place in carried if call.arguments[place] in used]
    if any(computes(rule.head.arguments[place]) for rule in exits if rule.head for place in moved):
        return None

    def shorter(atom: Atom) -> Atom:
        if atom.predicate != predicate:
            return atom
        return Atom(atom.name, tuple(term for place, term in enumerate(atom.arguments) if place not in dropped))

    rules = []
    for rule in program.rules:
        if rule in exits:
            rule = _begin(rule, call, moved, context)
        elif rule is call.rule:
            rule = rule.with_body(tuple(item for item in rule.body if item not in context))
        rules.append(map_atoms(rule, shorter))
    return program.with_rules(tuple(rules))


def _calls(rule: Rule, predicate: Predicate) -> list[int]:
    return [
        place for place, item in enumerate(rule.body) if isinstance(item, Literal) and item.atom.predicate == predicate
    ]


def _times(term: Term, items: Iterable[Atom | BodyLiteral]) -> int:
    return sum(part == term for item in items for outer in body_terms(item) for part in subterms(outer))


def _context(call: _Call, carried: Sequence[int], dropped: list[int]) -> list[BodyLiteral]:
    """What the caller asks of `dropped` arguments; those tied to a variable that is not carried are removed."""
    head = head_variables(call.rule)
    known = {call.arguments[place] for place in carried}
    strange = (variables(call.literal) | head) - known
    while True:
        context: list[BodyLiteral] = []
        for place in dropped:
            asked = _reached(call, {call.arguments[place]}, strange | known)
            if any(variables(item) & strange for item in asked):
                dropped.remove(place)
                break
            context += asked
        else:
            return [item for item in call.rest if item in context]


def _reached(call: _Call, shared: Set[Term], others: Set[Term]) -> list[BodyLiteral]:
    """The literals beside the call with one of these variables, or with one that they share that is not of `others`."""
    literals: list[BodyLiteral] = []
    while new := [item for item in call.rest if item not in literals and variables(item) & shared]:
        literals += new
        shared |= variables(*new) - others
    return literals


def _begin(rule: Rule, call: _Call, moved: Sequence[int], context: Sequence[BodyLiteral]) -> Rule:
    """A rule that begins the recursion, with what the caller asks of the arguments."""
    binding: dict[Variable, Term] = {}
    for place in moved:
        variable = call.arguments[place]
        assert isinstance(variable, Variable)
        binding.setdefault(variable, rule.conclusion.arguments[place])
    binding |= fresh_copies(variables(*context) - set(binding), variables(*rule.items))
    return rule.with_body((*rule.body, *substitute(Rule(None, tuple(context)), binding).body))


PASS = Pass(
    "project", "drop an argument that a recursion only carries along, and test it where the recursion begins", project
)
