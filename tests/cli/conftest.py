"""The command line in this process: fast, and with its three results at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from hexlogic.cli import run


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    def refused(self) -> str:
        """The one line of a refusal: exit status 2, nothing on stdout, no traceback."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.endswith("\n"), self
        assert self.err.count("\n") == 1, self
        assert "Traceback" not in self.err
        return self.err.rstrip("\n")


Cli = Callable[..., Outcome]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        status = run(list(arguments))
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call
