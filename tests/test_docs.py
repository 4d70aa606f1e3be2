"""The documentation is true: its commands, its Python examples and its pictures are those of this code."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shutil
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
IDS = [page.stem for page in PAGES]


def load_refresh():
    spec = importlib.util.spec_from_file_location("refresh", CHECKOUT / "docs" / "refresh.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = load_refresh()


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_print_what_the_page_shows(page):
    text = page.read_text(encoding="utf-8")
    assert refresh.refresh(text, helps=False) == text, "make docs-refresh pastes what the commands print now"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_python_examples_print_what_the_page_shows(page):
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if any('"swipl"' in block for block in blocks) and shutil.which("swipl") is None:
        pytest.skip("swipl is not installed")
    # The blocks of a page are one session, as a reader would type them.
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(example, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("path", refresh.pictures(), ids=lambda path: path.stem)
def test_pictures_are_drawn_by_this_code(path):
    assert path.read_text(encoding="utf-8") == refresh.pictures()[path], "make docs-refresh draws them again"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_table_of_contents():
    contents = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (CHECKOUT / "docs").glob("*.md"):
        assert f": {page.name}" in contents


def test_an_output_may_be_cut():
    assert refresh._cut("a\nb\nc\nd\n", ["x", "...", "y"]) == "a\n...\nd\n"
    assert refresh._cut("a\nb\nc\n", ["x", "..."]) == "a\n...\n"
    assert refresh._cut("a\n", ["x"]) == "a\n"


def test_the_game_loop_is_twenty_lines():
    """What it prints is compared above, with the other commands of its page."""
    text = (CHECKOUT / "docs" / "examples" / "game_loop.py").read_text(encoding="utf-8")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 20
    assert "$ python docs/examples/game_loop.py\n" in (CHECKOUT / "docs" / "game-loop.md").read_text(encoding="utf-8")
