"""Check a program before it is run: safe rules, intervals in facts only, stratified negation, equivalences.

A declared equivalence is a relation that an engine with union-find merges instead of deriving all pairs:

    %! equivalence united/3.
    united(P,X,X) :- owns(P,X).                                  these two merge
    united(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).
    united(P,Y,X) :- united(P,X,Y).                              these two close
    united(P,X,Z) :- united(P,X,Y), united(P,Y,Z).

The last two arguments are related, and those before them keep apart: there is one relation for each P. The two closing
rules have to stand in the text, so that it means the same to a reader who knows nothing of the declaration: the least
model. An engine with union-find merges X and Y instead and never carries out the closing rules. Others refuse the
program: the closure by rules joins all pairs of a cluster with all, which is another way of doing it (see `clusters`).
"""

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError, UnsafeRuleError
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import strata
from hexlogic.language.constants import SMALLEST, constant_values, replaced
from hexlogic.language.syntax import Arithmetic, Atom, Integer, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.walk import has_interval, map_terms, numbered, rule_terms


def closing_rules(predicate: Predicate) -> tuple[Rule, Rule]:
    """The rules that make the last two arguments symmetric and transitive. The predicate has two arguments or more.

    >>> print(*closing_rules(Predicate("united", 3)), sep="\\n")
    united(P1,Y,X) :- united(P1,X,Y).
    united(P1,X,Z) :- united(P1,X,Y), united(P1,Y,Z).
    """
    context = tuple(Variable(f"P{number}") for number in range(1, predicate.arity - 1))
    x, y, z = map(Variable, "XYZ")

    def related(first: Variable, second: Variable) -> Atom:
        return Atom(predicate.name, (*context, first, second))

    symmetric = Rule(related(y, x), (Literal(related(x, y)),))
    return symmetric, Rule(related(x, z), (Literal(related(x, y)), Literal(related(y, z))))


def is_closing(rule: Rule) -> bool:
    """Whether it is one of the closing rules of its head, whatever its variables are called and in either order."""
    if rule.head is None or rule.head.predicate.arity < 2:
        return False
    return any(_same(rule, closing) for closing in closing_rules(rule.head.predicate))


def closed_by_rules(program: Program, predicate: Predicate) -> bool:
    """Whether both closing rules of the predicate stand in the program."""
    rules = program.defining(predicate)
    return all(any(_same(rule, closing) for rule in rules) for closing in closing_rules(predicate))


def _same(rule: Rule, closing: Rule) -> bool:
    """Whether they differ in the names of variables and the order of the body alone."""
    return numbered(closing) in (numbered(rule), numbered(rule.with_body(rule.body[::-1])))


def _check_equivalences(program: Program) -> None:
    """Raise RuleSyntaxError when a declared equivalence lacks a closing rule: then the text would not mean one."""
    for predicate in program.equivalences:
        if predicate.arity < 2:
            raise RuleSyntaxError(f"the equivalence {predicate} has nothing to relate", hint="two arguments or more")
        if not closed_by_rules(program, predicate):
            wanted = " ".join(map(str, closing_rules(predicate)))
            error = RuleSyntaxError(f"the equivalence {predicate} is not closed by its rules", hint=f"add {wanted}")
            first = next(iter(program.defining(predicate)), None)
            raise first.at(error) if first else error


def needs_union_find(program: Program) -> str | None:
    """Why an engine without union-find leaves this program alone; None when it has no equivalence."""
    if not program.equivalences:
        return None
    names = ", ".join(map(str, program.equivalences))
    return f"it needs union-find: {names} is declared an equivalence, for the engine to merge"


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
    _check_equivalences(program)
    return program


def parse_checked(text: str, file: str = "<text>") -> Program:
    """Parse and check in one go: what every user of rule text wants."""
    from hexlogic.language.parser import parse  # lark takes long to load, and measured processes do without

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
