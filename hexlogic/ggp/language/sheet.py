"""A sheet, the description of a game in GDL, as a program of the rule language.

The words of GDL are its predicates: what a state brings (`true/1`, `does/2`) are inputs, what a player asks for
(`role`, `base`, `input`, `init`, `legal`, `next`, `goal`, `terminal`) are queries where a rule defines them.
`(distinct ?x ?y)` is `X != Y`, its negation `X = Y`. So every pass, printer and engine takes a sheet as it is.

Each alternative of an `or` becomes a rule of its own, or a rule of an auxiliary predicate where that is less:

    (<= p (q ?x) (or (r ?x) (s ?x)))        p :- q(X), r(X).
                                            p :- q(X), s(X).

Several `or` in one body multiply. An `or` whose alternatives can stand alone, binding what they share with the rest,
then becomes `either(X)`, and the rules add up instead.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from hexlogic.errors import ArityError, HexlogicError, StratificationError
from hexlogic.ggp.language.expressions import Expression, Form, Word, words, wrong
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import dependency_graph, sccs, strata
from hexlogic.language.dialects.gdl import FORMULA_WORDS, constant, symbol_name, variable_name
from hexlogic.language.names import fresh_names, fresh_predicate
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Place, Predicate, Program, Rule
from hexlogic.language.terms import Function, Term, Variable
from hexlogic.language.walk import is_ground, map_atoms, substitute, variables

Alternatives: TypeAlias = tuple[tuple[BodyLiteral, ...], ...]
"""A formula as its alternatives, each of which is a conjunction."""

WrittenRule: TypeAlias = tuple[Atom, tuple[Alternatives, ...], Place]
"""A rule as it is written: its head, each formula of its body with its alternatives, its place."""

MOST_RULES = 1000
"""Alternatives that multiply give at most so many rules; one long list of alternatives may be longer."""


def both(formulas: Sequence[Alternatives], place: Place) -> Alternatives:
    """The alternatives of a conjunction. Raises RuleSyntaxError when there are too many."""
    sizes = [len(formula) for formula in formulas]
    if math.prod(sizes) > max([MOST_RULES, *sizes]):
        what = f"the rule stands for more than {MOST_RULES} rules without `or`"
        raise wrong(what, place, "name a part of it by a rule of its own")
    return tuple(tuple(itertools.chain(*chosen)) for chosen in itertools.product(*formulas))


def rules_of(clause: WrittenRule, names: Iterator[str]) -> Iterator[Rule]:
    """The rules that say what the clause says; auxiliary predicates take their names from `names`."""
    head, formulas, place = clause
    sizes = [len(formula) for formula in formulas if len(formula) > 1]
    apart = math.prod(sizes) > 1 + sum(sizes)
    body = list(formulas)
    for number, formula in enumerate(formulas):
        if not apart or len(formula) == 1:
            continue
        rest = (other for other_number, other in enumerate(formulas) if other_number != number)
        shared = _variables([formula]) & (_variables(rest) | variables(head))
        either = Atom("either", tuple(sorted(shared, key=str)))
        if any(unsafe_variables(Rule(either, chosen)) for chosen in formula):
            continue
        named = Atom(next(names), either.arguments)
        yield from (Rule(named, chosen, place) for chosen in formula)
        body[number] = ((Literal(named),),)
    yield from (Rule(head, chosen, place) for chosen in both(body, place))


def _variables(formulas: Iterable[Alternatives]) -> frozenset[Variable]:
    return variables(*(item for formula in formulas for chosen in formula for item in chosen))


INPUTS = (Predicate("true", 1), Predicate("does", 2))
"""What a state and a joint move bring."""
QUERIES = tuple(
    Predicate(name, arity)
    for name, arity in {
        "role": 1, "base": 1, "input": 2, "init": 1, "legal": 2, "next": 1, "goal": 2, "terminal": 0
    }.items()
)  # fmt: skip
"""What a player asks a sheet for."""
PLAYED = tuple(query for query in QUERIES if query.name in ("legal", "next", "goal", "terminal"))
"""What a player asks for in every state."""

_ARITY = {predicate.name: predicate.arity for predicate in (*INPUTS, *QUERIES)}


def sheet_of(rules: Iterable[Rule]) -> Program:
    """The rules with the interface of a sheet, stratified by relation where they are by ground atom.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(sheet_of([parse_rule("role(robot).")]), end="")
    #defined true/1.
    #defined does/2.
    role(robot).
    #show role/1.
    """
    program = Program(tuple(rules), (), INPUTS)
    return stratified(replace(program, queries=tuple(filter(program.heads.__contains__, QUERIES))))


def build_sheet(expressions: Sequence[Expression], file: str) -> Program:
    """The sheet that the expressions of a text spell. Raises RuleSyntaxError or ArityError with the place."""
    rules: list[Rule] = []
    for reading in read_rules(expressions, file):
        if isinstance(reading, HexlogicError):
            raise reading
        rules += reading
    return sheet_of(rules)


def read_rules(expressions: Sequence[Expression], file: str) -> list[tuple[Rule, ...] | HexlogicError]:
    """For each expression of a text the rules that it spells, or the RuleSyntaxError or ArityError that it is."""
    arities: dict[str, int] = dict(_ARITY)
    clauses: list[WrittenRule | HexlogicError] = []
    for expression in expressions:
        try:
            clauses.append(_Reader(file, arities).clause(expression))
        except HexlogicError as error:
            clauses.append(error.at(file=file))
    names = iter(fresh_names("either", arities))
    read: list[tuple[Rule, ...] | HexlogicError] = []
    for clause in clauses:
        try:
            read.append(clause if isinstance(clause, HexlogicError) else tuple(rules_of(clause, names)))
        except HexlogicError as error:
            read.append(error.at(file=file))
    return read


def term_of(expression: Expression) -> Term:
    """The ground term that an expression spells. Raises RuleSyntaxError with the place."""
    for word in filter(lambda word: word.text.startswith("?"), words(expression)):
        raise wrong(f"the variable {word.text} in a term that should be ground", word)
    return _Reader("", {})._term(expression)


@dataclass
class _Reader:
    """Reads one rule: it names the rule's variables, and notes the arity of each predicate in `arities`."""

    file: str
    arities: dict[str, int]
    variables: dict[str, Variable] = field(default_factory=dict)

    def clause(self, expression: Expression) -> WrittenRule:
        # Where two words would become one variable, the later one gets a number.
        names = list(dict.fromkeys(word.text[1:] for word in words(expression) if word.text.startswith("?")))
        wanted = {variable_name(word) for word in names}
        taken: set[str] = set()
        for word in names:
            base = variable_name(word)
            name = base if base not in taken else next(iter(fresh_names(base, taken | wanted)))
            taken.add(name)
            self.variables[word] = Variable(name)
        place = Place(self.file, expression.line, expression.column)
        match expression:
            case Form((Word("<="),)):
                raise wrong("a rule without a head", expression, "(<= head body ...)")
            case Form((Word("<="), head, *body)):
                return self._head(head), tuple(self._formula(item, True) for item in body), place
            case _:
                return self._head(expression), (), place

    def _head(self, expression: Expression) -> Atom:
        name, _ = _split(expression)
        if name.text.lower() in FORMULA_WORDS:
            raise wrong(f"`{name.text}` cannot be derived", name, "a rule is (<= head body ...), its head an atom")
        return self._atom(expression)

    def _formula(self, expression: Expression, positive: bool) -> Alternatives:
        name, parts = _split(expression)
        match name.text.lower():
            case "and" | "or" as word if isinstance(expression, Form):
                formulas = [self._formula(part, positive) for part in parts]
                if not formulas:
                    raise wrong(f"`{name.text}` of nothing", expression)
                if (word == "and") == positive:
                    return both(formulas, Place(self.file, expression.line, expression.column))
                return tuple(itertools.chain.from_iterable(formulas))
            case "not" if isinstance(expression, Form):
                _expect(name, parts, 1)
                return self._formula(parts[0], not positive)
            case "distinct" if isinstance(expression, Form):
                _expect(name, parts, 2)
                left, right = map(self._term, parts)
                return ((Comparison("!=" if positive else "=", left, right),),)
            case "<=":
                raise wrong("a rule inside a rule", expression, "a closing parenthesis may be missing before it")
            case word if word in FORMULA_WORDS:
                raise wrong(f"`{name.text}` stands alone", expression, f"({word} ...)")
        return ((Literal(self._atom(expression), positive),),)

    def _atom(self, expression: Expression) -> Atom:
        name, parts = _split(expression)
        known = name.text.lower()
        if known in _ARITY:
            _expect(name, parts, _ARITY[known])
        else:
            known = symbol_name(name.text)
        before = self.arities.setdefault(known, len(parts))
        if before != len(parts):
            raise ArityError(
                f"`{name.text}` has {_counted(len(parts))} here and {before} before",
                line=expression.line,
                column=expression.column,
                hint="a relation has one arity in a sheet",
            )
        return Atom(known, tuple(map(self._term, parts)))

    def _term(self, expression: Expression) -> Term:
        if isinstance(expression, Word) and expression.text.startswith("?"):
            return self.variables[expression.text[1:]]
        name, parts = _split(expression)
        return Function(symbol_name(name.text), tuple(map(self._term, parts))) if parts else constant(name.text)


def _split(expression: Expression) -> tuple[Word, tuple[Expression, ...]]:
    """The name and the arguments. Raises RuleSyntaxError where there is no name."""
    name, *parts = expression.items if isinstance(expression, Form) and expression.items else [expression]
    if name is expression and isinstance(name, Form):
        raise wrong("an empty list", expression, "a list begins with a name")
    if isinstance(name, Form):
        raise wrong("a list where a name should be", name, "a list begins with a name, as in (cell 1 1 b)")
    if name.text.startswith("?"):
        raise wrong(f"the variable {name.text} where a name should be", name, "variables stand for terms only")
    return name, tuple(parts)


def _expect(name: Word, parts: Sequence[Expression], count: int) -> None:
    if len(parts) != count:
        raise wrong(f"`{name.text}` takes {_counted(count)}, not {len(parts)}", name)


def _counted(count: int) -> str:
    return f"{count} argument" if count == 1 else f"{count} arguments"


_ROUNDS = 8
"""Relations that are split, one after the other."""


def stratified(program: Program) -> Program:
    """The same program where it is stratified; else one with the same answers that is, or the same one where that
    fails: where no argument of a relation tells its atoms apart, or not all bodies have a constant there.

    No `goal` of 100 depends on one of 0. So the atoms with a constant that such bodies ask for get a relation of their
    own; a rule whose head has a variable there stays, and is given to the new relation as well:

        goal(R,100) :- won(R).                               goal_100(R) :- won(R).
        goal(R,0) :- role(R), not goal(R,100).    becomes    goal(R,0) :- role(R), not goal_100(R).
                                                             goal(R,100) :- goal_100(R).

    >>> from hexlogic.language.parser import parse
    >>> print(stratified(parse("g(X,0) :- r(X), not g(X,1). g(X,1) :- w(X).")), end="")
    g(X,0) :- r(X), not g_1(X).
    g_1(X) :- w(X).
    g(X1,1) :- g_1(X1).
    """
    changed = program
    for _ in range(_ROUNDS):
        if _is_stratified(changed):
            return changed
        better = next(filter(None, (_split_relation(changed, *place) for place in _places(changed))), None)
        if better is None:
            break
        changed = better
    return changed if _is_stratified(changed) else program


def _is_stratified(program: Program) -> bool:
    try:
        strata(program)
    except StratificationError:
        return False
    return True


def _places(program: Program) -> Iterator[tuple[frozenset[Predicate], Predicate, int]]:
    """Components with a negation inside, and the argument places of the relations that are negated there."""
    graph = dependency_graph(program)
    for component in sccs(program):
        negated = {
            p for head in component for p, negative in graph.successors(head).items() if negative and p in component
        }
        for predicate in sorted(negated):
            yield from ((component, predicate, place) for place in reversed(range(predicate.arity)))


def _split_relation(
    program: Program, component: frozenset[Predicate], predicate: Predicate, place: int
) -> Program | None:
    """The program with relations of their own for the atoms that bodies of the component ask for; None where a body
    has no constant at that place."""
    asked = [
        literal.atom.arguments[place]
        for rule in program.rules
        if rule.head is not None and rule.head.predicate in component
        for literal in rule.literals
        if literal.atom.predicate == predicate
    ]
    if not all(map(is_ground, asked)):
        return None
    relations: dict[Term, Predicate] = {}
    for value in dict.fromkeys(asked):
        word = "".join(letter if letter.isalnum() else "_" for letter in str(value))
        base = f"{predicate.name}_{word}"
        taken = replace(program, inputs=(*program.inputs, *relations.values()))
        relations[value] = fresh_predicate(taken, base, predicate.arity - 1)

    def apart(atom: Atom) -> Atom:
        if atom.predicate != predicate or atom.arguments[place] not in relations:
            return atom
        rest = atom.arguments[:place] + atom.arguments[place + 1 :]
        return Atom(relations[atom.arguments[place]].name, rest)

    rules = []
    for rule in program.rules:
        if rule.head is None or rule.head.predicate not in component:
            rules.append(rule)
            continue
        if rule.head.predicate == predicate and isinstance(variable := rule.head.arguments[place], Variable):
            rules += (map_atoms(substitute(rule, {variable: value}), apart) for value in relations)
        rules.append(map_atoms(rule, apart))
    names = tuple(Variable(f"X{number}") for number in range(1, predicate.arity))
    for value, new in relations.items():
        whole = (*names[:place], value, *names[place:])
        rules.append(Rule(Atom(predicate.name, whole), (Literal(Atom(new.name, names)),), None))
    return program.with_rules(tuple(rules))
