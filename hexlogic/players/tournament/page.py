"""A tournament as a page: ratings, cross table, and every game to step through. One HTML file that needs no other."""

from __future__ import annotations

from pathlib import Path

from hexlogic.players.tournament.records import GameLine, TournamentFile, game_record
from hexlogic.players.tournament.standing import Pairing, Rating, pairings, rated


def write_page(file: TournamentFile, folder: Path) -> Path:
    """Write `page.html` into the folder and return its path."""
    path = folder / "page.html"
    path.write_text(tournament_page(file), encoding="utf-8")
    return path


def tournament_page(file: TournamentFile) -> str:
    """The text of the page; the same file gives the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    settings, games = file.opened.settings, list(file.games.values())
    ranking = rated(settings, games)
    by_players = {(each.one, each.two): each for each in pairings(settings, games)}
    names = [rating.player for rating in ranking]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        opened=file.opened,
        settings=settings,
        ranking=[(rating, _bar(rating, ranking), _thinking(rating.player, games)) for rating in ranking],
        names=names,
        table=[[_cell(by_players, name, opponent) for opponent in names] for name in names],
        pairings=list(by_players.values()),
        games=[_game(line) for line in games],
        forfeits=[line for line in games if "forfeits" in line.reason],
        complete=file.end is not None,
    )


def _bar(rating: Rating, ranking: tuple[Rating, ...]) -> dict[str, float]:
    """The places of a rating and its interval in a bar from the lowest to the highest bound of all, in percent."""
    low, high = min(each.low for each in ranking), max(each.high for each in ranking)
    width = (high - low) or 1.0
    return {
        "begin": round(100 * (rating.low - low) / width, 1),
        "width": round(100 * (rating.high - rating.low) / width, 1),
        "middle": round(100 * (rating.elo - low) / width, 1),
    }


def _thinking(player: str, games: list[GameLine]) -> float | None:
    """The mean seconds of a player's turns; None when it had none."""
    times: list[float] = []
    for line in games:
        if player in (line.first, line.second):
            mine = 0 if player == line.first else 1
            times += line.seconds[(mine - len(line.opening)) % 2 :: 2]
    return sum(times) / len(times) if times else None


def _cell(by_players: dict[tuple[str, str], Pairing], player: str, opponent: str) -> dict[str, object] | None:
    if (each := by_players.get((player, opponent))) is not None:
        wins, losses = each.wins, each.losses
    elif (each := by_players.get((opponent, player))) is not None:
        wins, losses = each.losses, each.wins
    else:
        return None
    return {"wins": wins, "losses": losses, "share": wins / max(1, wins + losses), "p": each.p_value}


def _game(line: GameLine) -> dict[str, object]:
    record = game_record(line)
    return {
        "key": line.key,
        "rows": record.board.rows,
        "columns": record.board.columns,
        "red": record.red_name,
        "blue": record.blue_name,
        "winner": line.winner,
        "reason": line.reason,
        "opening": len(line.opening),
        "turns": [[turn.player, turn.action] for turn in record.turns],
        "seconds": list(line.seconds),
    }
