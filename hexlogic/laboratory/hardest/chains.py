"""The board with the most partial chains, by clingo: path counts as binary numbers, added up column by column.

    17 { owns(red,X) : cell(X) } 17.      :- wins(red).
    bit(X,0) :- owns(red,X), column(X,1).                    paths(x) = 1 in column 1
    carry(X,B+1) :- left(X,B), below(X,B).                   one full adder for each cell and bit
    #maximize { 2**B,X : bit(X,B) }.

The numbers are as wide as the bound on partial chains allows, so no carry is lost, and the search may stop at it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from hexlogic.errors import EngineError, SizeError
from hexlogic.games import RED, Hex, Position, has_won
from hexlogic.games.rulesets import load_rule_set
from hexlogic.laboratory.hardest.chain_bound import bound_chains, count_chains
from hexlogic.language.passes import Pipeline

ADDERS: Final = Path(__file__).with_name("adders.lp").read_text(encoding="ascii")
"""What is said about the stones, beside the board's rules and those of a complete rule set."""

_RULES = "follow-line-tabled"
_MOST = 2**31 - 1  # clingo's integers end there, without a word
_POLL_S = 0.5


def maximise_chains(
    *,
    rows: int,
    columns: int,
    stones: int,
    time_s: float | None = None,
    report: Callable[[Any], None] = lambda _: None,
) -> dict[str, Any]:
    """Search until the bound is met, nothing better is left, or the time is over.

    Reports each fact as plain data: `{"bound": N}`, then `{"red": [cells], "figure": N}` for each better
    board. The result is plain data: `exhausted` (no better board exists), `conflicts` and `seconds` of clingo's search.
    Raises SizeError where the numbers would not fit clingo's.
    """
    game = Hex(rows, columns)
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    bound = bound_chains(game, stones)
    if bound.total > _MOST:
        raise SizeError(
            f"{stones} stones on {game} may make {bound.total:,} partial chains, more than clingo can count",
            hint=f"at most {_MOST:,}",
        )
    report({"bound": bound.total})
    return _solve(game, _text(game, stones, bound.most), bound.total, deadline, report)


def _text(game: Hex, stones: int, most: Iterable[int]) -> str:
    widths = [value.bit_length() for value in most]
    lines = [f"{stones} {{ owns(red,X) : cell(X) }} {stones}.", ADDERS]
    lines += [f"bits({column},{width})." for column, width in enumerate(widths, 1) if width]
    lines += [f"weight({bit},{2**bit})." for bit in range(max(widths, default=0))]
    rules = Pipeline.parse("ground").apply(load_rule_set(_RULES).instantiate(game))
    return f"{rules}{chr(10).join(lines)}\n#show owns/2.\n"


def _solve(game: Hex, text: str, bound: int, deadline: float, report: Callable[[Any], None]) -> dict[str, Any]:
    import clingo

    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    begin = time.perf_counter()
    met = False

    def on_model(model: clingo.Model) -> bool:
        nonlocal met
        red = sorted(atom.arguments[1].number for atom in model.symbols(shown=True) if atom.name == "owns")
        figure = -model.cost[0] if model.cost else 0
        position = Position(game, frozenset(red))
        if figure != sum(count_chains(position)) or has_won(position, RED):
            raise EngineError(f"clingo's board {position.to_moves()!r} is not what it says: please report it")
        report({"red": red, "figure": figure})
        met = figure >= bound
        return not met

    with control.solve(async_=True, on_model=on_model) as handle:
        while not handle.wait(min(_POLL_S, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                handle.cancel()
                break
        exhausted = bool(handle.get().exhausted)
    conflicts = int(control.statistics["solving"]["solvers"]["conflicts"])
    return {"exhausted": exhausted and not met, "conflicts": conflicts, "seconds": time.perf_counter() - begin}
