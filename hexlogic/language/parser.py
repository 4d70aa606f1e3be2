"""Read text of the rule language into a `Program` (grammar: `grammar.lark`)."""

from __future__ import annotations

import contextlib
import gc
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError
from hexlogic.language.clingo_reading import check_reading, place_of, without_block_comments
from hexlogic.language.constants import LARGEST, SMALLEST, ConstantError, constant_values
from hexlogic.language.syntax import (
    Arithmetic,
    ArithmeticOperator,
    Atom,
    BodyLiteral,
    Comparison,
    ComparisonOperator,
    Function,
    Integer,
    Interval,
    Literal,
    Place,
    Predicate,
    Program,
    Rule,
    Symbol,
    Term,
    Variable,
)
from hexlogic.language.walk import map_terms, rule_variables

_ANONYMOUS = Variable("_")
_DIGITS_SHOWN = 20
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
"""clingo ends its reading at the first; the others, halves of letters, have no UTF-8."""


def parse(text: str, file: str = "<text>") -> Program:
    """The program that `text` spells.

    Raises RuleSyntaxError or ArityError with the file, the line and the column. Safety and stratification are
    questions for `hexlogic.language.analysis.checks.check`, so that an analysis can look at any program.

    >>> print(parse("reach(X) :- start(X).  reach(Y) :- reach(X), edge(X,Y)."), end="")
    reach(X) :- start(X).
    reach(Y) :- reach(X), edge(X,Y).
    """
    return _parse(text, file, checked=True)


def _parse(text: str, file: str, checked: bool = False) -> Program:
    try:
        statements = _statements(text)
        if checked:
            check_reading(text, [str(statement) for statement in statements])
        rules, constants = [], []
        declared: dict[str, list[Predicate]] = {"defined": [], "show": [], "equivalence": []}
        for statement in statements:
            match statement:
                case Rule(_, _, place):
                    assert place is not None
                    rules.append(replace(_name_anonymous(statement), place=replace(place, file=file)))
                case _Constant(name, value):
                    constants.append((name, value))
                case _Declaration(kind, predicate):
                    declared[kind].append(predicate)
        program = Program(tuple(rules), tuple(constants), *map(tuple, declared.values()))
        _check_arities(program, text)
        _check_constants(program, text)
    except RecursionError:
        depths = [len(re.findall(r"[(+*/\\-]", line)) for line in text.split("\n")]
        line = depths.index(max(depths)) + 1
        raise RuleSyntaxError("a term is nested too deeply", file=file, line=line, column=1) from None
    except HexlogicError as error:
        raise error.at(file=file) from None
    return program


def _statements(text: str) -> list[_Statement]:
    if (unreadable := _UNREADABLE.search(text)) is not None:
        line, column = place_of(text, unreadable.start())
        raise RuleSyntaxError(f"unexpected {unreadable[0]!r}", line=line, column=column)
    text = without_block_comments(text)
    try:
        with _collector_paused():
            return cast("list[_Statement]", _BUILD.transform(_LARK.parse(text)))
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
    """The atom that `text` spells.

    >>> parse_atom("wins(red)")
    Atom(name='wins', arguments=(Symbol(name='red'),))
    """
    rules = _parse(f"{text.strip().removesuffix('.')}.", "<text>").rules
    if len(rules) != 1 or rules[0].head is None or rules[0].body:
        raise RuleSyntaxError(f"expected an atom, found {text!r}", file="<text>")
    return rules[0].head


def parse_predicate(text: str) -> Predicate:
    """The predicate that `name/arity` spells.

    >>> parse_predicate("wins/1")
    Predicate(name='wins', arity=1)
    """
    try:
        program = _parse(f"#show {text.strip()}.", "<text>")
    except RuleSyntaxError:
        program = Program()
    if len(program.queries) != 1 or program.rules:
        raise RuleSyntaxError(f"expected name/arity, found {text!r}", hint="for example wins/1")
    return program.queries[0]


@dataclass(frozen=True, slots=True)
class _Constant:
    name: str
    value: Term

    def __str__(self) -> str:
        return f"#const {self.name} = {self.value}."


@dataclass(frozen=True, slots=True)
class _Declaration:
    """`kind` is defined, show or equivalence."""

    kind: str
    predicate: Predicate

    def __str__(self) -> str:
        return f"{'%! ' if self.kind == 'equivalence' else '#'}{self.kind} {self.predicate}."


_Statement: TypeAlias = Rule | _Constant | _Declaration


class _Build(Transformer[Token, Any]):
    """Turns what the grammar recognises into the syntax tree; one method per grammar rule, no state."""

    def start(self, statements: list[_Statement]) -> list[_Statement]:
        return statements

    def constant(self, parts: Sequence[Any]) -> _Constant:
        return _Constant(str(parts[0]), parts[1])

    def signature(self, parts: Sequence[Any]) -> Predicate:
        return Predicate(str(parts[0]), int(parts[1]))

    def defined(self, parts: Sequence[Any]) -> _Declaration:
        return _Declaration("defined", parts[0])

    def show(self, parts: Sequence[Any]) -> _Declaration:
        return _Declaration("show", parts[0])

    def equivalence(self, parts: Sequence[Any]) -> _Declaration:
        return _Declaration("equivalence", parts[0])

    @v_args(meta=True)
    def rule(self, meta: Any, parts: Sequence[Any]) -> Rule:
        return Rule(parts[0], parts[1] or (), Place("", meta.line, meta.column))

    @v_args(meta=True)
    def constraint(self, meta: Any, parts: Sequence[Any]) -> Rule:
        return Rule(None, parts[0], Place("", meta.line, meta.column))

    @v_args(meta=True)
    def head(self, meta: Any, parts: Sequence[Any]) -> Atom:
        return _atom(parts[0], meta)

    def body(self, parts: Sequence[Any]) -> tuple[BodyLiteral, ...]:
        return tuple(parts)

    @v_args(meta=True)
    def positive(self, meta: Any, parts: Sequence[Any]) -> Literal:
        return Literal(_atom(parts[0], meta))

    @v_args(meta=True)
    def negative(self, meta: Any, parts: Sequence[Any]) -> Literal:
        return Literal(_atom(parts[0], meta), positive=False)

    def comparison(self, parts: Sequence[Any]) -> Comparison:
        operator = "=" if parts[1] == "==" else str(parts[1])
        return Comparison(cast(ComparisonOperator, operator), parts[0], parts[2])

    def interval(self, parts: Sequence[Any]) -> Term:
        return Interval(parts[0], parts[1])

    def arithmetic(self, parts: Sequence[Any]) -> Term:
        return Arithmetic(cast(ArithmeticOperator, str(parts[1])), parts[0], parts[2])

    @v_args(meta=True)
    def signed(self, meta: Any, parts: Sequence[Any]) -> Term:
        term = parts[-1]
        hint = f"write {Arithmetic('-', Integer(0), term)}"
        if isinstance(term, Symbol | Function):
            hint = "classical negation is not in the rule language; default negation is written `not`"
        raise RuleSyntaxError(f"a minus before {term}", line=meta.line, column=meta.column, hint=hint)

    def negative_integer(self, parts: Sequence[Any]) -> Term:
        return _integer(parts[-1], -1)

    def integer(self, parts: Sequence[Any]) -> Term:
        return _integer(parts[0], 1)

    def variable(self, parts: Sequence[Any]) -> Term:
        return Variable(str(parts[0]))

    def anonymous(self, _: Sequence[Any]) -> Term:
        return _ANONYMOUS

    def symbol(self, parts: Sequence[Any]) -> Term:
        return Symbol(str(parts[0]))

    def compound(self, parts: Sequence[Any]) -> Term:
        return Function(str(parts[0]), tuple(parts[1:]))


_LARK = Lark(
    (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8"),
    parser="lalr",
    propagate_positions=True,
    maybe_placeholders=True,
)
_BUILD = _Build()


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """A parse only makes objects that stay: looking for garbage meanwhile would double its time on large texts."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _integer(token: Token, sign: int) -> Integer:
    # clingo reads the rest of a division by 2^32.
    if len(token) <= len(str(LARGEST)) and SMALLEST <= (value := sign * int(token)) <= LARGEST:
        return Integer(value)
    what = f"an integer of {len(token):,} digits" if len(token) > _DIGITS_SHOWN else f"the integer {token}"
    hint = f"integers have 32 bits: {SMALLEST} to {LARGEST}"
    raise RuleSyntaxError(what, line=token.line, column=token.column, hint=hint)


def _atom(term: Term, meta: Any) -> Atom:
    match term:
        case Symbol(name):
            return Atom(name)
        case Function(name, arguments):
            return Atom(name, arguments)
        case _:
            raise RuleSyntaxError(
                f"expected an atom, found the term {term}",
                line=meta.line,
                column=meta.column,
                hint="an atom begins with a lower-case name, like cell(X)",
            )


def _name_anonymous(rule: Rule) -> Rule:
    """Give every `_` a name of its own, unused in the rule, so that no later step needs to know about `_`."""
    used = rule_variables(rule)
    if _ANONYMOUS not in used:
        return rule
    fresh = (name for number in itertools.count(1) if (name := Variable(f"Any{number}")) not in used)
    return map_terms(rule, lambda term: next(fresh) if term == _ANONYMOUS else term)


def _check_arities(program: Program, text: str) -> None:
    known: dict[str, Predicate] = {}
    for rule in program.rules:
        for number, atom in enumerate(rule.atoms):
            predicate = known.setdefault(atom.name, atom.predicate)
            if predicate.arity != len(atom.arguments):
                same = [other.name for other in rule.atoms[:number]].count(atom.name)
                line, column = _find_name(text, rule, atom.name, same)
                raise ArityError(
                    f"predicate {atom.predicate} is used as {predicate} before",
                    line=line,
                    column=column,
                    hint="a name has one arity in a program",
                )
    for declared in (*program.inputs, *program.queries, *program.equivalences):
        if known.get(declared.name, declared) != declared:
            raise ArityError(
                f"{declared} is declared, but the rules use {known[declared.name]}",
                hint="a name has one arity in a program",
            )


def _check_constants(program: Program, text: str) -> None:
    with constants_placed(text):
        constant_values(program)


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


_FOREIGN: dict[str, str] = {
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
    match error:
        case UnexpectedEOF() | UnexpectedToken(token=Token(type="$END")):
            lines = text.split("\n")
            return RuleSyntaxError(
                "the text ends inside a rule",
                line=len(lines),
                column=len(lines[-1]) + 1,
                hint="a rule ends with a dot",
            )
        case UnexpectedCharacters():
            found = text[error.pos_in_stream or 0]
        case UnexpectedToken():
            found = str(error.token)
        case _:
            found = "?"
    hint = _FOREIGN.get(found[0])
    if hint is None and isinstance(error, UnexpectedToken):
        hint = _expected(error)
    return RuleSyntaxError(f"unexpected {found!r}", line=error.line, column=error.column, hint=hint)


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


def _expected(error: UnexpectedToken) -> str | None:
    words = [word for name, word in _SPELLING.items() if name in error.accepts or name in error.expected]
    return f"expected {' or '.join(words)}" if words else None
