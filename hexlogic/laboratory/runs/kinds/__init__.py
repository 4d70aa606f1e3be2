"""Kinds of measurement: each module of this folder is one, found by its name.

A module defines `KIND`, a subclass of `hexlogic.laboratory.runs.kind.Configuration`. Nothing else names the module but
the plans that want its configurations. A measured process imports only the module of its own kind.
"""

from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.registry import Registry

KINDS: Registry[type[Configuration]] = Registry(__name__, "KIND", "kind of measurement", on_demand=True)
