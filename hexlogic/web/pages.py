"""The pages: one frame around the body of each (`templates/`), made when the server starts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PAGES: Final = {
    "index.html": ("Play", "Hex", "play.js"),
    "workbench.html": ("Workbench", "Workbench", "workbench.js"),
    "sheets.html": ("Sheets", "Sheets", "sheets.js"),
    "viewer.html": ("Games", "Games", "viewer.js"),
}
"""By file: its name in the navigation, its title, its script."""
_TEMPLATES: Final = Path(__file__).parent / "templates"


def page(file: str, *, in_page: bool = False) -> str:
    """The HTML of a page; `in_page` is for one that has no server and no other pages beside it."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    _, title, script = PAGES[file]
    names = [(other, name) for other, (name, _, _) in PAGES.items() if other == file or not in_page]
    values = {"file": file, "title": title, "script": script, "pages": names, "in_page": in_page}
    return environment.get_template(file).render(values)
