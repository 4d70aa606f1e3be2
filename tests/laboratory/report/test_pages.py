"""The written report: its pages and files, what it refuses, and that the same records give the same bytes."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games import load_board
from hexlogic.games.rulesets import load_rule_set
from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.report.build import build_report, make_report
from hexlogic.laboratory.report.results import read_results
from hexlogic.laboratory.runs.tasks import make_task
from tests.laboratory.report.folders import measured, other, rows_of, series, stored
from tests.laboratory.report.records import encoded, records, run, session


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    quick = stored(folder / "quick", measured())
    growth = stored(folder / "growth", series(), other(session(), suite="scaling"))
    build_report([quick, growth], folder / "out")
    return folder / "out"


def test_the_papers_engine_has_columns_of_its_own_beside_the_papers_times(tmp_path: Path) -> None:
    merging = [run("clusters-merging", "none", "epilog", 8.0), run("clusters-merging", "ground", "epilog", 2.0)]
    power_set = [run("power-set", name, "epilog", ms) for name, ms in (("reorder", 300.0), ("ground,reorder", 60.0))]
    known = {"epilog": msgspec.structs.replace(session().engines["swipl"], dialect="epilog")}
    file = replace(records([*merging, *power_set]), session=msgspec.structs.replace(session(), engines=known))
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(encoded([file.session, *file.runs, *([file.end] if file.end else [])]))
    build_report([folder], tmp_path / "out")
    table = {(row["rule_set"], row["pipeline"]): row for row in rows_of(tmp_path / "out" / "tables" / "paper.csv")}
    assert set(table) == {(one.rule_set, one.pipeline) for one in (*merging, *power_set)}
    grounded = table["clusters-merging", "ground"]
    assert (float(grounded["paper_ms"]), float(grounded["time_epilog"])) == (6.0, 0.002)
    assert float(grounded["rsf_epilog"]) == pytest.approx(4)
    assert "paper's engine here" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_pages_name_each_other_and_nothing_outside(built: Path) -> None:
    pages = sorted(built.glob("*.html"))
    names = {page.name for page in pages}
    listed = {f"{n}.html" for n in ("index", "passes", "reformulations", "rules", "growth", "boards", "method", "grid")}
    assert names == {*listed, "answer-swipl.html", "answer-clingo.html"}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        links = re.findall(r'(?:src|href)="([^"]*)"', text)
        assert {link for link in links if link.endswith(".html")} >= listed
        for link in links:
            assert link == "data:," or (built / link.partition("#")[0]).is_file(), (page.name, link)
        for anchor in re.findall(r'href="(\w+\.html)#([\w-]+)"', text):
            assert f'id="{anchor[1]}"' in (built / anchor[0]).read_text(encoding="utf-8")
        assert "@import" not in text
        assert "url(" not in text


def test_markdown_links_lead_somewhere(built: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (built / "report.md").read_text(encoding="utf-8"))
    assert len(links) > 10
    for link in links:
        assert (built / link.partition("#")[0]).is_file(), link


def test_the_front_page_has_the_answer_the_paper_and_the_lines(built: Path) -> None:
    answer = {row["tool"]: row for row in rows_of(built / "tables" / "answer.csv")}
    prolog = answer["Prolog, left to right (swipl)"]
    assert (prolog["rule_set"], prolog["pipeline"]) == ("follow-line-tabled", "ground,reorder")
    assert float(prolog["factor"]) == pytest.approx(64)
    assert prolog["evidence"] == "answer-swipl.html"
    evidence = rows_of(built / "tables" / "answer-swipl.csv")
    assert any(row["factor"] == prolog["factor"] for row in evidence)
    assert prolog["repeat"].startswith("hexlogic bench --rules follow-line-tabled --boards difficult-1 --pipelines")
    paper = {(row["rule_set"], row["pipeline"]): row for row in rows_of(built / "tables" / "paper.csv")}
    assert (paper["power-set", "none"]["paper_ms"], paper["power-set", "none"]["rsf_swipl"]) == ("", "")
    assert float(paper["clusters", "ground,reorder"]["rsf_swipl"]) == pytest.approx(64)
    assert paper["clusters", "none"]["work_swipl"] == "1000"
    front = (built / "index.html").read_text(encoding="utf-8")
    for begin in (r"Of \d+ configurations \d+ met a limit", "The machine: "):
        assert len(re.findall(f"<li>{begin}", front)) == 1
    assert "9 of 22 configurations met a limit" not in front
    late = sum(one.status == "timeout" for one in [*measured(), *series()])
    assert f" {late} met a limit" in front


def test_figures_have_their_data_and_a_still_picture(built: Path) -> None:
    pictures = sorted((built / "figures").glob("*.svg"))
    assert len(pictures) >= 4
    charts = [picture for picture in pictures if picture.with_suffix(".csv").exists()]
    assert len(charts) >= 3
    for picture in pictures:
        assert ET.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    both = {(row["row"], row["series"]): row for row in rows_of(built / "figures" / "passes-both.csv")}
    assert float(both["clusters", "swipl"]["value"]) == pytest.approx(64)
    bound = both["power-set", "swipl"]
    assert (bound["bound"], bound["low"]) == ("at least", "")
    assert "--pipelines ground+reorder,none" in bound["repeat"]


def test_what_met_its_limit_goes_up_and_out(built: Path) -> None:
    data = rows_of(built / "figures" / "growth-swipl.csv")
    written = [row for row in data if row["series"] == "clusters"]
    assert {row["finished"] for row in written} == {"True"}
    table = {row["pipeline"]: row for row in rows_of(built / "tables" / "growth.csv")}
    assert (table["none"]["largest"], table["none"]["ended_by"]) == ("4", "> 10 s")
    assert table["reorder"]["largest"] == "8"


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", measured())
    build_report([one], tmp_path / "first")
    build_report([one], tmp_path / "second")
    first = contents(tmp_path / "first")
    assert first == contents(tmp_path / "second")
    assert len(first) > 10
    # The report holds its records: it can be made again from its own folder.
    build_report([tmp_path / "first" / "records"], tmp_path / "third")
    assert first == contents(tmp_path / "third")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.takes_seconds
def test_an_earlier_report_leaves_nothing_behind(tmp_path: Path) -> None:
    quick = stored(tmp_path / "quick", measured())
    growth = stored(tmp_path / "growth", series(), other(session(), suite="scaling"))
    build_report([quick, growth], tmp_path / "out")
    (tmp_path / "out" / "figures" / "mine.txt").write_text("kept")
    build_report([quick], tmp_path / "out")
    build_report([quick], tmp_path / "fresh")
    assert contents(tmp_path / "out").keys() == {*contents(tmp_path / "fresh"), "figures/mine.txt"}
    # A folder that holds no report of ours is only written to.
    theirs = tmp_path / "theirs" / "tables" / "theirs.csv"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("a,b")
    build_report([quick], tmp_path / "theirs")
    assert theirs.read_text() == "a,b"


def test_text_from_records_is_escaped(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>"
    bad = msgspec.structs.replace(run("clusters", "none", "swipl", 1.0), rule_set=name, task=name)
    build_report([stored(tmp_path / "records", measured())], tmp_path / "out")
    folder = tmp_path / "hostile"
    folder.mkdir()
    content = (tmp_path / "records" / FILE_NAME).read_bytes()
    content = content.replace(b'"record":"end"', b'"record":"end"', 1)
    lines = content.splitlines(keepends=True)
    (folder / FILE_NAME).write_bytes(b"".join([*lines[:-1], msgspec.json.encode(bad) + b"\n", lines[-1]]))
    build_report([folder], tmp_path / "out")
    for page in (tmp_path / "out").glob("*.html"):
        assert "<script>alert" not in page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in (tmp_path / "out" / "reformulations.html").read_text(encoding="utf-8")


def test_a_wrong_answer_is_said_first_and_on_every_page(tmp_path: Path) -> None:
    wrong = run("clusters", "none", "swipl", 1.0, category="wrong", message="answered yes, the oracle says no")
    written = build_report([stored(tmp_path / "records", [*measured(), wrong])], tmp_path / "out")
    assert len(written.alarms) == 1
    for page in (tmp_path / "out").glob("*.html"):
        html = page.read_text(encoding="utf-8")
        assert html.index('<p class="alarm" role="alert">WRONG ANSWER: clusters') < html.index("<h1>")
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8").startswith("> **WRONG ANSWER")


def test_a_session_cut_off_is_said(tmp_path: Path) -> None:
    build_report([stored(tmp_path / "records", measured(), ended=False)], tmp_path / "out")
    assert "The session was cut off" in (tmp_path / "out" / "method.html").read_text(encoding="utf-8")


def test_boards_of_other_times_are_not_shown(tmp_path: Path) -> None:
    folder = stored(tmp_path / "records", measured())
    file = folder / FILE_NAME
    file.write_text(file.read_text().replace(make_task("difficult-1", "red").facts_hash, "f" * 64))
    build_report([folder], tmp_path / "out")
    html = (tmp_path / "out" / "boards.html").read_text(encoding="utf-8")
    assert "not what they were when they were measured: difficult-1" in html
    assert not (tmp_path / "out" / "figures" / "board-difficult-1.svg").exists()


def test_boards_are_those_of_the_registry(built: Path) -> None:
    (row,) = [row for row in rows_of(built / "tables" / "boards.csv") if row["name"] == "difficult-1"]
    assert int(row["red"]) == len(load_board("difficult-1").position.red)
    assert row["winner"] == "nobody"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    "runs",
    [
        [run("clusters", "none", "swipl", status="timeout")],
        [run("clusters", "none", "swipl", status="error"), run("clusters", "reorder", "swipl", status="crashed")],
        [run("clusters", "none", "swipl", 1.0)],
        [run("power-set", "none", "clingo", 1.0, complete=False)],
        [],
    ],
    ids=["only a timeout", "only failures", "one run", "nothing complete", "no runs"],
)  # fmt: skip
def test_little_makes_a_report_that_says_so(tmp_path: Path, runs: list[object]) -> None:
    build_report([stored(tmp_path / "records", runs)], tmp_path / "out")
    front = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Without records, and so without a page: " in front
    if not any(
        one.time_s
        for suite in read_results([tmp_path / "records"]).suites
        for one in suite.configurations
        if one.complete
    ):
        assert ("nothing can be recommended" in front) == bool(runs)
    assert "[?]" in front or len(runs) != 1 or runs[0].phases.solve_s is None or not runs[0].complete or "1.0x" in front


def test_an_engine_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = msgspec.structs.replace(session().engines["swipl"], version=None, missing="apt-get install swi-prolog")
    header = other(session(), engines={**session().engines, "swipl": missing})
    runs = [one for one in measured() if one.engine == "clingo"]
    build_report([stored(tmp_path / "records", runs, header)], tmp_path / "out")
    assert "Not here: swipl (apt-get install swi-prolog)" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_two_machines_stand_apart(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", measured())
    two = stored(tmp_path / "two", series(), other(session(), suite="scaling", host="there"))
    build_report([one, two], tmp_path / "out")
    assert "2 machines, which share no ratio" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    for row in rows_of(tmp_path / "out" / "tables" / "answer.csv"):
        assert "; " not in row["repeat"] or row["repeat"].count("hexlogic bench") == 2


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"host": "there"}, "hosts"),
        ({"limits": msgspec.structs.replace(session().limits, cpu_s=3.0)}, "limits"),
        ({"code_hash": "d"}, "versions of hexlogic"),
        ({"python": "PyPy"}, "versions of Python"),
        ({"meter": "benchexec 3"}, "meters"),
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
    two = stored(tmp_path / "two", measured(), other(session(), started="2019-06-11T12:00:00Z", **changes))
    (suite,) = read_results([one, two]).suites
    assert [file.session.session for file in suite.files] == ["another"]
    assert [file.session.session for file in suite.earlier] == ["s"]
    with pytest.raises(SuiteError, match=f"different {what} "):
        read_results(
            [stored(tmp_path / "a", series()), stored(tmp_path / "b", measured(), other(session(), **changes))]
        )
    (suite,) = read_results([one, two], mix=True).suites
    assert suite.mixed == what
    assert {cell.counted for cell in suite.configurations if cell.rule_set == "clusters"} == {6}
    build_report([one, two], tmp_path / "out", mix=True)
    assert f"mixes sessions with different {what}" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_sessions_that_agree_are_taken_together(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", measured())
    two = stored(tmp_path / "two", measured(), other(session(), started="2019-06-11T12:00:00Z"))
    (suite,) = read_results([two, one]).suites
    assert (suite.mixed, [file.session.session for file in suite.files]) == ("", ["s", "another"])
    elsewhere = stored(tmp_path / "three", measured(), other(session(), suite="paper", host="there"))
    assert [suite.suite for suite in read_results([one, elsewhere]).suites] == ["paper", "test"]


def test_bad_input(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteError, match=r"no records in .*empty"):
        read_results([tmp_path / "empty"])
    with pytest.raises(SuiteError, match="cannot read records"):
        read_results([tmp_path / "absent"])
    one = stored(tmp_path / "one", measured())
    with pytest.raises(SuiteError, match="hold the same session"):
        read_results([one, stored(tmp_path / "copy", measured())])
    old = tmp_path / "old"
    old.mkdir()
    first, *rest = (one / FILE_NAME).read_text().splitlines(keepends=True)
    (old / FILE_NAME).write_text("".join([json.dumps({**json.loads(first), "schema": 0}) + "\n", *rest]))
    with pytest.raises(SuiteError, match="records of schema 0"):
        read_results([old])
    (tmp_path / "file").write_text("")
    with pytest.raises(HexlogicError, match=r"file is not a folder"):
        build_report([one], tmp_path / "file")
    with pytest.raises(SuiteError):
        build_report([tmp_path / "empty"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "torn.jsonl.gz").write_bytes(b"\x1f\x8b\x08 torn")
    with pytest.raises(SuiteError, match="not a complete gzip file"):
        read_results([tmp_path / "torn.jsonl.gz"])


def test_without_the_extra_the_way_to_get_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexlogic.process.extras.find_spec", lambda name: None if name == "vl_convert" else object())
    with pytest.raises(HexlogicError, match=r"vl_convert is not installed \(pip install 'hexlogic\[report\]'\)"):
        build_report([stored(tmp_path / "one", measured())], tmp_path / "out")


def test_stored_proofs_are_shown(tmp_path: Path) -> None:
    from hexlogic.games import Hex
    from hexlogic.process.files import write_stored
    from hexlogic.proofs.matrix import matrix_path, prove_all

    folder = stored(tmp_path / "records", measured())
    matrix = prove_all(Hex(3, 3), names=["clusters", "follow-line-tabled", "power-set"])
    with matrix_path(folder, Hex(3, 3)) as path:
        write_stored(path, matrix)
    build_report([folder], tmp_path / "out")
    html = (tmp_path / "out" / "proofs.html").read_text(encoding="utf-8")
    assert "all as declared" in html
    found = {row["rule_set"]: row["relation"] for row in rows_of(tmp_path / "out" / "tables" / "proofs-hex-3x3.csv")}
    assert found == {"clusters": "equal", "follow-line-tabled": "equal", "power-set": "different"}
    assert (tmp_path / "out" / "figures" / "proofs-hex-3x3-power-set.svg").exists()
    build_report([tmp_path / "out" / "records"], tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_without_proofs_the_command_is_said(built: Path) -> None:
    assert "hexlogic prove --all --size 4 --out DIR" in (built / "method.html").read_text(encoding="utf-8")


def test_a_report_shows_itself_in_a_notebook(tmp_path: Path) -> None:
    report = make_report(read_results([stored(tmp_path / "records", measured())]))
    shown = report._repr_markdown_()
    assert shown.startswith("# Who has won?")
    assert "The answer: what to write" in shown
    assert report.markdown().startswith(shown[: shown.index("\n\n")])
    assert len(shown) < len(report.markdown())


def test_a_rule_set_of_ones_own_is_placed_among_the_shipped_ones(tmp_path: Path) -> None:
    mine = [msgspec.structs.replace(one, rule_set="mine") for one in measured() if one.rule_set == "follow-line-tabled"]
    slower = [
        msgspec.structs.replace(one, phases=msgspec.structs.replace(one.phases, solve_s=(one.phases.solve_s or 0) * 4))
        for one in mine
    ]
    folder = tmp_path / "records"
    stored(folder, measured())
    lines = (folder / FILE_NAME).read_bytes().splitlines(keepends=True)
    own = [
        msgspec.json.encode(msgspec.structs.replace(one, key=f"mine-{number}")) + b"\n"
        for number, one in enumerate(slower)
    ]
    (folder / FILE_NAME).write_bytes(b"".join([*lines[:-1], *own, lines[-1]]))
    build_report([folder], tmp_path / "out")
    page = (tmp_path / "out" / "reformulations.html").read_text(encoding="utf-8")
    assert "One's own mine on swipl: 4.0x slower" in page.replace("<code>", "").replace("</code>", "").replace("’", "'")
    assert load_rule_set("clusters").name == "clusters"
