"""Homomorphisms between conjunctions, for conjunctive-query minimisation and rule subsumption; unification of terms.

A homomorphism maps variables to terms so that every literal of the source becomes a literal of the target. Negated
atoms and comparisons must be mapped to equal ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from hexlogic.language import (
    Arithmetic,
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Literal,
    Predicate,
    Program,
    Rule,
    Term,
    Variable,
)
from hexlogic.language.names import fresh_copies
from hexlogic.language.walk import body_terms, computes, rule_variables, substitute, variables

Binding = dict[Variable, Term]
_ATTEMPTS = 2_000


def match_terms(pattern: Sequence[Term], target: Sequence[Term], binding: Mapping[Variable, Term]) -> Binding | None:
    """The binding extended so that `pattern` becomes `target`, or None.

    >>> x, y = Variable("X"), Variable("Y")
    >>> match_terms([x, x], [y, y], {})
    {Variable(name='X'): Variable(name='Y')}
    >>> match_terms([x], [x], {x: y}) is None
    True
    """
    extended = dict(binding)
    waiting = list(zip(pattern, target, strict=True))
    while waiting:
        left, right = waiting.pop()
        match left, right:
            case Variable(), _:
                if extended.setdefault(left, right) != right:
                    return None
            case Function(name, parts), Function(other, others) if name == other and len(parts) == len(others):
                waiting += zip(parts, others, strict=True)
            case Arithmetic(operator, low, high), Arithmetic(same, other_low, other_high) if operator == same:
                waiting += [(low, other_low), (high, other_high)]
            case _ if left != right:
                return None
    return extended


def _shape(item: BodyLiteral) -> tuple[object, ...]:
    match item:
        case Literal(Atom(name, arguments), positive):
            return (name, len(arguments), positive)
        case Comparison(operator, _, _):
            return (operator,)


def find_homomorphism(
    source: Iterable[BodyLiteral],
    target: Collection[BodyLiteral],
    fixed: Mapping[Variable, Term],
) -> Binding | None:
    """A homomorphism from `source` to `target` that extends `fixed`, or None.

    After `_ATTEMPTS` matching attempts the answer is None, which is the safe answer for a caller that removes something
    on success.
    """
    shelves: dict[tuple[object, ...], list[BodyLiteral]] = {}
    for item in target:
        shelves.setdefault(_shape(item), []).append(item)
    literals = list(source)
    names = [variables(item) for item in literals]
    attempts = 0

    def extend(binding: Binding, waiting: frozenset[int]) -> Binding | None:
        nonlocal attempts
        if not waiting:
            return binding
        # The literal with the fewest undecided variables goes first: it has the fewest images.
        chosen = min(waiting, key=lambda number: (len(names[number] - binding.keys()), number))
        for image in shelves.get(_shape(literals[chosen]), ()):
            attempts += 1
            if attempts > _ATTEMPTS:
                return None
            bound = match_terms(body_terms(literals[chosen]), body_terms(image), binding)
            if bound is None:
                continue
            complete = extend(bound, waiting - {chosen})
            if complete is not None:
                return complete
        return None

    return extend(dict(fixed), frozenset(range(len(literals))))


def resolve(term: Term, binding: Binding) -> Term:
    """The term with its bound variables replaced, and those of what replaces them."""
    match term:
        case Variable() if term in binding:
            return resolve(binding[term], binding)
        case Function(name, arguments):
            return Function(name, tuple(resolve(argument, binding) for argument in arguments))
        case _:
            return term


def unify(left: Term, right: Term, binding: Binding) -> bool:
    """Extend the binding to the most general one that makes the terms equal; False when there is none. Variables of the
    left term are replaced first. Two different names are never made equal, though both may be the same `#const`."""
    left, right = resolve(left, binding), resolve(right, binding)
    match left, right:
        case _ if left == right:
            return True
        case Variable(), _ if left not in variables(right):
            binding[left] = right
            return True
        case _, Variable() if right not in variables(left):
            binding[right] = left
            return True
        case Function(name, parts), Function(other, others) if name == other and len(parts) == len(others):
            return all(unify(mine, theirs, binding) for mine, theirs in zip(parts, others, strict=True))
        case _:
            return False


def unfold_call(rule: Rule, call: Literal, definition: Rule) -> Rule | None:
    """The rule with the call replaced by the definition's body, None when they cannot be unified."""
    position = rule.body.index(call)
    names, others = rule_variables(definition), rule_variables(rule)
    renamed = substitute(definition, fresh_copies(names & others, names | others))
    binding: dict[Variable, Term] = {}
    tests: list[BodyLiteral] = []
    for wanted, given in zip(renamed.conclusion.arguments, call.atom.arguments, strict=True):
        if computes(wanted) or computes(given):
            tests.append(Comparison("=", given, wanted))
        elif not unify(wanted, given, binding):
            return None
    resolved = {variable: resolve(variable, binding) for variable in binding}
    body = (*rule.body[:position], *renamed.body, *tests, *rule.body[position + 1 :])
    return substitute(rule.with_body(body), resolved)


def unfold_calls(rule: Rule, program: Program, opened: Collection[Predicate], most: int) -> list[Rule]:
    """The rules that a rule becomes where each positive call of an `opened` predicate is replaced by the definitions;
    none where they are more than `most`. No opened predicate may be recursive."""
    done, waiting = list[Rule](), [rule]
    while waiting and len(done) + len(waiting) <= most:
        each = waiting.pop(0)
        call = next((item for item in each.literals if item.positive and item.atom.predicate in opened), None)
        if call is None:
            done.append(each)
            continue
        written = (unfold_call(each, call, definition) for definition in program.defining(call.atom.predicate))
        waiting[:0] = [new for new in written if new is not None]
    return [] if waiting else done
