"""SWI-Prolog as the reasoner: one process with the sheet, in which the facts of a state are asserted.

This is what general game players call a prover: nothing is computed before it is asked for. Playouts run inside the
process. Recursion is tabled, and all tables are dropped when the state changes.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from hexlogic.errors import EngineError
from hexlogic.ggp.language.sheet import QUERIES
from hexlogic.ggp.machines import Playouts, State, StateMachine
from hexlogic.ggp.machines.state_machine import endless, goal_values, no_legal_move, sorted_by_text
from hexlogic.ggp.propnet.ground_size import Work
from hexlogic.language import Program, Term
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.dialects.prolog import write_term
from hexlogic.language.engines.base import ProcessSession
from hexlogic.language.engines.swipl import ENGINE, SwiplSession
from hexlogic.language.parser import parse_atom
from hexlogic.language.passes import Pipeline
from hexlogic.process.threads import stopped_after

_GAMES = 2
_SEED = 2019


class ProverMachine(StateMachine):
    """A sheet in a process that grounds nothing ahead and is killed after a limit, which `close` ends too."""

    pipelines = (
        "none",
        "ground,prune,project",
        "ground,reorder:bound-first,prune,project",
        "ground,reorder:cost,prune,project",
        "ground,prune,unfold,reorder:cost,prune,project",
    )

    _session: ProcessSession
    inferences = 0
    """What the last playouts took, drawing and keeping the state included; the same games take the same again."""
    cpu_s = 0.0
    """Seconds of CPU that they took in the process."""

    @classmethod
    def ground_form(cls, sheet: Program) -> None:
        """Nothing is ground ahead."""
        return

    @classmethod
    def work(cls, sheet: Program, limit_s: float) -> Work:
        """The inferences of a few random games, the same games for equal sheets."""
        unit = f"inferences in {_GAMES} random games"
        with cls(sheet) as machine:
            timed = machine.time_playouts(_GAMES, _SEED, limit_s)
            return Work(None if timed is None else machine.inferences, unit)

    def time_playouts(self, n: int, seed: int, limit_s: float) -> float | None:
        """CPU seconds of the process for so many playouts; None when it was killed after `limit_s` wall seconds."""
        with stopped_after(limit_s, self._session.kill) as late:
            try:
                self.playouts(n, seed)
            except EngineError:
                if late.is_set():
                    return None
                raise
        return self.cpu_s

    def close(self) -> None:
        """End the process."""
        self._session.close()


class SwiplMachine(ProverMachine):
    """A sheet in a swipl process, which `close` ends. Raises EngineError when there is no swipl."""

    reasoner = "swipl"
    driver = Path(__file__).with_name("game_driver.pl")
    """What answers in the process."""
    _session: SwiplSession

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        # A query without rules has no answers; tests stand behind what binds their variables.
        asked = replace(sheet, queries=QUERIES)
        ordered = asked if all(map(is_legal, sheet.rules)) else Pipeline.parse("reorder:textual").apply(asked)
        self._session = ENGINE.open(ordered, extra=self.driver)
        self._known: dict[str, list[str]] = {}
        self._at: State | None = None
        """The state that the process is in, and the answers about it."""

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        return sorted_by_text(_terms(self._ask(state, f"moves({write_term(self.roles[role])})")))

    def _terminal(self, state: State) -> bool:
        return self._ask(state, "terminal") == ["yes"]

    def _goals(self, state: State, role: int) -> Sequence[int]:
        name = self.roles[role]
        return goal_values(name, _terms(self._ask(state, f"goals({write_term(name)})")))

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        done = [f"does({write_term(role)},{write_term(move)})" for role, move in zip(self.roles, moves, strict=True)]
        return State(frozenset(_terms(self._ask(state, f"step([{','.join(done)}])"))))

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        self._at = None
        roles = ",".join(map(write_term, self.roles))
        request = f"playouts({n},{seed},[{roles}],[{_listed(start.facts)}],{longest})"
        kind, *words = self._session.request(request, "played", "endless", "stuck", "goal")
        match kind:
            case "endless":
                raise endless(longest)
            case "stuck":
                raise no_legal_move(_term(words[0]))
            case "goal":
                self._raise_fault(State(frozenset(_terms(self._session.request("facts", "terms")))))
        self.inferences, self.cpu_s = int(words[0]), float(words[1])
        steps, *goals = map(int, words[2:])
        return Playouts(n, steps if lengths else None, tuple(goals))

    def _ask(self, state: State, question: str) -> list[str]:
        """The words of the reply; the answers about the state that was asked about last are kept."""
        if self._at != state:
            self._at = None
            self._session.request(f"state([{_listed(state.facts)}])", "done")
            self._at, self._known = state, {}
        if question not in self._known:
            try:
                self._known[question] = self._session.request(question, "terms", "yes", "no")
            except EngineError:
                self._at = None
                raise
        return self._known[question]


def _listed(terms: Iterable[Term]) -> str:
    """Terms with commas between them, in an order that does not change from one process to the next."""
    return ",".join(map(write_term, sorted_by_text(terms)))


def _terms(reply: Sequence[str]) -> list[Term]:
    return list(map(_term, reply[1:]))


@functools.lru_cache(maxsize=100_000)
def _term(text: str) -> Term:
    return parse_atom(f"term({text})").arguments[0]


REASONER = SwiplMachine
