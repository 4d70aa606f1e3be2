"""Walks over the syntax tree: variables of a term, substitution, and names in use."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeGuard

from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything inside it, outermost first."""
    yield term
    match term:
        case Function(_, arguments):
            for argument in arguments:
                yield from subterms(argument)
        case Arithmetic(_, left, right) | Interval(left, right):
            yield from subterms(left)
            yield from subterms(right)


def body_terms(item: Atom | BodyLiteral) -> tuple[Term, ...]:
    """The outermost terms of an atom, a literal or a comparison."""
    match item:
        case Atom(_, arguments):
            return arguments
        case Literal(atom, _):
            return atom.arguments
        case Comparison(_, left, right):
            return (left, right)


def variables(*items: Term | Atom | BodyLiteral) -> frozenset[Variable]:
    """All variables of some terms, atoms, literals and comparisons."""
    result: set[Variable] = set()
    for item in items:
        for term in body_terms(item) if isinstance(item, Atom | Literal | Comparison) else (item,):
            if isinstance(term, Variable):
                result.add(term)
            elif not isinstance(term, Integer | Symbol):
                result.update(part for part in subterms(term) if isinstance(part, Variable))
    return frozenset(result)


def head_variables(rule: Rule) -> frozenset[Variable]:
    """The variables of the head; none for a constraint."""
    return frozenset() if rule.head is None else variables(rule.head)


def rule_terms(rule: Rule) -> Iterator[Term]:
    """Every term of a rule with every term inside it, head first."""
    return (part for item in rule.items for term in body_terms(item) for part in subterms(term))


def has_interval(rule: Rule) -> bool:
    """Whether an interval such as `1..9` stands in the rule."""
    return any(isinstance(part, Interval) for part in rule_terms(rule))


def computes(term: Term) -> bool:
    """Whether there is an arithmetic expression or an interval anywhere in the term."""
    return any(isinstance(part, Arithmetic | Interval) for part in subterms(term))


def rule_variables(rule: Rule) -> frozenset[Variable]:
    """All variables of a rule."""
    return variables(*rule.items)


def is_ground(item: Term | Atom | BodyLiteral) -> bool:
    """Whether there is no variable in it. An arithmetic expression over integers is ground, an interval as well."""
    return not variables(item)


def is_positive(item: BodyLiteral) -> TypeGuard[Literal]:
    """Whether the item is an atom without negation."""
    return isinstance(item, Literal) and item.positive


def map_term(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with `change` applied to every part of it, innermost first."""
    match term:
        case Variable() | Integer() | Symbol():
            return change(term)
        case Function(name, arguments):
            return change(Function(name, tuple(map_term(argument, change) for argument in arguments)))
        case Arithmetic(operator, left, right):
            return change(Arithmetic(operator, map_term(left, change), map_term(right, change)))
        case Interval(low, high):
            return change(Interval(map_term(low, change), map_term(high, change)))


def map_terms(rule: Rule, change: Callable[[Term], Term]) -> Rule:
    """The rule with `change` applied to every term, innermost first."""
    return _rebuilt(
        rule,
        lambda atom: Atom(atom.name, tuple([map_term(argument, change) for argument in atom.arguments])),
        lambda item: Comparison(item.operator, map_term(item.left, change), map_term(item.right, change)),
    )


def map_atoms(rule: Rule, change: Callable[[Atom], Atom]) -> Rule:
    """The rule with `change` applied to every atom, comparisons untouched."""
    return _rebuilt(rule, change, lambda item: item)


def _rebuilt(rule: Rule, atom: Callable[[Atom], Atom], comparison: Callable[[Comparison], Comparison]) -> Rule:
    body = (
        Literal(atom(item.atom), item.positive) if isinstance(item, Literal) else comparison(item) for item in rule.body
    )
    return Rule(None if rule.head is None else atom(rule.head), tuple(body), rule.place)


def substitute(rule: Rule, binding: Mapping[Variable, Term]) -> Rule:
    """The rule with variables replaced all at once."""
    return map_terms(rule, lambda term: binding.get(term, term) if isinstance(term, Variable) else term)


def ordered_variables(rule: Rule) -> list[Variable]:
    """The variables of a rule in the order of the text, head first."""
    return list(dict.fromkeys(part for part in rule_terms(rule) if isinstance(part, Variable)))


def numbered(rule: Rule) -> Rule:
    """The rule with its variables called V0, V1, ... in the order of the text, head first."""
    order = ordered_variables(rule)
    return substitute(rule, {variable: Variable(f"V{number}") for number, variable in enumerate(order)})


def bind_parameters(parameters: Iterable[Term], terms: Iterable[Term]) -> dict[Variable, Term]:
    """What `substitute` needs to put the terms in the place of the parameters, which are variables."""
    return {name: term for name, term in zip(parameters, terms, strict=True) if isinstance(name, Variable)}


def has_distinct_variables(atom: Atom) -> bool:
    """Whether all arguments are variables, and all different."""
    return all(isinstance(term, Variable) for term in atom.arguments) and len({*atom.arguments}) == len(atom.arguments)


def rename_rule(rule: Rule, names: Mapping[Predicate, str]) -> Rule:
    """The rule with its predicates renamed, its terms untouched."""
    return map_atoms(rule, lambda atom: Atom(names.get(atom.predicate, atom.name), atom.arguments))


def predicates(program: Program) -> frozenset[Predicate]:
    """Every predicate that occurs in the program, its inputs and queries included."""
    used = (atom.predicate for rule in program.rules for atom in rule.atoms)
    return frozenset((*program.inputs, *program.queries, *used))


def general_atom(predicate: Predicate, letter: str = "X") -> Atom:
    """The predicate over the variables X0, X1, ..., or with another letter.

    >>> print(general_atom(Predicate("edge", 2)))
    edge(X0,X1)
    """
    return Atom(predicate.name, tuple(Variable(f"{letter}{number}") for number in range(predicate.arity)))


def term_key(term: Term) -> tuple[int, int, str]:
    """A key that sorts ground terms: integers by value, then symbols and compound terms by text."""
    return (0, term.value, "") if isinstance(term, Integer) else (1, 0, str(term))
