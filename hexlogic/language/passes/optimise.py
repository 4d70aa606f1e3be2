"""Optimise a program by a pipeline, and report each change with its reason.

Also how `hexlogic optimise` reads the files of a program of rules.
"""

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hexlogic.errors import EngineError, HexlogicError, UnknownNameError
from hexlogic.language import Atom, BodyLiteral, Comparison, Integer, Predicate, Program, Rule
from hexlogic.language.analysis.binding import Adornments
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates, reachable, undefined_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline, Step, load_pass
from hexlogic.language.passes.cost import PlanFor, order_by_cost
from hexlogic.language.walk import predicates
from hexlogic.process.files import read_text, readable

DEFAULT_PIPELINE = "ground,reorder:cost,prune"

_REASONS: Mapping[str, str] = {
    "ground": "depends on no input",
    "magic": "only what the queries ask for is derived",
    "project": "a recursion only carries it along",
    "prune": "the rest of the program implies it",
    "reorder": "the order that the strategy chooses",
    "reorder:cost": "cheaper by the estimate",
    "stage": "the engine is made to follow the order of the body",
    "unfold": "its only call",
}


@dataclass(frozen=True, slots=True)
class Change:
    """What one step did to one predicate, and why."""

    step: Step
    predicate: Predicate | None
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.step}: {self.what} ({self.reason})"

    @property
    def fields(self) -> dict[str, str]:
        """The step, what it did and why, as JSON."""
        return {"step": str(self.step), "what": self.what, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Transformed:
    """The new program and how it came about."""

    program: Program
    changes: tuple[Change, ...]


def optimise(
    program: Program,
    pipeline: Pipeline | str = DEFAULT_PIPELINE,
    instance: Iterable[Atom] | None = None,
    asked: Adornments | None = None,
) -> Transformed:
    """The program after a pipeline, with one change for each predicate that a step touched.

    `instance` are input facts that are typical: `reorder:cost` measures them instead of a random sample. It plans for
    listing all answers to the queries, and for deriving them bottom-up where the pipeline has `stage`. `asked` says of
    some queries which of their arguments whoever asks will give.
    Raises UnknownNameError and PipelineError for a pipeline that cannot be carried out.

    >>> from hexlogic.language.parser import parse
    >>> done = optimise(parse("p(1..9). q(1..2). s(X) :- p(X), q(X). #show s/1."), "reorder:cost")
    >>> print(done.changes[0])
    reorder:cost: s(X) :- q(X), p(X). (cheaper by the estimate)
    """
    steps = Pipeline.parse(pipeline) if isinstance(pipeline, str) else pipeline
    facts = None if instance is None else tuple(instance)
    plan_for: PlanFor = "deriving" if any(step.name == "stage" for step in steps.steps) else "listing"
    changes: list[Change] = []
    for step in steps.steps:
        if (step.name, step.option) == ("reorder", "cost"):
            after = order_by_cost(program, facts, plan_for, asked)
        else:
            after = load_pass(step.name).apply(program, step.option)
        changes += changes_of(step, program, after)
        program = after
    return Transformed(program, tuple(changes))


def with_empty_defined(program: Program) -> Program:
    """The program with a rule that never fires for each predicate that has lost all its rules.

    Without one its text would leave open whether the predicate is empty or an input.

    >>> from hexlogic.language.parser import parse
    >>> done = optimise(parse("#defined on/1. dark(X) :- lamp(X), X > 9. lamp(1..9). p(X) :- on(X), not dark(X)."))
    >>> print(with_empty_defined(done.program).rules[-1])
    dark(0) :- 0 = 1.
    """
    heads = program.heads | set(program.inputs)
    queries = (query for query in program.queries if query not in heads)
    empty = dict.fromkeys((*undefined_predicates(program), *queries))
    never = (Comparison("=", Integer(0), Integer(1)),)
    rules = (Rule(Atom(predicate.name, (Integer(0),) * predicate.arity), never) for predicate in empty)
    return program.with_rules((*program.rules, *rules))


def _by_head(program: Program) -> dict[Predicate | None, list[Rule]]:
    rules_of: dict[Predicate | None, list[Rule]] = {}
    for rule in program.rules:
        rules_of.setdefault(None if rule.head is None else rule.head.predicate, []).append(rule)
    return rules_of


def changes_of(step: Step, before: Program, after: Program) -> list[Change]:
    """The differences between two programs, predicate by predicate in the order of the text."""
    if after is before:
        return []
    old, new = _by_head(before), _by_head(after)
    reason = _REASONS.get(str(step)) or _REASONS.get(step.name, load_pass(step.name).summary)
    return [
        Change(step, predicate, what, reason)
        for predicate in dict.fromkeys([*new, *old])
        if old.get(predicate) != new.get(predicate)
        for what in _describe(str(predicate), old.get(predicate, []), new.get(predicate, []))
    ]


def _describe(name: str, old: list[Rule], new: list[Rule]) -> list[str]:
    if not old:
        return [str(rule) for rule in new] if len(new) <= _SHOWN else [f"{name} is new, {_count(new)}"]
    if not new:
        return [f"{name} is gone"]
    gone = [rule for rule in old if rule not in new]
    come = [rule for rule in new if rule not in old]
    if (len(gone) != len(come) and len(come) > _SHOWN) or all(rule.is_fact for rule in new):
        return [f"{name}: {_count(old)} became {_count(new)}"]
    if len(gone) != len(come):
        return [f"{rule} is gone" for rule in gone] + [str(rule) for rule in come]
    return [_difference(before, rule) for before, rule in zip(gone, come, strict=True)]


_SHOWN = 4


def _count(rules: list[Rule]) -> str:
    facts = sum(rule.is_fact for rule in rules)
    counts = ((len(rules) - facts, "rule"), (facts, "fact"))
    return " and ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n) or "0 facts"


def _difference(before: Rule, after: Rule) -> str:
    """The new rule; or what it lost, when that is all."""
    lost: list[BodyLiteral] = list(before.body)
    for item in after.body:
        if item not in lost:
            return str(after)
        lost.remove(item)
    kept = [item for item in before.body if item not in lost]
    if before.head != after.head or not lost or kept != list(after.body):
        return str(after)
    return f"{after} without {', '.join(map(str, lost))}"


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
