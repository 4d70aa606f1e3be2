"""`hexlogic gdl match`: a table, records and pages; faults are told; one line for what cannot be played."""

from __future__ import annotations

import importlib.util
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import jsonschema
import pytest

from hexlogic.ggp.playing.record import decode_match
from tests.checkout import CHECKOUT

GAMES = CHECKOUT / "tests" / "ggp" / "games"
DOCS = CHECKOUT / "docs"
NIM, PUZZLE = str(GAMES / "nim.kif"), str(GAMES / "counter.kif")


class Stubborn(BaseHTTPRequestHandler):
    """A player that is ready for anything and answers one illegal move."""

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        answer = b"READY" if text.startswith("(START") else b"(reduce left 9)"
        self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + answer)

    def log_message(self, *args):
        pass


@pytest.fixture
def stubborn():
    with HTTPServer(("127.0.0.1", 0), Stubborn) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_table_and_a_line_for_each_match(cli):
    outcome = cli("gdl", "match", NIM, "-p", "uct:50", "-p", "random", "-n", "3", "--swap", "--reasoner", "clingo")
    assert outcome.status == 0
    head, _, uct, rnd = outcome.out.splitlines()
    assert head.split() == ["player", "matches", "wins", "draws", "losses", "mean", "goal", "faults"]
    assert uct.split()[:2] == ["uct:50", "3"]
    assert rnd.split()[:2] == ["random", "3"]
    assert int(uct.split()[2]) + int(rnd.split()[2]) == 3  # somebody wins at nim
    # While numba compiles it also tells of answers that came late.
    told = [line for line in outcome.err.splitlines() if ": First " in line]
    assert len(told) == 3
    assert told[0].startswith("nim.1: First uct:50 ")
    assert told[1].startswith("nim.2: First random ")


def test_records_fit_their_schema_and_pages_are_written(cli, tmp_path):
    out = tmp_path / "some" / "where"
    outcome = cli("gdl", "match", NIM, "-p", "random", "-p", "random", "-n", "2", "--out", str(out))
    assert outcome.status == 0
    assert str(out / "matches.jsonl") in outcome.err
    lines = (out / "matches.jsonl").read_text().splitlines()
    schema = json.loads((DOCS / "match.schema.json").read_text())
    for number, line in enumerate(lines, 1):
        jsonschema.validate(json.loads(line), schema)
        record = decode_match(line)
        assert (record.match, record.sheet) == (f"nim.{number}", "nim.kif")
        page = (out / f"nim.{number}.html").read_text()
        assert page.count("<li>") == len(record.steps) + 1
    assert len(lines) == 2
    line = cli("gdl", "match", NIM, "-p", "random", "-p", "random", "--out", str(out)).refused()
    assert line == f"{out}/matches.jsonl: there are matches already (another --out)"


def test_json_lines_for_programs(cli):
    outcome = cli("gdl", "match", PUZZLE, "-p", "random", "-n", "2", "--json")
    records = [decode_match(line) for line in outcome.out.splitlines()]
    assert [record.match for record in records] == ["counter.1", "counter.2"]
    again = [
        decode_match(line) for line in cli("gdl", "match", PUZZLE, "-p", "random", "-n", "2", "--json").out.splitlines()
    ]
    assert [[step.moves for step in record.steps] for record in again] == [
        [step.moves for step in record.steps] for record in records
    ]


def test_faults_are_told_and_the_status_is_1(cli, stubborn):
    outcome = cli("gdl", "match", NIM, "-p", stubborn, "-p", "random", "--seed", "2")
    assert outcome.status == 1
    first = next(line for line in outcome.err.splitlines() if line.startswith("nim.1: step 1"))
    assert first == (
        f"nim.1: step 1: First {stubborn}: illegal, (reduce left 9) is no legal move (the answer was '(reduce left 9)')"
    )
    faults = int(outcome.out.splitlines()[2].split()[-1])
    assert faults == sum("illegal" in line for line in outcome.err.splitlines()) > 0


def test_what_cannot_be_played_is_one_line(cli, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    line = cli("gdl", "match", NIM, "-p", url, "-p", "random").refused()
    assert line == f"player {url}: cannot be reached: Connection refused (is it running? hexlogic gdl serve starts one)"
    line = cli("gdl", "match", NIM, "-p", "random").refused()
    assert line == f"{NIM}: players: 1, but roles: 2 (one --player for each of First, Second)"
    assert (
        "unknown player 'rndm' (did you mean random?)" in cli("gdl", "match", NIM, "-p", "rndm", "-p", "uct").refused()
    )
    assert "no number of playouts" in cli("gdl", "match", NIM, "-p", "uct:x", "-p", "uct").refused()
    assert "no URL" in cli("gdl", "match", NIM, "-p", "https://h", "-p", "uct").refused()
    assert "--player" in cli("gdl", "match", NIM).refused()
    assert "unknown reasoner" in cli("gdl", "match", NIM, "-p", "uct", "-p", "uct", "--reasoner", "z").refused()
    (tmp_path / "bad.kif").write_text("(role a")
    assert "never closed" in cli("gdl", "match", str(tmp_path / "bad.kif"), "-p", "uct").refused()
    (tmp_path / "stuck.kif").write_text("(role a) (init s) (<= terminal (true t)) (goal a 1) (<= (legal a b) (true t))")
    assert "has no legal move" in cli("gdl", "match", str(tmp_path / "stuck.kif"), "-p", "random").refused()
    (tmp_path / "taken").write_text("")
    assert "cannot be written" in cli("gdl", "match", PUZZLE, "-p", "random", "-o", str(tmp_path / "taken")).refused()


def test_the_published_schema_is_that_of_the_code():
    spec = importlib.util.spec_from_file_location("refresh", DOCS / "refresh.py")
    refresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(refresh)
    published = DOCS / "match.schema.json"
    assert published.read_text(encoding="utf-8") == refresh.schema()[published], "make docs-refresh writes it again"
    described = json.loads(published.read_text())["$defs"]["MatchRecord"]["properties"]
    assert described["sheet_sha256"]["description"] == "Of the sheet's canonical KIF text."
