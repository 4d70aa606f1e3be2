"""Sheets from text and from files, as they are or without the rules at fault; terms from KIF text."""

from collections.abc import Callable, Sequence
from pathlib import Path

from hexlogic.errors import HexlogicError, RuleSyntaxError, StratificationError
from hexlogic.ggp.language.expressions import Expression, parse_epilog, parse_hrf, parse_kif
from hexlogic.ggp.language.rulesheet import Translation
from hexlogic.ggp.language.sheet import INPUTS, build_sheet, read_rules, sheet_of, term_of
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import sccs
from hexlogic.language.clingo_reading import place_of
from hexlogic.language.syntax import Program, Rule, Term
from hexlogic.process.files import read_text, readable

SUFFIXES = {".kif": "gdl", ".hrf": "hrf", ".epilog": "epilog"}
"""What the name of a file with a sheet ends in, and the dialect of its text."""
_NEEDED = {"role", "legal"}


def read_kif(text: str, file: str = "<text>") -> Program:
    """The sheet that KIF text spells. Raises RuleSyntaxError or ArityError with the file, the line and the column.
    Safety and stratification are questions for `hexlogic.language.analysis.checks.check`, which `read_sheet` asks.

    >>> print(read_kif("(<= (LEGAL ?p noop) (role ?p) (not (true (control ?p))))").rules[0])
    legal(P,noop) :- role(P), not true(control(P)).
    """
    return build_sheet(_parsed(parse_kif, text, file), file)


def read_hrf(text: str, file: str = "<text>") -> Program:
    """The sheet that HRF text, GDL in infix form, spells; raises as `read_kif` does.

    >>> print(read_hrf("legal(P,noop) :- role(P) & ~true(control(P))").rules[0])
    legal(P,noop) :- role(P), not true(control(P)).
    """
    return build_sheet(_parsed(parse_hrf, text, file), file)


def read_sheet(path: Path) -> Program:
    """The sheet in a file: HRF when its name ends in `.hrf`, a rulesheet of Epilog when it ends in `.epilog`, KIF
    otherwise. Raises HexlogicError with the place.

    Each rule is safe and no relation depends on its own negation, or UnsafeRuleError or StratificationError says where.
    """
    return checked_sheet(text_of(path), str(path))


def checked_sheet(text: str, file: str) -> Program:
    """The sheet in a text; as `read_sheet`."""
    return check(build_sheet(expressions_of(text, file), file))


def text_of(path: Path) -> str:
    """The text in a file. Raises HexlogicError for a file that cannot be read."""
    with readable(path):
        return read_text(path)


def expressions_of(text: str, file: str) -> tuple[Expression, ...]:
    """The expressions of a text: HRF when the file's name ends in `.hrf`, those that a rulesheet of Epilog stands for
    when it ends in `.epilog`, KIF otherwise. Raises RuleSyntaxError."""
    if not file.lower().endswith(".epilog"):
        return _parsed(parse_hrf if file.lower().endswith(".hrf") else parse_kif, text, file)
    from hexlogic.ggp.language.computed import tabulated  # clingo: where it is needed

    return _parsed(lambda text: tabulated(Translation(parse_epilog(text)), file), text, file)


def _parsed(parse: Callable[[str], tuple[Expression, ...]], text: str, file: str) -> tuple[Expression, ...]:
    if (at := text.find("\0")) >= 0:
        line, column = place_of(text, at)
        raise RuleSyntaxError("a NUL character", file=file, line=line, column=column, hint="is this a text file?")
    try:
        return parse(text)
    except HexlogicError as error:
        raise error.at(file=file) from None


def read_term(text: str) -> Term:
    """The ground term that KIF text spells; spaces do not matter. Raises RuleSyntaxError.

    >>> str(read_term("( place 2 3 )"))
    'place(2,3)'
    """
    expressions = parse_kif(text)
    if len(expressions) != 1:
        raise RuleSyntaxError(f"{len(expressions)} terms where one should be", line=1, column=1)
    return term_of(expressions[0])


def sound_part(expressions: Sequence[Expression], file: str) -> tuple[Program, HexlogicError | None]:
    """The sheet without the rules that are no rules, unsafe, or recursive through negation, and the first fault; None
    for a sound sheet. For a player whose host has such a sheet, and expects legal moves all the same.

    Raises the first fault as `build_sheet` and `check` do where no rule for `role` or `legal` is left.

    >>> sheet, fault = sound_part(parse_kif("(role a) (legal a b) (<= (goal a ?x) (role a))"), "<text>")
    >>> print(fault)
    <text>:1:22: variable X is unsafe in `goal(a,X) :- role(a).` (bind it in a positive body literal)
    >>> [rule.head.name for rule in sheet.rules]
    ['role', 'legal']
    """
    try:
        return check(build_sheet(expressions, file)), None
    except HexlogicError as error:
        fault = error
    read = [rules for rules in read_rules(expressions, file) if not isinstance(rules, HexlogicError)]
    sheet = sheet_of(rule for rules in read for rule in rules if _is_sound(rule))
    try:
        sheet = check(sheet)
    except StratificationError:  # without the rules that deny what they derive
        component = {predicate: members for members in sccs(sheet) for predicate in members}

        def denies(rule: Rule) -> bool:
            members = frozenset() if rule.head is None else component[rule.head.predicate]
            return any(not item.positive and item.atom.predicate in members for item in rule.literals)

        sheet = check(sheet.with_rules(tuple(rule for rule in sheet.rules if not denies(rule))))
    if not {head.name for head in sheet.heads} >= _NEEDED:
        raise fault
    return sheet, fault


def _is_sound(rule: Rule) -> bool:
    try:
        check(Program((rule,), (), INPUTS))
    except HexlogicError:
        return False
    return True
