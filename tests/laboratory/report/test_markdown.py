"""What comes from records is text in report.md, never markup, and no name of a file is longer than a file system's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.report.build import build_report
from hexlogic.laboratory.report.document import Bullets, Column, Heading, Page, Report, Table, Text, plain
from hexlogic.laboratory.report.entries import slug
from tests.laboratory.report.folders import stored
from tests.laboratory.report.records import encoded, run, session

HOSTILE = "a|b `c` <script>alert(1)</script>\n# d *e* _f_ [g](http://h) ![i](j) &amp; \\ ~~k~~ <!--"


def tokens(text: str) -> list[tuple[str, str]]:
    """The kinds of what a reader of Markdown sees, and the text of the code and letters in them."""
    found = []
    for token in MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text):
        for part in token.children or [token]:
            found.append((part.type, part.content))
    return found


def report(text: str) -> Report:
    grid = Table("grid", text, (Column("a", text), Column("b", "b")), ((plain(text), plain("x")),), (text,))
    blocks = (Heading(text), Text("Fine."), Bullets(("Fine.",)), grid)
    return Report(text, (text,), text, (Page("index", text, text, text, blocks), Page("c", text, text, text, ())))


def test_hostile_names_are_letters() -> None:
    kinds = [kind for kind, _ in tokens(report(HOSTILE).markdown())]
    assert not {"html_inline", "html_block", "image", "s_open"} & set(kinds)
    # The one link is that of the table to its CSV file.
    assert kinds.count("link_open") == 1
    assert kinds.count("tr_open") == 2
    assert kinds.count("td_open") == 2
    assert kinds.count("heading_open") == 3


@settings(deadline=None, max_examples=200)
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1, max_size=30)
)
def test_any_text_reads_as_it_was(text: str) -> None:
    shown = [content for kind, content in tokens(report(text).markdown())]
    row = [content for kind, content in tokens(report(text).markdown()) if kind in ("text", "text_special")]
    assert text in "".join(row)
    assert len(shown) > 1


def test_a_record_with_any_names_makes_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    names = ["x" * 400, "y" * 401, HOSTILE, "../../up", "ä" * 300]
    header = replace(session(), suite="s" * 400, host=HOSTILE)
    runs = [
        replace(run("clusters", pipeline, "swipl", 1.0), task=name, key=f"{name} {pipeline}")
        for name in names
        for pipeline in ("none", "reorder")
    ]
    lines = [header, *runs]
    (folder / FILE_NAME).write_bytes(encoded(lines))
    out = tmp_path / "out"
    build_report([folder], out)
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 4
    assert max(len(path.name) for path in files) < 200
    assert {path.parent.relative_to(out).as_posix() for path in files} == {
        ".",
        "assets",
        "tables",
        "figures",
        "records",
    }
    kinds = [kind for kind, _ in tokens((out / "report.md").read_text(encoding="utf-8"))]
    assert not {"html_inline", "html_block"} & set(kinds)
    assert "<script>alert" not in (out / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["x" * 400, "ä", "", "日本", "a" * 80 + " b"])
def test_names_of_files_are_short_plain_and_their_own(text: str) -> None:
    assert len(slug(text)) <= 80
    assert slug(text).isascii()
    assert slug(text) not in ("", slug(text + "x"))


def test_known_names_stay(tmp_path: Path) -> None:
    folder = stored(tmp_path / "records", [run("clusters", "none", "swipl", 1.0)])
    build_report([folder], tmp_path / "out")
    assert (tmp_path / "out" / "figures" / "board-difficult-1.svg").exists()
