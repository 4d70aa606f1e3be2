"""Runs beside a player: reads a program, then facts, one JSON text a line; answers with the cells of `best/1`.

It is a process of its own so that a program whose grounding never ends can be stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator


def answers(lines: Iterable[str]) -> Iterator[str]:
    """A JSON line for each line of facts after the first line, the program: the cells, or an object with the error."""
    import clingo

    source = iter(lines)
    program: str = json.loads(next(source))
    messages: list[str] = []
    for line in source:
        messages.clear()
        control = clingo.Control(["--warn=none", "1"], logger=lambda code, text: messages.append(text))
        try:
            control.add("base", [], program + json.loads(line))
            control.ground([("base", [])])
            cells: list[int] = []
            with control.solve(yield_=True) as models:
                for model in models:
                    cells = [
                        atom.arguments[0].number
                        for atom in model.symbols(atoms=True)
                        if atom.match("best", 1) and atom.arguments[0].type == clingo.SymbolType.Number
                    ]
                    break
            yield json.dumps(sorted(cells))
        except (RuntimeError, MemoryError) as error:
            yield json.dumps({"error": " ".join(" ".join([str(error), *messages]).split())[:300]})


def main() -> None:
    """Answer on stdout until stdin ends."""
    for line in answers(sys.stdin):
        print(line, flush=True)
