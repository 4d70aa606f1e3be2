"""The published schema of the records is that of the code, and real records conform to it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import jsonschema
import pytest

from docs.schemas import record_schema
from hexlogic.laboratory.records.store import RecordWriter
from hexlogic.laboratory.records.types import SCHEMA, Resumed
from hexlogic.laboratory.runs.plan import make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan
from hexlogic.laboratory.runs.session import new_session
from tests.checkout import CHECKOUT

PUBLISHED = CHECKOUT / "docs" / "records.schema.json"

SUITE = """
name = "small"
boards = ["difficult-1@3"]
limits = { cpu_s = 20, memory_mb = 800, wall_s = 3600 }
repeats = 1
[[configurations]]
rule_sets = ["clusters", "follow-line"]
pipelines = ["none"]
engines = ["clingo"]
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """A session with a record of every kind: floors, an answer, an unsupported program, a resumption."""
    folder = tmp_path_factory.mktemp("records")
    plan = make_plan(parse_suite(SUITE, "s"), "s")
    session = new_session(plan, jobs=1, warm_up_jobs=1, command=["hexlogic"], started=datetime.now(UTC))
    with RecordWriter(folder) as writer:
        execute_plan(plan, session, writer, floors=True)
        writer.write(Resumed(at="2019-06-10T12:00:00Z", command=[], load_1m=0.5))
    return [json.loads(line) for line in (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()]


def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))


def test_published_schema_has_not_drifted() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == record_schema(), "make docs-refresh writes it again"


def test_it_is_a_schema_of_this_version() -> None:
    schema = json.loads(record_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"].endswith(f"schema {SCHEMA}")
    assert schema["$defs"]["Run"]["properties"]["complete"]["description"].startswith("Whether the rule set claims")


def test_real_records_conform(lines: list[dict[str, object]]) -> None:
    assert {line["record"] for line in lines} == {"session", "floor", "run", "end", "resumed"}
    for line in lines:
        validator().validate(line)


@pytest.mark.parametrize(
    "change",
    [{"colour": "blue"}, {"status": "tired"}, {"repeat": "first"}, {"usage": {"cpu_s": 1.0}}, {"record": "note"}],
    ids=["unknown field", "unknown status", "wrong type", "missing part", "unknown record"],
)
def test_what_the_reader_refuses_the_schema_refuses(lines: list[dict[str, object]], change: dict[str, object]) -> None:
    run = next(line for line in lines if line["record"] == "run")
    with pytest.raises(jsonschema.ValidationError):
        validator().validate({**run, **change})


def test_a_field_may_not_be_missing(lines: list[dict[str, object]]) -> None:
    run = next(line for line in lines if line["record"] == "run")
    with pytest.raises(jsonschema.ValidationError):
        validator().validate({name: value for name, value in run.items() if name != "facts_hash"})
