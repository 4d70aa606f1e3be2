"""Check a program before it is run: safe rules, intervals in facts only, stratified negation."""

from __future__ import annotations

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError, UnsafeRuleError
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import strata
from hexlogic.language.analysis.equivalence import check_equivalences
from hexlogic.language.constants import SMALLEST, constant_values, replaced
from hexlogic.language.parser import parse
from hexlogic.language.syntax import Arithmetic, Integer, Program
from hexlogic.language.walk import has_interval, map_terms, rule_terms


def check(program: Program) -> Program:
    """The same program, when it is sound.

    Raises ArityError (programs from several files are parsed apart), UnsafeRuleError, RuleSyntaxError (an interval
    outside a fact, a declared equivalence that its rules do not close) or StratificationError, with the place.
    """
    _check_arities(program)
    _check_divisions(program)
    for rule in program.rules:
        if rule.body and has_interval(rule):
            raise rule.at(RuleSyntaxError("an interval outside a fact", hint="declare it as facts: index(1..9)."))
        unsafe = sorted(str(variable) for variable in unsafe_variables(rule))
        if unsafe:
            names = ", ".join(unsafe)
            what = f"variable {names} is" if len(unsafe) == 1 else f"variables {names} are"
            raise rule.at(UnsafeRuleError(f"{what} unsafe in `{rule}`", hint="bind it in a positive body literal"))
    strata(program)
    check_equivalences(program)
    return program


def parse_checked(text: str, file: str = "<text>") -> Program:
    """Parse and check in one go: what every user of rule text wants."""
    program = parse(text, file)
    try:
        return check(program)
    except HexlogicError as error:
        raise error.at(file=file) from None


def _check_divisions(program: Program) -> None:
    """-2147483648/-1 ends the process that clingo runs in."""
    change = replaced(constant_values(program))
    for rule in program.rules:
        if any(isinstance(part, Arithmetic) and part.operator in "/\\" for part in rule_terms(rule)):
            for part in rule_terms(map_terms(rule, change)):
                if isinstance(part, Arithmetic) and (part.left, part.right) == (Integer(SMALLEST), Integer(-1)):
                    raise rule.at(RuleSyntaxError(f"{part} leaves 32 bits", hint="clingo dies of it"))


def _check_arities(program: Program) -> None:
    known = {predicate.name: predicate for predicate in (*program.inputs, *program.queries, *program.equivalences)}
    for rule in program.rules:
        for atom in rule.atoms:
            if known.setdefault(atom.name, atom.predicate).arity != len(atom.arguments):
                message = f"predicate {atom.predicate} is used as {known[atom.name]} elsewhere"
                raise rule.at(ArityError(message, hint="a name has one arity in a program"))
