"""What a fork server does before the first question of a page: imports, grammars and kernels are ready then."""

from __future__ import annotations


def prepare_texts() -> None:
    """Answer small questions about rule text and sheets. What strangers write is never read here."""
    from hexlogic.web import evaluation, rule_text, sheets
    from hexlogic.web.texts import text_of

    text = text_of("follow-line-tabled", "2")
    evaluation.evaluate(text=text, size="2", red=["a1", "b1"], blue=[])
    rule_text.difference(text=text, size="2", pipeline="ground,reorder,prune")
    sheets.play(text=sheets.example("follow-line-tabled", "2"), moves=[["(place a1)", "noop"]])


def prepare_players() -> None:
    """Choose a move on a small sheet, in one thread."""
    from hexlogic.web import sheet_players, sheets

    text = sheets.example("follow-line-tabled", "2")
    sheet_players.choose(text=text, moves=[], players=["uct:1", None])
