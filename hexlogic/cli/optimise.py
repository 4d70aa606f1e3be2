"""`hexlogic optimise`: any program in the rule language, made cheaper, with reasons, counters and a check.

Programs in the rest of clingo's language are rewritten in place: `hexlogic.cli.optimise_encoding`. Sheets in GDL have
figures and a check of their own: `hexlogic.cli.optimise_sheet`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.errors import (
    ArityError,
    HexlogicError,
    RuleSyntaxError,
    StratificationError,
    UnknownNameError,
    UnsafeRuleError,
)
from hexlogic.files import write_text

__all__ = ["optimise"]


def optimise(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE.lp...|FILE.kif", help="A program that clingo reads, or a sheet (also .hrf)."),
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
            help="The passes to apply: ground,reorder:cost,prune unless given; else the best of several.",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", metavar="OUT", help="Write the program here.")] = None,
    reasoner: Annotated[
        str | None, typer.Option("--reasoner", metavar="NAME", help="For a sheet: who plays it; swipl unless given.")
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option("--for", metavar="prover|propnet|swipl|compiled", help="For a sheet: the kind of its player."),
    ] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="A,B", help="For a sheet: reasoners whose playouts are timed.")
    ] = None,
    instance: Annotated[
        Path | None,
        typer.Option("--instance", "--profile", metavar="FILE.lp", help="A typical instance to measure with."),
    ] = None,
    constants: Annotated[
        list[str] | None,
        typer.Option("--const", "-c", metavar="NAME=TERM", help="For clingo's language: measure with this constant."),
    ] = None,
    last_step: Annotated[
        int | None,
        typer.Option(
            "--steps",
            metavar="N",
            min=1,
            help="For clingo's language: parts such as step(t) are ground once for each t of 1..N.",
        ),
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option(
            "--aim",
            metavar="ground|solve|swipl",
            help="What is to get cheaper; swipl is for the rule language and the default there, else ground.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Sizes for each rewriting and for each trial.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 when a cheaper program was found.")
    ] = False,
    allow_scripts: Annotated[bool, typer.Option("--allow-scripts", help="Let scripts of the program run.")] = False,
    seed: Annotated[int, typer.Option("--random", metavar="SEED", help="Measure with random input facts.")] = 0,
    limit: Annotated[
        float,
        typer.Option(
            "--limit", metavar="S", min=0.1, help="Seconds for each phase: a pipeline, the comparison, a measurement."
        ),
    ] = 10.0,
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
    hexlogic optimise queens.lp -c n=40 -o faster.lp
    hexlogic optimise encoding.lp --profile instance.lp --aim ground --explain -o faster.lp
    hexlogic optimise game.kif --for prover -o faster.kif
    """
    file = files[0]
    if aim not in (None, "ground", "solve", "swipl"):
        raise UnknownNameError.among("aim", aim or "", ["ground", "solve", "swipl"])
    if any(path.suffix.lower() in (".kif", ".hrf") for path in files[1:]):
        raise HexlogicError("a sheet is optimised alone", file=str(file))
    if file.suffix.lower() in (".kif", ".hrf"):
        from hexlogic.cli.optimise_sheet import optimise_sheet_file
        from hexlogic.gdl.audience import stand_in

        _refuse(
            file,
            "is for programs in the rule language",
            query=query,
            inputs=inputs,
            instance=instance,
            aim=aim,
            const=constants,
            steps=last_step,
        )
        if audience is not None and reasoner is not None:
            raise HexlogicError("--for and --reasoner both say who plays", hint="give one of the two")
        played_by = reasoner or ("swipl" if audience is None else stand_in(audience))
        optimise_sheet_file(file, pipeline, output, played_by, measure, seed, limit, as_json)
        return
    _refuse(file, "is for sheets", reasoner=reasoner, measure=measure, **{"for": audience})
    from hexlogic.engines.swipl.inferences import inferences
    from hexlogic.ground.sample import sample_facts
    from hexlogic.ground.solving import ground_size
    from hexlogic.passes import Pipeline
    from hexlogic.passes.interface import NoQueryError, read_facts, read_program
    from hexlogic.passes.optimise import DEFAULT_PIPELINE, with_empty_defined
    from hexlogic.passes.optimise import optimise as run_pipeline
    from hexlogic.proofs.program_equality import equal_answers

    if aim == "swipl":
        _refuse(file, "is for --aim ground and solve", check=check or None, explain=explain or None)
    asked = check or explain or bool(constants) or last_step is not None
    in_place = aim in ("ground", "solve") or (aim is None and (len(files) > 1 or asked))
    try:
        program, taken = (None, ()) if in_place else read_program(files, query, inputs)
    except (ArityError, NoQueryError, RuleSyntaxError, StratificationError, UnsafeRuleError):
        if aim == "swipl":
            raise
        program, taken = None, ()
    if program is None:
        from hexlogic.cli.optimise_encoding import optimise_files

        optimise_files(
            files,
            output,
            query=query,
            inputs=inputs,
            pipeline=pipeline,
            profile=instance,
            constants=constants or [],
            last_step=last_step,
            aim="solve" if aim == "solve" else "ground",
            limit_s=limit,
            allow_scripts=allow_scripts,
            explain=explain,
            check=check,
            as_json=as_json,
        )
        return
    _refuse(file, "is for programs in clingo's language", const=constants, steps=last_step)
    steps = Pipeline.parse(DEFAULT_PIPELINE if pipeline is None else pipeline)
    given = None if instance is None else read_facts(instance, program)
    facts = sample_facts(program, seed) if given is None else given
    done = run_pipeline(program, steps, given)
    new = with_empty_defined(done.program)
    rows: list[tuple[str, int | str, int | str]] = []
    sizes = [ground_size(version, facts, limit) for version in (program, new)]
    for key in ("rules", "atoms"):
        before, after = (f"more than {limit:g} s" if size is None else getattr(size, key) for size in sizes)
        rows.append((f"clingo ground {key}", before, after))
    rows.append(("SWI-Prolog inferences", inferences(program, facts, limit), inferences(new, facts, limit)))
    equality = equal_answers(program, new, limit)
    if output is not None:
        write_text(output, str(new))
    if as_json:
        result = {
            "pipeline": str(steps),
            "program": str(new),
            "changes": [{"step": str(c.step), "what": c.what, "reason": c.reason} for c in done.changes],
            "counters": [{"name": name, "before": before, "after": after} for name, before, after in rows],
            "taken_as_inputs": [str(predicate) for predicate in taken],
            "instance": len(facts),
            "equal": equality.equal,
            "proved": equality.proved,
            "instances": equality.instances,
            "how": equality.how,
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
        said = ("proved equal" if equality.proved else "no difference") if equality.equal else "DIFFERENT ANSWERS"
        typer.echo(f"% {said} {equality.how}", err=True)
    if not equality.equal:
        raise typer.Exit(1)


def _refuse(file: Path, what: str, **options: object) -> None:
    """Raise HexlogicError for an option that was given and does not suit the kind of file."""
    for name, value in options.items():
        if value is not None:
            raise HexlogicError(f"--{name} {what}", file=str(file))


def _figure(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
