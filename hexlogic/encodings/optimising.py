"""The best text of an encoding: several pipelines are tried on an instance, and the given text is one of them.

Sizes are measured on the instance first. Each pipeline's text is then ground. One that seems cheaper runs in turns with
the given text, ground and solved with several seeds, and where it is not clearly cheaper any more the given text is
what comes back, byte for byte. One limit holds for all of that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final, TypeAlias
from typing import Literal as OneOf

from hexlogic.encodings.analysis import Analysis, facts_and_others
from hexlogic.encodings.checking import (
    AnswerSetCheck,
    EncodingInstances,
    given_instance,
    random_instance,
    takes_too_long,
    undefined_predicates,
)
from hexlogic.encodings.clingo_jobs import Budget, Unmeasured, measure_text, race_texts
from hexlogic.encodings.clingo_runs import ClingoCost, Run, Turns
from hexlogic.encodings.racing import SHORT_S, Trial, in_turns, may_gain
from hexlogic.encodings.reading import Encoding, Parts, check_names, parts_of, read_encoding_text
from hexlogic.encodings.rewriting import Memory, Rewriting, Rewritten, rewrite
from hexlogic.encodings.steps import load_step
from hexlogic.errors import UnknownNameError
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from hexlogic.proofs.question import equal

Aim: TypeAlias = OneOf["ground", "solve"]

_TIDY: Final = ("unused", "prune", "chase", "replace", "symmetric", "mirror", "guard")
"""Steps that leave no rule with more instances than it had and add none, so that they need no measurement."""

_MEASURED: Final = (
    *("unused", "bounds", "asked", "prune", "chase", "replace", "resolve"),
    *("differ", "symmetric", "mirror", "guard"),
)
"""More, with those before `symmetric` that it would hide something from."""

PIPELINES: Final[tuple[tuple[str, ...], ...]] = (
    _TIDY,
    (*_MEASURED, "anonymous"),
    (*_MEASURED, "count", "anonymous"),
    (*_MEASURED, "count", "anonymous", "split"),
    (*_MEASURED, "shift", "distance", "key", "count", "anonymous", "split"),
    (*_MEASURED, "distance", "overlap", "count", "anonymous"),
    (*_MEASURED, "distance", "overlap", "order", "count", "anonymous"),
    (*_MEASURED, "distance", "overlap", "order", "anonymous"),
    (*_MEASURED, "anonymous", "split"),
)
"""The pipelines that are tried."""

_SURE_S = 0.05
"""CPU seconds from which on a program is measured although nothing defines one of its predicates."""
_CHECK_S = 2.0
"""CPU seconds that the comparison of one instance may take, at most."""
_LARGE_S: Final = 0.2
"""CPU seconds from which on smaller instances than the given one are compared."""
_SEARCH_PART: Final = 0.1
"""The part of the limit that one search may take."""
_RACE_PART: Final = 0.35
"""The part of the time that is left that one race may take."""
_FAR: Final = 0.5
"""The part of the CPU seconds of grounding below which a lossless text needs no race where that has no time."""
_TRIALS_PART: Final = 0.4
"""The part of the time that is left that grounding all trials may take."""
_TRIAL_S: Final = 0.1
"""CPU seconds that a trial may take beyond the best one."""
_BEFORE_PART: Final = 0.25
"""The part of the limit that grounding the given text may take."""
_ENDLESS_PART: Final = 0.5
"""The same for a text of which no part is measured, as it may have no end."""
_PARTS: Final = (16, 8, 5, 3, 2, 1.6, 1.3)
"""One fact in so many is ground where all take too long."""
_PART_S: Final = 0.1
"""CPU seconds from which on no larger part is ground."""
_BLOCK: Final = re.compile(r"<block>:(\d+):")
"""How clingo calls a line of what it was given."""


@dataclass(frozen=True)
class OptimisedEncoding:
    """The text to use, what was done to come to it, what it costs and how it was checked. `chosen` is None where the
    given text is the best; `reason` then says why."""

    encoding: Encoding
    chosen: Trial | None
    reason: str
    before: ClingoCost | Unmeasured
    trials: tuple[Trial, ...]
    check: AnswerSetCheck | None

    @property
    def text(self) -> str:
        """The new text, or the given one."""
        return self.encoding.text if self.chosen is None else self.chosen.rewritten.text

    @property
    def rewritings(self) -> tuple[Rewriting, ...]:
        """What was done, in text order."""
        return () if self.chosen is None else self.chosen.rewritten.rewritings

    @property
    def after(self) -> ClingoCost | Unmeasured:
        """What the text to use costs."""
        return self.before if self.chosen is None else self.chosen.measured


def optimise_text(
    text: str, profile: str = "", *, aim: Aim = "solve", limit_s: float = 10.0, last_step: int | None = None
) -> OptimisedEncoding:
    """Optimise a program as `clingo.Control.add` takes it, for an instance; see `optimise_encoding`.

    Raises RuleSyntaxError with clingo's message for a text that clingo refuses.

    >>> done = optimise_text("n(1..9). {in(X,Y)} :- n(X), n(Y). :- in(X,Y), in(X,Z), Y != Z. #show in/2.")
    >>> print(done.text.split(". ")[2], [rewriting.proof for rewriting in done.rewritings])
    :- n(X), #count { Y : in(X,Y) } > 1 ['order', 'counting']
    """
    given = read_encoding_text(profile, "<profile>") if profile else None
    return optimise_encoding(read_encoding_text(text), given, aim=aim, limit_s=limit_s, last_step=last_step)


def optimise_encoding(
    encoding: Encoding,
    profile: Encoding | None = None,
    *,
    aim: Aim = "solve",
    limit_s: float = 10.0,
    scripts: bool = False,
    steps: Sequence[str] | None = None,
    queries: Collection[Predicate] = (),
    inputs: Collection[Predicate] = (),
    last_step: int | None = None,
    report: Callable[[OptimisedEncoding], None] = lambda _: None,
) -> OptimisedEncoding:
    """The cheapest of several texts of an encoding for an instance, by grounding and solving or by grounding alone.

    `limit_s` are the CPU seconds of the whole call. `report` gets a proved text that no measurement has compared yet,
    before the result. `scripts` lets scripts of the program run; without it nothing
    of a program with scripts is run. `steps` are the only pipeline to try, and its text is taken unless it is wrong.
    `queries` are the predicates whose atoms must stay, when these are not all; they are shown. `inputs` are predicates
    of which an instance may have facts beside those that the program defines. `last_step` says that each part with
    parameters is ground once for each value from 1 to that one.
    """
    for step in steps or ():
        load_step(step)
    check_names(encoding, profile)
    budget = Budget(limit_s)
    parts = parts_of(encoding, last_step)
    given, derived = facts_and_others(profile)
    constants = frozenset[str]() if profile is None else profile.constants
    mentioned = given.union(
        derived, encoding.fact_predicates, *(statement.names.predicates for statement in encoding.statements)
    )
    for kind, names, known in (("input", inputs, mentioned), ("query", queries, mentioned.union(inputs))):
        for predicate in names:
            if predicate not in known:
                raise UnknownNameError.among(kind, str(predicate), sorted(map(str, known)))
    asked = () if profile is None else (statement.names.predicates for statement in profile.statements)
    named = frozenset[Predicate]().union(*asked)
    wanted = frozenset(queries) | named if queries else frozenset[Predicate]()
    outside = given | derived | encoding.fact_predicates | frozenset(inputs)
    analysis = Analysis(encoding, outside, derived, constants, parts.once, wanted=wanted, mentioned=named)
    tidy = rewrite(encoding, _TIDY, Statistics(), analysis)
    if steps is None and tidy.rewritings:
        why, nothing = f"{len(tidy.rewritings)} rewritings are proved, and not measured yet", Unmeasured("not yet")
        report(OptimisedEncoding(encoding, Trial(_TIDY, tidy, nothing), why, nothing, (), None))
    with budget:
        runs = _Runs(encoding, profile, aim, budget, scripts, parts)
        runs_nothing = encoding.has_scripts and not scripts
        may_be_endless = False
        if runs_nothing:
            before: ClingoCost | Unmeasured = Unmeasured("the program has scripts, which run only with --allow-scripts")
        else:
            may_be_endless = takes_too_long(encoding, "", analysis).line is not None
            part = _ENDLESS_PART if may_be_endless else _BEFORE_PART
            before = runs.measured(Rewritten(encoding), part=part)
            if isinstance(before, Unmeasured) and not before.is_slow and parts.calls:
                # nobody grounds the parts like that
                parts, analysis = Parts(), replace(analysis, only_base=True)
                runs = _Runs(encoding, profile, aim, budget, scripts, parts)
                before = runs.measured(Rewritten(encoding))
        whole = before
        if isinstance(whole, Unmeasured) and whole.is_slow and not may_be_endless:
            runs, before = runs.smaller(whole)
            if before is whole:
                whole = before = runs.measured(Rewritten(encoding), part=_ENDLESS_PART)
        statistics = before.statistics if isinstance(before, ClingoCost) else Statistics()
        trials, memory = list[Trial](), Memory()
        for pipeline in PIPELINES if steps is None else [tuple(steps)]:
            new = rewrite(encoding, pipeline, statistics, analysis, memory)
            if queries and new.auxiliary and new.shows_all:
                new = replace(new, shown=frozenset(queries))
            if new.rewritings and all(
                (new.edits, new.removed) != (trial.rewritten.edits, trial.rewritten.removed) for trial in trials
            ):
                trials.append(Trial(pipeline, new, before))
            if budget.left_s < limit_s * _SEARCH_PART:
                break
        if steps is None and runs_nothing:
            trials = trials[:1] if trials and trials[0].steps == _TIDY else []
        if isinstance(before, ClingoCost) or before.is_slow:
            trials = _measured(trials, before, runs, budget)
        known = parts.defined | encoding.fact_predicates
        lacks_facts = profile is None and not undefined_predicates(encoding.statements) <= known
        is_small = not isinstance(before, ClingoCost) or before.cpu_s < _SURE_S
        empty = (lacks_facts and is_small) or (isinstance(before, ClingoCost) and not before.rules)
        chosen, reason, before = _choice(trials, before, runs, empty, steps is not None)
        if isinstance(whole, Unmeasured) and isinstance(before, ClingoCost):
            reason += f" ({runs.instance.name}: the whole takes {whole.reason})"
        check = None
        if chosen is not None and not runs_nothing:
            compared = queries or analysis.predicates - chosen.rewritten.hidden
            instances = EncodingInstances(
                compared,
                profile,
                min(limit_s, _CHECK_S),
                parts=parts,
                scripts=scripts,
                shown=not queries,
                budget=budget,
                is_large=not isinstance(whole, ClingoCost) or whole.cpu_s > _LARGE_S,
                is_slow=not isinstance(whole, ClingoCost) or whole.cpu_s > _SURE_S,
            )
            check = equal(encoding, chosen.rewritten, instances)
        if check is not None and not check.equal:
            chosen, reason = None, str(check)
        return OptimisedEncoding(encoding, chosen, reason, before, tuple(trials), check)


def _measured(trials: Sequence[Trial], before: ClingoCost | Unmeasured, runs: _Runs, budget: Budget) -> list[Trial]:
    """The trials with what grounding costs: the most promising by the estimate first, none for much longer than the
    best text so far, a lossless one the best lossless one, while a part of the time lasts."""
    best_s = dict.fromkeys([True, False], before.cpu_s if isinstance(before, ClingoCost) else budget.left_s / 3)
    end_s = budget.left_s * (1 - _TRIALS_PART)
    gains = [
        sum(each.estimated_before - each.estimated_after for each in trial.rewritten.rewritings) for trial in trials
    ]
    costs: list[ClingoCost | Unmeasured] = [Unmeasured("no time was left", True)] * len(trials)
    order = sorted(range(len(trials)), key=lambda number: -gains[number])
    lossless = [number for number in order if not (runs.solves and trials[number].is_lossy)]
    for number in dict.fromkeys([*order[:1], *lossless[:1], *order]):
        if budget.left_s < end_s:
            break
        is_lossy = trials[number].is_lossy and runs.solves
        cost = costs[number] = runs.measured(trials[number].rewritten, _TRIAL_S + 1.2 * best_s[is_lossy])
        if isinstance(cost, ClingoCost):
            best_s |= {each: min(best_s[each], cost.cpu_s) for each in (True, is_lossy)}
    return [replace(trial, measured=cost) for trial, cost in zip(trials, costs, strict=True)]


class _Runs:
    """Runs of clingo on texts of one encoding, with its instance."""

    def __init__(
        self, encoding: Encoding, profile: Encoding | None, aim: Aim, budget: Budget, scripts: bool, parts: Parts
    ) -> None:
        self._encoding, self._budget, self._run = encoding, budget, Run(parts.calls, scripts=scripts)
        self.solves, self.solve_s = aim == "solve", budget.limit_s * _SEARCH_PART
        self._profile, self._parts, self.instance = profile, parts, given_instance(profile)

    def smaller(self, whole: Unmeasured) -> tuple[_Runs, ClingoCost | Unmeasured]:
        """The runs on a part of the facts and ranges, and what it costs."""
        runs: _Runs = self
        before: ClingoCost | Unmeasured = whole
        for part in _PARTS:
            instance = random_instance(self._encoding, self._profile, 0, part, defined=self._parts.defined)
            if instance is None:
                break
            fewer = copy(self)
            fewer.instance = instance
            cost = fewer.measured(Rewritten(self._encoding))
            if isinstance(cost, Unmeasured):
                break
            if cost.cpu_s >= SHORT_S:
                runs, before = fewer, cost
            if cost.cpu_s >= _PART_S:
                break
        return runs, before

    def measured(
        self, new: Rewritten, limit_s: float | None = None, part: float = _BEFORE_PART
    ) -> ClingoCost | Unmeasured:
        """What grounding costs, within a part of all time; without a limit of its own also the sizes of relations."""
        run = replace(self._run, relations=limit_s is None)
        limit_s = min(limit_s or math.inf, self._budget.limit_s * part)
        cost = measure_text(self._whole(new), limit_s, run, self._budget)
        if isinstance(cost, Unmeasured) and not new.edits and not new.removed:
            return replace(cost, reason=_BLOCK.sub(self._place, cost.reason))
        return cost

    def _place(self, match: re.Match[str]) -> str:
        """The file and line of the user for a line of what was ground."""
        line, own = int(match[1]), self._encoding.text.count("\n") + 2
        if self._profile is not None and line > own:
            name, line = self._profile.place_of_line(line - own)
        else:
            name, line = self._encoding.place_of_line(line)
        return f"{name}:{line}:"

    def race(self, trials: Sequence[Trial], before: ClingoCost) -> tuple[list[Turns], float] | Unmeasured:
        """What the given text and new ones cost in each of several turns, and the CPU seconds that a search may take:
        so many that five turns have time, but at least a quarter of what grounding takes."""
        texts = [self._whole(each) for each in (Rewritten(self._encoding), *(trial.rewritten for trial in trials))]
        ground_s = before.cpu_s + sum(
            trial.measured.cpu_s for trial in trials if isinstance(trial.measured, ClingoCost)
        )
        race_s, count = self.race_s, len(texts)
        solve_s = min(self.solve_s, max(ground_s / 4 / count, (race_s / 5 - ground_s) / count))
        turns = race_texts(texts, race_s, replace(self._run, solve=self.solves, solve_s=solve_s), self._budget)
        return turns if isinstance(turns, Unmeasured) else (turns, solve_s)

    @property
    def race_s(self) -> float:
        """The CPU seconds that a race may take."""
        return self._budget.left_s * _RACE_PART

    def _whole(self, new: Rewritten) -> str:
        instance = self.instance
        text = self._encoding.runnable(new.without(instance.gone, instance.thin))
        added = instance.added if self._profile is None else self._profile.runnable(instance.added)
        return text + added + self._parts.added


def _choice(
    trials: Sequence[Trial], before: ClingoCost | Unmeasured, runs: _Runs, empty: bool, forced: bool
) -> tuple[Trial | None, str, ClingoCost | Unmeasured]:
    """The trial to use, or None, and why; what the given text costs, from the race where there was one."""
    if not trials:
        return None, "no step changes a rule", before
    cost = trials[0].measured
    if forced and isinstance(before, ClingoCost) and isinstance(cost, Unmeasured) and not cost.is_slow:
        return None, f"clingo does not take the new text: {cost.reason}", before
    if forced:
        return trials[0], "the pipeline was given", before
    measured = [(trial, trial.measured) for trial in trials if isinstance(trial.measured, ClingoCost)]
    if isinstance(before, Unmeasured) and measured:
        return min(measured, key=lambda pair: pair[1].cpu_s)[0], f"the given text takes {before.reason}", before
    if isinstance(before, Unmeasured) or empty:
        tidy = [trial for trial in trials if trial.steps == _TIDY]
        if tidy:
            return tidy[0], "not measured: only steps that cannot add instances", before
        if isinstance(before, Unmeasured) and not empty:
            return None, f"nothing was measured: {before.reason}", before
        return None, "nothing can be measured without an instance", before
    better = [pair for pair in measured if may_gain(pair[1], before)]
    better.sort(key=lambda pair: (round(pair[1].cpu_s, 2) if pair[1].cpu_s >= SHORT_S else 0.0, pair[1].size))
    lossless = [pair for pair in better[1:] if not (runs.solves and pair[0].is_lossy)]
    racing = [trial for trial, _ in better[:1] + lossless[:1]]
    if len(racing) > 1 and before.cpu_s + sum(cost.cpu_s for _, cost in better[:2]) > runs.race_s / 2:
        racing = racing[1:] if runs.solves and racing[0].is_lossy else racing[:1]  # two turns of three take too long
    raced = runs.race(racing, before) if racing else Unmeasured("nothing to race")
    if not isinstance(raced, Unmeasured):
        (given, *others), limit_s = raced
        for trial, turns in zip(racing, others, strict=True):
            if (again := in_turns(trial, before, [given, turns], runs.solves, limit_s)) is not None:
                return again[0], "cheaper on the instance", again[1]
    sure = [pair for pair in better if not pair[0].is_lossy and pair[1].cpu_s < before.cpu_s * _FAR]
    if racing and isinstance(raced, Unmeasured) and raced.is_slow and sure:
        return sure[0][0], f"ground in less than half of the time; a race takes {raced.reason}", before
    return None, "nothing that was tried is cheaper on the instance", before
