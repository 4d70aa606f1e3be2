"""The positive rules that Sagiv's test runs on a frozen body: each is true in the least model of the program.

A frozen body is a small database of new constants that stand for any cells. What positive rules derive from it holds
wherever the body holds. So nothing may be evaluated that depends on *which* cells they are:
- `not q(X)` becomes the uninterpreted atom `'not'q(X)`: true only where a frozen body or a proved claim says so;
- `X < Y` becomes the uninterpreted atom `'less'(X,Y)`, arithmetic an uninterpreted function, and a rule with the term
  `X+1` also asks for `'defined'('plus'(X,1))`: it says nothing about an `X` that is no number.

    inversion      of  from_first(P,Y) :- first(P,X), same_cluster(P,X,Y).     (the only rule for from_first)
                   is  first(P,'x'(P,Y)) :- from_first(P,Y).  same_cluster(P,'x'(P,Y),Y) :- from_first(P,Y).
    impossibility      'contradiction' :- q(X), 'not'q(X).
    order              'less'(X,Z) :- 'less'(X,Y), 'atmost'(Y,Z).      what holds in every total order of terms

The apostrophe stands in front of every name made here, where no rule text can have one (`internal_name`).
"""

from collections.abc import Iterable, Iterator, Sequence

from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import internal_name
from hexlogic.language.terms import Arithmetic, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import general_atom, has_distinct_variables, map_terms, rule_terms, subterms, variables

CONTRADICTION = Atom(internal_name("contradiction"))

_WORDS = {"<": "less", "<=": "atmost", "!=": "unequal", "=": "equal"}
_TURNED = {">": "<", ">=": "<="}
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "over", "\\": "modulo"}
_COMPARED = {operator: internal_name(word) for operator, word in _WORDS.items()}
_COMPUTED = {operator: internal_name(word) for operator, word in _OPERATORS.items()}
_DEFINED, _KNOWN, _NUMBER = internal_name("defined"), internal_name("known"), internal_name("number")
_ROUNDS = 3
_MOST = 4_000
"""Atoms after which terms are nested no deeper."""


def positive(rule: Rule) -> Rule:
    """The rule with negation, comparisons and arithmetic uninterpreted; without a head, its head is `CONTRADICTION`.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(positive(parse_rule("p(X) :- q(X,Y), not r(Y), Y > X.")))
    p(X) :- q(X,Y), 'not'r(Y), 'less'(X,Y).
    >>> print(positive(parse_rule("p(X+1) :- q(X).")))
    p('plus'(X,1)) :- q(X), 'defined'('plus'(X,1)).
    """

    def uninterpreted(term: Term) -> Term:
        return Function(_COMPUTED[term.operator], (term.left, term.right)) if isinstance(term, Arithmetic) else term

    plain = map_terms(rule, uninterpreted)
    body = tuple(Literal(_atom(item)) for item in plain.body)
    terms = (*(plain.head.arguments if plain.head else ()), *(term for item in body for term in item.atom.arguments))
    functions = (part for term in terms for part in subterms(term) if isinstance(part, Function))
    computed = dict.fromkeys(term for term in functions if term.name in _COMPUTED.values())
    defined = tuple(Literal(Atom(_DEFINED, (term,))) for term in computed)
    return Rule(plain.head or CONTRADICTION, body + defined, rule.place)


def negated(atom: Atom) -> Atom:
    """The uninterpreted atom that says that `atom` is false."""
    return Atom(internal_name("not", atom.name), atom.arguments)


def denial(rule: Rule) -> Rule:
    """A rule of `positive` form as one without a head: its body and that its head is false cannot be.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(denial(positive(parse_rule("p(X) :- q(X,Y)."))))
    'contradiction' :- q(X,Y), 'not'p(X).
    """
    if rule.head is None or rule.head == CONTRADICTION:
        return rule
    return Rule(CONTRADICTION, (*rule.body, Literal(negated(rule.head))))


def excluded_comparisons(rule: Rule) -> Iterator[Rule]:
    """What a rule of `positive` form without a head says of its comparisons: one cannot be where the rest holds.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(*excluded_comparisons(positive(parse_rule(":- p(X), q(Y), X < Y."))))
    'atmost'(Y,X) :- p(X), q(Y).
    """
    for literal in rule.literals:
        name = next((sign for sign in _COMPARED if _COMPARED[sign] == literal.atom.name), None)
        rest = tuple(other for other in rule.body if other != literal)
        if name is not None and variables(literal) <= frozenset[Variable]().union(*map(variables, rest)):
            left, right = literal.atom.arguments
            opposite, *sides = {"<": ("<=", right, left), "<=": ("<", right, left)}.get(
                name, ("=" if name == "!=" else "!=", left, right)
            )
            yield Rule(Atom(_COMPARED[opposite], tuple(sides)), rest)


def _atom(item: BodyLiteral) -> Atom:
    if isinstance(item, Literal):
        return item.atom if item.positive else negated(item.atom)
    operator, left, right = item.operator, item.left, item.right
    if operator in _TURNED:
        return _atom(Comparison("<" if operator == ">" else "<=", right, left))
    if operator in ("!=", "=") and str(right) < str(left):
        left, right = right, left
    return Atom(_COMPARED[operator], (left, right))


def bounded(rule: Rule) -> Rule:
    """The rule, held back from building terms without end: what it wraps in a function must be `'known'`.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(bounded(parse_rule("number(next(X)) :- number(X).")))
    number(next(X)) :- number(X), 'known'(X).
    """
    present = {part for item in rule.literals for term in item.atom.arguments for part in subterms(term)}
    built = {
        part for term in rule.conclusion.arguments for part in subterms(term) if isinstance(part, Function)
    } - present
    wrapped = frozenset[Variable]().union(*(variables(part) for part in built))
    known = tuple(Literal(Atom(_KNOWN, (variable,))) for variable in sorted(wrapped, key=str))
    return rule.with_body(rule.body + known)


def existential(rule: Rule, label: str) -> Rule:
    """The rule with each head variable that its body does not bind replaced by a term of the variables it does. The
    body then also asks that those be `'known'`, which bounds how deep such terms are nested."""
    bound = variables(*rule.body) & variables(rule.conclusion)
    return _with_terms(rule, sorted(bound, key=str), label)


def _with_terms(rule: Rule, frontier: Sequence[Variable], label: str) -> Rule:
    bound = variables(*rule.body)
    if variables(rule.conclusion) <= bound:
        return rule

    def replace(term: Term) -> Term:
        if isinstance(term, Variable) and term not in bound:
            name = internal_name("some", f"{label}'{term.name}")
            return Function(name, tuple(frontier)) if frontier else Symbol(name)
        return term

    head = map_terms(Rule(rule.conclusion), replace).head
    known = tuple(Literal(Atom(_KNOWN, (variable,))) for variable in frontier)
    return Rule(head, rule.body + known)


def inversions(program: Program, complete: Iterable[Predicate]) -> Iterator[Rule]:
    """For every `complete` predicate with one rule: what follows from its head, since nothing else can have derived it.
    Leaves alone heads with a constant or a repeated variable."""
    for number, predicate in enumerate(sorted(complete)):
        rules = program.defining(predicate)
        if len(rules) == 1 and rules[0].body and has_distinct_variables(head := rules[0].conclusion):
            arguments = [term for term in head.arguments if isinstance(term, Variable)]
            for item in positive(rules[0]).literals:
                yield _with_terms(Rule(item.atom, (Literal(head),)), arguments, f"inverse{number}")


def impossible(programs: Iterable[Rule]) -> Iterator[Rule]:
    """`'contradiction' :- q(X), 'not'q(X).` for every negated predicate."""
    denied = sorted({literal.atom.predicate for rule in programs for literal in rule.literals if not literal.positive})
    for predicate in denied:
        atom = general_atom(predicate)
        yield Rule(CONTRADICTION, (Literal(atom), Literal(negated(atom))))


def told_apart(programs: Iterable[Rule]) -> Iterator[Rule]:
    """`'unequal'(X0,Y) :- q(X0), 'not'q(Y).` for every negated predicate and place, where a rule compares."""
    rules = tuple(programs)
    if any(isinstance(item, Comparison) and item.operator != "=" for rule in rules for item in rule.body):
        denied = {item.atom.predicate for rule in rules for item in rule.literals if not item.positive}
        for atom in map(general_atom, sorted(denied)):
            for place, term in enumerate(atom.arguments):
                other = Variable("Y")
                changed = Atom(atom.name, (*atom.arguments[:place], other, *atom.arguments[place + 1 :]))
                yield Rule(Atom(_COMPARED["!="], (term, other)), (Literal(atom), Literal(negated(changed))))


def ordered(programs: Sequence[Rule]) -> Iterator[Rule]:
    """Axioms of gringo's total order of terms, where a rule compares; its integers stand in their own order."""
    if not any(isinstance(item, Comparison) for rule in programs for item in rule.body):
        return
    x, y, z = (Variable(name) for name in "XYZ")

    def at(sign: str, left: Variable, right: Variable) -> Literal:
        return Literal(Atom(_COMPARED[sign], (left, right)))

    yield Rule(CONTRADICTION, (at("<", x, x),))
    yield Rule(CONTRADICTION, (at("!=", x, x),))
    for first, second, both in (("<", "<=", "<"), ("<=", "<", "<"), ("<=", "<=", "<=")):
        yield Rule(at(both, x, z).atom, (at(first, x, y), at(second, y, z)))
    for sign, implied in (("<", "<="), ("<", "!="), ("=", "<=")):
        yield Rule(at(implied, x, y).atom, (at(sign, x, y),))
    for sign in ("=", "!="):
        yield Rule(at(sign, y, x).atom, (at(sign, x, y),))
    yield Rule(at("=", x, y).atom, (at("<=", x, y), at("<=", y, x)))
    yield Rule(at("<", x, y).atom, (at("<=", x, y), at("!=", x, y)))
    integers = {term for rule in programs for term in rule_terms(rule) if isinstance(term, Integer)}
    yield from (Rule(Atom(_NUMBER, (term,))) for term in sorted(integers, key=lambda term: term.value))
    numbers = tuple(Literal(Atom(_NUMBER, (place,))) for place in (x, y))
    yield Rule(at("<", x, y).atom, (*numbers, Comparison("<", x, y)))


def chase(rules: Iterable[Rule], facts: Iterable[Atom]) -> Iterator[frozenset[Atom]]:
    """What positive `rules` derive from ground `facts`, run by clingo, with terms nested deeper and deeper: each set
    follows, and contains the one before. It ends a few levels deep, or before a set that would be large."""
    program, start = Program(tuple(rules)), tuple(facts)
    known = {part for atom in start for term in atom.arguments for part in subterms(term)}
    while True:
        marks = [Atom(_KNOWN, (term,)) for term in sorted(known, key=str)]
        model = least_model(program, (*start, *marks))
        yield model
        terms = {part for atom in model for term in atom.arguments for part in subterms(term)}
        fresh = {term for term in terms - known if _depth(term) < _ROUNDS}
        if not fresh or len(model) > _MOST:
            return
        known |= fresh


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term.arguments), default=0) if isinstance(term, Function) else 0
