"""Optimise files in the rule language by a pipeline: counters of clingo and SWI-Prolog, and whether answers stay."""

from collections.abc import Callable, Sequence
from pathlib import Path

from hexlogic.language import Predicate, Program
from hexlogic.language.engines.swipl import inferences
from hexlogic.language.ground.domains import sample_facts
from hexlogic.language.ground.solving import ground_size
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.optimise import DEFAULT_PIPELINE, optimise, read_facts, with_empty_defined
from hexlogic.language.passes.request import Optimised, Request
from hexlogic.proofs.program_equality import Instances
from hexlogic.proofs.question import equal


def optimise_rules(
    program: Program,
    taken: Sequence[Predicate],
    file: Path,
    request: Request,
    report: Callable[[Optimised], None] = lambda _: None,
) -> Optimised:
    """Optimise a program; no rule defines its inputs `taken`. `report` hears the text before it is measured."""
    request.refuse(file, "is for programs in clingo's language", "constants", "last_step")
    steps = Pipeline.parse(DEFAULT_PIPELINE if request.pipeline is None else request.pipeline)
    given = None if request.instance is None else read_facts(request.instance, program)
    facts = sample_facts(program, request.seed) if given is None else given
    done = optimise(program, steps, given)
    new = with_empty_defined(done.program)
    changes = tuple(f"% {change}" for change in done.changes)
    fields: dict[str, object] = {
        "pipeline": str(steps),
        "program": str(new),
        "changes": [change.fields for change in done.changes],
    }
    report(Optimised(str(new), (*changes, "% not measured, not compared"), fields))
    limit_s = request.limit / 4
    rows: list[tuple[str, int | str, int | str]] = []
    sizes = [ground_size(version, facts, limit_s) for version in (program, new)]
    for key in ("rules", "atoms"):
        before, after = (f"more than {limit_s:g} s" if size is None else getattr(size, key) for size in sizes)
        rows.append((f"clingo ground {key}", before, after))
    work = [inferences(version, facts, limit_s) for version in (program, new)]
    rows.append(("SWI-Prolog inferences", work[0], work[1]))
    equality = equal(program, new, Instances(limit_s))
    notes = [f"taken as inputs, since no rule defines them: {', '.join(map(str, taken))}"] if taken else []
    notes += map(str, done.changes)
    notes.append(f"measured with {len(facts)} {'random ' if given is None else ''}input facts, before and after:")
    notes += [f"  {name:22} {_figure(before):>12} {_figure(after):>12}" for name, before, after in rows]
    verdict = ("proved equal" if equality.proved else "no difference") if equality.equal else "DIFFERENT ANSWERS"
    fields |= {
        "counters": [{"name": name, "before": before, "after": after} for name, before, after in rows],
        "taken_as_inputs": [str(predicate) for predicate in taken],
        "instance": len(facts),
        **{name: getattr(equality, name) for name in ("equal", "proved", "instances", "how")},
    }
    notes.append(f"{verdict} {equality.how}")
    return Optimised(str(new), tuple(f"% {note}" for note in notes), fields, equality.equal)


def _figure(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value
