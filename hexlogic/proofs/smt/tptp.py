"""A problem in TPTP's typed first-order form (TFF) with integer arithmetic: for other provers than those of SMT.

`$quotient_t` and `$remainder_t` round towards 0, as gringo does. The goal is the conjecture.
"""

from __future__ import annotations

import re
from typing import Final

from hexlogic.language import Arithmetic, Atom, Comparison, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.proofs.smt.formulas import Connective, Formula, Not, Problem, Quantified, Sort, quantified

_SORTS: Final[dict[Sort, str]] = {"int": "$int", "thing": "thing"}
_OPERATORS = {"+": "$sum", "-": "$difference", "*": "$product", "/": "$quotient_t", "\\": "$remainder_t"}
_EUCLIDEAN = {**_OPERATORS, "/": "$quotient_e", "\\": "$remainder_e"}
_COMPARISONS = {"<": "$less", "<=": "$lesseq", ">": "$greater", ">=": "$greatereq"}


def tptp(problem: Problem) -> str:
    """The problem as text."""
    writer = _Writer(problem)
    lines = [f"% {line}".rstrip() for line in problem.comment] + [_annotated("thing", "type", "thing: $tType")]
    for number, parameter in enumerate(problem.parameters, 1):
        lines.append(_annotated(f"size {number}", "type", f"{writer.symbol(parameter)}: $int"))
        lines.append(_annotated(f"positive {number}", "axiom", f"$lesseq(1,{writer.symbol(parameter)})"))
    for number, name in enumerate(problem.names, 1):
        lines.append(_annotated(f"name {number}", "type", f"{writer.symbol(name)}: thing"))
    for number, name in enumerate(problem.names, 1):
        for other in problem.names[number:]:
            text = f"{writer.symbol(name)} != {writer.symbol(other)}"
            lines.append(_annotated(f"distinct {name} {other}", "axiom", text))
    for number, (constant, sort) in enumerate(problem.constants, 1):
        lines.append(_annotated(f"value {number}", "type", f"{writer.symbol(constant)}: {_SORTS[sort]}"))
    for number, (predicate, sorts) in enumerate(problem.signature, 1):
        places = " * ".join(_SORTS[sort] for sort in sorts)
        shape = f"({places}) > $o" if len(sorts) > 1 else f"{places} > $o" if sorts else "$o"
        lines.append(_annotated(f"predicate {number}", "type", f"{_quoted(str(predicate))}: {shape}"))
    for atom, typed, meaning in problem.definitions:
        lines += [f"% {line}" for line in meaning.text.splitlines()]
        whole = quantified("forall", typed, Connective("<=>", (atom, meaning.formula)))
        lines.append(_annotated(meaning.name, "definition", writer.formula(whole)))
    for axiom in problem.axioms:
        lines += [f"% {axiom.text}", _annotated(axiom.name, "axiom", writer.formula(axiom.formula))]
    goal = problem.goal
    lines += [f"% {goal.text}", _annotated(goal.name, "conjecture", writer.formula(goal.formula))]
    return "\n".join(lines) + "\n"


def _annotated(name: str, role: str, text: str) -> str:
    return f"tff({_quoted(name)}, {role}, {text})."


def _quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _variable(variable: Variable) -> str:
    if re.fullmatch(r"[A-Z][0-9]*", variable.name):
        return variable.name
    return "V_" + variable.name.replace("_", "_u").replace("'", "_p")


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._operators = _EUCLIDEAN if problem.euclidean else _OPERATORS

    def symbol(self, symbol: Symbol) -> str:
        return _quoted(f"{self._problem.kind_of(symbol)} {symbol.name}")

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom(_, arguments):
                name = _quoted(str(formula.predicate))
                return f"{name}({','.join(map(self.term, arguments))})" if arguments else name
            case Comparison(("=" | "!=") as operator, left, right):
                return f"({self.term(left)} {operator} {self.term(right)})"
            case Comparison(operator, left, right):
                return f"{_COMPARISONS[operator]}({self.term(left)},{self.term(right)})"
            case Not(part):
                return f"~ ({self.formula(part)})"
            case Connective(kind, parts):
                if not parts:
                    return "$true" if kind == "and" else "$false"
                sign = {"and": " & ", "or": " | "}.get(kind, f" {kind} ")
                return f"({sign.join(map(self.formula, parts))})"
            case Quantified(kind, variables, part):
                sign = "!" if kind == "forall" else "?"
                declared = ", ".join(f"{_variable(variable)}: {_SORTS[sort]}" for variable, sort in variables)
                return f"{sign} [{declared}] : ({self.formula(part)})"

    def term(self, term: Term) -> str:
        match term:
            case Variable():
                return _variable(term)
            case Integer(value):
                return str(value)
            case Symbol():
                return self.symbol(term)
            case Arithmetic(operator, left, right):
                return f"{self._operators[operator]}({self.term(left)},{self.term(right)})"
            case Function() | Interval():
                raise AssertionError(f"{term} is not first-order over two sorts")
