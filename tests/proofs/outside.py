"""anthem-cx, a counter-example finder of other authors (Potassco): are two answer-set programs equal for all inputs?

It looks for one input, over a small domain, for which the answers differ: a refuter, and no prover. Source: Heuer's
anthem-cx, https://docs.potassco.org/anthem-cx/. It shares clingo with our proofs and no other code.

It reads gringo's language, except: `#const` may not stand in both programs (constants are written out here), and an
integrity constraint of a program is a part of its meaning (the board's, which says what the stones promise, becomes an
assumption). `%! equivalence` is a comment to it. Rules whose terms grow (`follow-line`) have no end when grounded.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hexlogic.games import PLAYERS, Game
from hexlogic.language import Program, Symbol, Term
from hexlogic.language.walk import map_terms

__all__ = ["Refused", "as_input", "counter_example", "stones_of_a_board"]

TIMEOUT_S = 600


class Refused(Exception):  # noqa: N818
    """anthem-cx does not take the programs; its own words."""


def as_input(program: Program) -> str:
    """The program's rules with constants written out, without constraints and declarations."""
    values = {Symbol(name): value for name, value in program.constants}

    def write_out(term: Term) -> Term:
        return values.get(term, term) if isinstance(term, Symbol) else term

    rules = (map_terms(rule, write_out) for rule in program.rules if rule.head is not None)
    return "".join(f"{rule}\n" for rule in rules)


def stones_of_a_board(game: Game) -> str:
    """The assumption that `owns/2` is a position of the board."""
    players = "".join(f"player({player}). " for player in PLAYERS)
    return (
        f"{players}spot(1..{len(game.cells)}). :- owns(P,X), not player(P). :- owns(P,X), not spot(X). "
        f":- owns({PLAYERS[0]},X), owns({PLAYERS[1]},X).\n"
    )


def counter_example(
    folder: Path,
    left: str,
    right: str,
    *,
    inputs: Sequence[str] = ("owns/2",),
    assuming: str = "",
    sizes: tuple[int, int] = (0, 3),
) -> str | None:
    """anthem-cx's counter-example in its own words, None when there is none over the domains of these sizes.

    A domain of size k holds the numbers below k and the constants of both programs. The output is `wins/1`. Files are
    written into `folder`. Raises Refused.
    """
    guide = "".join(f"input: {predicate}.\n" for predicate in inputs) + "output: wins/1.\n"
    texts = {"left.lp": left, "right.lp": right, "guide.ug": guide, "assuming.lp": assuming}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-m", "anthem_cx", "left.lp", "right.lp", "guide.ug", "--log", "error"]
    command += ["--start", str(sizes[0]), "--max", str(sizes[1]), "--assumptions", "assuming.lp"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())
    if done.stdout.startswith("No counterexample was found"):
        return None
    assert done.stdout.startswith("Found a counterexample"), done
    return done.stdout
