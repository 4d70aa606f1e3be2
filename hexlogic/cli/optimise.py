"""`hexlogic optimise`: any program in the rule language, made cheaper, with reasons, counters and a check.

Sheets in GDL have figures and a check of their own: `hexlogic.cli.optimise_sheet`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.errors import EngineError, HexlogicError, UnknownNameError
from hexlogic.files import write_text

if TYPE_CHECKING:
    from hexlogic.logic import Atom, Predicate, Program

__all__ = ["optimise"]


def optimise(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.lp|FILE.kif", help="A program in the rule language, or a sheet (also .hrf).")
    ],
    query: Annotated[
        str | None, typer.Option("--query", metavar="P/N,...", help="What is asked for, instead of its #show lines.")
    ] = None,
    inputs: Annotated[
        str | None,
        typer.Option(
            "--inputs", metavar="P/N,...", help="What comes at run time, beside its #defined and what no rule defines."
        ),
    ] = None,
    pipeline: Annotated[
        str | None,
        typer.Option(
            "--pipeline",
            "-p",
            metavar="PASSES",
            help="The passes to apply: ground,reorder:cost,prune unless given; for a sheet the best of several.",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", metavar="OUT", help="Write the program here.")] = None,
    reasoner: Annotated[
        str | None, typer.Option("--reasoner", metavar="NAME", help="For a sheet: who plays it; swipl unless given.")
    ] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="A,B", help="For a sheet: reasoners whose playouts are timed.")
    ] = None,
    instance: Annotated[
        Path | None, typer.Option("--instance", metavar="FILE.lp", help="Input facts to measure with.")
    ] = None,
    seed: Annotated[int, typer.Option("--random", metavar="SEED", help="Measure with random input facts.")] = 0,
    limit: Annotated[float, typer.Option("--limit", metavar="S", min=0.1, help="Seconds for each measurement.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Optimise a program: print the new text, and what changed and why.

    The text goes to stdout, everything else to stderr: one line for each change, what clingo grounds and what
    SWI-Prolog infers before and after, and whether the answers are the same. Exit status 1: they are not.

    For a sheet: what the reasoner has to do, its playouts a second, and whether it is the same game: in random games,
    and by proof where that is possible. Exit status 1 also when it is no valid sheet any more.

    \b
    hexlogic optimise benchmarks/programs/triangles.lp
    hexlogic optimise rules.lp --query reach/1 --inputs edge/2 -p ground,reorder:cost,prune,magic -o faster.lp
    hexlogic optimise game.kif --reasoner swipl -o faster.kif
    """
    if file.suffix.lower() in (".kif", ".hrf"):
        from hexlogic.cli.optimise_sheet import optimise_sheet_file

        _refuse(file, "is for programs in the rule language", query=query, inputs=inputs, instance=instance)
        optimise_sheet_file(file, pipeline, output, reasoner or "swipl", measure, seed, limit, as_json)
        return
    _refuse(file, "is for sheets", reasoner=reasoner, measure=measure)
    from hexlogic.cli.comparing import clingo_work, equal, swipl_work
    from hexlogic.ground.sample import sample_facts
    from hexlogic.passes import Pipeline
    from hexlogic.passes.optimise import DEFAULT_PIPELINE, with_empty_defined
    from hexlogic.passes.optimise import optimise as run_pipeline

    program, taken = _read(file, query, inputs)
    steps = Pipeline.parse(DEFAULT_PIPELINE if pipeline is None else pipeline)
    given = None if instance is None else _facts(instance, program)
    facts = sample_facts(program, seed) if given is None else given
    done = run_pipeline(program, steps, given)
    new = with_empty_defined(done.program)
    rows: list[tuple[str, int | str, int | str]] = []
    work = [clingo_work(version, facts, limit) for version in (program, new)]
    for key in ("rules", "atoms"):
        known = [f"more than {limit:g} s" if found is None else found[key] for found in work]
        rows.append((f"clingo ground {key}", known[0], known[1]))
    inferences = [swipl_work(version, facts, limit) for version in (program, new)]
    rows.append(("SWI-Prolog inferences", inferences[0], inferences[1]))
    verdict = equal(program, new, limit)
    if output is not None:
        write_text(output, str(new))
    if as_json:
        import json

        result = {
            "pipeline": str(steps),
            "program": str(new),
            "changes": [{"step": str(c.step), "what": c.what, "reason": c.reason} for c in done.changes],
            "counters": [{"name": name, "before": before, "after": after} for name, before, after in rows],
            "taken_as_inputs": [str(predicate) for predicate in taken],
            "instance": len(facts),
            "equal": verdict.equal,
            "proved": verdict.proved,
            "instances": verdict.instances,
            "how": verdict.how,
        }
        typer.echo(json.dumps(result, indent=2))
    else:
        if output is None:
            typer.echo(str(new), nl=False)
        if taken:
            named = ", ".join(map(str, taken))
            typer.echo(f"% taken as inputs, since no rule defines them: {named}", err=True)
        for change in done.changes:
            typer.echo(f"% {change}", err=True)
        source = "random " if given is None else ""
        typer.echo(f"% measured with {len(facts)} {source}input facts, before and after:", err=True)
        for name, before, after in rows:
            typer.echo(f"%   {name:22} {_figure(before):>12} {_figure(after):>12}", err=True)
        said = ("proved equal" if verdict.proved else "no difference") if verdict.equal else "DIFFERENT ANSWERS"
        typer.echo(f"% {said} {verdict.how}", err=True)
    if not verdict.equal:
        raise typer.Exit(1)


def _refuse(file: Path, what: str, **options: object) -> None:
    """Raise HexlogicError for an option that was given and does not suit the kind of file."""
    for name, value in options.items():
        if value is not None:
            raise HexlogicError(f"--{name} {what}", file=str(file))


def _figure(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _read(file: Path, query: str | None, inputs: str | None) -> tuple[Program, tuple[Predicate, ...]]:
    """The program with the interface that the options give it, and the inputs that nobody declared: predicates that
    no rule defines. Raises HexlogicError."""
    import dataclasses

    from hexlogic.logic.analysis.checks import parse_checked
    from hexlogic.logic.analysis.dependence import growing_predicates, reachable, undefined_predicates
    from hexlogic.logic.walk import predicates

    program = parse_checked(_text(file), str(file))
    known = sorted(predicates(program))
    if inputs is not None:
        wanted = tuple(_named(name, known, "input") for name in inputs.split(","))
        program = dataclasses.replace(program, inputs=tuple(dict.fromkeys((*program.inputs, *wanted))))
    if query is not None:
        asked = tuple(_named(name, known, "query") for name in query.split(","))
        program = dataclasses.replace(program, queries=asked)
    if not program.queries:
        raise HexlogicError("the program has no query", file=str(file), hint="add `#show p/1.` or --query p/1")
    defined = {rule.head.predicate for rule in program.rules if rule.head is not None} | set(program.inputs)
    for predicate in program.queries:
        if predicate not in defined:
            raise HexlogicError(f"no rule defines the query {predicate}", file=str(file))
    taken = undefined_predicates(program)
    program = dataclasses.replace(program, inputs=(*program.inputs, *taken))
    endless = sorted(growing_predicates(program) & reachable(program, program.queries))
    if endless:
        raise HexlogicError(
            f"function terms in {endless[0]} grow without bound, so its facts cannot be listed", file=str(file)
        )
    return program, taken


def _named(text: str, known: list[Predicate], kind: str) -> Predicate:
    for predicate in known:
        if str(predicate) == text.strip():
            return predicate
    raise UnknownNameError.among(kind, text.strip(), [str(predicate) for predicate in known])


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise HexlogicError("this is not UTF-8 text", file=str(file)) from None


def _facts(file: Path, program: Program) -> tuple[Atom, ...]:
    """The input facts in a file. Raises HexlogicError for anything else in it."""
    from hexlogic.ground.least_model import least_model
    from hexlogic.logic.parser import parse

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
