"""`hexlogic tournament`: players meet each other and are rated; `hexlogic openings`: balanced openings for that."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.options import fields, flag, put_text, say, say_progress, value
from hexlogic.errors import SuiteError
from hexlogic.games import Hex
from hexlogic.laboratory.runs.session import session_folder
from hexlogic.players.strategy import CLOCKS
from hexlogic.players.tournament.openings import find_openings, openings_for
from hexlogic.players.tournament.records import TournamentFile, TournamentSettings, plan_games
from hexlogic.players.tournament.run import name_engines, prepare_players, run_tournament
from hexlogic.players.tournament.standing import pairings, rated, standing_data, tournament_page
from hexlogic.process.signals import ended_in_order
from hexlogic.process.threads import stopped_after

_SLOW_S = 2.0  # Seconds for players to get ready in that nobody is told of


def tournament(
    players: Annotated[str, value("A,B", "Strategies, such as bridge,mcts:1000,best:3.", "--players", "-p")] = "",
    engine: Annotated[
        list[str] | None, value("[NAME=]CMD", "A program that speaks HTP, as a player; repeatable.", "--engine", "-e")
    ] = None,
    size: Annotated[list[str] | None, options.size(help="A board; repeatable. [default: 7]")] = None,
    games: Annotated[int, value("K", "Games of each pairing and size.", "--games", "-k", min=1)] = 2,
    seed: Annotated[int, value("S", "What random choices and openings begin with.", min=0)] = 0,
    time: Annotated[float | None, options.time(min=0.01, help="Seconds for a move.")] = None,
    clock: Annotated[str, value("C", "What --time counts: wall, or cpu (the processor time of a player).")] = "wall",
    playouts: options.Playouts = None,
    openings: Annotated[str, value("SET", "balanced, none, or a file with an opening in each line.")] = "balanced",
    swap: Annotated[bool, typer.Option(help="The swap rule, in games that begin on an empty board.")] = False,
    gauntlet: Annotated[bool, flag("--gauntlet", "Only the first player meets the others.")] = False,
    jobs: Annotated[int, options.jobs("-j", help="Games at the same time.")] = 1,
    out: Annotated[Path | None, options.out("-o", help="Keep games in DIR.")] = None,
    resume: Annotated[bool, flag("--resume", "Go on with the tournament in --out.")] = False,
    as_json: options.Json = False,
) -> None:
    """Let players play each other, and rate them.

    Every opening is played twice, each player first once. Games are kept one by one: a stopped tournament goes on
    with --resume. In the folder are tournament.jsonl, the games as SGF, and page.html to look at them.

    \b
    hexlogic tournament --players random,bridge,vc-shallow --size 7 --games 4
    hexlogic tournament -p best --engine 'wolve' --size 9 --time 2 --games 20 --out results/wolve
    """
    engines, sizes = name_engines(engine or ()), tuple(size or ("7",))
    counted = next((known for known in CLOCKS if known == clock), None)
    if counted is None:
        raise SuiteError(f"{clock!r} is no clock", file="--clock", hint="wall or cpu")
    settings = TournamentSettings(
        players=(*filter(None, players.split(",")), *engines),
        sizes=sizes,
        games=games,
        seed=seed,
        seconds=time,
        playouts=playouts,
        gauntlet=gauntlet,
        swap=swap,
        openings={each: openings_for(openings, each) for each in sizes},
        engines=engines,
        clock=counted,
    )
    plan_games(settings)
    if resume and out is None:
        raise SuiteError("--resume needs the folder", hint="give it with --out")
    with stopped_after(_SLOW_S, lambda: say_progress("the players get ready")):
        prepare_players(settings)
    with ended_in_order():
        folder, command = out or session_folder("tournament", resume=False), " ".join(sys.argv[1:])
        file = run_tournament(settings, folder, resume=resume, jobs=jobs, command=command, say=say)
    _print_ranking(folder, file, as_json)


def _print_ranking(folder: Path, file: TournamentFile, as_json: bool) -> None:
    page = folder / "page.html"
    page.write_text(tournament_page(file), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({**standing_data(file), "folder": str(folder)}, indent=2))
        return
    settings, games = file.opened.settings, file.games.values()
    ranking = [
        [rating.player, f"{rating.elo:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}", rating.games, rating.wins]
        for rating in rated(settings, games)
    ]
    typer.echo(tabulate(ranking, ["player", "Elo", "95 % interval", "games", "won"], tablefmt="simple"))
    results = []
    for pairing in pairings(settings, games):
        pairs = f"{pairing.pairs_won}-{pairing.pairs_shared}-{pairing.pairs_lost}"
        score, forfeits = f"{pairing.wins}-{pairing.losses}", f"{pairing.forfeit_wins}-{pairing.forfeit_losses}"
        results.append([f"{pairing.one} - {pairing.two}", score, forfeits, pairs, f"{pairing.p_value:.3f}"])
    heads = ["pairing", "games", "by forfeit", "pairs won-shared-lost", "p"]
    typer.echo("\n" + tabulate(results, heads, tablefmt="simple"))
    for line in games:
        if line.is_forfeit:
            say(f"{line.key}: {line.reason}")
    typer.echo(f"\ngames: {folder}; page: {page}")


def openings(
    size: options.BoardSize = "7",
    count: Annotated[int, value("N", "How many openings, at most.", min=1)] = 20,
    playouts: Annotated[int, value("N", "Playouts for the value of an opening.", min=1)] = 3000,
    games: Annotated[int, value("N", "Games that check each opening.", min=0)] = 6,
    game_playouts: Annotated[int, value("N", "Playouts of a move in those games.", min=1)] = 300,
    seed: Annotated[int, value("S", "What random choices begin with.", min=0)] = 1,
    out: options.OutFile = None,
    as_json: options.Json = False,
) -> None:
    """Find two-stone openings after which both players have about the same chances.

    Red's share of playouts, with red to move, and red's wins in the games that checked it, stand behind each.

    \b
    hexlogic openings --size 7 --count 20 --out openings-7.txt
    hexlogic tournament --players bridge,mcts:1000 --size 7 --openings openings-7.txt
    """
    board = Hex.of_text(size)
    balanced = find_openings(
        board, count, playouts=playouts, games=games, game_playouts=game_playouts, seed=seed, say=say
    )
    if as_json:
        listed = [
            {"red": board.cell_name(red), "blue": board.cell_name(blue), **fields(opening, "share", "won", "games")}
            for opening in balanced
            for red, blue in [opening.cells]
        ]
        put_text(json.dumps({"size": board.size_text, "openings": listed}) + "\n", out)
        return
    lines = [f"# Balanced openings of {board}: red, blue, and red is to move."]
    lines.append(f"# made by: hexlogic {' '.join(sys.argv[1:])}")
    for opening in balanced:
        names = " ".join(map(board.cell_name, opening.cells))
        lines.append(f"{names}  # {opening.share:.3f} of playouts; red won {opening.won} of {opening.games}")
    put_text("\n".join(lines) + "\n", out, f"{len(balanced)} openings to ")
