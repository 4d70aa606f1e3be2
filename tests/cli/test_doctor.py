"""`hexlogic doctor`: what is here, what is missing and how to get it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hexlogic.cli import doctor
from hexlogic.games.rulesets import rule_set_names
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.process.meters import METERS


def test_doctor_names_every_engine_and_rule_set(cli):
    outcome = cli("doctor")
    assert (outcome.status, outcome.err) == (0, "")
    for name in (*engine_names(), *rule_set_names()):
        assert name in outcome.out


@pytest.mark.takes_seconds
def test_doctor_as_json(cli):
    report = json.loads(cli("doctor", "--json").out)
    assert [engine["name"] for engine in report["engines"]] == list(engine_names())
    for engine in report["engines"]:
        assert (engine["version"] is None) != (engine["missing"] is None)
    assert all(folder["found"] for folder in report["folders"].values())


@pytest.mark.takes_seconds
def test_a_missing_engine_is_no_failure(cli, monkeypatch):
    monkeypatch.setattr(type(load_engine("clingo")), "missing", lambda self: "not here; pip install clingo")
    outcome = cli("doctor")
    assert outcome.status == 0
    assert "clingo     missing: not here; pip install clingo" in outcome.out


@pytest.mark.takes_seconds
def test_doctor_says_which_meters_work(cli, monkeypatch):
    assert [meter["name"] for meter in json.loads(cli("doctor", "--json").out)["meters"]] == list(METERS)
    for name, meter in METERS.items():
        monkeypatch.setitem(METERS, name, replace(meter, missing=lambda: "no control groups"))
    assert "benchexec  missing: no control groups" in cli("doctor").out


@pytest.mark.takes_seconds
def test_the_parts_compile_every_kernel():
    for part in doctor._PARTS:
        doctor.compile_part(part)
    assert all(stored == known > 10 for stored, known in doctor.compiled_kernels().values())


def test_what_is_compiled_is_told(cli, monkeypatch):
    monkeypatch.setattr("hexlogic.cli.doctor.compiled_kernels", lambda: {"players": (3, 50), "ggp": (51, 51)})
    monkeypatch.setattr("hexlogic.cli.doctor.compile_all", lambda: iter([("solver", 15.6)]))
    monkeypatch.delenv("HEXLOGIC_QUIET", raising=False)
    told = cli("doctor", "--compile")
    assert told.err == "compiled solver in 16 s of CPU time\n"
    assert "compiled   players 3 of 50, ggp 51 of 51 (all: hexlogic doctor --compile)" in told.out.splitlines()
    kernels = json.loads(cli("doctor", "--json").out)["kernels"]
    assert kernels["players"] == {"compiled": 3, "kernels": 50}
