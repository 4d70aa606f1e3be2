"""The written report: what it says, its files, that the same records give the same bytes."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from folder_for_report import measured, other, rows_of, series, stored
from records_for_report import run, session

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games import load_board
from hexlogic.report.build import build_report, report_files
from hexlogic.report.figures import figure_css
from hexlogic.report.html import page
from hexlogic.report.material import read_material
from hexlogic.rulesets import load_rule_set
from hexlogic.runs.records import encode_record
from hexlogic.runs.store import FILE_NAME, RecordFile
from hexlogic.runs.tasks import make_task

ENGINES = session().engines


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    quick = stored(folder / "quick", measured())
    growth = stored(folder / "growth", series(), other(session(), suite="scaling"))
    build_report([quick, growth], folder / "out")
    return folder / "out"


def test_every_chapter_is_there(built: Path) -> None:
    html = (built / "index.html").read_text(encoding="utf-8")
    anchors = re.findall(r'<section class="chapter" id="([a-z]+)">', html)
    assert anchors == [
        "compared",
        "verdict",
        "paper",
        "savings",
        "growth",
        "work",
        "boards",
        "rules",
        "proofs",
        "grid",
        "validity",
        "environment",
    ]
    markdown = (built / "report.md").read_text(encoding="utf-8")
    for title in re.findall(r"<h2>(.*?)</h2>", html):
        assert f"## {title}\n" in markdown.replace("&#39;", "'").replace("'", "&#39;") or f"## {title}\n" in markdown


def test_the_page_needs_nothing_else(built: Path) -> None:
    html = (built / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!#|data:,|tables/|figures/)[^"]*"', html)
    assert "@import" not in html
    assert "url(" not in html
    for link in re.findall(r'href="((?:tables|figures)/[^"]+)"', html):
        assert (built / link).is_file(), link


def test_markdown_links_lead_somewhere(built: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (built / "report.md").read_text(encoding="utf-8"))
    assert len(links) > 10
    for link in links:
        assert (built / link).is_file(), link


def test_the_whole_grid_holds_raw_values(built: Path) -> None:
    rows = rows_of(built / "tables" / "grid-test.csv")
    assert len(rows) == len({(one.rule_set, one.pipeline, one.engine) for one in measured()})
    by_key = {(row["rule_set"], row["pipeline"], row["engine"]): row for row in rows}
    assert float(by_key["clusters", "none", "swipl"]["time_s"]) == pytest.approx(0.009)
    assert float(by_key["clusters", "ground,reorder", "swipl"]["rsf"]) == pytest.approx(64)
    late = by_key["power-set", "none", "swipl"]
    assert (late["status"], late["time_s"], late["rsf"]) == ("timeout", "", "")


def test_figures_have_their_data(built: Path) -> None:
    pictures = sorted((built / "figures").glob("*.svg"))
    assert len(pictures) >= 8
    for picture in pictures:
        root = ET.fromstring(picture.read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        assert "prefers-color-scheme: dark" in picture.read_text(encoding="utf-8")
        data = picture.with_suffix(".csv").read_text(encoding="utf-8")
        assert data.count("\n") >= 2, picture
    heat = rows_of(built / "figures" / "savings-test-swipl.csv")
    found = {(row["rule_set"], row["pipeline"]): row for row in heat}
    assert float(found["clusters", "ground,reorder"]["log2_saving"]) == pytest.approx(6)
    bound = found["power-set", "reorder"]
    assert (bound["bound"], bound["solved_before"], bound["solved"]) == ("True", "0", "1")
    # Below the ratio of the medians: the noise of the engine's other cells is in the bound.
    assert math.log2(4.75 / (0.020 / 16)) < float(bound["log2_saving"]) < math.log2(9.5 / (0.020 / 16))


def test_every_class_of_a_figure_has_a_colour(built: Path) -> None:
    known = set(re.findall(r"^\.([\w-]+)\{", figure_css(), re.MULTILINE))
    for picture in (built / "figures").glob("*.svg"):
        used = set(re.findall(r'class="([^"]+)"', picture.read_text(encoding="utf-8")))
        assert used <= known, picture


def test_timeouts_of_a_series_are_hollow_at_their_floor(built: Path) -> None:
    data = rows_of(next((built / "figures").glob("growth-*-clusters.csv")))
    late = [row for row in data if row["status"] == "timeout"]
    assert [(row["size"], row["time_s"], row["at_least_s"]) for row in late] == [("5", "", "9.5")]
    picture = next((built / "figures").glob("growth-*-clusters.svg")).read_text(encoding="utf-8")
    assert len(re.findall(r'<(?:circle|polygon) class="f-o', picture)) == 1
    assert "limit 10 s" in picture
    assert "floor swipl 0.050 ms" in picture


def test_times_near_the_floor_are_marked_and_explained(built: Path) -> None:
    markdown = (built / "report.md").read_text(encoding="utf-8")
    # 1.1 ms / 64 is below three times 0.05 ms, 9 ms is not.
    assert "| follow-line-tabled | swipl | both | difficult-1 | wins(red) | answered | 3 of 3 | 0.017\\* |" in markdown
    assert "| clusters | swipl | none | difficult-1 | wins(red) | answered | 3 of 3 | 9.0! |" in markdown
    assert "below 3 times the smallest query there is" in markdown


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", measured())
    build_report([one], tmp_path / "first")
    build_report([one], tmp_path / "second")
    first = {path.relative_to(tmp_path / "first"): path.read_bytes() for path in files_in(tmp_path / "first")}
    second = {path.relative_to(tmp_path / "second"): path.read_bytes() for path in files_in(tmp_path / "second")}
    assert first == second
    assert len(first) > 10
    turned = stored(tmp_path / "turned", measured()[::-1])
    build_report([turned], tmp_path / "third")
    third = {path.relative_to(tmp_path / "third"): path.read_bytes() for path in files_in(tmp_path / "third")}
    assert third == first


def test_an_earlier_report_leaves_nothing_behind(tmp_path: Path) -> None:
    quick = stored(tmp_path / "quick", measured())
    growth = stored(tmp_path / "growth", series(), other(session(), suite="scaling"))
    build_report([quick, growth], tmp_path / "out")
    (tmp_path / "out" / "figures" / "mine.txt").write_text("kept")
    build_report([quick], tmp_path / "out")
    build_report([quick], tmp_path / "fresh")
    names = {path.relative_to(tmp_path / "out").as_posix() for path in files_in(tmp_path / "out")}
    fresh = {path.relative_to(tmp_path / "fresh").as_posix() for path in files_in(tmp_path / "fresh")}
    assert names == {*fresh, "figures/mine.txt"}
    # A folder that holds no report of ours is only written to.
    theirs = tmp_path / "theirs" / "tables" / "theirs.csv"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("a,b")
    build_report([quick], tmp_path / "theirs")
    assert theirs.read_text() == "a,b"


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_text_from_records_is_escaped(tmp_path: Path) -> None:
    bad = run("clusters", "none", "swipl", status="error", message="<script>alert(1)</script> | & x")
    build_report([stored(tmp_path / "records", [*measured(), bad])], tmp_path / "out")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_a_wrong_answer_is_said_first_and_in_red(tmp_path: Path) -> None:
    wrong = run("clusters", "none", "swipl", 1.0, category="wrong", message="answered yes, the oracle says no")
    written = build_report([stored(tmp_path / "records", [*measured(), wrong])], tmp_path / "out")
    assert len(written.alarms) == 1
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert html.index('<p class="alarm" role="alert">WRONG ANSWER: clusters') < html.index('<section class="chapter"')
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8").splitlines()[4].startswith("> **WRONG ANSWER")


def test_a_session_cut_off_is_said(tmp_path: Path) -> None:
    build_report([stored(tmp_path / "records", measured(), ended=False)], tmp_path / "out")
    assert "The session was cut off" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_rule_texts_and_boards_of_other_times_are_not_shown(tmp_path: Path) -> None:
    folder = stored(tmp_path / "records", measured())
    file = folder / FILE_NAME
    task, rules = make_task("difficult-1", "red"), load_rule_set("clusters")
    file.write_text(file.read_text().replace(task.facts_hash, "f" * 64).replace(rules.hash, "e" * 64))
    build_report([folder], tmp_path / "out")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "The rule text has changed since it was measured" in html
    assert "the board has changed since it was measured" in html
    assert not (tmp_path / "out" / "figures" / "board-difficult-1.svg").exists()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"host": "there"}, "hosts"),
        ({"limits": msgspec.structs.replace(session().limits, cpu_s=3.0)}, "limits"),
        ({"code_hash": "d"}, "versions of hexlogic"),
        ({"python": "PyPy"}, "versions of Python"),
        (
            {
                "engines": {
                    **session().engines,
                    "swipl": msgspec.structs.replace(session().engines["swipl"], version="9"),
                }
            },
            "versions of swipl",
        ),
    ],
)
def test_what_differs_is_not_mixed_unless_told(tmp_path: Path, changes: dict[str, object], what: str) -> None:
    one = stored(tmp_path / "one", measured())
    two = stored(tmp_path / "two", measured(), other(session(), **changes))
    with pytest.raises(SuiteError, match=f"different {what} "):
        read_material([one, two])
    (suite,) = read_material([one, two], mix=True).suites
    assert suite.mixed == what
    assert {cell.counted for cell in suite.configurations if cell.rule_set == "clusters"} == {6}
    build_report([one, two], tmp_path / "out", mix=True)
    assert f"mixes sessions with different {what}" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_sessions_that_agree_are_taken_together(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", measured())
    two = stored(tmp_path / "two", measured(), other(session(), started="2019-06-11T12:00:00Z"))
    (suite,) = read_material([two, one]).suites
    assert (suite.mixed, [file.session.session for file in suite.files]) == ("", ["s", "another"])
    elsewhere = stored(tmp_path / "three", measured(), other(session(), suite="paper", host="there"))
    assert [suite.suite for suite in read_material([one, elsewhere]).suites] == ["paper", "test"]


def test_bad_input(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteError, match=r"no records in .*empty"):
        read_material([tmp_path / "empty"])
    with pytest.raises(SuiteError, match="cannot read records"):
        read_material([tmp_path / "absent"])
    one = stored(tmp_path / "one", measured())
    with pytest.raises(SuiteError, match="hold the same session"):
        read_material([one, stored(tmp_path / "copy", measured())])
    old = tmp_path / "old"
    old.mkdir()
    first, *rest = (one / FILE_NAME).read_text().splitlines(keepends=True)
    (old / FILE_NAME).write_text("".join([json.dumps({**json.loads(first), "schema": 0}) + "\n", *rest]))
    with pytest.raises(SuiteError, match="records of schema 0"):
        read_material([old])
    (tmp_path / "file").write_text("")
    with pytest.raises(HexlogicError, match=r"cannot write a report to .*file"):
        build_report([one], tmp_path / "file")
    with pytest.raises(SuiteError):
        build_report([tmp_path / "empty"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_stored_proofs_are_shown(tmp_path: Path) -> None:
    from hexlogic.games import Hex
    from hexlogic.proofs.matrix import prove_all
    from hexlogic.proofs.matrix_file import matrix_path, read_matrix, stored_matrix, write_matrix

    folder = stored(tmp_path / "records", measured())
    names = ["clusters", "follow-line-tabled", "power-set"]
    matrix = prove_all(Hex(3, 3), names=names)
    with matrix_path(folder, Hex(3, 3)) as path:
        with pytest.raises(HexlogicError, match="is being written by process"), matrix_path(folder, Hex(3, 3)):
            pass
        write_matrix(path, stored_matrix(matrix, started="2019-06-10T12:00:00Z", command=("hexlogic", "prove")))
    assert read_matrix(path).as_declared
    with pytest.raises(HexlogicError, match="is there already"), matrix_path(folder, Hex(3, 3)):
        pass
    assert [file.name for file in folder.glob("proofs-*")] == [path.name]
    build_report([folder], tmp_path / "out")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Every reformulation is as it is declared." in html
    missed = rows_of(tmp_path / "out" / "figures" / "proofs-hex-3x3-power-set.csv")
    assert [row["player"] for row in missed] == ["red"] * 4
    pairs = {
        (row["rule_set"], row["other"]): row["relation"] for row in rows_of(tmp_path / "out/figures/proofs-hex-3x3.csv")
    }
    assert pairs["clusters", "follow-line-tabled"] == "equal"
    assert pairs["power-set", "clusters"] == "different"
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 7'))
    with pytest.raises(HexlogicError, match="proofs of schema 7"):
        read_material([folder])


def test_without_proofs_the_command_is_said(built: Path) -> None:
    assert "hexlogic prove --all --size 4 --out DIR" in (built / "index.html").read_text(encoding="utf-8")


def test_boards_are_those_of_the_registry(built: Path) -> None:
    stones = {row["cell"] for row in rows_of(built / "figures" / "board-difficult-1.csv")}
    position = load_board("difficult-1").position
    assert stones == {position.game.cell_name(cell) for cell in position.red}


def test_two_blocks_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    from hexlogic.report.build import make_report

    report = make_report(read_material([stored(tmp_path / "records", measured())]))
    twice = replace(report, chapters=(*report.chapters, report.chapters[0]))
    with pytest.raises(ValueError, match="two blocks"):
        report_files(twice)
    assert page(report).startswith("<!DOCTYPE html>")


def test_an_empty_session_still_makes_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(encode_record(RecordFile(session(), ()).session) + b"\n")
    build_report([folder], tmp_path / "out")
    assert "nothing to recommend" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
