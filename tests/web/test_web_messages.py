"""What the server refuses, and that nothing sent to it makes it fail: no 500, no stuck worker."""

from __future__ import annotations

import http.client
import json
import random
import urllib.error
import urllib.request

import pytest

ROUTES = (
    *("board", "state", "move", "write", "read", "connections", "derivation", "current", "solve", "certificate"),
    *("rules", "example", "records", "record"),
)
IN_CHILD = ("evaluate", "difference", "work", "prove", "sheet", "check")


def post(url: str, body: bytes, **headers: str) -> tuple[int, dict[str, object]]:
    """Status and answer."""
    named = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, named)
    try:
        with urllib.request.urlopen(request, timeout=600) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refusal:
        with refusal:
            text = refusal.read()
        return refusal.code, json.loads(text) if text.startswith(b"{") else {"error": text.decode()}


def test_a_state(site: str) -> None:
    status, state = post(f"{site}api/state", b'{"size": "3", "moves": ["b2", "a1"]}')
    assert (status, state["red"], state["blue"], state["to_move"]) == (200, ["b2"], ["a1"], "red")


@pytest.mark.parametrize(
    ("route", "body", "words"),
    [
        ("state", b'{"size": "3", "moves": ["b2", "b2"]}', "cell b2 is already red"),
        ("state", b'{"size": "99"}', "is no size of a board"),
        ("state", b'{"size": "0"}', "0"),
        ("state", b'{"size": "3", "more": 1}', "unknown field"),
        ("state", b"\xff", "no message of the page"),
        ("move", b'{"size": "3", "player": "rules:/etc/passwd"}', "unknown player"),
        ("move", b'{"size": "1", "moves": ["a1"]}', "the game is over"),
        ("read", b'{"text": "hello"}', "no known format"),
        ("derivation", b'{"size": "2", "place": 99}', "there is no connection 99"),
        ("rules", b'{"size": "3", "name": "../../etc/passwd"}', "unknown rule set"),
        ("example", b'{"size": "3", "name": "/etc/passwd.lp"}', "unknown rule set"),
        ("example", b'{"size": "99", "name": "clusters"}', "is no size of a board"),
        ("state", b'{"size": "3", "game": "chess"}', "unknown game"),
        ("solve", b'{"size": "3", "game": "y"}', "for Hex only"),
        ("move", b'{"size": "3", "game": "y", "player": "solver"}', "unknown player of Y"),
        ("record", b'{"number": 99}', "there is no game 99"),
        ("evaluate", b'{"text": "", "size": "2", "red": ["z9"]}', "off the 2x2 board"),
    ],
)
def test_refused_with_a_reason(site: str, route: str, body: bytes, words: str) -> None:
    status, answer = post(f"{site}api/{route}", body)
    assert status == 400
    assert words in str(answer["error"])


def test_other_origins_and_foreign_names_are_kept_out(site: str) -> None:
    assert post(f"{site}api/state", b'{"size": "3"}', Content_Type="text/plain")[0] == 415
    assert post(f"{site}api/state", b'{"size": "3"}', Host="evil.example")[0] == 400
    assert post(f"{site}api/state", b" " * 300_000)[0] == 413
    with urllib.request.urlopen(site, timeout=600) as reply:
        assert "default-src 'self'" in reply.headers["Content-Security-Policy"]


def test_rules_that_never_end_are_stopped(site: str) -> None:
    text = "n(0). n(X+1) :- n(X). wins(red) :- n(9)."
    status, answer = post(f"{site}api/evaluate", json.dumps({"text": text, "size": "3"}).encode())
    assert status == 200
    assert "stopped" in answer["problem"]["message"]


def test_random_messages_never_make_it_fail(site: str) -> None:
    draw = random.Random(16)
    words = ["b2", "a1", "c3", "swap-pieces", "pass", "resign", "z9", "", "1", "é", "swap-sides"]
    for _ in range(150):
        message = {
            "size": draw.choice(["3", "2", "1", "2x3", "x", "", "-1", "4" * 30]),
            "moves": draw.choices(words, k=draw.randrange(5)),
            "place": draw.choice([0, 1, -1, 10**30]),
            "player": draw.choice(["red", "blue", "random", "nobody", 3]),
            "text": draw.choice(["(;GM[11]SZ[3];B[a1])", "#5c1,a3", "(;", "3x3 red a1", "\0"]),
            "name": draw.choice(["clusters", "power-set", "y/clusters", "nothing"]),
            "format": draw.choice(["sgf", "hexworld", "moves", "none"]),
            "game": draw.choice(["hex", "y", "havannah", "tic-tac-toe-3d", "chess", 7]),
            "number": draw.choice([0, 2, -1, 10**30, None]),
        }
        kept = dict(draw.sample(sorted(message.items()), draw.randrange(1, 5)))
        route = draw.choice(ROUTES)
        if route == "move" and kept.get("player") not in ("random", "nobody", 3):
            kept["player"] = "random"  # strategies that compile are the business of other tests
        status, answer = post(f"{site}api/{route}", json.dumps(kept).encode())
        assert status in (200, 400), (route, kept, answer)
    assert post(f"{site}api/state", b'{"size": "3"}')[0] == 200


def test_random_texts_never_make_a_child_fail(site: str) -> None:
    draw = random.Random(4)
    rules = [
        "wins(red).",
        "wins(P) :- owns(P,1).",
        "p(X) :- q(X,Y), X != Y.",
        '#include "/etc/passwd".',
        "wins(",
        "p :- not p.",
    ]
    sheet = [
        "(role r)",
        "(init a)",
        "(<= (legal r go) (role r))",
        "(<= terminal (true b))",
        "(<= (next b) (does r go))",
        "(goal r 50)",
        "(",
        "(x))",
    ]
    for route in IN_CHILD:
        parts = sheet if route in ("sheet", "check") else rules
        message = {"text": "\n".join(draw.choices(parts, k=draw.randrange(7)))}
        if route == "sheet":
            message["moves"] = draw.choice([[], [["go"]], [["go", "go"]], [["("]], [[]]])
        elif route != "check":
            message |= {"size": draw.choice(["2", "3", "2x3"])}
            message |= {"name": draw.choice(["clusters", "nothing"])} if route == "prove" else {}
            message |= (
                {"pipeline": draw.choice(["prune", "ground,reorder", "x"])} if route in ("difference", "work") else {}
            )
        status, answer = post(f"{site}api/{route}", json.dumps(message).encode())
        assert status in (200, 400), (route, message, answer)
    assert post(f"{site}api/evaluate", b'{"text": "wins(red).", "size": "2"}')[1]["winners"] == ["red"]


def test_a_page_that_stops_waiting_ends_its_child(site: str) -> None:
    """More endless questions than may be worked on at a time, each given up at once: the next one is answered."""
    endless = json.dumps({"text": "n(0). n(X+1) :- n(X). wins(red) :- n(9).", "size": "3", "name": "clusters"}).encode()
    host = site.removeprefix("http://").rstrip("/")
    for _ in range(6):
        connection = http.client.HTTPConnection(host)
        connection.request("POST", "/api/prove", endless, {"Content-Type": "application/json"})
        connection.close()
    status, answer = post(f"{site}api/prove", b'{"text": "wins(red).", "size": "2", "name": "clusters"}')
    assert (status, answer["refuted"]) == (200, True)
