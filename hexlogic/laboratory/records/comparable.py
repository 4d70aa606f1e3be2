"""Decides whether the times of several sessions may be compared: which fields of their headers have to agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from hexlogic.laboratory.records.types import Session
from hexlogic.process.limits import MEGABYTE, Limits

_SAME: Final[dict[str, tuple[str, ...]]] = {
    "hosts": ("host", "cpu_model", "cores"),
    "limits": ("limits",),
    "meters": ("meter",),
    "versions of hexlogic": ("hexlogic", "code_hash"),
    "versions of Python": ("python",),
}
"""The fields of a header that have to agree, by what they are called together."""

_PLAN: Final = ("suite", "seed", "repeats", "warm_ups")
"""The fields that are the plan of a session."""

_WORDS: Final = {"cpu_model": "processor", "python": "Python", "code_hash": "code", "warm_ups": "warm-ups"}


def unlike(sessions: Sequence[Session], *, code: bool = True) -> list[str]:
    """What differs among sessions and makes their times incomparable, such as `hosts` or `versions of swipl`.

    Without `code` hexlogic itself may differ. An engine that a session did not ask, or could not, differs from none.
    """
    phrases = [
        what
        for what, fields in _SAME.items()
        if (code or "hexlogic" not in fields)
        and len({repr([getattr(session, field) for field in fields]) for session in sessions}) > 1
    ]
    for engine in sorted({name for session in sessions for name in session.engines}):
        if len({session.engines[engine].version for session in sessions if engine in session.engines} - {None}) > 1:
            phrases.append(f"versions of {engine}")
    return phrases


def differences(before: Session, now: Session) -> list[str]:
    """What makes runs of these two sessions not comparable, one phrase each; empty when they are.

    The suite, its seed and numbers of repeats count too: a resumed session carries out the same plan.
    """
    phrases = [
        f"{_WORDS.get(field, field)} {_short(getattr(before, field))}, now {_short(getattr(now, field))}"
        for field in (*chain.from_iterable(_SAME.values()), *_PLAN)
        if getattr(before, field) != getattr(now, field)
    ]
    for name, info in before.engines.items():
        version = now.engines[name].version if name in now.engines else None
        if name not in now.engines or version != info.version:
            phrases.append(f"{name} {info.version}, now {version or 'not asked'}")
    phrases += [f"{name} not asked, now asked" for name in now.engines if name not in before.engines]
    return phrases


def _short(value: object) -> str:
    if isinstance(value, Limits):
        return f"{value.cpu_s:g} s CPU and {value.memory_bytes / MEGABYTE:,.0f} MB"
    return str(value)
