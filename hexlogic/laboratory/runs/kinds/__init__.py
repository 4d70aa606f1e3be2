"""Kinds of measurement: each module of this folder is one, found by its name.

A module defines `KIND` (see `hexlogic.laboratory.runs.kind`): the job that a measured process gets, what it does,
the record that
is made of it, and the configurations that are measured. Nothing else names the module but the plans that want its
configurations. A measured process imports only the module of its own kind.
"""

from __future__ import annotations

from typing import Any

from hexlogic.laboratory.runs.kind import Kind
from hexlogic.registry import Registry

__all__ = ["KINDS"]

KINDS: Registry[Kind[Any]] = Registry(__name__, "KIND", "kind of measurement", on_demand=True)
