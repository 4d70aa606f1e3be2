"""Compiling is told when it happens, and only then."""

from __future__ import annotations

from numba import njit

from hexlogic.cli.output import show_compilation


def test_compiling_is_told_with_its_seconds(capsys, monkeypatch):
    monkeypatch.delenv("HEXLOGIC_QUIET", raising=False)

    @njit
    def inner(number):
        return number + 1

    @njit
    def outer(number):
        return inner(number) * 2

    with show_compilation():
        assert outer(3) == 8
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "compiling, once on this machine ..."
    assert len(lines) == 2
    assert lines[1].startswith("compiled in ")


def test_what_is_compiled_already_is_not_told(capsys):
    @njit
    def function(number):
        return number + 1

    function(1)
    with show_compilation():
        assert function(2) == 3
    assert capsys.readouterr().err == ""
