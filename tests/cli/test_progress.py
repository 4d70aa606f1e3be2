"""Progress on stderr: told of what takes long, left out on request."""

from __future__ import annotations

import pytest

from hexlogic.cli import options
from hexlogic.cli.bench import show_progress


def test_only_what_takes_long_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    monkeypatch.delenv("HEXLOGIC_QUIET", raising=False)
    monkeypatch.setattr(options, "monotonic", lambda: now[0])
    note = options.notes()
    note("early")
    now[0] = 60.0
    note("late")
    monkeypatch.setenv("HEXLOGIC_QUIET", "1")
    note("asked not to")
    assert capsys.readouterr() == ("", "late\n")


def test_a_quiet_session_counts_no_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HEXLOGIC_QUIET", "1")
    with show_progress() as listener:
        listener.phase("repeats", 1)
        listener.end(None, None)  # type: ignore[arg-type]
    assert "1 of 1" not in capsys.readouterr().err
