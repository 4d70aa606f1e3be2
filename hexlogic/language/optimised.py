"""What `hexlogic optimise` is asked and answers, for all its languages; the files of a program of rules."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hexlogic.errors import EngineError, HexlogicError, UnknownNameError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates, reachable, undefined_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.language.parser import parse
from hexlogic.language.walk import predicates
from hexlogic.process.files import read_text, readable


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of `hexlogic optimise`, by their names there; None where the user said nothing."""

    query: str | None = None
    inputs: str | None = None
    pipeline: str | None = None
    reasoner: str | None = None
    player_kind: str | None = None
    measure: str | None = None
    instance: Path | None = None
    constants: list[str] | None = None
    last_step: int | None = None
    aim: str | None = None
    output: Path | None = None
    explain: bool = False
    check: bool = False
    allow_scripts: bool = False
    seed: int = 0
    limit: float = 10.0

    def refuse(self, file: Path, what: str, *names: str) -> None:
        """Raise HexlogicError for an option (by its field) that was given and does not suit the kind of the file."""
        for name in names:
            if getattr(self, name):
                option = {"player_kind": "for", "constants": "const", "last_step": "steps"}.get(name, name)
                raise HexlogicError(f"--{option} {what}", file=str(file))


@dataclass(frozen=True)
class Optimised:
    """A new text with a report: what changed and why, what it costs, how it was compared with the old text."""

    text: str
    notes: tuple[str, ...]
    """Lines for a person, as comments of the language or of a diff."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """The same for a program, as JSON."""
    is_same: bool = True
    """Whether no comparison found another meaning."""
    changed: bool = True


class NoQueryError(HexlogicError):
    """A program that does not say what is asked for."""


def read_program(files: Sequence[Path], query: str | None, inputs: str | None) -> tuple[Program, tuple[Predicate, ...]]:
    """The program of some files, and the predicates that become inputs because no rule defines them.

    `query` and `inputs` are predicates with commas between them, such as `reach/1,goal/2`: the queries instead of the
    program's own, and inputs beside the program's own. Raises HexlogicError, NoQueryError where the program asks for
    nothing that it defines.
    """
    file = files[0]
    texts = (parse(_text(file), str(file)) for file in dict.fromkeys(files))
    program = check(functools.reduce(operator.add, texts))
    known = sorted(predicates(program))
    if inputs is not None:
        wanted = tuple(_named(name, known, "input") for name in inputs.split(","))
        program = replace(program, inputs=tuple(dict.fromkeys((*program.inputs, *wanted))))
    if query is not None:
        asked = tuple(_named(name, known, "query") for name in query.split(","))
        program = replace(program, queries=asked)
    if not program.queries:
        raise NoQueryError("the program has no query", file=str(file), hint="add `#show p/1.` or --query p/1")
    defined = program.heads | set(program.inputs)
    for predicate in program.queries:
        if predicate not in defined:
            kind = NoQueryError if query is None else HexlogicError
            raise kind(f"no rule defines the query {predicate}", file=str(file))
    undefined = undefined_predicates(program)
    program = replace(program, inputs=(*program.inputs, *undefined))
    for rule in program.rules:
        for atom in rule.atoms:
            if is_reserved(atom.name) and atom.predicate in program.inputs:
                what = f"the name {atom.name} is reserved for auxiliary predicates"
                raise rule.at(HexlogicError(what, hint=f"choose a name that does not begin with {RESERVED}"))
    if endless := min(growing_predicates(program) & reachable(program, program.queries), default=None):
        what = f"function terms in {endless} grow without bound, so its facts cannot be listed"
        raise HexlogicError(what, file=str(file))
    return program, undefined


def _named(text: str, known: list[Predicate], kind: str) -> Predicate:
    for predicate in known:
        if str(predicate) == text.strip():
            return predicate
    raise UnknownNameError.among(kind, text.strip(), [str(predicate) for predicate in known])


def _text(file: Path) -> str:
    with readable(file):
        return read_text(file)


def read_facts(file: Path, program: Program) -> tuple[Atom, ...]:
    """The input facts in a file. Raises HexlogicError for anything else in it."""
    listed = parse(_text(file), str(file))
    for rule in listed.rules:
        if not rule.is_fact or rule.head is None or rule.head.predicate not in program.inputs:
            line = rule.place.line if rule.place else None
            raise HexlogicError(f"`{rule}` is not an input fact", file=str(file), line=line, column=1)
    try:
        return tuple(sorted(least_model(listed), key=str))
    except EngineError as error:
        raise error.at(file=str(file)) from None
