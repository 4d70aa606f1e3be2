"""Read text of the rule language into a `Program` (grammar: `grammar.lark`)."""

import contextlib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Place, Predicate, Program, Rule
from hexlogic.language.clingo_reading import check_reading, place_of, without_block_comments
from hexlogic.language.constants import LARGEST, SMALLEST, ConstantError, constant_values
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.terms import Arithmetic, ArithmeticOperator, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import map_terms, rule_variables

_ANONYMOUS = Variable("_")
_DIGITS_SHOWN = 20
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
"""clingo ends its reading at the first; the others, halves of letters, have no UTF-8."""


def parse(text: str, file: str = "<text>") -> Program:
    """The program that `text` spells.

    Raises RuleSyntaxError or ArityError with the file, the line and the column. Safety and stratification are
    questions for `hexlogic.language.analysis.checks.check`, so that an analysis can look at any program.

    >>> from hexlogic import parse
    >>> print(parse("reach(X) :- start(X).  reach(Y) :- reach(X), edge(X,Y)."), end="")
    reach(X) :- start(X).
    reach(Y) :- reach(X), edge(X,Y).
    """
    return _parse(text, file, checked=True)


def _parse(text: str, file: str, checked: bool = False) -> Program:
    try:
        statements = _statements(text)
        if checked:
            check_reading(text, [str(statement).rstrip() for statement in statements])
        parts = [statement for statement in statements if isinstance(statement, Program)]
        program = Program(
            tuple(_placed(statement, file) for statement in statements if isinstance(statement, Rule)),
            tuple(pair for part in parts for pair in part.constants),
            tuple(predicate for part in parts for predicate in part.inputs),
            tuple(predicate for part in parts for predicate in part.queries),
            tuple(predicate for part in parts for predicate in part.equivalences),
        )
        _check_arities(program, text)
        with constants_placed(text):
            constant_values(program)
    except RecursionError:
        depths = [len(re.findall(r"[(+*/\\-]", line)) for line in text.split("\n")]
        line = depths.index(max(depths)) + 1
        raise RuleSyntaxError("a term is nested too deeply", file=file, line=line, column=1) from None
    except HexlogicError as error:
        raise error.at(file=file) from None
    return program


def _statements(text: str) -> "Sequence[_Statement]":
    if (unreadable := _UNREADABLE.search(text)) is not None:
        line, column = place_of(text, unreadable.start())
        raise RuleSyntaxError(f"unexpected {unreadable[0]!r}", line=line, column=column)
    text = without_block_comments(text)
    try:
        return cast("Sequence[_Statement]", _BUILD.transform(_LARK.parse(text)))
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None
    except VisitError as error:
        raise error.orig_exc from None


def parse_rule(text: str) -> Rule:
    """The one rule that `text` spells."""
    program = parse(text)
    if len(program.rules) != 1:
        raise RuleSyntaxError(f"expected one rule, found {len(program.rules)}", file="<text>")
    return program.rules[0]


def parse_atom(text: str) -> Atom:
    """The atom that `text` spells."""
    rules = _parse(f"{text.strip().removesuffix('.')}.", "<text>").rules
    if len(rules) != 1 or rules[0].head is None or rules[0].body:
        raise RuleSyntaxError(f"expected an atom, found {text!r}", file="<text>")
    return rules[0].head


def parse_predicate(text: str) -> Predicate:
    """The predicate that `name/arity` spells."""
    try:
        program = _parse(f"#show {text.strip()}.", "<text>")
    except RuleSyntaxError:
        program = Program()
    if len(program.queries) != 1 or program.rules:
        raise RuleSyntaxError(f"expected name/arity, found {text!r}", hint="for example wins/1")
    return program.queries[0]


@v_args(inline=True)
class _Build(Transformer[Token, object]):
    """Turns what the grammar recognises into the syntax tree; one method or class for each grammar rule, no state."""

    interval = Interval
    positive = Literal

    def start(self, *statements: "_Statement") -> "Sequence[_Statement]":
        return statements

    def constant(self, name: Token, value: Term) -> Program:
        return Program(constants=((str(name), value),))

    def declaration(self, keyword: Token, name: Token, arity: Token) -> Program:
        declared = (Predicate(str(name), int(arity)),)
        if keyword == "#defined":
            return Program(inputs=declared)
        return Program(queries=declared) if keyword == "#show" else Program(equivalences=declared)

    @v_args(meta=True, inline=True)
    def rule(self, meta: Meta, head: Atom, body: tuple[BodyLiteral, ...] | None) -> Rule:
        return Rule(head, body or (), Place("", meta.line, meta.column))

    @v_args(meta=True, inline=True)
    def constraint(self, meta: Meta, body: tuple[BodyLiteral, ...]) -> Rule:
        return Rule(None, body, Place("", meta.line, meta.column))

    @v_args(meta=True, inline=True)
    def atom(self, meta: Meta, term: Term) -> Atom:
        if isinstance(term, Symbol | Function):
            return Atom(term.name, term.arguments if isinstance(term, Function) else ())
        what = f"expected an atom, found the term {term}"
        hint = "an atom begins with a lower-case name, like cell(X)"
        raise RuleSyntaxError(what, line=meta.line, column=meta.column, hint=hint)

    def body(self, *literals: BodyLiteral) -> tuple[BodyLiteral, ...]:
        return literals

    def negative(self, atom: Atom) -> Literal:
        return Literal(atom, positive=False)

    def comparison(self, left: Term, operator: Token, right: Term) -> Comparison:
        return Comparison(cast(ComparisonOperator, "=" if operator == "==" else str(operator)), left, right)

    def arithmetic(self, left: Term, operator: Token, right: Term) -> Term:
        return Arithmetic(cast(ArithmeticOperator, str(operator)), left, right)

    @v_args(meta=True, inline=True)
    def signed(self, meta: Meta, *parts: Term) -> Term:
        term = parts[-1]
        hint = f"write {Arithmetic('-', Integer(0), term)}"
        if isinstance(term, Symbol | Function):
            hint = "classical negation is not in the rule language; default negation is written `not`"
        raise RuleSyntaxError(f"a minus before {term}", line=meta.line, column=meta.column, hint=hint)

    def integer(self, token: Token, sign: int = 1) -> Term:
        # clingo reads the rest of a division by 2^32.
        if len(token) <= len(str(LARGEST)) and SMALLEST <= (value := sign * int(token)) <= LARGEST:
            return Integer(value)
        what = f"an integer of {len(token):,} digits" if len(token) > _DIGITS_SHOWN else f"the integer {token}"
        hint = f"integers have 32 bits: {SMALLEST} to {LARGEST}"
        raise RuleSyntaxError(what, line=token.line, column=token.column, hint=hint)

    def negative_integer(self, *parts: Token) -> Term:
        return self.integer(parts[-1], -1)

    def variable(self, name: Token) -> Term:
        return Variable(str(name))

    def anonymous(self, *_: Token) -> Term:
        return _ANONYMOUS

    def symbol(self, name: Token) -> Term:
        return Symbol(str(name))

    def compound(self, name: Token, *arguments: Term) -> Term:
        return Function(str(name), arguments)


_LARK = Lark(
    (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8"),
    parser="lalr",
    propagate_positions=True,
    maybe_placeholders=True,
)
_BUILD = _Build()
# Bound once: lark would bind its wrapper of a method anew at each call.
vars(_BUILD).update({name: getattr(_BUILD, name) for name in vars(_Build) if not name.startswith("_")})


_Statement: TypeAlias = Rule | Program  # A rule, or a program that has nothing but one constant or declaration


def _placed(rule: Rule, file: str) -> Rule:
    """The rule with its file. Every `_` gets a name, unused in the rule, so that no later step needs to know of it."""
    assert rule.place is not None
    rule = replace(rule, place=replace(rule.place, file=file))
    used = rule_variables(rule)
    if _ANONYMOUS not in used:
        return rule
    fresh = (name for number in itertools.count(1) if (name := Variable(f"Any{number}")) not in used)
    return map_terms(rule, lambda term: next(fresh) if term == _ANONYMOUS else term)


def _check_arities(program: Program, text: str) -> None:
    known: dict[str, Predicate] = {}
    hint = "a name has one arity in a program"
    for rule in program.rules:
        for number, atom in enumerate(rule.atoms):
            predicate = known.setdefault(atom.name, atom.predicate)
            if predicate.arity != len(atom.arguments):
                same = [other.name for other in rule.atoms[:number]].count(atom.name)
                line, column = _find_name(text, rule, atom.name, same)
                what = f"predicate {atom.predicate} is used as {predicate} before"
                raise ArityError(what, line=line, column=column, hint=hint)
    for declared in (*program.inputs, *program.queries, *program.equivalences):
        if known.get(declared.name, declared) != declared:
            raise ArityError(f"{declared} is declared, but the rules use {known[declared.name]}", hint=hint)


@contextlib.contextmanager
def constants_placed(text: str) -> Iterator[None]:
    """Let every ConstantError from here have the line and the column of the last `#const` of that name in the text."""
    try:
        yield
    except ConstantError as error:
        for before, token in itertools.pairwise(_LARK.lex(without_block_comments(text))):
            if before == "#const" and token == error.name:
                error.line, error.column = token.line, token.column
        raise


def _find_name(text: str, rule: Rule, name: str, skip: int) -> tuple[int | None, int | None]:
    """The line and column of the use number `skip` (from 0) of a name inside a rule; only errors pay for it."""
    assert rule.place is not None
    start = (rule.place.line, rule.place.column)
    for token in _LARK.lex(without_block_comments(text)):
        if token.type == "NAME" and token == name and (token.line or 0, token.column or 0) >= start:
            if skip == 0:
                return token.line, token.column
            skip -= 1
    return start


_NOT_SUPPORTED: dict[str, str] = {
    "{": "choices are not in the rule language",
    ";": "conditions and disjunctions are not in the rule language; separate literals by commas",
    "|": "disjunctions are not in the rule language",
    ":": "conditional literals are not in the rule language",
    '"': "strings are not in the rule language; use a symbol",
    "#": "of the directives only #const, #defined and #show NAME/ARITY are in the rule language",
    "&": "separate literals by commas",
    "~": "negation is written `not`",
}


def _syntax_error(error: UnexpectedInput, text: str) -> RuleSyntaxError:
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        line, column = place_of(text, len(text))
        return RuleSyntaxError("the text ends inside a rule", line=line, column=column, hint="a rule ends with a dot")
    unexpected = str(error.token) if isinstance(error, UnexpectedToken) else text[error.pos_in_stream or 0]
    hint = None if unexpected == ":-" else _NOT_SUPPORTED.get(unexpected[0])
    if hint is None and isinstance(error, UnexpectedToken):
        words = [word for name, word in _SPELLING.items() if name in error.accepts or name in error.expected]
        hint = f"expected {' or '.join(words)}" if words else None
    return RuleSyntaxError(f"unexpected {unexpected!r}", line=error.line, column=error.column, hint=hint)


_SPELLING: dict[str, str] = {
    "DOT": "a dot",
    "COMMA": "a comma",
    "__ANON_0": ":-",
    "VARIABLE": "a variable",
    "NAME": "a name",
    "INTEGER": "an integer",
    "RPAR": "a closing parenthesis",
    "COMPARISON": "a comparison",
}
