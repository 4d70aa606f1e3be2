"""Every link, and every sentence against its data, of reports on small and odd records."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from hexlogic.laboratory.report import build
from hexlogic.laboratory.report.build import make_report, report_files
from hexlogic.laboratory.report.document import Bullets, Drawing, Figure, Heading, Page, Report, Table, Text
from hexlogic.laboratory.report.results import Results
from hexlogic.laboratory.report.topics.rules import rule_sets
from tests.laboratory.report.odd import odd_results

CASES = dict(odd_results())
NUMBER = re.compile(r"(?<![\w.,@-])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?:(?= ?(?:x|µs|ms|s|min|h|MB|%)\b)|(?![\w.]*\w))")
PLURAL = re.compile(
    r"(?<![\d.,=] )(?<![\d.,-])\b1 (?:boards|times|pairs|runs|sessions|sets|positions|configurations|engines|cells|"
    r"reformulations|ways|games|sheets|players|groups|matches|facts|sizes|rule sets|models|clauses|literals)\b"
)


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are drawn by other tests; here they would take most of the time."""
    monkeypatch.setattr(build, "svg", lambda figure: f"<svg xmlns='http://www.w3.org/2000/svg'>{figure.name}</svg>")
    monkeypatch.setattr(build, "assets", lambda: {"assets/page.css": "", "assets/page.js": "", "assets/grid.js": ""})


def sentences(page: Page) -> Iterator[str]:
    """What is said on a page outside of its tables."""
    yield page.question
    yield page.finding
    for block in page.blocks:
        match block:
            case Heading(text=text) | Text(text=text):
                yield text
            case Bullets(texts=texts):
                yield from texts
            case Table(title=title) | Drawing(title=title):
                yield title
            case Figure(title=title, caption=caption):
                yield title
                yield caption


def shown(page: Page) -> str:
    """The texts of all tables and of the marks of all figures of a page."""
    entries = [entry.text for block in page.blocks if isinstance(block, Table) for row in block.rows for entry in row]
    marks = [str(value) for block in page.blocks if isinstance(block, Figure) for row in block.rows for value in row]
    return "\n".join([*entries, *marks])


@pytest.mark.parametrize("name", CASES)
def test_every_link_and_every_sentence(name: str) -> None:
    results = CASES[name]
    report = make_report(results)
    files = report_files(report, results)
    follow_links({path: b"" if path.startswith("records/") else content for path, content in files.items()})
    for page in report.pages:
        for sentence in sentences(page):
            well_formed(sentence)
            superlatives(sentence, page)
    says_what_is_there(report, results)


def follow_links(contents: dict[str, bytes]) -> None:
    files = {path: content.decode() for path, content in contents.items()}
    for path, text in files.items():
        if path.endswith(".html"):
            for link in re.findall(r'(?:src|href)="([^"]*)"', text):
                target, _, anchor = link.partition("#")
                target = target or path
                if target.startswith("data:") or target == "assets/vega.js":
                    continue
                assert target in files, (path, link)
                if anchor:
                    assert f'id="{anchor}"' in files[target], (path, link)
    for link in re.findall(r"(?<!\\)\]\(([^)\s]+)\)", files["report.md"]):
        assert link.partition("#")[0] in files, link


def well_formed(sentence: str) -> None:
    assert not PLURAL.search(sentence), sentence
    assert not re.search(r"\b(?:None|nan|inf)\b|\(\)|  | ,|\.\.|: *\.|n = 0\b|\b0 of\b|\b0 are\b", sentence), sentence
    assert sentence.strip(), "an empty sentence"
    # One of one is not the first, and nothing is most of one.
    assert not re.search(r"\bof 1(?= [a-z])|\b1 of 1\b", sentence), sentence


def superlatives(sentence: str, page: Page) -> None:
    """Who is called the fastest is so among several that have a time."""
    if re.search(r"is the fastest|comes first|smallest time|\bmost for\b|the most of", sentence):
        values = [
            row
            for block in page.blocks
            if isinstance(block, Table | Figure)
            for row in block.rows
            if any(isinstance(getattr(value, "value", value), float) for value in row)
        ]
        assert len(values) > 1, sentence


def says_what_is_there(report: Report, results: Results) -> None:
    front = report.pages[0]
    words = " ".join(sentence for page in report.pages for sentence in sentences(page))
    known = rule_sets(results)
    count = re.search(r"Who has won\? (\w+) ways? to ask", front.question)
    assert (count is None) == (not known)
    if count is not None:
        assert count[1].lower() in (str(len(known)), *NAMES[len(known) : len(known) + 1])
        assert len([page for page in report.pages if page.name == "rules"]) == 1
    every = results.configurations
    late = sum(config.status in ("timeout", "out-of-memory") for config in every)
    assert (f" {late} met a limit" in words) == bool(late)
    timed = [config for config in every if config.time_s]
    if every and not timed and not any(suite.playings or suite.positions for suite in results.suites):
        assert "saves" not in words
        assert "narrow" not in words
        assert "smallest time" not in words
        assert "the fastest" not in words
    if "narrow that" in words:
        factors = next(block for block in front.blocks if isinstance(block, Table) and block.name == "answer")
        assert any(isinstance(row[4].value, float) and row[4].value > 1 for row in factors.rows)
    for page in report.pages:
        silent = re.search(r"Without records, and so without a page: ([^(]*) \(", " ".join(sentences(page)))
        if silent is not None:
            named = {part.strip() for part in re.split(r", | and ", silent[1])}
            assert not named & {other.title.lower() for other in report.pages}
        figures_stand_in_tables(page)


NAMES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def figures_stand_in_tables(page: Page) -> None:
    """The times and the factors of what is said first stand in a table or a figure of the page."""
    text = html.unescape(shown(page))
    lead = re.sub(r"\[[^\]]*\]\([^)]*\)|One's own .*|`[^`]*`", "", page.finding)
    # What a sentence calls slower by a factor is faster by its inverse in a table.
    inverse = [1 / float(factor) for factor in re.findall(r"(?<![\d.,])(0\.\d*[1-9])x", text)]
    for value, unit, slower in re.findall(r"(?<![\w.,@-])([\d,]+(?:\.\d+)?)(x| µs| ms)(?!\w)( slower)?", lead):
        figure = f"{value}{unit}"
        if slower:
            assert any(factor == pytest.approx(float(value), rel=0.06) for factor in inverse), (page.name, figure)
        elif figure != "1.1x":
            assert re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\w)", text), (page.name, figure, page.finding)
