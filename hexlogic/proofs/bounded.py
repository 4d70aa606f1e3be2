"""Decide on the positions of one board by clingo: whether two programs agree, and whether a lemma of a bridge holds.

Two copies stand side by side, and a constraint asks for a difference, as the miter circuits of hardware verification
do. Of a lemma the difference is that its body holds and its head does not:

least(P,X,L) :- owns(P,X).          for every stone some L
held(P,X) :- least(P,X,L).
broken :- owns(P,X), not held(P,X).
:- not broken.                      no model: the lemma holds on every position of the board
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Game, Hex, Player, Position, check_player, has_won
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.language import Atom, Literal, Program, Rule, Variable
from hexlogic.language.analysis.dependence import growing_predicates, static_predicates
from hexlogic.language.ground.solving import holds
from hexlogic.language.names import internal_name
from hexlogic.language.walk import variables
from hexlogic.process.call import Stopped
from hexlogic.proofs.deciding import AtomPair, Ruling, decide
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.joint import joint_program, needed
from hexlogic.proofs.outcome import Finding, Outcome, Proof, Refutation, Unfinished

LARGEST: Final = {"board": 8, "stones": 3}
"""The longest side of the boards that are tried: for lemmas about the board alone, and about stones."""


def check_lemma(lemma: Rule, program: Program, boards: Iterator[tuple[Game, Program]]) -> tuple[bool, str]:
    """Whether the lemma holds on every position of the boards, and a few words about which those are.

    `program` holds the rules that give the lemma its meaning, `boards` the rules of each board from small to large.
    """
    broken, never, text = Atom(internal_name("broken")), Atom(internal_name("never")), ""
    test = _broken(lemma, broken)
    for board, rules in boards:
        whole = rules + program + Program(test)
        static = broken.predicate in static_predicates(whole)
        sides: dict[str, int] = asdict(board)  # type: ignore[call-overload]  # a board is a dataclass
        if max(sides.values()) > LARGEST["board" if static else "stones"]:
            continue
        part = replace(needed(whole, [broken.predicate]), queries=())
        # `never` cannot be derived: "equal" means that no position breaks the lemma.
        (ruling,) = decide(f"{part}{choice_of_stones(board)}", [AtomPair("lemma", str(broken), str(never))])
        if ruling.verdict != "equal":
            stones = ", ".join(ruling.model) or "no stones"
            return False, f"it does not hold on {board} with {stones}"
        side = LARGEST["board" if static else "stones"]
        text = f"holds on {'every board' if static else 'every position of every board'} up to {side}x{side}"
    return True, text


def _broken(lemma: Rule, broken: Atom) -> tuple[Rule, ...]:
    """Rules that derive `broken` where the lemma's body holds and its head does not."""
    if lemma.head is None:
        return (Rule(broken, lemma.body),)
    bound = frozenset().union(*(variables(item) for item in lemma.body))
    kept = tuple(term for term in lemma.head.arguments if not isinstance(term, Variable) or term in bound)
    held = Atom(internal_name("held"), kept)
    return Rule(held, (Literal(lemma.head),)), Rule(broken, (*lemma.body, Literal(held, False)))


_STONE = re.compile(r"owns\((\w+),(\d+)\)")


def groundable(program: Program) -> bool:
    """Whether clingo can ground the program over a choice of its inputs: no term grows under recursion."""
    return not growing_predicates(program)


def choice_of_stones(game: Game) -> str:
    """The choice over all stones of both players, as text."""
    return "".join(f"{{owns({player},{cell})}}.\n" for player in PLAYERS for cell in game.cells)


def _mirror(game: Game) -> dict[str, str] | None:
    """Red and blue exchanged; in Hex rows and columns with them, and then only a square board goes to itself.

    A guess: `decide` uses it where the ground rules really are mirrored.
    """
    players = {"red": "blue", "blue": "red"}
    if not isinstance(game, Hex):
        return players
    return None if game.size is None else players | {str(cell): str(game.transpose(cell)) for cell in game.cells}


def by_clingo(
    names: tuple[str, str],
    programs: tuple[Program, Program],
    game: Game,
    players: Sequence[Player],
    time_s: float | None,
    report: Callable[[str], None],
    parts: int = 1,
) -> Outcome:
    """Prove or refute that two programs for `game` agree about `players`. See `prove_equivalent`."""
    joint = joint_program(*programs)
    questions = [AtomPair(player, *map(str, joint.question(win_query(player)))) for player in players]
    task = {
        "text": str(joint.program) + choice_of_stones(game),
        "questions": questions,
        "mirror": _mirror(game),
        "parts": parts,
    }
    try:
        rulings = run_job(decide, task, time_s=time_s, report=report)
    except Stopped as stopped:
        reached = stopped.progress or ("still grounding",)
        return Unfinished(*names, game, (), stopped.reason, reached)
    findings = tuple(finding_of(ruling, game) for ruling in rulings if ruling.verdict == "equal")
    last = rulings[-1]
    if last.verdict == "equal":
        return Proof(*names, game, findings)
    if last.verdict == "unfinished":
        done = [f"{ruling.label}: proved" for ruling in rulings[:-1]]
        done.append(
            f"{last.label}: {last.ground_rules:,} ground rules, then {last.choices:,} choices and "
            f"{last.conflicts:,} conflicts in {last.solve_s:.1f} s without a counter-example"
        )
        return Unfinished(*names, game, findings, f"stopped after {time_s:g} s", tuple(done))
    return _refutation(names, programs, game, (*findings, finding_of(last, game)), last)


def finding_of(ruling: Ruling, game: Game) -> Finding:
    """The ruling in the words of the game."""
    read = {match[1] for atom in ruling.inputs if (match := _STONE.fullmatch(atom))}
    reads = tuple(player for player in PLAYERS if player in read)
    method = "clingo" if ruling.mirrors is None else f"its ground program is the mirror image of {ruling.mirrors}'s"
    return Finding(
        player=check_player(ruling.label),
        method=method,
        positions=_positions(ruling, game, reads),
        reads=reads,
        ground_rules=ruling.ground_rules,
        choices=ruling.choices,
        conflicts=ruling.conflicts,
        ground_s=ruling.ground_s,
        solve_s=ruling.solve_s,
        cpu_s=ruling.cpu_s,
        rows=game.rows,
        columns=game.columns,
    )


def _positions(ruling: Ruling, game: Game, reads: Sequence[Player]) -> int | None:
    """The positions that the ruling covers: clingo counts what the question reads, the other stones are free."""
    unread = len(game.cells) * len(reads) - len(ruling.inputs)
    if ruling.positions is None or not reads or (unread and len(reads) > 1):
        return None
    return int(ruling.positions * 2**unread)


def stones_of(atoms: Sequence[str], player: Player) -> list[int]:
    """The cells of a player's stones among input atoms.

    >>> stones_of(["owns(red,3)", "owns(blue,4)"], "red")
    [3]
    """
    matches = (match for atom in atoms if (match := _STONE.fullmatch(atom)))
    return [int(match[2]) for match in matches if match[1] == player]


def _refutation(
    names: tuple[str, str],
    programs: tuple[Program, Program],
    game: Game,
    findings: tuple[Finding, ...],
    ruling: Ruling,
) -> Refutation:
    red, blue = (frozenset(stones_of(ruling.model, player)) for player in PLAYERS)
    position, player = Position(game, red, blue), check_player(ruling.label)
    # The two programs are asked again, each alone, so that the picture does not rest on the joint program.
    left, right = (holds(program, win_query(player), position_facts(position)) for program in programs)
    if left == right:
        raise EngineError(f"clingo's counter-example {position.to_moves()!r} is none: please report it")
    truth = has_won(position, player)
    return Refutation(*names, game, findings, player, position, left, right, truth, ruling.smallest)
