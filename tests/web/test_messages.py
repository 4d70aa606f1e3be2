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
    *("rules", "example", "records", "record", "facts"),
)
IN_CHILD = ("evaluate", "difference", "work", "prove", "sheet", "check", "choose", "cheaper", "why")


def post(url: str, body: bytes, **headers: str) -> tuple[int, dict[str, object]]:
    """Status and answer."""
    named = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, named)
    try:
        with urllib.request.urlopen(request, timeout=600) as reply:
            *_, last = reply.read().splitlines()
            return reply.status, json.loads(last)
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
        ("state", b'{"size": "99"}', "is too large"),
        ("state", b'{"size": "0"}', "0"),
        ("state", b'{"size": "3", "more": 1}', "unknown field"),
        ("state", b"\xff", "no message of the page"),
        ("move", b'{"size": "3", "player": "rules:/etc/passwd"}', "unknown player"),
        ("move", b'{"size": "1", "moves": ["a1"]}', "the game is over"),
        ("read", b'{"text": "hello"}', "no known format"),
        ("derivation", b'{"size": "2", "place": 99}', "there is no connection 99"),
        ("rules", b'{"size": "3", "name": "../../etc/passwd"}', "unknown rule set"),
        ("example", b'{"size": "3", "name": "/etc/passwd.lp"}', "unknown rule set"),
        ("example", b'{"size": "99", "name": "clusters"}', "is too large"),
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


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("game", "size", "rules"),
    [
        ("hex", "4", "follow-line-tabled"),
        ("y", "3", "y/follow-line"),
        ("tic-tac-toe-3d", "2", "tic-tac-toe-3d/clusters"),
    ],
)
def test_rules_of_every_game_are_asked_and_proved(site: str, game: str, size: str, rules: str) -> None:
    text = post(f"{site}api/rules", json.dumps({"game": game, "size": size, "name": rules}).encode())[1]["text"]
    asked = {"game": game, "size": size, "text": text}
    status, answer = post(f"{site}api/evaluate", json.dumps(asked).encode())
    assert (status, answer["problem"], answer["winners"]) == (200, None, [])
    status, answer = post(f"{site}api/prove", json.dumps({**asked, "name": rules}).encode())
    assert status == 200
    assert answer["result"]["sentence"].startswith("your text and ")
    assert " are equal on " in answer["result"]["sentence"]


def test_the_facts_that_hold_in_a_game(site: str) -> None:
    moves = ["a2", "a1", "b2", "a3", "c3"]
    status, answer = post(f"{site}api/facts", json.dumps({"game": "y", "size": "3", "moves": moves}).encode())
    assert (status, answer["rules"]) == (200, "y/follow-line")
    assert any(sorted(cells) == ["a2", "b2", "c3"] for cells in answer["cells"].values())


def test_a_strategy_chooses_for_the_roles_that_it_plays(site: str) -> None:
    sheet = post(f"{site}api/example", b'{"size": "2", "name": "clusters"}')[1]["text"]
    for player in ("random", "uct:20"):
        message = {"text": sheet, "moves": [["(place a1)", "noop"]], "players": [None, player]}
        status, answer = post(f"{site}api/choose", json.dumps(message).encode())
        assert (status, answer["problem"]) == (200, None)
        assert answer["moves"][0] is None
        assert answer["moves"][1] in ("(place a2)", "(place b1)", "(place b2)")
    status, answer = post(f"{site}api/choose", json.dumps({**message, "players": ["random"]}).encode())
    assert answer["problem"]["message"] == "1 players for 2 roles"


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
        parts = sheet if route in ("sheet", "check", "choose", "cheaper", "why") else rules
        message = {"text": "\n".join(draw.choices(parts, k=draw.randrange(7)))}
        if route in ("sheet", "choose"):
            message["moves"] = draw.choice([[], [["go"]], [["go", "go"]], [["("]], [[]]])
        if route == "choose":
            message["players"] = draw.choice([["random"], ["random", None], [], ["nobody"], ["uct:x"]])
        elif route not in ("sheet", "check"):
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
    assert (status, answer["result"]["refuted"]) == (200, True)
