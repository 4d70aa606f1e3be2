"""Read programs with clingo's own parser: statements with the bytes they stand on, nothing else of the text touched."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import clingo
from clingo.ast import AST, ASTType, ProgramBuilder, parse_files, parse_string

from hexlogic.encodings.convert import Item, heads_and_conditions, predicates_in
from hexlogic.encodings.foreign import blanked, foreign_names
from hexlogic.errors import RuleSyntaxError
from hexlogic.language import Predicate
from hexlogic.language.clingo_reading import clingo_error, unreadable_letter
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.process.files import STDIN, read_bytes, readable

_INCLUDE = re.compile(rb'^([^%"\n]*#include\s*")([^"\n]+)(")', re.MULTILINE)
_CONSTANT = re.compile(r"_*[a-z][\w']*=[^%.\n]+")
BASE = "base"
_STRING = "<string>"
"""What clingo calls a text that is no file."""
_ASKING = (ASTType.Minimize, ASTType.ShowTerm, ASTType.ShowSignature)
"""Statements that ask about atoms and derive none."""
_NO_THEORY = "no definition found for theory atom"
"""A solver that is built on clingo adds its theory itself."""


@dataclass(frozen=True)
class Source:
    """One file that was given: its name and its bytes."""

    name: str
    data: bytes
    starts: tuple[int, ...] = field(init=False, repr=False)
    """Where each line begins."""

    def __post_init__(self) -> None:
        found = [0, *(place.end() for place in re.finditer(rb"\n", self.data))]
        object.__setattr__(self, "starts", tuple(found))

    def offset(self, line: int, column: int) -> int:
        """The byte at a line and a column of clingo's, which count bytes from 1."""
        return self.starts[line - 1] + column - 1

    def span(self, node: AST) -> tuple[int, int]:
        """First byte and end of a node."""
        begin, end = node.location.begin, node.location.end
        return self.offset(begin.line, begin.column), self.offset(end.line, end.column)

    def text(self, node: AST) -> str:
        """What stands there."""
        begin, end = self.span(node)
        return self.data[begin:end].decode("utf-8")


@dataclass(frozen=True)
class Statement:
    """A statement, the part of the program it belongs to, and the number of its file; None for an included file.

    What it says in the rule language is converted once, when it is first asked for.
    """

    node: AST
    part: str
    source: int | None
    parameters: tuple[str, ...] = ()
    """Those of the part: constants of each of its instances."""

    @property
    def is_rule(self) -> bool:
        """Whether the statement is a rule, a choice, a disjunction or a constraint."""
        return bool(self.node.ast_type == ASTType.Rule)

    @property
    def is_fact(self) -> bool:
        """Whether the statement is a rule without body and without choice."""
        return self.is_rule and not self.node.body and bool(self.node.head.ast_type == ASTType.Literal)

    @cached_property
    def body(self) -> tuple[Item, ...]:
        """The items of the body."""
        return tuple(map(Item, getattr(self.node, "body", ())))

    @cached_property
    def mentioned(self) -> frozenset[Predicate]:
        """The predicates of all atoms in the statement."""
        return predicates_in(self.node)

    @cached_property
    def heads(self) -> frozenset[Predicate]:
        """The predicates of which the statement may give atoms."""
        node = self.node
        if self.is_rule:
            return heads_and_conditions(node.head)[0]
        if node.ast_type == ASTType.Defined:
            return frozenset([Predicate(("" if node.positive else "-") + node.name, node.arity)])
        return frozenset() if node.ast_type in _ASKING else self.mentioned

    @cached_property
    def asked(self) -> frozenset[Predicate]:
        """The predicates that the body and the conditions of a rule ask about."""
        conditions = heads_and_conditions(self.node.head)[1] if self.is_rule else ()
        return frozenset(conditions).union(*(item.predicates for item in self.body))


@dataclass(frozen=True)
class Encoding:
    """All statements of some files, in the order in which clingo reads them."""

    sources: tuple[Source, ...]
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """The files one after the other, byte for byte."""
        return concatenated([source.data for source in self.sources])

    @property
    def has_scripts(self) -> bool:
        """Whether grounding would run a script."""
        return any(statement.node.ast_type == ASTType.Script for statement in self.statements)

    @property
    def constants(self) -> frozenset[str]:
        """The names that `#const` gives a value, which may be another name or one that is undefined, such as `1/0`."""
        return frozenset(
            statement.node.name for statement in self.statements if statement.node.ast_type == ASTType.Definition
        )

    @property
    def foreign_names(self) -> frozenset[str]:
        """All names in statements that clingo does not read."""
        return frozenset[str]().union(*(foreign_names(source.data) for source in self.sources))

    @property
    def has_includes(self) -> bool:
        """Whether some file includes another one."""
        return any(_INCLUDE.search(source.data) for source in self.sources)

    def runnable(self, text: str) -> str:
        """A text of these files that clingo can run from anywhere: included files by their whole path, and without the
        statements that it does not read."""
        folders = [Path(source.name).parent for source in self.sources]

        def whole(place: re.Match[bytes]) -> bytes:
            name = place[2].decode("utf-8")
            for folder in (Path(), *folders):
                if (folder / name).is_file():
                    return place[1] + str((folder / name).resolve()).encode() + place[3]
            return place[0]

        return _INCLUDE.sub(whole, blanked(text.encode("utf-8"))).decode("utf-8")


def concatenated(parts: Sequence[bytes]) -> str:
    """Texts one after the other, each in its own lines and each from the part `base` on."""
    text = ""
    for number, part in enumerate(parts):
        if number:
            text += ("" if text.endswith("\n") else "\n") + "#program base.\n"
        text += part.decode("utf-8")
    return text


def read_encoding(files: Sequence[Path]) -> Encoding:
    """The statements of files in clingo's language.

    Raises RuleSyntaxError with clingo's message, file, line and column, and HexlogicError for a file that is not UTF-8
    or that is not there. A file that is named twice is read once. Nothing is grounded and no script runs.
    """
    sources = []
    for file in dict.fromkeys(files):
        with readable(file):
            data = read_bytes(file)
            data.decode("utf-8")
        sources.append(Source(str(file), data))
    numbers = {source.name: number for number, source in enumerate(sources)}
    texts = {source.name for source in sources if blanked(source.data) != source.data or source.name == str(STDIN)}
    if texts:
        return _checked_texts(sources, numbers.keys() - texts)
    return _checked(lambda add, log: _parse_files(numbers, add, log), sources)


def read_encoding_text(text: str, name: str = "<string>") -> Encoding:
    """The statements of a text, such as one that `clingo.Control.add` takes. Raises as `read_encoding` does.

    >>> encoding = read_encoding_text("{ a(X) } :- b(X). % either\\n")
    >>> [str(statement.node) for statement in encoding.statements][1]
    '{ a(X) } :- b(X).'
    """
    return _checked_texts([Source(name, text.encode("utf-8"))])


def with_constants(profile: Encoding | None, constants: Sequence[str]) -> Encoding:
    """An instance with other values of constants (`n=40`) than the program gives them.

    Raises RuleSyntaxError for what is no `NAME=TERM`.
    """
    text = "" if profile is None else profile.runnable(profile.text) + "\n#program base.\n"
    for constant in constants:
        if _CONSTANT.fullmatch(constant) is None:
            raise RuleSyntaxError(f"{constant!r} is no constant with its value", hint="write NAME=TERM, such as n=40")
        text += f"#const {constant}. [override]\n"
    return read_encoding_text(text, "<instance>" if profile is None else profile.sources[0].name)


def check_names(encoding: Encoding, instance: Encoding | None) -> None:
    """Raise RuleSyntaxError for a reserved name that the program does not define by rules, as one that was written
    here does."""
    defined = {
        predicate
        for statement in encoding.statements
        if statement.is_rule and statement.node.head.ast_type == ASTType.Literal
        for predicate in statement.heads
    }
    for given, known in ((encoding, defined), *(() if instance is None else ((instance, set[Predicate]()),))):
        for statement in given.statements:
            if statement.is_rule and statement.node.head.ast_type != ASTType.Literal:
                known -= statement.heads
            for predicate in sorted(statement.mentioned - known):
                if is_reserved(predicate.name):
                    begin = statement.node.location.begin
                    raise RuleSyntaxError(
                        f"the name {predicate.name} is reserved for auxiliary predicates",
                        file=given.sources[statement.source].name if statement.source is not None else begin.filename,
                        line=begin.line,
                        column=begin.column,
                        hint=f"choose a name that does not begin with {RESERVED}",
                    )


_Adder: TypeAlias = Callable[[AST, int | None], None]
_Logger: TypeAlias = Callable[[clingo.MessageCode, str], None]


def _parse_files(numbers: Mapping[str, int], add: _Adder, log: _Logger) -> None:
    """Read files, each with its number among the sources."""
    parse_files(list(numbers), lambda node: add(node, numbers.get(node.location.begin.filename)), logger=log)


def _checked_texts(sources: Sequence[Source], files: Collection[str] = ()) -> Encoding:
    """Texts without the statements that clingo does not read; sources of these names are read as files."""

    def parse(add: _Adder, log: _Logger) -> None:
        for number, source in enumerate(sources):
            if source.name in files:
                _parse_files({source.name: number}, add, log)
                continue

            def add_own(node: AST, own: int = number) -> None:
                add(node, own if node.location.begin.filename == _STRING else None)

            def log_own(code: clingo.MessageCode, message: str, name: str = source.name) -> None:
                log(code, message.replace(_STRING, name, 1))

            parse_string(blanked(source.data).decode("utf-8"), add_own, logger=log_own)

    return _checked(parse, sources)


def _checked(parse: Callable[[_Adder, _Logger], None], sources: Sequence[Source]) -> Encoding:
    messages: list[str] = []
    statements: list[Statement] = []
    part = BASE
    parameters: tuple[str, ...] = ()

    def add(node: AST, number: int | None) -> None:
        nonlocal part, parameters
        if node.ast_type == ASTType.Program:
            parameters = tuple(parameter.name for parameter in node.parameters)
            part = node.name if not parameters else f"{node.name}/{len(parameters)}"
        statements.append(Statement(node, part, number, parameters))

    for source in sources:
        _check_letters(source, set())
    try:
        parse(add, lambda code, message: messages.append(f"{code.name} {message}"))
    except RuntimeError as error:
        raise clingo_error(messages, str(error)) from None
    encoding = Encoding(tuple(sources), tuple(statements))
    _check_accepted(encoding)
    return encoding


def _check_letters(source: Source, seen: set[Path]) -> None:
    """Raise RuleSyntaxError for a letter that clingo cannot read, in a source or a file that it includes."""
    text = source.data.decode("utf-8", "surrogateescape")
    index = unreadable_letter(text)
    if index is not None:
        place = len(text[:index].encode("utf-8", "surrogateescape"))
        line = bisect_right(source.starts, place)
        what = "a byte order mark" if text[index] == "\ufeff" else repr(text[index])
        raise RuleSyntaxError(
            f"lexer error, unexpected {what}",
            file=source.name,
            line=line,
            column=place - source.starts[line - 1] + 1,
            hint="save it as UTF-8 without one" if text[index] == "\ufeff" else "only comments and strings may have it",
        )
    for name in (found[2].decode("utf-8") for found in _INCLUDE.finditer(source.data)):
        for path in (Path(name), Path(source.name).parent / name):
            if path.is_file() and path.resolve() not in seen:
                seen.add(path.resolve())
                _check_letters(Source(str(path), read_bytes(path)), seen)


def _check_accepted(encoding: Encoding) -> None:
    """Raise RuleSyntaxError when clingo refuses a statement before it grounds any: a variable that nothing binds.

    Scripts are left out, so that none runs.
    """
    try:
        _check_statements(encoding.statements)
    except RuleSyntaxError as error:
        for number, source in enumerate(encoding.sources if error.file == _STRING else ()):
            try:
                _check_statements([statement for statement in encoding.statements if statement.source == number])
            except RuleSyntaxError as own:
                own.file, own.message = source.name, own.message.replace(_STRING, source.name)
                raise own from None
        raise


def _check_statements(statements: Sequence[Statement]) -> None:
    messages: list[str] = []
    control = clingo.Control([], logger=lambda code, message: messages.append(f"{code.name} {message}"))
    try:
        with ProgramBuilder(control) as builder:
            for statement in statements:
                if statement.node.ast_type != ASTType.Script:
                    builder.add(statement.node)
        control.ground([])
    except RuntimeError as error:
        wrong = [message for message in messages if "error:" in message and _NO_THEORY not in message]
        if wrong or not messages:
            raise clingo_error(wrong, str(error)) from None
