"""`hexlogic prove`: two rule sets are equal on every position, or here is the board on which they differ."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, flag, notes, put_text, say, value
from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game, Hex, Player, check_player, draw_svg, draw_text
from hexlogic.games.rulesets import RuleSet, board_rules, find_rule_set
from hexlogic.language import Program
from hexlogic.language.passes import Pipeline
from hexlogic.process.cluster import is_cluster, open_cluster
from hexlogic.process.files import write_stored
from hexlogic.process.limits import TimeOverError, cores, time_limit
from hexlogic.proofs import Outcome, Proof, Refutation, Unfinished, prove_equivalent
from hexlogic.proofs.all_boards import AllBoards, Universal
from hexlogic.proofs.all_inputs import INPUTS, AllInputs, ProgramText
from hexlogic.proofs.bounded import NO_DRAW, ONE_WINNER, prove_theorem
from hexlogic.proofs.bridges import load_bridges, read_bridge_file
from hexlogic.proofs.finding.bridge_text import NoBridge, prove_on_all_boards, prove_on_all_inputs
from hexlogic.proofs.finding.record import find_source
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.matrix import StoredMatrix, matrix_path, prove_all, stored_outcome
from hexlogic.proofs.smt.export import Checked, check_problems, exported, write_problems
from hexlogic.proofs.smt.lemmas import LEMMAS_S, LemmaProver
from hexlogic.proofs.smt.models import check_axioms
from hexlogic.proofs.smt.provers import check_provers
from hexlogic.proofs.uniform import prove_pass_for_all_boards

_TIME_S = 600.0
_SEARCH_S = 60.0  # Seconds to search for a bridge in, unless all of it has a limit: then most of that
_THEOREM = "hex-theorem"
# What can be proved of full boards, and the game that the name is about (None: that of --game).
_THEOREMS = {_THEOREM: "hex", "y-theorem": "y", "one-winner": None, "no-draw": None}
_MARKS = {"equal": "=", "smaller": "~", "different": "x", "unknown": "?"}


def prove(
    names: Annotated[list[str] | None, argument("[A B | THEOREM]", "Two rule sets or files; or a theorem.")] = None,
    size: Annotated[str | None, options.size(help="The board.")] = None,
    game: Annotated[str | None, options.game(help="The game. [default: hex, or that of A]")] = None,
    player: Annotated[str, value("red|blue|both", "Whose win is compared.")] = "both",
    pipeline: Annotated[str, options.pipeline(help="Passes to apply to B first.")] = "none",
    every: Annotated[bool, flag("--all", "All rule sets, as a matrix.")] = False,
    all_sizes: Annotated[bool, flag("--all-sizes", "For every board at once, by induction.")] = False,
    allow_lemmas: Annotated[bool, flag("--allow-lemmas", "With --all-sizes: exit 0 with assumed lemmas.")] = False,
    bridge: Annotated[Path | None, value("FILE", "With --all-sizes: a bridge between A and B.")] = None,
    check: Annotated[str | None, value("cvc5,z3", "With --all-sizes: these provers prove each step again.")] = None,
    export: Annotated[Path | None, value("DIR", "With --all-sizes: write each step as SMT-LIB 2 and TPTP.")] = None,
    time_s: Annotated[float | None, options.time(min=0.1, help="Stop after S seconds of wall time. [600]")] = None,
    svg: Annotated[str | None, value("FILE", "Draw the counter-example to FILE, - for stdout.")] = None,
    out: Annotated[Path | None, options.out(help="With --all: store the matrix there, for reports.")] = None,
    executor: Annotated[str, options.executor(help="With --all: this process, or a cluster.")] = "local",
    as_json: options.Json = False,
) -> None:
    """Prove two rule sets equal, or show where they differ.

    By default on every position of one board, by one clingo program over all stone sets; a counter-example is one
    with the fewest stones. With --all-sizes on every board, by induction along a bridge. Exit status 0: equal;
    1: refuted, not proved, proved with lemmas that are only assumed (unless --allow-lemmas), or out of time; 2: a rule
    set breaks a condition of the proof, such as to define a predicate of the board.

    A theorem is about full boards: exactly one player has won (hex-theorem, y-theorem, one-winner), or at least one
    has (no-draw). It is asked of the game's reference, or of a rule set named after it.

    \b
    hexlogic prove follow-line-tabled clusters --size 5
    hexlogic prove clusters clusters --size 3 --pipeline ground,reorder,prune
    hexlogic prove --all --size 4 --out results
    hexlogic prove hex-theorem --size 5
    hexlogic prove no-draw --game tic-tac-toe-3d --size 3
    hexlogic prove follow-line-tabled clusters --all-sizes --check cvc5,z3
    hexlogic prove mine.lp clusters --all-sizes --bridge mine--clusters.lp --export steps
    """
    rule_sets = names or []
    refusals = [
        (executor != "local" and not every, "--executor is for --all", "one proof runs on one machine"),
        (out and not every, "--out stores what --all proves", "hexlogic prove --all --size 4 --out DIR"),
        (all_sizes and (every or size), "--all-sizes takes two rule sets, no --size and no --all", None),
        *(
            (given is not None and not all_sizes, f"--{option} is for --all-sizes", "hexlogic prove A B --all-sizes")
            for option, given in {"bridge": bridge, "check": check, "export": export}.items()
        ),
        (allow_lemmas and not all_sizes, "--allow-lemmas is for --all-sizes", "a proof for one size assumes none"),
        (size is None and not all_sizes, "prove needs a board", "--size 4, or --all-sizes"),
        (every and (rule_sets or pipeline != "none"), "--all takes no names and no pipeline", None),
    ]
    for is_refused, reason, hint in refusals:
        if is_refused:
            raise HexlogicError(reason, hint=hint)
    game = game or _game_of(rule_sets)
    passes, limit_s = Pipeline.parse(pipeline), time_s or _TIME_S
    if game == INPUTS and (size is not None or passes.steps):
        what = "these programs decide no game: --size and --pipeline are for rule sets"
        raise HexlogicError(what, hint="--all-sizes")
    if size is None:
        provers = check_provers(options.split_commas(check)) if check is not None else ()
        if passes.steps and (check is not None or export is not None):
            raise HexlogicError("--check and --export are for bridges", hint="leave out --pipeline")
        lemmas = LemmaProver(total_s=min(LEMMAS_S, time_s or LEMMAS_S))
        vacuous, checks = list[str](), list[Checked]()
        try:
            with time_limit(time_s):
                search_s = 0.7 * time_s if time_s else _SEARCH_S
                proofs = _universal(rule_sets, game, passes, bridge, lemmas, search_s, allow_lemmas)
                if any(proof.assumed for proof in proofs) and lemmas.budget and not as_json:
                    typer.echo(lemmas.budget)
                steps, rules = bool(provers) or export is not None, Program() if game == INPUTS else board_rules(game)
                problems = tuple(each for proof in proofs for each in exported(proof, rules, lemmas, steps=steps))
                vacuous = [] if game == INPUTS else check_axioms(problems, game)
                if export is not None:
                    say(f"wrote {write_problems(export, problems)} problems to {export}")
                checks = list(check_problems(problems, provers, report=notes())) if provers else []
        except TimeOverError:
            left, right = (Path(name).stem for name in _two(rule_sets))
            proofs = [Universal(left, right, game, (), f"the {time_s:g} s are over")]
        print_universal(proofs, checks, vacuous, as_json, allow_lemmas)
        return
    board = options.board_of_size(size, game)
    players = PLAYERS if player == "both" else (check_player(player),)
    if every:
        _prove_matrix(board, players, limit_s, out, executor, as_json)
    else:
        _print_outcome(_bounded(rule_sets, board, players, passes, limit_s), svg, as_json)


def _game_of(names: list[str]) -> str:
    """The game that a theorem is about, or that a rule set is made for; `INPUTS` where no text decides one."""
    if not names or names[0] in _THEOREMS:
        return (_THEOREMS[names[0]] if names else None) or "hex"
    worlds = [find_source(name, None)[1] for name in names]
    games = [world.game for world in worlds if isinstance(world, BoardWorld)]
    return next((name for name in games if name != Hex.name), Hex.name) if games else INPUTS


def _two(names: list[str]) -> list[str]:
    if len(names) != 2:
        raise HexlogicError(f"prove takes two rule sets, not {len(names)}", hint=f"or --all, or {_THEOREM}")
    return names


def _universal(
    names: list[str],
    game: str,
    passes: Pipeline,
    bridge: Path | None,
    justify: LemmaProver,
    search_s: float,
    assume: bool,
) -> list[Universal]:
    """The proofs for all boards: along bridges, and of what passes make of the second rule set. Where there is no
    bridge, one is searched for and told on stderr."""
    (left, _), (right, _) = (find_source(name, game) for name in _two(names))
    given, note = None if bridge is None else read_bridge_file(bridge), notes(every_s=1.0)
    proofs = []
    if isinstance(left, ProgramText) and isinstance(right, ProgramText):
        over = None if given is None else AllInputs(given, justify)
        proof, searched = prove_on_all_inputs(left, right, over, justify, limit_s=search_s, report=note, lemmas=assume)
        return [_said(proof, searched)]
    if not isinstance(left, RuleSet) or not isinstance(right, RuleSet):
        program = left if isinstance(left, ProgramText) else right
        raise HexlogicError(f"{program.name} defines no wins/1, so it answers another question than a rule set")
    if left.name != right.name or left.text != right.text or not passes.steps:
        boards = AllBoards(game, None if given is None else (given, *load_bridges(game)), justify)
        proofs.append(_said(*prove_on_all_boards(left, right, boards, limit_s=search_s, report=note, lemmas=assume)))
    if passes.steps:
        if game != "hex":
            raise HexlogicError("--pipeline with --all-sizes is for Hex", hint="--size proves one size")
        proofs.append(prove_pass_for_all_boards(right, passes))
    return proofs


def _said(proof: Universal, searched: str | NoBridge) -> Universal:
    if searched:
        say("\n".join(searched.lines) if isinstance(searched, NoBridge) else f"{searched}\n{'-' * 20}")
    return proof


def _bounded(names: list[str], board: Game, players: tuple[Player, ...], passes: Pipeline, time_s: float) -> Outcome:
    if names and names[0] in _THEOREMS and len(names) <= 2:
        rules = find_rule_set(names[1] if len(names) == 2 else board.reference)
        theorem = NO_DRAW if names[0] == "no-draw" else ONE_WINNER
        return prove_theorem(theorem, rules, board, time_s=time_s, report=notes())
    left, right = map(find_rule_set, _two(names))
    return prove_equivalent(left, right, board, players=players, pipeline=passes, time_s=time_s, report=notes())


def _prove_matrix(
    board: Game, players: tuple[Player, ...], time_s: float, out: Path | None, executor: str, as_json: bool
) -> None:
    """Whether the matrix can be written is tried before the proofs."""
    command = ("hexlogic", *sys.argv[1:])
    with contextlib.ExitStack() as stack:
        path = None if out is None else stack.enter_context(matrix_path(out, board))
        cluster = stack.enter_context(open_cluster(executor, cores())) if is_cluster(executor) else None
        matrix = prove_all(board, players=players, time_s=time_s, command=command, report=notes(), cluster=cluster)
        if path is not None:
            write_stored(path, matrix)
            say(f"wrote {path}")
    typer.echo(msgspec.json.encode(matrix) if as_json else "\n".join(_table(matrix, board)))
    if not matrix.as_declared:
        raise typer.Exit(1)


def _table(matrix: StoredMatrix, board: Game) -> Iterator[str]:
    rows = matrix.rule_sets
    width = max(len(row.name) for row in rows)
    yield f"{board}: = equal on every position, ~ of a smaller board, x different on some, ? not settled\n"
    yield " " * (width + 5) + " ".join(f"{number:>2}" for number in range(1, len(rows) + 1))
    for number, row in enumerate(rows, 1):
        yield f"{number:>2}  {row.name:<{width}} {' '.join(f'{_MARKS[pair]:>2}' for pair in row.pairs.values())}"
    yield ""
    for row in rows:
        word = "as declared" if row.as_declared else "NOT SETTLED" if row.relation == "unknown" else "NOT AS DECLARED"
        yield f"{word}: {row.summary}"
    for row in rows:
        if row.outcome is not None and row.outcome.counter_example is not None:
            board_text = draw_text(row.outcome.counter_example.board).removesuffix("\n")
            yield f"\n{row.name} is wrong here:\n\n{board_text}"


def _print_outcome(outcome: Outcome, svg: str | None, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.encode(stored_outcome(outcome)))
    elif svg != "-":
        typer.echo(str(outcome))
        if isinstance(outcome, Refutation):
            typer.echo(f"\n{draw_text(outcome.position)}\nthe referee: {'' if outcome.truth else 'not '}won")
        if isinstance(outcome, Unfinished):
            for line in outcome.progress:
                typer.echo(f"  {line}")
        for finding in outcome.findings:
            what = f"sets of {finding.reads[0]} stones" if len(finding.reads) == 1 else "positions"
            count = "all" if finding.positions is None else f"all {finding.positions:,}"
            typer.echo(f"  {finding.player}: {count} {what} of {outcome.board_of(finding)}, {finding.method}")
        for finding in outcome.findings:
            seconds = f"{finding.ground_s + finding.solve_s:.2f} s"
            if finding.ground_rules is not None:
                counters = f"{finding.choices:,} choices, {finding.conflicts:,} conflicts"
                seconds = f"{finding.ground_rules:,} ground rules, {counters}, {seconds}"
            typer.echo(f"  {finding.player}: {seconds}")
    if svg is not None and isinstance(outcome, Refutation):
        put_text(draw_svg(outcome.position, title=str(outcome)), svg)
    elif svg is not None:
        say("no counter-example to draw")
    if not isinstance(outcome, Proof):
        raise typer.Exit(1)


def print_universal(
    proofs: list[Universal], checks: list[Checked], vacuous: list[str], as_json: bool, allow_lemmas: bool
) -> None:
    """Print proofs for all boards, step by step, and what other provers made of the steps. One that fails, or that
    assumes a lemma (unless `allow_lemmas`), and a prover that does not prove a step, raise `typer.Exit(1)`."""
    agreed = not vacuous and all(checked.ok for checked in checks)
    if as_json:
        answers = [fields(check, "prover", "counts") | {"not_proved": list(check.failed)} for check in checks]
        more: dict[str, object] = {"checks": answers} if checks else {}
        more |= {"vacuous": vacuous} if checks or vacuous else {}
        data = [_universal_data(proof, agreed) | more for proof in proofs]
        typer.echo(json.dumps(data[0] if len(data) == 1 else data))
    else:
        for proof in proofs:
            for section in proof.sections:
                said = f"   % {section.words}" if section.words else ""
                why = f"   [{section.justification}]" if section.justification else ""
                typer.echo("\n  ".join((f"{section.kind}  {section.statement}{said}{why}", *map(str, section.steps))))
            if proof.tried is not None:
                drawing = f"\n{proof.tried.drawing}" if proof.tried.drawing else ""
                typer.echo(f"\n{proof.tried}\n{drawing}", nl=False)
            if proof.sections:
                typer.echo(f"\nassumed lemmas: {', '.join(proof.assumed) or 'none'}")
            typer.echo(str(proof))
        for checked in checks:
            typer.echo("\n  not proved: ".join((str(checked), *checked.failed)))
        for words in vacuous:
            typer.echo(f"  vacuous: {words}")
    if not agreed or not all(proof.proved and (allow_lemmas or not proof.assumed) for proof in proofs):
        raise typer.Exit(1)


def _universal_data(proof: Universal, agreed: bool) -> dict[str, object]:
    """The obligations of the steps are left out: each holds all rules again. `proved` is true only where no lemma is
    assumed and every prover that was asked has `agreed`; `status` says more."""
    status = "proved-assuming" if proof.assumed else "proved"
    if not (proof.proved and agreed):
        status = "not-confirmed" if proof.proved else "not-proved"
    sections = [
        fields(section, "kind", "statement", "words", "justification")
        | {"steps": [fields(step, "claim", "words", "case", "ok", "note") for step in section.steps]}
        for section in proof.sections
    ]
    data = fields(proof, "left", "right", "game", "largest", "assumed", "reason")
    if proof.tried is not None:
        data["tried"] = fields(proof.tried, "boards", "positions", "unreached", "too_long", "problem")
    return {"proved": status == "proved", "status": status, **data, "sentence": str(proof), "sections": sections}
