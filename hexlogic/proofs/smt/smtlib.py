"""A problem as a script in SMT-LIB 2.6, with the negated goal: `unsat` means that the goal follows.

Every name is quoted and says what it is, so that no rule text can meet a word of the language: `|reach/2|`,
`|name red|`, `|size rows|`, `|value 'c'X|`. `/` and `\\` round towards 0 as in gringo, and are defined from `div`.
"""

from __future__ import annotations

import re
from typing import Final

from hexlogic.language import (
    Arithmetic,
    Atom,
    Comparison,
    Function,
    Integer,
    Interval,
    Predicate,
    Symbol,
    Term,
    Variable,
)
from hexlogic.proofs.smt.formulas import Connective, Formula, Not, Problem, Quantified, Sort, Typed, terms_of

_SORTS: Final[dict[Sort, str]] = {"int": "Int", "thing": "Thing"}
_ROUNDING = """(define-fun |rounded over| ((X Int) (Y Int)) Int (ite (>= X 0) (div X Y) (- (div (- X) Y))))
(define-fun |rounded remainder| ((X Int) (Y Int)) Int (ite (>= X 0) (mod X Y) (- (mod (- X) Y))))"""
_OPERATORS = {"+": "+", "-": "-", "*": "*", "/": "|rounded over|", "\\": "|rounded remainder|"}
_EUCLIDEAN = {**_OPERATORS, "/": "div", "\\": "mod"}


def smtlib(problem: Problem) -> str:
    """The script; ends with `(check-sat)`."""
    writer = _Writer(problem)
    lines = [*(f"; {line}".rstrip() for line in problem.comment), "(set-logic ALL)", "(declare-sort Thing 0)"]
    sums = [term for formula in problem.formulas for term in terms_of(formula) if isinstance(term, Arithmetic)]
    if not problem.euclidean and any(term.operator in ("/", "\\") for term in sums):
        lines.append(_ROUNDING)
    for parameter in problem.parameters:
        lines += [f"(declare-const {writer.symbol(parameter)} Int)", f"(assert (<= 1 {writer.symbol(parameter)}))"]
    lines += [f"(declare-const {writer.symbol(name)} Thing)" for name in problem.names]
    if len(problem.names) > 1:
        lines.append(f"(assert (distinct {' '.join(map(writer.symbol, problem.names))}))")
    lines += [f"(declare-const {writer.symbol(constant)} {_SORTS[sort]})" for constant, sort in problem.constants]
    defined = {atom.predicate for atom, _, _ in problem.definitions}
    for predicate, sorts in problem.signature:
        if predicate not in defined:
            arguments = " ".join(_SORTS[sort] for sort in sorts)
            lines.append(f"(declare-fun {_predicate(predicate)} ({arguments}) Bool)")
    for atom, typed, meaning in problem.definitions:
        lines += [f"; {line}" for line in meaning.text.splitlines()]
        head = f"{_predicate(atom.predicate)} ({_declared(typed)}) Bool"
        lines.append(f"(define-fun {head}\n  {writer.formula(meaning.formula)})")
    for axiom in problem.axioms:
        lines += [
            f"; {axiom.name}: {axiom.text}",
            f"(assert (! {writer.formula(axiom.formula)} :named |axiom {axiom.name}|))",
        ]
    goal = problem.goal
    lines += [f"; {goal.name}, negated: {goal.text}", f"(assert (not {writer.formula(goal.formula)}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


def _predicate(predicate: Predicate) -> str:
    return f"|{predicate}|"


def _variable(variable: Variable) -> str:
    return variable.name if re.fullmatch(r"[A-Z][0-9]*", variable.name) else f"|{variable.name}|"


def _declared(typed: Typed) -> str:
    return " ".join(f"({_variable(variable)} {_SORTS[sort]})" for variable, sort in typed)


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._operators = _EUCLIDEAN if problem.euclidean else _OPERATORS

    def symbol(self, symbol: Symbol) -> str:
        return f"|{self._problem.kind_of(symbol)} {symbol.name}|"

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom(_, arguments):
                name = _predicate(formula.predicate)
                return f"({name} {' '.join(map(self.term, arguments))})" if arguments else name
            case Comparison("!=", left, right):
                return f"(not (= {self.term(left)} {self.term(right)}))"
            case Comparison(operator, left, right):
                return f"({operator} {self.term(left)} {self.term(right)})"
            case Not(part):
                return f"(not {self.formula(part)})"
            case Connective(kind, parts):
                if not parts:
                    return "true" if kind == "and" else "false"
                written = " ".join(map(self.formula, parts))
                return f"({'=' if kind == '<=>' else kind} {written})"
            case Quantified(kind, variables, part):
                return f"({kind} ({_declared(variables)}) {self.formula(part)})"

    def term(self, term: Term) -> str:
        match term:
            case Variable():
                return _variable(term)
            case Integer(value):
                return str(value) if value >= 0 else f"(- {-value})"
            case Symbol():
                return self.symbol(term)
            case Arithmetic(operator, left, right):
                return f"({self._operators[operator]} {self.term(left)} {self.term(right)})"
            case Function() | Interval():
                raise AssertionError(f"{term} is not first-order over two sorts")
