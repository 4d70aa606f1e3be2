"""The games by name: each module here defines a class as `GAME`; a program can register others."""

from pathlib import Path
from typing import cast

from hexlogic.errors import UnknownNameError
from hexlogic.games.game import Kind
from hexlogic.process.call import function_at
from hexlogic.process.files import rules_folder
from hexlogic.registry import Registry

_REGISTERED: dict[str, tuple[Kind, Path]] = {}
_KINDS: Registry[Kind] = Registry(__name__, "GAME", "game")


def game_names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted({*_KINDS.names(), *_REGISTERED}))


def load_game(name: str) -> Kind:
    """The game of that name. Raises UnknownNameError."""
    if name in _REGISTERED:
        return _REGISTERED[name][0]
    if name not in _KINDS:
        raise UnknownNameError.among("game", name, list(game_names()))
    return _KINDS.load(name)


def register_game(kind: Kind, rules: Path) -> None:
    """Register a game; `rules` is a folder with its board `games/NAME.lp` and its rule sets `NAME/*.lp`."""
    _REGISTERED[kind.name] = kind, rules


def unregister_game(name: str) -> None:
    """Forget a registered game."""
    del _REGISTERED[name]


def kind_at(name: str) -> Kind:
    """The class of a game that `name_of` of `hexlogic.process.call` names.

    >>> kind_at("hexlogic.games.kinds.y:Y").title
    'Y'
    """
    return cast("Kind", function_at(name))


def rules_of_game(name: str) -> Path:
    """The folder that holds a game's rules: hexlogic's own, or the one it was registered with."""
    return _REGISTERED[name][1] if name in _REGISTERED else rules_folder()
