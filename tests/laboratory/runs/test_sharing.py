"""Work that is shared out: each task is done once, whoever is lost, and none is taken before somebody is free."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.process.cluster import WorkerLost, work_through


class Crew:
    """Workers that answer at once, and die as the dice say; the last one lives."""

    def __init__(self, dice: random.Random, size: int, deadly: float) -> None:
        self.dice, self.deadly = dice, deadly
        self.alive, self.done = set(range(size)), list[int]()

    def submit(self, worker: int, task: tuple[object, ...]) -> Future[int]:
        assert worker in self.alive
        made: Future[int] = Future()
        (number,) = task
        assert isinstance(number, int)
        if len(self.alive) > 1 and self.dice.random() < self.deadly:
            self.alive.remove(worker)
            made.set_exception(WorkerLost(str(worker)))
        else:
            self.done.append(number)
            made.set_result(number**2)
        return made

    def others(self, lost: int) -> set[int]:
        assert lost not in self.alive
        return self.alive


@pytest.mark.parametrize("seed", range(40))
def test_every_task_is_done_once(seed: int) -> None:
    dice = random.Random(seed)
    size, tasks = dice.randint(1, 6), dice.randint(0, 30)
    crew = Crew(dice, size, dice.choice([0.0, 0.1, 0.5]))
    found = dict(work_through([(number,) for number in range(tasks)], range(size), crew.submit, crew.others))
    assert found == {number: number**2 for number in range(tasks)}
    assert sorted(crew.done) == list(range(tasks))


def test_a_task_is_taken_when_somebody_is_free() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[tuple[object, ...]]:
        for number in range(9):
            taken.append(number)
            yield (number,)

    crew = Crew(random.Random(1), 2, 0.0)
    for ended, _ in enumerate(work_through(tasks(), range(2), crew.submit), start=1):
        assert len(taken) <= ended + 1
    assert taken == list(range(9))


@pytest.mark.parametrize("tasks", [1, 2, 5])
def test_without_workers_it_says_so(tasks: int) -> None:
    def lose(worker: int, task: tuple[object, ...]) -> Future[int]:
        made: Future[int] = Future()
        made.set_exception(WorkerLost)
        return made

    with pytest.raises(HexlogicError, match="no worker is left"):
        list(work_through([(number,) for number in range(tasks)], range(2), lose))
    assert list(work_through([], range(2), lose)) == []


def test_an_error_of_a_task_ends_it() -> None:
    def fail(worker: int, task: tuple[object, ...]) -> Future[int]:
        made: Future[int] = Future()
        made.set_exception(KeyError(task))
        return made

    with pytest.raises(KeyError):
        list(work_through([(1,), (2,)], range(1), fail))
