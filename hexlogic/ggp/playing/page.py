"""A match as a page: the picture of every state, what was played in it, and what players did wrong."""

from __future__ import annotations

from pathlib import Path

from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.playing.picture import find_picture
from hexlogic.ggp.playing.record import MatchRecord
from hexlogic.language.syntax import Program


def match_page(sheet: Program, record: MatchRecord) -> str:
    """The page, one HTML text that needs no other file; the same record gives the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    picture = find_picture(sheet, record.roles, record.states)
    states = []
    for number, state in enumerate(record.states, 1):
        facts = [read_term(fact) for fact in state]
        title = "the end" if number == len(record.states) else f"before step {number}"
        states.append(
            {
                "svg": "" if picture is None else picture.draw(facts, title),
                "rest": [
                    text for text, fact in zip(state, facts, strict=True) if picture is None or not picture.draws(fact)
                ],
            }
        )
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    return environment.get_template("match.html.j2").render(record=record, states=states)
