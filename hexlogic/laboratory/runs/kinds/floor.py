"""The start-up floor of an engine: the smallest question, a program of one fact, asked for it, with no position.

The floors of a session are measured before its first run, in rounds over its engines.
"""

from collections.abc import Iterable, Iterator

from hexlogic.games.rulesets import win_query
from hexlogic.laboratory.records.types import Floor, Session
from hexlogic.laboratory.runs.kind import Configuration, Measurer, Measuring, Message
from hexlogic.laboratory.runs.kinds.question import ask
from hexlogic.language import Program, Rule

FLOOR_REPEATS = 3


class EngineFloor(Configuration, frozen=True, forbid_unknown_fields=True, tag="floor"):
    """An engine, without rules and without a position."""

    record_type = Floor

    engine: str

    def __str__(self) -> str:
        return f"the floor of {self.engine}"

    def execute(self, measuring: Measuring) -> Message:
        """Ask the engine for the one fact."""
        query = win_query("red")
        program = Program((Rule(query),), queries=(query.predicate,))
        return ask(self.engine, lambda: program, (), query, measuring)


def measure_floors(session: Session, measurer: Measurer, *, has: Iterable[Floor] = ()) -> Iterator[Floor]:
    """The floors of the session's engines, each measured when it is asked for, up to one that was stopped. Those that a
    resumed session `has` are not measured again."""
    there = {(floor.engine, floor.repeat) for floor in has}
    for repeat in range(FLOOR_REPEATS):
        for engine, info in session.engines.items():
            if info.missing is None and (engine, repeat) not in there:
                floor = measurer(EngineFloor(engine), session, warmup=False, repeat=repeat, stop=None)
                if not isinstance(floor, Floor):
                    return
                yield floor


KIND = EngineFloor
