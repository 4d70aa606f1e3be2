"""Whether two sheets are the same game: by random games, by every state that can be reached, and by proof.

Both are played side by side, with the same joint moves; in each state the legal moves, the end, the goals and what
comes next are compared. Where there are too many states to visit, clingo is asked about all of them at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from hexlogic.ggp.language.sheet import PLAYED, QUERIES
from hexlogic.ggp.language.static_facts import roles_of
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.side_by_side import Difference, SideBySide, those
from hexlogic.ggp.optimise.all_states import agree_in_all_states
from hexlogic.ggp.propnet.possible_sizes import has_wide_rules
from hexlogic.language import Function, Predicate, Program
from hexlogic.language.analysis.dependence import growing_predicates, reachable, rules_below
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.ground.least_model import least_model
from hexlogic.proofs.equality import InputSpace
from hexlogic.proofs.miter import needed

_FIXED = tuple(query for query in QUERIES if query not in PLAYED)


@dataclass(frozen=True)
class SheetEquality:
    """How far two sheets were compared: in so many `games`, of which so many are `different` ones, and `states`, which
    are all there are where `visited`; and in every state that so many `facts` and moves can form, where that is proved.

    `identical` sheets have the same rules, and are not played. `unlisted` is a relation that the sheets may differ in
    whatever else is proved: it has no end.
    """

    difference: Difference | None
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
        return f"{played}; too many states to visit all, and no proof in time"


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

    def compare(self, left: Program, right: Program) -> SheetEquality:
        """Whether two sheets are the same game. Raises EngineError when a sheet cannot be run."""
        if (fixed := _fixed(left, right)) is not None:
            return SheetEquality(Difference(None, (), fixed), 0, 0)
        unlisted = next((one for one in _FIXED if _grows(one, left, right) and _differ(one, left, right)), None)
        share, begin = self.limit_s / 3, time.monotonic()
        first = StateMachine.prover if has_wide_rules(left) else StateMachine.at_once
        with first(left) as old, StateMachine.quick(right) as new:
            pair = SideBySide(old, new)
            draw, played, until = random.Random(self.seed), 0, time.monotonic() + share
            while played < self.games and (not played or time.monotonic() < until):
                if (found := pair.play(draw)) is not None:
                    return SheetEquality(found, played, len(pair.same), different=len(pair.games))
                played += 1
                self.report(SheetEquality(None, played, len(pair.same), different=len(pair.games), unlisted=unlisted))
            found, visited = pair.explore(self.most_states, time.monotonic() + share)
        self.report(SheetEquality(found, played, len(pair.same), visited, None, len(pair.games), unlisted))
        left_s = max(begin + self.limit_s - time.monotonic(), share)
        facts = None if found is not None or visited else agree_in_all_states(left, right, left_s)
        return SheetEquality(found, played, len(pair.same), visited, facts, len(pair.games), unlisted)


def _fixed(before: Program, after: Program) -> str | None:
    """In what the sheets differ that no state changes."""
    for predicate in _FIXED:
        if not _grows(predicate, before, after):
            old, new = (least_model(needed(sheet, [predicate]), only=[predicate]) for sheet in (before, after))
            if old != new:
                gone, come = (
                    those(Function(atom.name, atom.arguments) for atom in found) for found in (old - new, new - old)
                )
                return f"only before: {gone}; only after: {come}"
            if predicate.name == "role" and (ordered := roles_of(before)) != (others := roles_of(after)):
                own, other = (", ".join(map(write_term, roles)) for roles in (ordered, others))
                return f"the roles are {own} before and {other} after"
    return None


def _grows(predicate: Predicate, *sheets: Program) -> bool:
    """Whether the relation may have no end in one of the sheets."""
    return any(reachable(sheet, [predicate]) & growing_predicates(sheet) for sheet in sheets)


def _differ(predicate: Predicate, *sheets: Program) -> bool:
    """Whether the rules below the relation are not the same."""
    before, after = (set(rules_below(sheet, [predicate]).rules) for sheet in sheets)
    return before != after
