"""Find engines, passes, dialects, games, reasoners and strategies by name, each in a module of its own.

A registered thing is one module (or one package) in the folder of its kind. The module defines an attribute, such as
`ENGINE` or `PASS`, and nothing else in the library names the module:

    engines/clingo.py              ENGINE = ClingoEngine()       name: ENGINE.name
    ggp/strategies/uct.py          STRATEGY = ...                name: the module's, `_` written as `-`
    gdl/.../reasoners/swipl__sld.py                              and `__` as `:`

A folder may also hold modules without the attribute; these are helpers and no entries.
"""

import functools
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Generic, TypeVar, cast

from hexlogic.errors import UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """Finds by name what the modules of `package` define as `attribute`.

    `noun` is what an error calls one of them. With `on_demand` every module of the folder is an entry with the module's
    name, and a module is imported when its entry is loaded: for entries that import heavy libraries.
    """

    def __init__(self, package: str, attribute: str, noun: str, *, on_demand: bool = False) -> None:
        self._package, self._attribute, self._noun = package, attribute, noun
        self._on_demand = on_demand

    def names(self) -> tuple[str, ...]:
        """The names of all entries, sorted."""
        return tuple(sorted(self._modules if self._on_demand else self._entries))

    def check(self, name: str) -> None:
        """Raise UnknownNameError, with the names there are, unless there is an entry of that name."""
        if name not in self:
            raise UnknownNameError.among(self._noun, name, list(self.names()))

    def load(self, name: str) -> T:
        """The entry of that name, alone where its module has its name: a process that needs one does not pay for the
        others. Raises UnknownNameError, with the names there are."""
        if name in self._modules:
            entry = getattr(import_module(self._modules[name]), self._attribute, None)
            if self._on_demand or (entry is not None and getattr(entry, "name", name) == name):
                return cast("T", entry)
        self.check(name)
        return self._entries[name]

    def __contains__(self, name: str) -> bool:
        return name in (self._modules if self._on_demand else self._entries)

    def __iter__(self) -> Iterator[T]:
        """All entries, in the order of their names."""
        return (self.load(name) for name in self.names())

    @functools.cached_property
    def _modules(self) -> dict[str, str]:
        """The full name of each module of the folder, by its own name."""
        folder = import_module(self._package)
        return {
            module.name.replace("__", ":").replace("_", "-"): f"{self._package}.{module.name}"
            for module in pkgutil.iter_modules(folder.__path__)
        }

    @functools.cached_property
    def _entries(self) -> dict[str, T]:
        modules = {name: import_module(module) for name, module in self._modules.items()}
        entries = {
            name: cast("T", getattr(module, self._attribute))
            for name, module in modules.items()
            if hasattr(module, self._attribute)
        }
        return {getattr(entry, "name", name): entry for name, entry in entries.items()}
