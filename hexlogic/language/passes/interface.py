"""The interface of a program that is to be optimised: its queries, its inputs, and input facts to measure with."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from hexlogic.errors import EngineError, HexlogicError, UnknownNameError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates, reachable, undefined_predicates
from hexlogic.language.ground.least_model import least_model
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.language.parser import parse
from hexlogic.language.walk import predicates
from hexlogic.process.files import read_text, readable


class NoQueryError(HexlogicError):
    """A program that does not say what is asked for."""


def read_program(files: Sequence[Path], query: str | None, inputs: str | None) -> tuple[Program, tuple[Predicate, ...]]:
    """The program of some files, and the predicates that it takes as inputs since no rule defines them.

    `query` and `inputs` are predicates with commas between them, such as `reach/1,goal/2`: the queries instead of the
    program's own, and inputs beside the program's own. Raises HexlogicError, NoQueryError where the program asks for
    nothing that it defines.
    """
    file = files[0]
    program = check(_joined([parse(_text(file), str(file)) for file in dict.fromkeys(files)]))
    known = sorted(predicates(program))
    if inputs is not None:
        wanted = tuple(_named(name, known, "input") for name in inputs.split(","))
        program = dataclasses.replace(program, inputs=tuple(dict.fromkeys((*program.inputs, *wanted))))
    if query is not None:
        asked = tuple(_named(name, known, "query") for name in query.split(","))
        program = dataclasses.replace(program, queries=asked)
    if not program.queries:
        raise NoQueryError("the program has no query", file=str(file), hint="add `#show p/1.` or --query p/1")
    defined = program.heads | set(program.inputs)
    for predicate in program.queries:
        if predicate not in defined:
            kind = NoQueryError if query is None else HexlogicError
            raise kind(f"no rule defines the query {predicate}", file=str(file))
    taken = undefined_predicates(program)
    program = dataclasses.replace(program, inputs=(*program.inputs, *taken))
    for rule in program.rules:
        for atom in rule.atoms:
            if is_reserved(atom.name) and atom.predicate in program.inputs and rule.place is not None:
                raise HexlogicError(
                    f"the name {atom.name} is reserved for auxiliary predicates",
                    file=rule.place.file,
                    line=rule.place.line,
                    column=rule.place.column,
                    hint=f"choose a name that does not begin with {RESERVED}",
                )
    endless = sorted(growing_predicates(program) & reachable(program, program.queries))
    if endless:
        raise HexlogicError(
            f"function terms in {endless[0]} grow without bound, so its facts cannot be listed", file=str(file)
        )
    return program, taken


def _joined(programs: Sequence[Program]) -> Program:
    """The program that several texts spell together."""
    if len(programs) == 1:
        return programs[0]
    return Program(
        tuple(rule for program in programs for rule in program.rules),
        tuple(dict.fromkeys(pair for program in programs for pair in program.constants)),
        *(
            tuple(dict.fromkeys(name for program in programs for name in getattr(program, part)))
            for part in ("inputs", "queries", "equivalences")
        ),
    )


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
        found = least_model(listed)
    except EngineError as error:
        raise error.at(file=str(file)) from None
    return tuple(sorted(found, key=str))
