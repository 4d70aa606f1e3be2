"""`hexlogic win`: ask a rule set on an engine who has won, and let the referee check the answer."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import flag, say, value
from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Player, Position, draw_text, has_won, parse_position, winning_chain
from hexlogic.games.rulesets import RuleSet, default_rule_set, find_rule_set, position_facts, win_query
from hexlogic.language.engines import installed_engines, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits

_MEMORY_BYTES = 4 * 10**9  # What an answer may take under --time


def win(
    position: options.PositionText,
    size: options.Size = None,
    game: options.GameName = "hex",
    rules: Annotated[
        str | None,
        options.rules(
            help="The rule set to ask, or a file. [default: clusters; on more than 200 cells one that floods]"
        ),
    ] = None,
    engine: Annotated[str, value("NAME", "The engine to run it on.", "--engine", "-e")] = "clingo",
    pipeline: Annotated[str, options.pipeline(help="The passes to apply first, or none.")] = "ground,reorder",
    time: Annotated[float | None, options.time(min=0.1, help="Give up after S seconds for a player. [never]")] = None,
    as_json: Annotated[bool, flag("--json", '{"winner": "red"|"blue"|null, "chain": [cell names]}')] = False,
) -> None:
    """Say who has won a position.

    And by which chain of stones. The rules decide on the engine; a referee that shares no code with them checks the
    answer, and a difference is exit status 1.

    \b
    hexlogic win snake
    hexlogic win board.txt --rules follow-line-tabled --engine swipl
    hexlogic win "red a1, blue a2, red b1" --size 2 --json
    hexlogic win "y 3, red a1 blue b2 red a2 blue b3 red a3"
    """
    board = options.read_board(position, size, game)
    rule_set = find_rule_set(rules) if rules else default_rule_set(board.position.game)
    rules = rules or rule_set.name
    options.warn_about(board)
    if reason := load_engine(engine).missing():
        raise EngineError(f"the engine {engine} cannot run here: {reason}")
    if time is None:
        answers = _ask(rule_set, board.position, engine, pipeline)
    else:
        task = {"rules": rule_set.reference, "position": board.position.to_json()}
        task |= {"engine": engine, "pipeline": str(Pipeline.parse(pipeline))}
        # Wall time is what is asked for: the others only keep a run from going astray.
        limits, who = Limits(cpu_s=8 * time + 60, wall_s=time, memory_bytes=_MEMORY_BYTES), f"{engine} with {rules}"
        answers = {player: _ask_in_time(task | {"player": player}, limits, who) for player in PLAYERS}
    truth = [player for player in PLAYERS if has_won(board.position, player)]
    claimed: list[Player] = [player for player, holds in answers.items() if holds]
    missed = not claimed and truth and not rule_set.complete
    wrong = claimed != truth and not missed
    winning = claimed[0] if claimed else None
    chain = winning_chain(board.position, winning) if winning else None
    cells = [board.position.game.cell_name(cell) for cell in chain or ()]
    if as_json:
        differs = {"referee": truth[0] if truth else None} if wrong else {}
        typer.echo(json.dumps({"winner": winning, "chain": cells, **differs}))
    else:
        typer.echo(f"{winning} wins: {' '.join(cells)}" if winning else "nobody has won")
        typer.echo(f"\n{draw_text(board.position, chain)}", nl=False)
    referee = " and ".join(truth) or "nobody"
    if missed:
        caveat = f": it {rule_set.caveat}" if rule_set.caveat else ""
        say(f"warning: the rule set {rule_set.name} is incomplete{caveat}; in fact {referee} has won")
    if wrong:
        said = f"{rules} on {engine} with {pipeline} says {' and '.join(claimed) or 'nobody'} has won"
        say(f"WRONG ANSWER: {said}, the referee says {referee} (please report it with the position)")
        raise typer.Exit(1)


def _ask(
    rule_set: RuleSet, position: Position, engine_name: str, pipeline: str, players: Sequence[Player] = PLAYERS
) -> dict[Player, bool]:
    """What the engine answers for each player. Raises HexlogicError when it cannot."""
    engine = load_engine(engine_name)
    program = Pipeline.parse(pipeline).apply(rule_set.instantiate(position.game))
    if reason := engine.supports(program):
        able = [other.name for other in installed_engines() if other.supports(program) is None]
        hint = f"{', '.join(able)} can" if able else None
        raise EngineError(f"{engine_name} cannot run {rule_set.name}: {reason}", hint=hint)
    facts = position_facts(position)
    with engine.open(program) as session:
        return {player: session.ask(facts, win_query(player)).holds for player in players}


def holds(rules: str, position: str, engine: str, pipeline: str, player: Player) -> bool:
    """Whether the player has won, by the rule set of that name or file: for a child process that can be stopped."""
    return _ask(find_rule_set(rules), parse_position(position), engine, pipeline, [player])[player]


def _ask_in_time(task: dict[str, str], limits: Limits, who: str) -> bool:
    try:
        return call_isolated(holds, task, limits)
    except Stopped as stopped:
        if stopped.termination == "wall-limit":
            hint = "--time gives it more; another --rules, --engine or --pipeline may need less"
            raise EngineError(f"{who} gave no answer in {limits.wall_s:g} s", hint=hint) from None
        raise EngineError(f"{who} gave no answer: {stopped.reason}") from None
