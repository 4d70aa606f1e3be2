"""Whether two sheets are the same game: by random games, by every state that can be reached, and by proof.

Both are played side by side, with the same joint moves; in each state the legal moves, the end, the goals and what
comes next are compared. Where there are too many states to visit, a miter asks clingo about all states that the facts
of a game can form, reachable or not: each fact that can come up is true or not, each move that is legal is made or not.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from hexlogic.ggp.language.sheet import PLAYED, QUERIES
from hexlogic.ggp.language.static_facts import closed_inputs, roles_of
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.side_by_side import SideBySide, those
from hexlogic.ggp.machines.state_machine import AT_ONCE, PROVERS
from hexlogic.ggp.propnet.ground_size import has_wide_rules
from hexlogic.language import Function, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import growing_predicates, reachable, rules_below
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.ground.solving import cannot_ground, has_stable_model, least_model
from hexlogic.language.parser import parse_rule
from hexlogic.proofs.joint import miter, needed, one_step_miter
from hexlogic.proofs.question import InputSpace

DONE_IS_LEGAL = parse_rule(":- does(R,M), not legal(R,M).")
"""A constraint on what is asked of the sheet before: only legal moves are made."""

_FIXED = tuple(query for query in QUERIES if query not in PLAYED)


@dataclass(frozen=True)
class SheetEquality:
    """How far two sheets were compared: in so many `games`, of which so many are `different` ones, and `states`, which
    are all there are where `visited`; and in every state that so many `facts` and moves can form, where that is proved.

    `identical` sheets have the same rules, and are not played. `unlisted` is a relation that the sheets may differ in
    whatever else is proved: it has no end.
    """

    difference: str | None
    games: int
    states: int
    visited: bool = False
    facts: int | None = None
    different: int = 0
    unlisted: Predicate | None = None
    identical: bool = False

    @property
    def equal(self) -> bool:
        """Whether the sheets were compared, and are the same game as far as is known."""
        return self.proved or (self.difference is None and (self.games > 0 or self.identical))

    @property
    def proved(self) -> bool:
        """Whether the sheets are the same game for certain."""
        known = self.identical or self.visited or self.facts is not None
        return self.difference is None and self.unlisted is None and known

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT {self.difference}"
        if self.identical:
            return "the rules are the same"
        if not self.games and not self.states:
            return "NOT COMPARED: not one random game came to its end in time"
        played = f"equal in {self.games} random games"
        if self.different < self.games:
            played += f", {self.different} of them different"
        if self.unlisted is not None:
            return f"{played}; {self.unlisted} has no end, and its rules are not the same: no proof"
        if self.visited:
            return f"{played}; proved equal in all {self.states:,} reachable states"
        if self.facts is not None:
            return f"{played}; proved equal whatever is true and done, of {self.facts:,} facts and moves"
        return f"{played}; too many states to visit all, and no proof"


@dataclass(frozen=True)
class GameStates(InputSpace[Program, Program, SheetEquality]):
    """The states of a game: those of random games, then all reachable ones up to so many, then all by a proof.

    Each of the three has a third of the time, the last one what is left; the first game is played to its end whatever
    time it takes.
    """

    most_states: int = 10_000
    games: int = 20
    seed: int = 0
    limit_s: float = 10.0
    report: Callable[[SheetEquality], None] = lambda _: None
    """Hears after each game and after the states what is known so far."""
    apart: bool = False
    """Whether each sheet has a state of its own: what players see is compared then, and nothing is asked of clingo."""

    def compare(self, left: Program, right: Program) -> SheetEquality:
        """Whether two sheets are the same game. Raises EngineError when a sheet cannot be run."""
        if not self.apart and (fixed := _fixed(left, right)) is not None:
            return SheetEquality(fixed, 0, 0)
        unlisted = (
            query for query in _FIXED if _grows(query, left, right) and _below(query, left) != _below(query, right)
        )
        verdict = SheetEquality(None, 0, 0, unlisted=None if self.apart else next(unlisted, None))
        share, begin = self.limit_s / 3, time.monotonic()
        reasoners = PROVERS if self.apart or has_wide_rules(left) else AT_ONCE
        with (
            StateMachine.first_of(left, reasoners) as old,
            StateMachine.first_of(right, PROVERS) if self.apart else StateMachine.from_sheet(right) as new,
        ):
            pair = SideBySide(old, new, apart=self.apart)
            draw, until = random.Random(self.seed), time.monotonic() + share
            while verdict.games < self.games and (not verdict.games or time.monotonic() < until):
                difference = pair.play(draw)
                verdict = replace(verdict, states=len(pair.same), different=len(pair.games))
                if difference is not None:
                    return replace(verdict, difference=str(difference))
                verdict = replace(verdict, games=verdict.games + 1)
                self.report(verdict)
            difference, visited = pair.explore(self.most_states, time.monotonic() + share)
        words = None if difference is None else str(difference)
        verdict = replace(verdict, difference=words, states=len(pair.same), visited=visited, different=len(pair.games))
        self.report(verdict)
        if visited or words is not None or self.apart:
            return verdict
        left_s = max(begin + self.limit_s - time.monotonic(), share)
        return replace(verdict, facts=agree_in_all_states(left, right, left_s))


def _fixed(before: Program, after: Program) -> str | None:
    """In what the sheets differ that no state changes."""
    for predicate in _FIXED:
        if not _grows(predicate, before, after):
            old, new = (least_model(needed(sheet, [predicate]), only=[predicate]) for sheet in (before, after))
            if old != new:
                gone, come = (
                    those(Function(atom.name, atom.arguments) for atom in atoms) for atoms in (old - new, new - old)
                )
                return f"only before: {gone}; only after: {come}"
            if predicate.name == "role" and (ordered := roles_of(before)) != (others := roles_of(after)):
                old_roles, new_roles = (", ".join(map(write_term, roles)) for roles in (ordered, others))
                return f"the roles are {old_roles} before and {new_roles} after"
    return None


def _grows(predicate: Predicate, *sheets: Program) -> bool:
    """Whether the relation may have no end in one of the sheets."""
    return any(reachable(sheet, [predicate]) & growing_predicates(sheet) for sheet in sheets)


def _below(predicate: Predicate, sheet: Program) -> frozenset[Rule]:
    return frozenset(rules_below(sheet, [predicate]).rules)


def agree_in_all_states(before: Program, after: Program, limit_s: float) -> int | None:
    """How many facts and moves there are, when the sheets agree whatever is true and done; None when this is not known.

    First the immediate consequences of their rules are compared, which is quick and often enough, then all that
    follows from them. A case in which they differ means nothing: it may be out of reach. Grounding is not interrupted
    after `limit_s` wall seconds, solving is.
    """
    possible = closed_inputs(before)
    if possible is None or cannot_ground(before) or cannot_ground(after):
        return None
    if any(sheet.constants or sheet.constraints for sheet in (before, after)):
        return None  # no sheet has them, and what they forbid would be left out
    until = time.monotonic() + limit_s
    asked = tuple(query for query in PLAYED if query in before.queries or query in after.queries)
    left, right = (replace(sheet, queries=asked) for sheet in (before, after))
    steps = one_step_miter(left, right, possible, DONE_IS_LEGAL)
    if steps is not None and has_stable_model(steps, until) is False:
        return len(possible)
    watched = left.with_rules((*left.rules, DONE_IS_LEGAL))
    return len(possible) if has_stable_model(miter(watched, right, possible), until) is False else None
