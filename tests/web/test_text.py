"""`hexlogic play --text`: games typed in a terminal."""

from __future__ import annotations

import io

from hexlogic.games import Hex
from hexlogic.web.thinkers import YOU, Thinkers, play_text


def played(typed: str, blue: str = YOU, swap: bool = False, size: int = 3) -> list[str]:
    """What is said of a game."""
    said: list[str] = []
    play_text(Hex(size, size), {"red": YOU, "blue": blue}, Thinkers(0.1), swap, io.StringIO(typed), said.append)
    return said


def test_a_game_is_won_and_its_chain_told() -> None:
    said = played("b2\nb1\na2\na1\nc2\n")
    assert said[-1] == "red has won: a2 b2 c2"
    assert said[-2] == "  a b c\n1 b b . 1\n 2 R R R 2\n  3 . . . 3"


def test_what_cannot_be_played_is_said_and_asked_again() -> None:
    said = played("b2\nb2\nz9\nswap\nb1\n")
    wrong = [line.partition(" [")[0] for line in said if "[" in line]
    assert wrong == [
        "cell b2 is already red",
        "cell z9 is off the 3x3 board (cells run from a1 to c3)",
        "this game has no swap rule (--swap begins one that has)",
    ]
    assert said[-2].startswith("  a b c\n1 . B .")


def test_undo_and_swap() -> None:
    said = played("c1\nswap\nundo\nundo\nundo\n", swap=True)
    assert "3 B . ." in said[4]
    assert said[-1] == "red to move:"
    assert any(line.startswith("there is no move to undo") for line in said)


def test_undo_goes_back_to_a_turn_of_the_person() -> None:
    said = played("b2\nundo\nresign\n", blue="random")
    assert said[-1] == "blue has won"
    assert said[-2] == said[0]
