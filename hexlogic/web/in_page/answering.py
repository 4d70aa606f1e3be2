"""Answer the workbench in the page without a server: the same routes, each a function of JSON text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.process.call import Signature
from hexlogic.process.files import decode_json
from hexlogic.web.evaluation import evaluate
from hexlogic.web.game_request import describe_board
from hexlogic.web.in_page.clingo_module import Run, clingo_module
from hexlogic.web.rule_text import difference, prove, rules


def begin(run: Run) -> None:
    """Let clingo be what `run` runs: what it gives may be a list of JavaScript."""
    sys.modules["clingo"] = clingo_module(run)


_ROUTES: Final[dict[str, Callable[..., dict[str, object]]]] = {
    "board": describe_board,
    "rules": rules,
    "evaluate": evaluate,
    "difference": difference,
    "prove": prove,
}


def answer(route: str, message: str, report: Callable[[str], None] = lambda text: None) -> str:
    """The answer to a message, as JSON: `{"answer": ...}`, or `{"error": ...}` with the `line` and `column`.

    What long work reports goes to `report`, as JSON. Raises nothing for what a person got wrong.
    """
    signature = Signature(_ROUTES[route])
    try:
        asked = msgspec.to_builtins(decode_json(message, signature.message))
        return _json({"answer": signature.call(asked, lambda value: report(_json(value)))})
    except HexlogicError as error:
        return _json({"error": str(error), "line": error.line, "column": error.column})
    except RecursionError:
        return _json({"error": "what this is about is nested too deeply"})
    except msgspec.DecodeError as error:
        return _json({"error": f"this is no message of the page: {error}"})


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
