"""Suites and plans: read strictly, and every complaint has its line."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.laboratory.runs.plan import Plan, load_suite, make_plan, parse_suite, repeats_after, suite_names
from hexlogic.laboratory.runs.session import new_session
from hexlogic.laboratory.runs.tasks import make_task
from hexlogic.process.limits import Limits

TEXT = """\
name = "mine"
boards = ["difficult-1"]
players = ["red", "blue"]
[limits]
cpu_s = 10
memory_mb = 500
[[configurations]]
rule_sets = ["clusters"]
pipelines = ["none", "ground,reorder"]
engines = ["clingo"]
[[configurations]]
rule_sets = ["clusters", "follow-line-tabled"]
pipelines = ["none"]
engines = ["clingo"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def plan_of(text: str, folder: Path) -> Plan:
    suite, file = load_suite(str(write(folder, text)))
    return make_plan(suite, file)


@pytest.mark.parametrize("name", suite_names())
def test_every_suite_of_the_package_makes_a_plan(name: str) -> None:
    suite, file = load_suite(name)
    assert suite.name == name
    plan = make_plan(suite, file)
    assert plan.configurations
    assert len(set(plan.configurations)) == len(plan.configurations)


def test_quick_has_the_papers_tables_and_all_rule_sets() -> None:
    from hexlogic.games.rulesets import rule_set_names

    suite, _ = load_suite("quick")
    assert {name for choice in suite.configurations for name in choice.rule_sets} == set(rule_set_names())
    assert suite.limits.cpu_s == 4
    assert suite.repeats == 3


def test_paper_has_the_papers_cap() -> None:
    suite, _ = load_suite("paper")
    assert suite.limits.cpu_s == 900


def test_cells_once_each_in_the_order_of_the_suite(tmp_path: Path) -> None:
    cells = [str(cell) for cell in plan_of(TEXT, tmp_path).configurations]
    assert cells == [
        "clusters none clingo difficult-1 red",
        "clusters none clingo difficult-1 blue",
        "clusters ground,reorder clingo difficult-1 red",
        "clusters ground,reorder clingo difficult-1 blue",
        "follow-line-tabled none clingo difficult-1 red",
        "follow-line-tabled none clingo difficult-1 blue",
    ]


def test_expected_answers_come_from_the_oracle() -> None:
    assert make_task("difficult-1", "red").expected is False
    assert make_task("snake", "red").expected is True
    assert make_task("snake", "blue").expected is False


def test_keys_name_runs(tmp_path: Path) -> None:
    plan = plan_of(TEXT, tmp_path)
    session = new_session(plan, jobs=1, warm_up_jobs=1, command=[], started=datetime.now(UTC))
    engine = session.engines["clingo"]
    others = [
        replace(session, limits=Limits.of(cpu_s=11, memory_mb=500)),
        replace(session, host="elsewhere"),
        replace(session, code_hash="changed"),
        replace(session, engines={"clingo": replace(engine, version="99")}),
    ]
    keys = [
        cell.key(one, warmup=warmup, repeat=repeat)
        for cell in plan.configurations
        for one in (session, *others)
        for warmup in (True, False)
        for repeat in (0, 1)
    ]
    assert len(set(keys)) == len(keys)
    again = plan_of(TEXT, tmp_path)
    later = new_session(again, jobs=2, warm_up_jobs=2, command=["x"], started=datetime.now(UTC))
    assert again.configurations[0].key(later, warmup=True, repeat=0) == keys[0]


def test_a_series_is_a_chain_upwards(tmp_path: Path) -> None:
    text = TEXT.replace('["difficult-1"]', '["snake", "difficult-1@7,3..5"]').replace('["red", "blue"]', '["red"]')
    plan = plan_of(text, tmp_path)
    chains = [[cell.task.name for cell in chain] for chain in plan.chains()]
    series = [f"difficult-1@{size}" for size in (3, 4, 5, 7)]
    assert sorted(chains) == sorted([["snake"]] * 3 + [series] * 3)
    assert sorted(map(str, plan.configurations)) == sorted(str(cell) for chain in plan.chains() for cell in chain)


@pytest.mark.parametrize(
    "sizes", ["difficult-1@", "difficult-1@9..", "difficult-1@5..4", "difficult-1@2..3", "snake@5", "difficult-1@99"]
)
def test_a_bad_series_has_its_line(tmp_path: Path, sizes: str) -> None:
    with pytest.raises(HexlogicError) as error:
        plan_of(TEXT.replace('"difficult-1"', f'"{sizes}"'), tmp_path)
    assert error.value.line == 2


def test_what_is_given_replaces_the_suites(tmp_path: Path) -> None:
    suite, file = load_suite(str(write(tmp_path, TEXT)))
    plan = make_plan(suite, file, engines=["pydatalog", "pydatalog"], cpu_s=3, memory_mb=99, repeats=2)
    assert plan.engines == ("pydatalog",)
    assert {cell.engine for cell in plan.configurations} == {"pydatalog"}
    assert (plan.limits.cpu_s, plan.limits.memory_bytes, plan.repeats) == (3, 99_000_000, 2)


def test_missing_engine_has_no_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hexlogic.language.engines import load_engine

    monkeypatch.setattr(type(load_engine("swipl")), "missing", lambda self: "not here; get it there")
    plan = plan_of(TEXT.replace('["clingo"]', '["swipl", "clingo"]'), tmp_path)
    assert plan.engines == ("swipl", "clingo")
    assert plan.missing == {"swipl": "not here; get it there"}
    assert {cell.engine for cell in plan.configurations} == {"clingo"}


def test_slow_cells_are_repeated_less() -> None:
    limits = Limits.of(cpu_s=10, memory_mb=1)
    assert [repeats_after(seconds, limits, 5) for seconds in (0, 0.1, 1.0, 1.1, 2.6, 10)] == [5, 5, 5, 4, 1, 1]
    assert repeats_after(0.1, limits, 1) == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "mine"', 'name = "mine"\ncolour = 1', 2, "unknown key 'colour'"),
        ("[limits]", "[limits]\ncpu_h = 1", 5, "unknown key 'cpu_h'"),
        ('rule_sets = ["clusters"]', 'rule_sets = ["clusters"]\nengine = "clingo"', 9, "unknown key 'engine'"),
        ("cpu_s = 10", "cpu_s = 0", 5, "limit cpu_s"),
        ("memory_mb = 500", "memory_mb = -1", 6, "limit memory_mb"),
        ("cpu_s = 10", 'cpu_s = "ten"', 5, "cpu_s"),
        ('players = ["red", "blue"]', 'players = ["green"]', 3, "players"),
        ('name = "mine"', 'name = "../mine"', 1, "name"),
        ('name = "mine"', 'name = "mine"\nrepeats = 0', 2, "repeats"),
        ('boards = ["difficult-1"]', "boards = []", 2, "boards"),
        ("cpu_s = 10", "cpu_s = ", 5, "not TOML"),
        ('boards = ["difficult-1"]', 'boards = ["dificult-1"]', 2, "unknown board"),
        ('"follow-line-tabled"', '"follow-lines-tabled"', 12, "unknown rule set"),
        ('"ground,reorder"', '"ground,reorderr"', 9, "unknown pass"),
        ('engines = ["clingo"]\n[[', 'engines = ["clingoo"]\n[[', 10, "unknown engine"),
    ],
)
def test_bad_suites_say_what_and_where(tmp_path: Path, old: str, new: str, line: int | None, words: str) -> None:
    assert old in TEXT
    with pytest.raises(HexlogicError, match=words) as caught:
        plan_of(TEXT.replace(old, new, 1), tmp_path)
    assert caught.value.file == str(tmp_path / "mine.toml")
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"cpu_s": 0}, {"cpu_s": -1}, {"memory_mb": 0}, {"cpu_s": float("nan")}, {"repeats": 0}]
)
def test_bad_numbers_from_the_command_line(options: dict[str, float]) -> None:
    suite = parse_suite(TEXT, "mine.toml")
    with pytest.raises(SuiteError):
        make_plan(suite, "mine.toml", **options)  # type: ignore[arg-type]


def test_unknown_engine_from_the_command_line() -> None:
    with pytest.raises(UnknownNameError, match="did you mean clingo"):
        make_plan(parse_suite(TEXT, "mine.toml"), "mine.toml", engines=["clingoo"])


def test_unknown_suite() -> None:
    with pytest.raises(UnknownNameError, match="did you mean quick"):
        load_suite("quik")


def test_suite_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="cannot read"):
        load_suite(str(tmp_path / "none.toml"))
