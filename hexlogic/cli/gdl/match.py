"""`hexlogic gdl match`: players against each other on a sheet; `hexlogic gdl serve`: a player for hosts, over HTTP."""

import signal
from contextlib import closing
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, flag, say, value
from hexlogic.errors import GameError
from hexlogic.ggp import StateMachine, read_sheet, write_term
from hexlogic.ggp.machines import REASONERS
from hexlogic.ggp.playing import Player, choose_strategy
from hexlogic.ggp.playing.host import Gallery, Host, enter, play_series, standings
from hexlogic.ggp.playing.player import GameServer
from hexlogic.ggp.playing.record import MatchRecord, encode_match
from hexlogic.ggp.playing.strategy import DRAWN
from hexlogic.process.signals import ended_in_order

_MOST_PRINTED = 5  # Faults of a match that are printed; the record has them all


def serve(
    port: Annotated[int, value("N", "Port to listen on; 0 takes a free one.", min=0, max=65535)] = 9147,
    host: Annotated[str, value("ADDRESS", "Address to listen on; 0.0.0.0 is all.")] = "127.0.0.1",
    player: Annotated[str, options.player(help="Strategy: uct, uct:1000 (playouts a move), random.")] = "uct",
    reasoner: options.Reasoner = "compiled",
    margin: Annotated[float, value("S", "Seconds of each clock that are left for the way back.", min=0)] = 0.5,
    matches: Annotated[int, value("N", "Matches at a time.", min=1)] = 4,
    seed: Annotated[int, value("N", "Of what the strategy draws.")] = 0,
) -> None:
    """Play for hosts of general game playing: INFO, PREVIEW, START, PLAY, STOP and ABORT over HTTP.

    Thinks until the clock is over, less the margin. `compiled` is for sheets with few ground rules; others are played
    by a machine that starts at once.
    A line on stderr for each message of a match; Ctrl-C ends it. It listens when it can answer: where numba has to
    compile first, that takes half a minute.

    \b
    hexlogic gdl serve
    hexlogic gdl serve --port 9148 --player uct:1000 --host 0.0.0.0
    """
    REASONERS.check(reasoner)
    make = partial(StateMachine.from_sheet, reasoner=None if reasoner == "compiled" else reasoner)
    ggp_player = Player(choose_strategy(player), seed=seed, make=make, most_matches=matches, margin_s=margin, log=say)
    server = GameServer(ggp_player, host, port)  # takes the address; the port is opened when there is an answer
    received: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        received.append(number)
        server.shutdown()

    with closing(server):
        with ended_in_order():
            ggp_player.warm_up()
        server.listen()
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, end)
        say(f"{ggp_player.choice} listens on {server.url} (Ctrl-C ends it)")
        server.serve_forever()
    ggp_player.close()
    say("stopped")
    if received[0] != signal.SIGINT:  # which is how a person ends it
        raise typer.Exit(128 + received[0])


def match(
    file: Annotated[Path, argument("FILE.kif", "A sheet; FILE.hrf and FILE.epilog are infix.")],
    player: Annotated[
        list[str],
        value(
            "NAME|URL",
            "Once for each role, in the order of the sheet: random, uct, uct:1000 (playouts a move), or "
            "http://127.0.0.1:9147.",
            "--player",
            "-p",
        ),
    ],
    games: Annotated[int, value("N", "Matches to play.", "--games", "-n", min=1)] = 1,
    swap: Annotated[bool, flag("--swap", "Players change roles from match to match.")] = False,
    start_clock: Annotated[int, value("S", "Seconds to get ready.", min=0)] = 10,
    play_clock: Annotated[int, value("S", "Seconds for a move.", min=1)] = 2,
    seed: Annotated[int, value("N", "Of the host's and the built-in players' draws.")] = 0,
    out: Annotated[Path | None, options.out("-o", help="Where records and pages go. [default: nowhere]")] = None,
    reasoner: options.Reasoner = "compiled",
    as_json: Annotated[bool, flag("--json", "A match record on each line instead of the table.")] = False,
) -> None:
    """Let players play matches: built-in ones, and any general game player behind a URL.

    Illegal, late and unreadable answers are replaced by random legal moves, told on stderr and kept in the record.
    Exit status 1: there were some. With --out, DIR/matches.jsonl holds the records, DIR/NAME.html shows every state.

    \b
    hexlogic gdl match game.kif --player uct:1000 --player random --games 20 --swap
    hexlogic gdl match game.kif -p uct -p http://127.0.0.1:9147 --play-clock 5 --out results/match
    """
    REASONERS.check(reasoner)
    entries = [enter(text) for text in player]
    sheet = read_sheet(file)
    for entry in entries:
        entry.check()
    make = partial(StateMachine.from_sheet, reasoner=None if reasoner == "compiled" else reasoner)
    with make(sheet) as machine:
        if len(entries) != len(machine.roles):
            hint = f"one --player for each of {', '.join(map(write_term, machine.roles))}"
            raise GameError(f"players: {len(entries)}, but roles: {len(machine.roles)}", file=str(file), hint=hint)
        host = Host(sheet, file.name, machine, make, start_clock, play_clock, log=_warn)
        gallery = None if out is None else Gallery(out, sheet)
        matches = []
        for played in play_series(host, entries, games, swap=swap, seed=seed):
            matches.append(played)
            _print_match(played.record)
            if gallery is not None:
                gallery.add(played.record)
            if as_json:
                typer.echo(encode_match(played.record).decode(), nl=False)
    if not as_json:
        names = ("player", "matches", "wins", "draws", "losses", "mean_goal", "faults")
        rows = [fields(row, *names).values() for row in standings(entries, matches)]
        typer.echo(tabulate(rows, [name.replace("_", " ") for name in names], floatfmt=".1f", missingval="none"))
    if gallery is not None:
        say(f"records: {gallery.records}; pages: {gallery.pages[0]}{', ...' if games > 1 else ''}")
    if any(played.record.faults for played in matches):
        raise typer.Exit(1)


def _warn(line: str) -> None:
    if DRAWN in line:
        say(line)


def _print_match(record: MatchRecord) -> None:
    goals = ["none"] * len(record.roles) if record.goals is None else list(map(str, record.goals))
    sides = zip(record.roles, record.players, goals, strict=True)
    result = ", ".join(f"{role} {player} {goal}" for role, player, goal in sides)
    say(f"{record.match}: {result}; {record.outcome} after {len(record.steps)} steps")
    for step, fault in record.faults[:_MOST_PRINTED]:
        when = "start" if step is None else f"step {step}"
        said = "" if fault.answer is None else f" (the answer was {fault.answer[:60]!r})"
        who = f"{record.roles[fault.role]} {record.players[fault.role]}"
        say(f"{record.match}: {when}: {who}: {fault.kind}, {fault.message}{said}")
    if len(record.faults) > _MOST_PRINTED:
        say(f"{record.match}: {len(record.faults) - _MOST_PRINTED} more faults")
