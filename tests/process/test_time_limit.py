"""The limit of a command ends it wherever it is, but for what is run when an object is deleted."""

from __future__ import annotations

import gc
import time
import weakref
from typing import Literal

import pytest

from hexlogic.process.limits import TimeOverError, time_limit


def _wait() -> None:
    end_s = time.monotonic() + 0.5
    while time.monotonic() < end_s:
        pass


class Slow:
    """Takes its time to go."""

    ends_s = 0.0

    def __del__(self) -> None:
        _wait()
        Slow.ends_s = time.monotonic()


def test_a_limit_that_is_met_while_an_object_goes_holds_after_it() -> None:
    def run() -> None:
        Slow()
        while True:
            pass

    with pytest.raises(TimeOverError), time_limit(0.1):
        run()
    assert Slow.ends_s > 0


def test_a_limit_that_is_met_while_garbage_is_collected_holds_after_it() -> None:
    def callback(phase: Literal["start", "stop"], info: dict[str, int]) -> None:
        _wait()

    def run() -> None:
        gc.collect()
        while True:
            pass

    gc.callbacks.append(callback)
    try:
        with pytest.raises(TimeOverError), time_limit(0.1):
            run()
    finally:
        gc.callbacks.remove(callback)


def test_a_limit_that_is_met_while_a_reference_dies_holds_after_it() -> None:
    def run() -> None:
        slow = Slow()
        weakref.finalize(slow, _wait)
        del slow
        while True:
            pass

    with pytest.raises(TimeOverError), time_limit(0.1):
        run()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_limit_that_was_dropped_is_told_again() -> None:
    def run() -> None:
        slow = Slow()
        reference = weakref.ref(slow, lambda _: _wait())
        del slow
        while reference() is None:
            pass

    with pytest.raises(TimeOverError), time_limit(0.1):
        run()


def test_a_limit_does_not_cut_short_what_cleans_up_after_it() -> None:
    cleaned = []

    def run() -> None:
        try:
            while True:
                pass
        finally:
            try:
                raise KeyError
            except KeyError:
                _wait()
            cleaned.append(True)

    with pytest.raises(TimeOverError), time_limit(0.1):
        run()
    assert cleaned


def test_nothing_is_raised_once_the_work_is_done() -> None:
    with time_limit(0.1):
        pass
    end_s = time.monotonic() + 0.3
    while time.monotonic() < end_s:
        pass
