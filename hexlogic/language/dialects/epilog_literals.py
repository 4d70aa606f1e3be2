"""Literals of a game description as a rulesheet of Epilog asks them: the state, the move, and what deletes a fact."""

from hexlogic.language import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import substitute, variables

DOES = Predicate("does", 2)


def true(fact: Term) -> Literal:
    """`true(fact)`."""
    return Literal(Atom("true", (fact,)))


def not_done(item: BodyLiteral, name: str) -> BodyLiteral:
    """`not does(P,M)` with the name of a view that says the same."""
    denied = isinstance(item, Literal) and item.atom.predicate == DOES and not item.positive
    return Literal(Atom(name, item.atom.arguments), positive=False) if denied else item  # type: ignore[union-attr]


def asks_only_who_moves(item: BodyLiteral, rule: Rule, move: Term) -> bool:
    """Whether a literal only asks whether a role is in control: one always is."""
    match item:
        case Literal(Atom("true", (Function("control", (Variable() as role,)),)), True):
            kept = rule.body if rule.conclusion.name == "legal" else rule.items
            others = variables(move, *(other for other in kept if other != item))
            return role not in others
    return False


def is_move(item: BodyLiteral) -> bool:
    """Whether a literal asks for a move, `does(P,M)`."""
    return isinstance(item, Literal) and item.atom.predicate == DOES


def denying(certain: Rule, test: BodyLiteral) -> Rule:
    """When a fact, that of the head, is deleted which a test keeps: a body that binds it need not ask for it."""
    fact = certain.conclusion.arguments[0]
    if isinstance(test, Literal):
        denied: BodyLiteral = Literal(test.atom, not test.positive)
        body = (*certain.body, denied, true(fact)) if not test.positive else (*certain.body, true(fact), denied)
    elif test.operator == "!=" and isinstance(test.left, Variable):
        return without_its_fact(substitute(certain.with_body((*certain.body, true(fact))), {test.left: test.right}))
    elif test.operator == "!=" and isinstance(test.right, Variable):
        return without_its_fact(substitute(certain.with_body((*certain.body, true(fact))), {test.right: test.left}))
    else:
        body = (*certain.body, true(fact), Comparison("!=" if test.operator == "=" else "=", test.left, test.right))
    return without_its_fact(certain.with_body(body))


def without_its_fact(rule: Rule) -> Rule:
    """The rule without asking for the fact of its head where the rest of the body binds it."""
    asked = true(rule.conclusion.arguments[0])
    rest = tuple(item for item in rule.body if item != asked)
    binding = variables(*(item for item in rest if isinstance(item, Literal) and item.positive))
    return rule.with_body(rest) if variables(asked) <= binding else rule
