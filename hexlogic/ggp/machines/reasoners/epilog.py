"""Epilog as the reasoner: the game engine of Stanford's players, on a rulesheet that is written from the sheet.

One Node process holds the user's own `epilog.js` (see `hexlogic.language.engines.epilog`) and keeps a state as those
players do, as a plain list; playouts run inside the process. One role moves at a time.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.ggp.machines.reasoners.swipl import ProverMachine
from hexlogic.ggp.machines.state_machine import Playouts, State, endless, goal_values, sorted_by_text
from hexlogic.language import Function, Program, Term
from hexlogic.language.dialects.epilog_sheet import Rulesheet
from hexlogic.language.dialects.gdl import constant, constant_word, symbol_name, word_of
from hexlogic.language.dialects.hrf import HRF
from hexlogic.language.engines.epilog import ENGINE, FILLS_THE_STACK, GameSession, stack_fillers
from hexlogic.language.syntax import Integer, Symbol

_Words: TypeAlias = "str | list[_Words]"


class _Seen(msgspec.Struct):
    """What the process says of a state."""

    control: list[object] = []
    legal: list[object] = []
    terminal: bool = False
    goals: list[tuple[object, list[object]]] = []


class EpilogMachine(ProverMachine):
    """A sheet in a Node process, which `close` ends. Raises EngineError without the file, and for a game in which roles
    do not move in turn."""

    reasoner = "epilog"
    _session: GameSession

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        try:
            self._written = Rulesheet(sheet)
        except HexlogicError as error:
            raise EngineError(f"epilog: {error}") from None
        self._session = ENGINE.open_game(self._written.text, self._written.sentences)
        self._at: State | None = None
        self._seen = _Seen()

    def _said(self, **request: object) -> tuple[object, float, Mapping[str, int]]:
        """What the process says; a full stack is told with the predicate that can fill it."""
        try:
            return self._session.play(**request)
        except EngineError as error:
            if "call stack" in str(error) and (deep := stack_fillers(self.sheet)):
                raise EngineError(f"epilog: {deep[0]} {FILLS_THE_STACK}", hint="`gdl check` names the rule") from error
            raise

    def _look(self, state: State) -> _Seen:
        if self._at != state:
            self._seen = msgspec.convert(self._said(state=self._listed(state))[0], _Seen)
            self._at = state
        return self._seen

    def _listed(self, state: State) -> list[_Words]:
        """The state as the process takes it; a role that moves alone is in control."""
        facts = [_words(self._written.renamed("fact", fact)) for fact in sorted_by_text(state.facts)]
        return [*facts, ["control", _words(self.roles[0])]] if self._written.is_alone else facts

    def _state(self, facts: object) -> State:
        terms = (self._written.original(term_of_words(fact)) for fact in msgspec.convert(facts, list[object]))
        alone = Function("control", (self.roles[0],)) if self._written.is_alone else None
        return State(frozenset(term for term in terms if term != alone))

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        seen = self._look(state)
        if _words(self.roles[role]) in seen.control:
            return sorted_by_text(self._written.original(term_of_words(move)) for move in seen.legal)
        return tuple(self._written.idle) if seen.control else ()

    def _terminal(self, state: State) -> bool:
        return self._look(state).terminal

    def _goals(self, state: State, role: int) -> Sequence[int]:
        wanted, name = _words(self.roles[role]), self.roles[role]
        return goal_values(
            name, (term_of_words(value) for of, values in self._look(state).goals if of == wanted for value in values)
        )

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        control = self._look(state).control
        (move,) = (move for role, move in zip(self.roles, moves, strict=True) if _words(role) in control)
        said, _, _ = self._said(state=self._listed(state), move=_words(self._written.renamed("move", move)))
        return self._state(said)

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        said, self.cpu_s, counters = self._said(state=self._listed(start), playouts=n, seed=seed, longest=longest)
        self.inferences = counters.get("inferences", 0)
        if isinstance(said, dict):
            if said["wrong"] == "endless":
                raise endless(longest)
            self._raise_fault(self._state(said["state"]))
        steps, *sums = msgspec.convert(said, list[int])
        there = msgspec.convert(self._said(state=None)[0], dict[str, list[object]])
        order = [_words(term_of_words(role)) for role in there["roles"]]
        goals = tuple(sums[order.index(_words(role))] for role in self.roles)
        return Playouts(n, steps if lengths else None, goals)


def _words(term: Term) -> _Words:
    """A term as the process takes it: a word, or a list of a word and terms."""
    match term:
        case Function(name, arguments):
            return [HRF.word(word_of(name)), *map(_words, arguments)]
        case Integer() | Symbol():
            return HRF.word(constant_word(term))
    raise AssertionError(f"{term} is not ground")


def term_of_words(words: object) -> Term:
    """The term that the process writes so."""
    if isinstance(words, str):
        return constant(words.strip('"'))
    assert isinstance(words, list)
    name, *arguments = words
    return Function(symbol_name(name.strip('"')), tuple(map(term_of_words, arguments)))


REASONER = EpilogMachine
