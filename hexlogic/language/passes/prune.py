"""Prune: drop body literals that the rest of the body implies, and rules that another rule covers.

Before:  r(X,Y) :- p(X,Y), q(Y), q(Z).          touching(X,Y) :- cell(X), edge(X,Y).  :- edge(X,Y), not cell(X).
After:   r(X,Y) :- p(X,Y), q(Y).                touching(X,Y) :- edge(X,Y).           :- edge(X,Y), not cell(X).

A literal goes when a homomorphism that keeps the head maps the body into the rest of it (conjunctive-query
minimisation), or when an inclusion dependency that the program guarantees yields it. A rule goes when another one has
a more general head and body. Keeps the least model for inputs that respect the integrity constraints.

Leaves alone facts and constraints, literals whose loss would make the rule unsafe or its order illegal, and literals
whose predicate depends on the rule's head (what implies them could then be circular). In bodies of more than 60
literals only repetitions and guaranteed literals go: looking for homomorphisms is exponential in the worst case.
Source: Guru and Weng 2019, section 4 (sub-goal pruning).
"""

from collections import Counter
from collections.abc import Sequence

from hexlogic.language import BodyLiteral, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.binding import is_legal, unsafe_variables
from hexlogic.language.analysis.dependence import reachable
from hexlogic.language.ground.domains import Guarantees
from hexlogic.language.homomorphism import find_homomorphism, match_terms
from hexlogic.language.passes import Pass
from hexlogic.language.walk import is_ground, is_positive, rule_variables, variables

LONGEST_SEARCH = 60
"""Body literals up to which homomorphisms are looked for: the search is exponential in the worst case."""


def subsumes(general: Rule, special: Rule) -> bool:
    """Whether every conclusion of `special` is one of `general` from the same premises.

    >>> from hexlogic.language.parser import parse_rule
    >>> subsumes(parse_rule("p(X) :- q(X,Y)."), parse_rule("p(Z) :- q(Z,Z), r(Z)."))
    True
    """
    if general.head is None or special.head is None or general.head.predicate != special.head.predicate:
        return False
    binding = match_terms(general.head.arguments, special.head.arguments, {})
    return binding is not None and find_homomorphism(general.body, special.body, binding) is not None


def without_subsumed(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that no other subsumes (of two alike the first), that do not repeat their head or a fact."""
    kept = [rule for rule in dict.fromkeys(rules) if rule.head is None or Literal(rule.head) not in rule.body]
    by_head: dict[Predicate, list[Rule]] = {}
    for rule in kept:
        if rule.head is not None and rule.body:
            by_head.setdefault(rule.head.predicate, []).append(rule)
    dropped: set[Rule] = set()
    for group in by_head.values():
        dropped |= _supersets([rule for rule in group if not rule_variables(rule)])
        general = [rule for rule in group if rule_variables(rule) and len(rule.body) <= LONGEST_SEARCH]
        for number, rule in enumerate(group):
            covering = (
                other for other in general if other is not rule and other not in dropped and subsumes(other, rule)
            )
            if any(group.index(other) <= number or not subsumes(rule, other) for other in covering):
                dropped.add(rule)
    return tuple(rule for rule in kept if rule not in dropped)


def _supersets(rules: Sequence[Rule]) -> set[Rule]:
    """Ground rules whose body contains another's with the same head; bodies are filed by their rarest literal."""
    frequency = Counter(item for rule in rules for item in rule.body)
    files: dict[BodyLiteral, list[tuple[frozenset[BodyLiteral], Rule]]] = {}
    bodies = {rule: frozenset(rule.body) for rule in rules}
    for rule, body in bodies.items():
        files.setdefault(min(rule.body, key=frequency.__getitem__), []).append((body, rule))
    return {
        rule
        for rule, body in bodies.items()
        if any(other.head == rule.head and subset < body for item in body for subset, other in files.get(item, ()))
    }


def prune(program: Program) -> Program:
    """The program without what is implied."""
    guarantees = Guarantees(program)
    for index, rule in enumerate(program.rules):
        if len(rule.body) > 1 and not rule.is_constraint:
            shorter = _prune_rule(program, index, guarantees)
            if shorter is not program:
                program, guarantees = shorter, Guarantees(shorter)
    rules = without_subsumed(program.rules)
    return program if len(rules) == len(program.rules) else program.with_rules(rules)


def _prune_rule(program: Program, index: int, guarantees: Guarantees) -> Program:
    """Take implied literals out of one rule, from the right, so that earlier literals are kept where two would do."""
    for position in reversed(range(len(program.rules[index].body))):
        rule = program.rules[index]
        item, rest = rule.body[position], rule.body[:position] + rule.body[position + 1 :]
        maps_away = _maps_away(rule, item, rest)
        implied = isinstance(item, Literal) and item.positive and guarantees.implies(rest, item.atom)
        if not rest or not (maps_away or implied):
            continue
        shorter = rule.with_body(rest)
        if unsafe_variables(shorter) or (is_legal(rule) and not is_legal(shorter)):
            continue
        candidate = program.with_rules((*program.rules[:index], shorter, *program.rules[index + 1 :]))
        if maps_away or (
            # implied by dependencies that hold in the program without the literal, too
            isinstance(item, Literal)
            and shorter.conclusion.predicate not in reachable(candidate, [item.atom.predicate])
            and Guarantees(candidate).implies(rest, item.atom)
        ):
            program = candidate
    return program


def _maps_away(rule: Rule, item: BodyLiteral, rest: tuple[BodyLiteral, ...]) -> bool:
    """Whether the body maps into `rest`, the body without one literal, the head staying as it is."""
    if item in rest:
        return True
    # another literal of the same predicate that it could be mapped to
    if len(rule.body) > LONGEST_SEARCH or not is_positive(item) or is_ground(item):
        return False
    if not any(is_positive(other) and other.atom.name == item.atom.name for other in rest):
        return False
    identity = {variable: variable for variable in variables(rule.conclusion)}
    return find_homomorphism((item, *rest), rest, identity) is not None


PASS = Pass("prune", "drop body literals that the rest of the body implies, and rules that another rule covers", prune)
