"""Drawings of what the compiled state machine makes of a small sheet, for its page: phases, and latches."""

from __future__ import annotations

from canvas import Canvas, Point, stand_alone

from hexlogic.games import Hex
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.propnet.control import ControlAutomaton, control_automaton
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Atom

__all__ = ["draw_latches", "draw_phases"]

_LETTER = 6.0


def draw_phases() -> str:
    """Hex 2x2: the round of phases, with the choices of each."""
    sheet, game = _taken_apart()
    name = _Names(sheet, game)
    width, row = 310.0, 18.0
    canvas = Canvas(2 * width + 90, 4 * row + 122)
    for number, phase in enumerate(game.phases):
        left = 10 + number * (width + 70)
        canvas.rect(left, 34, width, 4 * row + 62, "f-none", radius=6)
        facts = ", ".join(write_term(sheet.facts[fact]) for fact in sorted(phase.facts))
        canvas.text((left + 10, 26), f"phase {number}", size=12, bold=True)
        canvas.text((left + 90, 26), f"where (true {facts}) holds", "f-soft")
        for place, choice in enumerate(phase.choices):
            y = 54 + row * place
            does = write_term(sheet.moves[phase.role][choice.move])
            ((fact, _),) = choice.effects
            canvas.text((left + 10, y), does)
            canvas.text((left + 74, y), f"while {name.of(choice.literal)}:", "f-soft")
            canvas.text((left + 196, y), f"{write_term(sheet.facts[fact])} !", "f-t2" if phase.role == 0 else "f-t1")
        others = [
            f"{write_term(sheet.roles[role])} can only {write_term(sheet.moves[role][move])}"
            for role, move in enumerate(phase.forced)
            if move >= 0
        ]
        canvas.text((left + 10, 62 + 4 * row), "; ".join(others), "f-soft")
        canvas.text((left + 10, 80 + 4 * row), f"the end: {name.of(phase.terminal)}", "f-soft")
    for y, start, end in ((66.0, 10 + width, 80 + width), (100.0, 80 + width, 10 + width)):
        _arrow(canvas, (start + (4 if end > start else -4), y), (end - (4 if end > start else -4), y))
    canvas.text((45 + width, 58), "a move", "f-soft", size=10.5, anchor="middle")
    canvas.text((45 + width, 92), "a move", "f-soft", size=10.5, anchor="middle")
    return stand_alone(canvas.finish("The phases of Hex 2x2"))


def draw_latches() -> str:
    """Hex 2x2: what follows from red's stones, latch by latch."""
    sheet, game = _taken_apart()
    latches, name = LatchNetwork(game, sheet.initial), _Names(sheet, game)
    label = {
        literal >> 1: name.of(node)
        for node in range(2, len(game.formulas.bodies))
        if (literal := latches.literal(node)) > 1
    }
    rows = {cell: 60.0 + 62 * place for place, cell in enumerate(("a1", "b1", "a2", "b2"))}
    at: dict[int, Point] = {}
    for latch, text in label.items():
        if text.startswith("stone red"):
            at[latch] = (196, rows[text[-2:]])
        elif text.startswith("reach red"):
            at[latch] = (404, rows[text[-2:]])
        elif text.startswith("taken"):
            at[latch] = (62, rows[text[-2:]])
        elif text == "wins red":
            at[latch] = (530, 153.0)
        elif text == "terminal":
            at[latch] = (634, 153.0)
    canvas = Canvas(690, 284)
    for head, causes in latches.rules:
        if head in at and all(cause in at for cause in causes):
            _rule(canvas, at[head], [at[cause] for cause in causes])
    for latch, (x, y) in at.items():
        text = label[latch]
        wide = _LETTER * len(text) + 14
        canvas.rect(x - wide / 2, y - 11, wide, 22, "h-z" if text.startswith("taken") else "h-g1", radius=8)
        canvas.text((x, y + 4), text, anchor="middle")
    for x, words in ((62, "no longer legal"), (196, "by a move"), (404, "what follows"), (634, "the end")):
        canvas.text((x, 22), words, "f-soft", anchor="middle")
    return stand_alone(canvas.finish("The latches of red's stones in Hex 2x2"))


def _taken_apart() -> tuple[GroundSheet, ControlAutomaton]:
    sheet = ground_sheet(export_sheet(find_rules("follow-line-tabled", "hex"), Hex(2, 2)).program)
    assert sheet is not None
    return sheet, control_automaton(sheet)


class _Names:
    """Words for literals: those of the atom, of several the first, that has the literal."""

    def __init__(self, sheet: GroundSheet, game: ControlAutomaton) -> None:
        self._of: dict[int, str] = {}
        for fact, node in enumerate(game.fact_nodes):
            if node:
                self._of[node] = _plain(write_term(sheet.facts[fact]))
        for atom, literal in zip(sheet.ground.atoms, game.literals, strict=True):
            if literal and atom.name not in ("goal", "owns"):
                self._of.setdefault(literal, _words(atom))

    def of(self, literal: int) -> str:
        """The words of a literal."""
        return self._of[literal] if literal in self._of else f"not {self._of[-literal]}"


def _words(atom: Atom) -> str:
    return " ".join([atom.name, *(_plain(write_term(term)) for term in atom.arguments)])


def _plain(text: str) -> str:
    return text.strip("()")


def _rule(canvas: Canvas, head: Point, causes: list[Point]) -> None:
    """One line for one cause; several meet in a dot on the way."""
    if len(causes) == 1:
        _arrow(canvas, _edge(causes[0], head), _edge(head, causes[0]))
        return
    # The first cause is the stone in the row of the head: the dot stands between them.
    stone = min(causes)
    others = [cause for cause in causes if cause != stone]
    shift = 0.22 * (others[0][1] - head[1])
    dot = (stone[0] + 0.62 * (head[0] - stone[0]), head[1] + shift)
    canvas.line(_edge(stone, dot), dot, "f-axis")
    for other in others:
        canvas.line((other[0] - 44, other[1]), dot, "f-axis")
    canvas.dot(dot, 2.4)
    _arrow(canvas, dot, (head[0] - 44, head[1] + 0.2 * shift))


def _edge(start: Point, towards: Point) -> Point:
    """A point beside `start`, on the side of the other."""
    x, y = start
    return (x + 46 if towards[0] > x + 20 else x - 46, y)


def _arrow(canvas: Canvas, start: Point, end: Point) -> None:
    (x, y), (to_x, to_y) = start, end
    length = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 1e-9)
    dx, dy = (to_x - x) / length, (to_y - y) / length
    canvas.line(start, end, "f-axis", width=1.2)
    for side in (-1, 1):
        tip = (to_x - 7 * dx - 3.5 * side * dy, to_y - 7 * dy + 3.5 * side * dx)
        canvas.line(end, tip, "f-axis", width=1.2)
