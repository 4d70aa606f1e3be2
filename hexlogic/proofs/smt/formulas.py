"""First-order formulas over the terms of the rule language; a problem, axioms and a goal; and its text for provers.

Two sorts: `int` for what is counted and compared (cells, rows, sides by number), `thing` for everything else (players,
sides by name). Negation is the classical one. Finite models: `models.py`.

Texts are a script in SMT-LIB 2.6, which asks about the negated goal (`unsat` means that the goal follows), and TPTP's
typed first-order form (TFF), where the goal is the conjecture. Every name is quoted and says what it is, so that no
rule text can meet a word of the language: `|reach/2|`, `|name red|`, `|size rows|`, `|value 'c'X|`. `/` and `\\` round
towards 0 as in gringo: in SMT-LIB they are defined from `div`, in TPTP they are `$quotient_t` and `$remainder_t`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never
from typing import Literal as OneOf

from hexlogic.language import Arithmetic, Atom, Comparison, Integer, Predicate, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, map_term, subterms

Sort: TypeAlias = OneOf["int", "thing"]
Typed: TypeAlias = tuple[tuple[Variable, Sort], ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Classical negation."""

    part: "Formula"


@dataclass(frozen=True, slots=True)
class Connective:
    """`and`, `or` (of any number of parts), `=>` or `<=>` (of two)."""

    kind: OneOf["and", "or", "=>", "<=>"]
    parts: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True)
class Quantified:
    """`forall` or `exists` over at least one variable."""

    kind: OneOf["forall", "exists"]
    variables: Typed
    part: "Formula"


Formula: TypeAlias = Atom | Comparison | Not | Connective | Quantified

TRUE = Connective("and", ())
FALSE = Connective("or", ())


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of the parts; the part itself when there is one only."""
    kept = tuple(dict.fromkeys(part for part in parts if part != TRUE))
    return kept[0] if len(kept) == 1 else Connective("and", kept)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """One of the parts at least; the part itself when there is one only."""
    kept = tuple(dict.fromkeys(part for part in parts if part != FALSE))
    return kept[0] if len(kept) == 1 else Connective("or", kept)


def implication(condition: Formula, conclusion: Formula) -> Formula:
    """`condition => conclusion`; the conclusion alone when the condition is true."""
    return conclusion if condition == TRUE else Connective("=>", (condition, conclusion))


def quantified(kind: OneOf["forall", "exists"], variables: Typed, part: Formula) -> Formula:
    """The formula under a quantifier, or as it is when there are no variables."""
    return Quantified(kind, variables, part) if variables else part


@dataclass(frozen=True, slots=True)
class Named:
    """A formula, a name for it (`rule 3`) and the rule text that it stands for."""

    name: str
    text: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Problem:
    """Does the goal follow from the axioms? `parameters` are unknown integers, such as `rows`.

    `constants` stand for any value of their sort. Every other symbolic constant is a value of its own. `definitions`
    are predicates that are not recursive, each after those that it uses, with their arguments and what they mean.
    `euclidean` says that no dividend is negative and every divisor positive, so that all ways of rounding are one.
    `signature` says the sorts of every predicate's arguments, `comment` what the problem is.
    """

    name: str
    parameters: tuple[Symbol, ...]
    axioms: tuple[Named, ...]
    goal: Named
    constants: tuple[tuple[Symbol, Sort], ...] = ()
    definitions: tuple[tuple[Atom, Typed, Named], ...] = ()
    euclidean: bool = False
    signature: tuple[tuple[Predicate, tuple[Sort, ...]], ...] = ()
    comment: tuple[str, ...] = ()

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Every formula of the problem, the goal last."""
        defined = (meaning.formula for _, _, meaning in self.definitions)
        return (*defined, *(axiom.formula for axiom in self.axioms), self.goal.formula)

    @property
    def names(self) -> tuple[Symbol, ...]:
        """The symbolic constants that are values of their own."""
        terms = {term for formula in self.formulas for term in terms_of(formula) if isinstance(term, Symbol)}
        return tuple(sorted((symbol for symbol in terms if self.kind_of(symbol) == "name"), key=str))

    def kind_of(self, symbol: Symbol) -> OneOf["size", "value", "name"]:
        """What the symbol is: a parameter, a constant, or a value of its own."""
        if symbol in self.parameters:
            return "size"
        return "value" if any(symbol == constant for constant, _ in self.constants) else "name"


def atoms_of(formula: Formula) -> Iterator[Atom | Comparison]:
    """Every atom and comparison of the formula."""
    match formula:
        case Atom() | Comparison():
            yield formula
        case Not(part) | Quantified(_, _, part):
            yield from atoms_of(part)
        case Connective(_, parts):
            for part in parts:
                yield from atoms_of(part)
        case _:
            assert_never(formula)


def terms_of(formula: Formula) -> Iterator[Term]:
    """Every term of the formula, those inside terms too."""
    for atom in atoms_of(formula):
        for term in body_terms(atom):
            yield from subterms(term)


def replaced(formula: Formula, values: Mapping[Term, Term]) -> Formula:
    """The formula with other terms in the place of variables and symbols, which it does not bind itself."""
    match formula:
        case Not(part):
            return Not(replaced(part, values))
        case Connective(kind, parts):
            return Connective(kind, tuple(replaced(part, values) for part in parts))
        case Quantified(kind, variables, part):
            return Quantified(kind, variables, replaced(part, values))
        case Atom(name, arguments):
            return Atom(name, tuple(map_term(term, lambda term: values.get(term, term)) for term in arguments))
        case Comparison(operator, left, right):
            sides = (map_term(term, lambda term: values.get(term, term)) for term in (left, right))
            return Comparison(operator, *sides)


_PLAIN: Final = re.compile(r"[A-Z][0-9]*")
_ROUNDING: Final = """(define-fun |rounded over| ((X Int) (Y Int)) Int (ite (>= X 0) (div X Y) (- (div (- X) Y))))
(define-fun |rounded remainder| ((X Int) (Y Int)) Int (ite (>= X 0) (mod X Y) (- (mod (- X) Y))))"""


class _Smtlib:
    operators: Mapping[str, str] = {"/": "|rounded over|", "\\": "|rounded remainder|"}
    euclidean: Mapping[str, str] = {"/": "div", "\\": "mod"}
    sorts: Mapping[Sort, str] = {"int": "Int", "thing": "Thing"}

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._operators = {**self.operators, **(self.euclidean if problem.euclidean else {})}

    def quoted(self, name: str) -> str:
        return f"|{name}|"

    def applied(self, name: str, arguments: Iterable[str]) -> str:
        return f"({name} {' '.join(arguments)})"

    def variable(self, variable: Variable) -> str:
        return variable.name if _PLAIN.fullmatch(variable.name) else f"|{variable.name}|"

    def integer(self, value: int) -> str:
        return str(value) if value >= 0 else f"(- {-value})"

    def declared(self, typed: Typed) -> str:
        return " ".join(f"({self.variable(variable)} {self.sorts[sort]})" for variable, sort in typed)

    def symbol(self, symbol: Symbol) -> str:
        return self.quoted(f"{self._problem.kind_of(symbol)} {symbol.name}")

    def atom(self, atom: Atom) -> str:
        name = self.quoted(str(atom.predicate))
        return self.applied(name, map(self.term, atom.arguments)) if atom.arguments else name

    def term(self, term: Term) -> str:
        match term:
            case Variable():
                return self.variable(term)
            case Integer(value):
                return self.integer(value)
            case Symbol():
                return self.symbol(term)
            case Arithmetic(operator, left, right):
                return self.applied(self._operators.get(operator, operator), map(self.term, (left, right)))
            case _:
                raise AssertionError(f"{term} is not first-order over two sorts")

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom():
                return self.atom(formula)
            case Comparison("!=", left, right):
                return f"(not (= {self.term(left)} {self.term(right)}))"
            case Comparison(operator, left, right):
                return f"({operator} {self.term(left)} {self.term(right)})"
            case Not(part):
                return f"(not {self.formula(part)})"
            case Connective(kind, ()):
                return "true" if kind == "and" else "false"
            case Connective(kind, parts):
                return f"({'=' if kind == '<=>' else kind} {' '.join(map(self.formula, parts))})"
            case Quantified(kind, variables, part):
                return f"({kind} ({self.declared(variables)}) {self.formula(part)})"


class _Tptp(_Smtlib):
    operators: Mapping[str, str] = {
        "+": "$sum",
        "-": "$difference",
        "*": "$product",
        "/": "$quotient_t",
        "\\": "$remainder_t",
        "<": "$less",
        "<=": "$lesseq",
        ">": "$greater",
        ">=": "$greatereq",
    }
    euclidean: Mapping[str, str] = {"/": "$quotient_e", "\\": "$remainder_e"}
    sorts: Mapping[Sort, str] = {"int": "$int", "thing": "thing"}

    def quoted(self, name: str) -> str:
        return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def applied(self, name: str, arguments: Iterable[str]) -> str:
        return f"{name}({','.join(arguments)})"

    def variable(self, variable: Variable) -> str:
        if _PLAIN.fullmatch(variable.name):
            return variable.name
        return "V_" + variable.name.replace("_", "_u").replace("'", "_p")

    def integer(self, value: int) -> str:
        return str(value)

    def declared(self, typed: Typed) -> str:
        return ", ".join(f"{self.variable(variable)}: {self.sorts[sort]}" for variable, sort in typed)

    def annotated(self, name: str, role: str, text: str) -> str:
        """A formula with its name and role."""
        return f"tff({self.quoted(name)}, {role}, {text})."

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom():
                return self.atom(formula)
            case Comparison(("=" | "!=") as operator, left, right):
                return f"({self.term(left)} {operator} {self.term(right)})"
            case Comparison(operator, left, right):
                return self.applied(self.operators[operator], map(self.term, (left, right)))
            case Not(part):
                return f"~ ({self.formula(part)})"
            case Connective(kind, ()):
                return "$true" if kind == "and" else "$false"
            case Connective(kind, parts):
                sign = {"and": " & ", "or": " | "}.get(kind, f" {kind} ")
                return f"({sign.join(map(self.formula, parts))})"
            case Quantified(kind, variables, part):
                return f"{'!' if kind == 'forall' else '?'} [{self.declared(variables)}] : ({self.formula(part)})"


def smtlib(problem: Problem) -> str:
    """The problem as a script of SMT-LIB, which ends with `(check-sat)`."""
    writer = _Smtlib(problem)
    lines = [*(f"; {line}".rstrip() for line in problem.comment), "(set-logic ALL)", "(declare-sort Thing 0)"]
    sums = [term for formula in problem.formulas for term in terms_of(formula) if isinstance(term, Arithmetic)]
    if not problem.euclidean and any(term.operator in ("/", "\\") for term in sums):
        lines.append(_ROUNDING)
    for parameter in problem.parameters:
        lines += [f"(declare-const {writer.symbol(parameter)} Int)", f"(assert (<= 1 {writer.symbol(parameter)}))"]
    lines += [f"(declare-const {writer.symbol(name)} Thing)" for name in problem.names]
    if len(problem.names) > 1:
        lines.append(f"(assert (distinct {' '.join(map(writer.symbol, problem.names))}))")
    lines += [f"(declare-const {writer.symbol(constant)} {writer.sorts[sort]})" for constant, sort in problem.constants]
    defined = {atom.predicate for atom, _, _ in problem.definitions}
    for predicate, sorts in problem.signature:
        if predicate not in defined:
            arguments = " ".join(writer.sorts[sort] for sort in sorts)
            lines.append(f"(declare-fun {writer.quoted(str(predicate))} ({arguments}) Bool)")
    for atom, typed, meaning in problem.definitions:
        lines += [f"; {line}" for line in meaning.text.splitlines()]
        head = f"{writer.quoted(str(atom.predicate))} ({writer.declared(typed)}) Bool"
        lines.append(f"(define-fun {head}\n  {writer.formula(meaning.formula)})")
    for axiom in problem.axioms:
        lines += [
            f"; {axiom.name}: {axiom.text}",
            f"(assert (! {writer.formula(axiom.formula)} :named |axiom {axiom.name}|))",
        ]
    goal = problem.goal
    lines += [f"; {goal.name}, negated: {goal.text}", f"(assert (not {writer.formula(goal.formula)}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


def tptp(problem: Problem) -> str:
    """The problem in TPTP."""
    writer = _Tptp(problem)
    lines = [f"% {line}".rstrip() for line in problem.comment] + [writer.annotated("thing", "type", "thing: $tType")]
    for number, parameter in enumerate(problem.parameters, 1):
        lines.append(writer.annotated(f"size {number}", "type", f"{writer.symbol(parameter)}: $int"))
        lines.append(writer.annotated(f"positive {number}", "axiom", f"$lesseq(1,{writer.symbol(parameter)})"))
    for number, name in enumerate(problem.names, 1):
        lines.append(writer.annotated(f"name {number}", "type", f"{writer.symbol(name)}: thing"))
    for number, name in enumerate(problem.names, 1):
        for other in problem.names[number:]:
            text = f"{writer.symbol(name)} != {writer.symbol(other)}"
            lines.append(writer.annotated(f"distinct {name} {other}", "axiom", text))
    for number, (constant, sort) in enumerate(problem.constants, 1):
        lines.append(writer.annotated(f"value {number}", "type", f"{writer.symbol(constant)}: {writer.sorts[sort]}"))
    for number, (predicate, sorts) in enumerate(problem.signature, 1):
        places = " * ".join(writer.sorts[sort] for sort in sorts)
        shape = f"({places}) > $o" if len(sorts) > 1 else f"{places} > $o" if sorts else "$o"
        lines.append(writer.annotated(f"predicate {number}", "type", f"{writer.quoted(str(predicate))}: {shape}"))
    for atom, typed, meaning in problem.definitions:
        lines += [f"% {line}" for line in meaning.text.splitlines()]
        whole = quantified("forall", typed, Connective("<=>", (atom, meaning.formula)))
        lines.append(writer.annotated(meaning.name, "definition", writer.formula(whole)))
    for axiom in problem.axioms:
        lines += [f"% {axiom.text}", writer.annotated(axiom.name, "axiom", writer.formula(axiom.formula))]
    goal = problem.goal
    lines += [f"% {goal.text}", writer.annotated(goal.name, "conjecture", writer.formula(goal.formula))]
    return "\n".join(lines) + "\n"
