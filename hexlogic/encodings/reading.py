"""Read programs with clingo's own parser: statements with the bytes they stand on, nothing else of the text touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import clingo
from clingo.ast import AST, ASTType, ProgramBuilder, parse_files, parse_string

from hexlogic.encodings.clingo_runs import Call
from hexlogic.encodings.source import ASPRIN_PARTS, Source, asprin_names, blanked
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.errors import RuleSyntaxError
from hexlogic.language import Predicate
from hexlogic.language.clingo_reading import clingo_error, unreadable_letter
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.process.files import STDIN, read_bytes, readable

_INCLUDE = re.compile(rb'^([^%"\n]*#include\s*")([^"\n]+)(")', re.MULTILINE)
_CONSTANT = re.compile(r"_*[a-z][\w']*=[^%.\n]+")
_INCMODE = re.compile(rb'^[^%"\n]*#include\s*<incmode>', re.MULTILINE)
_QUERY = "\n#program check(t).\n#external query(t).\n"
_STEPS = 3
_STRING = "<string>"
"""What clingo calls a text that is no file."""
_NO_THEORY = "no definition found for theory atom"
"""A solver that is built on clingo adds its theory itself."""
_THEORY = """
#theory _hexlogic_theory {
  term { .. : 0, binary, left; @ : 0, binary, left; + : 1, binary, left; - : 1, binary, left; * : 2, binary, left;
    / : 2, binary, left; \\ : 2, binary, left; ** : 3, binary, right; - : 4, unary };
  %s
}.
"""
_THEORY_ATOMS = {
    "diff": "any",
    "sum": "any",
    "nsum": "any",
    "distinct": "any",
    "disjoint": "any",
    "dom": "any",
} | dict.fromkeys(["minimize", "maximize", "show", "show_assignment"], "directive")
"""The theory atoms of clingo-dl, clingcon and clingo-lpx, and where they may stand."""


@dataclass(frozen=True)
class Encoding:
    """All statements of some files, in the order in which clingo reads them."""

    sources: tuple[Source, ...]
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """The files one after the other, byte for byte."""
        return concatenated([source.data for source in self.sources])

    @cached_property
    def has_scripts(self) -> bool:
        """Whether grounding would run a script."""
        return any(statement.kind == "Script" for statement in self.statements)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The names that `#const` gives a value, which may be another name or one that is undefined, such as `1/0`."""
        return frozenset(statement.node.name for statement in self.statements if statement.kind == "Definition")

    @cached_property
    def deriving(self) -> Mapping[Predicate, list[Statement]]:
        """The statements that may derive an atom of a predicate."""
        deriving: dict[Predicate, list[Statement]] = {}
        for statement in self.statements:
            for head in statement.heads if statement.kind != "Defined" else ():
                deriving.setdefault(head, []).append(statement)
        return deriving

    @cached_property
    def fact_predicates(self) -> frozenset[Predicate]:
        """The predicates of facts that are read without a syntax tree."""
        return frozenset[Predicate]().union(*(source.fact_predicates for source in self.sources))

    @property
    def charset(self) -> str:
        """The character set of the files."""
        return self.sources[0].charset

    @cached_property
    def asprin_names(self) -> frozenset[str]:
        """All names in statements that clingo does not read."""
        return frozenset[str]().union(*(asprin_names(source.data) for source in self.sources))

    @property
    def has_includes(self) -> bool:
        """Whether some file includes another one."""
        return any(_INCLUDE.search(source.data) for source in self.sources)

    def place_of_line(self, line: int) -> tuple[str, int]:
        """The file and its line for a line of the text."""
        name, first = "", 1
        for source in self.sources:
            lines = len(source.starts) - source.data.endswith(b"\n")
            name = source.name
            if line < first + lines + 1:
                break
            first += lines + 1
        return name, line - first + 1

    def runnable(self, text: str) -> str:
        """A text of these files that clingo can run from anywhere: included files by their whole path, without the
        statements that it does not read, and with the theory of a solver that is built on it."""
        folders = [Path(source.name).parent for source in self.sources]

        def whole(place: re.Match[bytes]) -> bytes:
            name = place[2].decode("utf-8")
            for folder in (Path(), *folders):
                if (folder / name).is_file():
                    return place[1] + str((folder / name).resolve()).encode() + place[3]
            return place[0]

        runnable = _INCLUDE.sub(whole, blanked(text.encode("utf-8"))).decode("utf-8")
        if "&" in text and all(statement.kind != "TheoryDefinition" for statement in self.statements):
            guard = "{<=,<,>=,>,=,!=}"
            atoms = [
                f"&{name}/{arity} : term, {guard}, term, {place}"
                for name, place in _THEORY_ATOMS.items()
                if f"&{name}" in text
                for arity in (0, 1)
            ]
            runnable += _THEORY % ";\n  ".join(atoms) if atoms else ""
        return runnable


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

    Files that are not UTF-8 are read as Latin-1, which has a letter for each byte. Raises RuleSyntaxError with clingo's
    message, file, line and column, and HexlogicError for a file that is not there. A file that is named twice is read
    once. Nothing is grounded and no script runs.
    """
    texts: dict[Path, bytes] = {}
    for file in dict.fromkeys(files):
        with readable(file):
            texts[file] = read_bytes(file)
    charset = "utf-8"
    try:
        for data in texts.values():
            data.decode(charset)
    except UnicodeDecodeError:
        charset = "latin-1"
    sources = [Source(str(file), data.decode(charset).encode("utf-8"), charset) for file, data in texts.items()]
    return _read(
        sources,
        [
            source
            for source in sources
            if source.statements != source.data or source.name == str(STDIN) or charset != "utf-8"
        ],
    )


def read_encoding_text(text: str, name: str = "<string>") -> Encoding:
    """The statements of a text, such as one that `clingo.Control.add` takes. Raises as `read_encoding` does.

    >>> encoding = read_encoding_text("{ a(X) } :- b(X). % either\\n")
    >>> [str(statement.node) for statement in encoding.statements][1]
    '{ a(X) } :- b(X).'
    """
    source = Source(name, text.encode("utf-8"))
    return _read([source], [source])


def with_constants(profile: Encoding | None, constants: Sequence[str]) -> Encoding:
    """An instance with other values of constants (`n=40`) than the program gives them. Raises RuleSyntaxError for what
    is no `NAME=TERM`."""
    text = "" if profile is None else profile.runnable(profile.text) + "\n#program base.\n"
    for constant in constants:
        if _CONSTANT.fullmatch(constant) is None:
            raise RuleSyntaxError(f"{constant!r} is no constant with its value", hint="write NAME=TERM, such as n=40")
        text += f"#const {constant}. [override]\n"
    return read_encoding_text(text, "<instance>" if profile is None else profile.sources[0].name)


def check_names(encoding: Encoding, instance: Encoding | None) -> None:
    """Raise RuleSyntaxError for a reserved name that the program does not define by rules, as one that was written
    here does."""

    heads: dict[bool, set[Predicate]] = {True: set(), False: set()}
    for statement in encoding.statements:
        if statement.head is not None:
            heads[statement.head.literal is not None] |= statement.heads
    known = heads[True] - heads[False]
    mentions = [(statement, statement.names.predicates - known) for statement in encoding.statements]
    mentions += [(statement, statement.names.predicates) for statement in (instance.statements if instance else ())]
    for statement, predicates in mentions:
        for predicate in sorted(predicates):
            if is_reserved(predicate.name):
                begin = statement.node.location.begin
                raise RuleSyntaxError(
                    f"the name {predicate.name} is reserved for auxiliary predicates",
                    file=begin.filename if statement.source is None else statement.source.name,
                    line=begin.line,
                    column=begin.column,
                    hint=f"choose a name that does not begin with {RESERVED}",
                )


def _read(sources: Sequence[Source], texts: Collection[Source]) -> Encoding:
    """The statements of sources, those of `texts` without the statements that clingo does not read."""
    for given in sources:
        _check_characters(given, set())
    statements: list[Statement] = []
    part = BASE
    parameters: tuple[str, ...] = ()
    for group in [[source] for source in sources] if texts else [sources]:
        for node, source in _parsed(group, group[0] in texts):
            if node.ast_type == ASTType.Program:
                parameters = tuple(parameter.name for parameter in node.parameters)
                part = node.name if not parameters else f"{node.name}/{len(parameters)}"
            statements.append(Statement(node, part, source, parameters))
    encoding = Encoding(tuple(sources), tuple(statements))
    _check_accepted(encoding)
    return encoding


def _parsed(sources: Sequence[Source], is_text: bool) -> list[tuple[AST, Source | None]]:
    """The statements of some files, or of one text, each with its source; None for that of an included file."""
    known = {_STRING if is_text else source.name: source for source in sources}
    nodes: list[AST] = []
    messages: list[str] = []
    logger = _logger(messages, sources[0])
    try:
        if is_text:
            parse_string(sources[0].statements.decode("utf-8"), nodes.append, logger=logger)
        else:
            parse_files(list(known), nodes.append, logger=logger)
    except RuntimeError as error:
        raise clingo_error(messages, str(error)) from None
    return [(node, known.get(node.location.begin.filename)) for node in nodes]


def _logger(messages: list[str], source: Source | None) -> Callable[[clingo.MessageCode, str], None]:
    """Keeps what clingo says, with the name of the source where clingo calls it `<string>`."""
    name = _STRING if source is None else source.name
    return lambda code, message: messages.append(f"{code.name} {message.replace(_STRING, name)}")


def _check_characters(source: Source, seen: set[Path]) -> None:
    """Raise RuleSyntaxError for a character that clingo cannot read, in a source or a file that it includes."""
    text = source.data.decode("utf-8", "surrogateescape")
    index = unreadable_letter(text)
    if index is not None:
        place = len(text[:index].encode("utf-8", "surrogateescape"))
        line, column = source.place(place)
        what = "a byte order mark" if text[index] == "\ufeff" else repr(text[index])
        raise RuleSyntaxError(
            f"lexer error, unexpected {what}",
            file=source.name,
            line=line,
            column=column,
            hint="save it as UTF-8 without one" if text[index] == "\ufeff" else "only comments and strings may have it",
        )
    for name in (include[2].decode("utf-8") for include in _INCLUDE.finditer(source.data)):
        for path in (Path(name), Path(source.name).parent / name):
            if path.is_file() and path.resolve() not in seen:
                seen.add(path.resolve())
                _check_characters(Source(str(path), read_bytes(path)), seen)


def _check_accepted(encoding: Encoding) -> None:
    """Raise RuleSyntaxError when clingo refuses a statement before it grounds any: a variable that nothing binds.
    Scripts are left out, so that none runs."""
    for source in (*encoding.sources, None):
        messages: list[str] = []
        control = clingo.Control([], logger=_logger(messages, source))
        try:
            with ProgramBuilder(control) as builder:
                for statement in encoding.statements:
                    if statement.source is source and statement.kind != "Script":
                        builder.add(statement.node)
            control.ground([])
        except RuntimeError as error:
            wrong = [message for message in messages if "error:" in message and _NO_THEORY not in message]
            if wrong or not messages:
                raise clingo_error(wrong, str(error)) from None


@dataclass(frozen=True)
class Parts:
    """The calls that ground the parts beside `base`, and the parts of which each instance is known to be ground once.

    `#include <incmode>.` says how clingo grounds `step(t)` and `check(t)`: once for each t. What a host program does
    with other parts is not in the text. So they are measured as if each were ground for t of 1, 2, ... (with several
    parameters once for equal values and once for different ones, so that a comparison tells them apart), and only what
    holds however often a part is ground is done to them, unless the user says how far t goes.
    """

    calls: tuple[Call, ...] = ()
    once: frozenset[str] = frozenset()
    added: str = ""
    """What clingo adds to the text."""

    @property
    def defined(self) -> frozenset[Predicate]:
        """The predicates of what clingo adds."""
        return frozenset([Predicate("query", 1)] if self.added else [])


def parts_of(encoding: Encoding, steps: int | None = None) -> Parts:
    """The parts of an encoding, with first parameters from 1 to `steps`, or 3.

    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> parts_of(read_encoding_text("#program step(t). a(t)."), 2).calls
    ((('step', (1,)),), (('step', (2,)),))
    """
    parts = dict.fromkeys(
        (statement.node.name, len(statement.node.parameters))
        for statement in encoding.statements
        if statement.kind == "Program"
        if (statement.node.name != BASE or statement.node.parameters) and statement.node.name not in ASPRIN_PARTS
    )
    if not parts:
        return Parts()
    is_incremental = any(_INCMODE.search(source.data) for source in encoding.sources)
    if is_incremental:
        parts = {part: None for part in (("step", 1), ("check", 1)) if part in parts}
    calls = [
        tuple((name, values) for name, arity in parts if arity for values in _values(step, arity))
        for step in range(1, (steps or _STEPS) + 1)
    ]
    first = tuple((name, ()) for name, arity in parts if not arity)
    if is_incremental and ("check", 1) in parts:
        calls.insert(0, (("check", (0,)),))
    calls = [call for call in [calls[0] + first, *calls[1:]] if call]
    known = is_incremental or steps is not None
    return Parts(
        tuple(calls),
        frozenset(f"{name}/{arity}" for name, arity in parts if arity and known),
        _QUERY if is_incremental else "",
    )


def _values(step: int, arity: int) -> list[tuple[int, ...]]:
    """The values of parameters in one call: equal ones, and different ones where there are several.

    >>> _values(2, 2)
    [(2, 2), (2, 3)]
    """
    return [(step,) * arity, tuple(range(step, step + arity))][: 1 if arity == 1 else 2]
