"""Where matches are kept: a folder with their records, and a page for each.

The page has the picture of every state, what was played in it, and what players did wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.playing.picture import find_picture
from hexlogic.ggp.playing.record import MatchRecord, encode_match
from hexlogic.language.syntax import Program
from hexlogic.process.files import named, write_text


@dataclass
class Gallery:
    """A folder of records and pages. Raises HexlogicError when it holds matches already or cannot be written."""

    folder: Path
    sheet: Program
    pages: list[Path] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.records = self.folder / "matches.jsonl"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.records.open("xb").close()  # of two series that start at once, one makes it
        except OSError as error:
            if isinstance(error, FileExistsError) and self.records.exists():
                raise HexlogicError("there are matches already", file=str(self.records), hint="another --out") from None
            raise HexlogicError(f"cannot be written: {error.strerror}", file=str(self.folder)) from None

    def add(self, record: MatchRecord) -> None:
        """Append the record and write the page."""
        with named(self.records), self.records.open("ab") as file:
            file.write(encode_match(record))
        page = self.folder / f"{record.match}.html"
        write_text(page, match_page(self.sheet, record))
        self.pages.append(page)


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
