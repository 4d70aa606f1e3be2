"""The documentation is true: its commands, its Python examples and its pictures are those of this code."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shutil
from pathlib import Path

import pytest
import typer

import hexlogic
from hexlogic.cli import app
from hexlogic.games.rulesets import rule_set_names

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
IDS = [page.stem for page in PAGES]


def load_script(name):
    spec = importlib.util.spec_from_file_location(name, CHECKOUT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh, hooks, tables = load_script("refresh"), load_script("hooks"), load_script("tables")


@pytest.mark.takes_seconds(keep=7)
@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_print_what_the_page_shows(page):
    text = page.read_text(encoding="utf-8")
    assert refresh.refresh(text, helps=False) == text, "make docs-refresh pastes what the commands print now"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_python_examples_print_what_the_page_shows(page):
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if any('"swipl"' in block for block in blocks) and shutil.which("swipl") is None:
        pytest.skip("swipl is not installed")
    # The blocks of a page are one session, as a reader would type them.
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("path", refresh.pictures(), ids=lambda path: path.stem)
def test_pictures_are_drawn_by_this_code(path):
    assert path.read_text(encoding="utf-8") == refresh.pictures()[path], "make docs-refresh draws them again"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target and target not in hooks.GENERATED:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_files_that_a_page_includes_exist(page):
    for path in re.findall(r'^--8<-- "(.*)"$', page.read_text(encoding="utf-8"), re.MULTILINE):
        assert (CHECKOUT / path).is_file(), path


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_to_headings_lead_to_one(page):
    for name, anchor in re.findall(r"\]\((?:([\w-]+\.md))?#([\w.-]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors(name or page.name), f"{name}#{anchor}"


def anchors(name: str) -> set[str]:
    """The identifiers that mkdocs gives the headings of a page."""
    path = CHECKOUT / "docs" / name
    text = hooks.GENERATED[name]() if name in hooks.GENERATED else path.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_page_is_in_the_table_of_contents():
    contents = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8")
    for name in [*(page.name for page in (CHECKOUT / "docs").glob("*.md")), *hooks.GENERATED]:
        assert f": {name}\n" in contents


def test_the_command_line_is_generated_from_the_program():
    text = hooks.command_line()
    assert "optimize" not in text
    assert not any(ord(character) < 9 for character in text)
    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="hexlogic")
    options = 0
    for path, found in commands(command, context, "hexlogic"):
        section = text.partition(f"## `{path}`\n")[2].partition("\n## `")[0]
        assert section, path
        for parameter in found.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                options += 1
                assert parameter.opts[-1] in section, (path, parameter.opts)
    assert options > 150


def commands(command, context, path):
    """Each command that is not hidden, with the words that call it."""
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        if found.hidden:
            continue
        yield f"{path} {name}", found
        if hasattr(found, "list_commands"):
            yield from commands(found, found.context_class(found, parent=context, info_name=name), f"{path} {name}")


def test_the_reference_has_every_package_with_public_names():
    """A package says what is public by `__all__`; engines, games and commands are plug-ins, found by name."""
    page = (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^::: ([\w.]+)$", page, re.MULTILINE))
    plugins = {"hexlogic", "hexlogic.cli", "hexlogic.cli.gdl", "hexlogic.laboratory.runs.kinds"}
    for file in (CHECKOUT / "hexlogic").rglob("__init__.py"):
        package = ".".join(file.parent.relative_to(CHECKOUT).parts)
        plugin = package in plugins or package.startswith(("hexlogic.language.engines.", "hexlogic.games.kinds."))
        if re.search(r"^__all__ = ", file.read_text(encoding="utf-8"), re.MULTILINE) and not plugin:
            assert package in shown, package
    for name in hexlogic._HOMES.values():
        assert name in shown or f"::: {name}." in page, name


def test_the_number_of_reformulations_stands_in_one_place():
    """It is counted here; elsewhere it would be wrong after the next one."""
    page = (CHECKOUT / "docs" / "rule-sets.md").read_text(encoding="utf-8")
    count = sum(not name.startswith(("y/", "havannah/", "tic-tac-toe-3d/")) for name in rule_set_names())
    words = ["nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
    assert f"There are {words[count - 9]} for Hex" in page
    for other in PAGES:
        if other.name != "rule-sets.md":
            counted = rf"\b({'|'.join(words)})\b[^.|]{{0,40}}\b(rule sets|reformulations)"
            found = re.search(counted, other.read_text(encoding="utf-8"))
            assert not found, (other.name, found)


MOST_WORDS = {"README.md": 600, "docs/*.md": 25_000}
"""Words as `wc -w` counts them, tables and code included; texts that a page includes from other files are not."""


@pytest.mark.parametrize("pattern", MOST_WORDS)
def test_the_documentation_stays_short(pattern):
    assert not too_long(sorted(CHECKOUT.glob(pattern)), MOST_WORDS[pattern])


def test_the_longest_pages_are_named_where_there_are_too_many_words(tmp_path):
    for number in range(1, 8):
        (tmp_path / f"page-{number}.md").write_text("| word " * number, encoding="utf-8")
    pages = sorted(tmp_path.glob("*.md"))
    assert not too_long(pages, 56)
    assert too_long(pages, 55) == "56 words, 55 are allowed; the longest: " + ", ".join(
        f"page-{number}.md {2 * number}" for number in (7, 6, 5, 4, 3)
    )


def too_long(pages: list[Path], most: int) -> str:
    """What is wrong when pages have more words together than `most`, with the five longest; else nothing."""
    words = {page.name: len(page.read_text(encoding="utf-8").split()) for page in pages}
    if sum(words.values()) <= most:
        return ""
    longest = sorted(words.items(), key=lambda entry: -entry[1])[:5]
    named = ", ".join(f"{name} {count:,}" for name, count in longest)
    return f"{sum(words.values()):,} words, {most:,} are allowed; the longest: {named}"


@pytest.mark.parametrize("function", [tables.factor, tables.duration, tables.percent], ids=lambda one: one.__name__)
def test_figures_of_tables_are_rounded(function):
    runner = doctest.DocTestRunner(verbose=False)
    for example in doctest.DocTestFinder().find(function, globs=vars(tables)):
        assert runner.run(example).failed == 0
    assert runner.tries


def test_an_output_may_be_cut():
    assert refresh._cut("a\nb\nc\nd\n", ["x", "...", "y"]) == "a\n...\nd\n"
    assert refresh._cut("a\nb\nc\n", ["x", "..."]) == "a\n...\n"
    assert refresh._cut("a\n", ["x"]) == "a\n"


def test_the_game_loop_is_twenty_lines():
    """What it prints is compared above, with the other commands of its page."""
    text = (CHECKOUT / "docs" / "examples" / "game_loop.py").read_text(encoding="utf-8")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 20
    assert "$ python docs/examples/game_loop.py\n" in (CHECKOUT / "docs" / "game-loop.md").read_text(encoding="utf-8")
