"""Decide on the positions of one board by clingo: whether two programs agree, a lemma of a bridge, a theorem.

Two copies stand side by side, and a constraint asks for a difference, as the miter circuits of hardware verification
do. Of a lemma the difference is that its body holds and its head does not:

least(P,X,L) :- owns(P,X).          for every stone some L
held(P,X) :- least(P,X,L).
broken :- owns(P,X), not held(P,X).
:- not broken.                      no model: the lemma holds on every position of the board

Theorems are about the full boards of one size. Exactly one player has won: what makes `maker-breaker` a win condition,
and what the border method (`referee.py`) relies on. Where both may have won, as three in a row may be, there is the
weaker question whether anybody has. Source: Gale 1979, "The game of Hex and the Brouwer fixed-point theorem", for all
sizes; here for one, by clingo.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import msgspec

from hexlogic.errors import EngineError
from hexlogic.games import BLUE, PLAYERS, RED, Game, Player, Position, check_player, has_won
from hexlogic.games.rulesets import RuleSet, position_facts, win_query
from hexlogic.language import Atom, Literal, Program, Rule, Variable
from hexlogic.language.analysis.dependence import static_predicates
from hexlogic.language.ground.solving import holds
from hexlogic.language.names import internal_name
from hexlogic.language.walk import variables
from hexlogic.process.call import Stopped
from hexlogic.proofs.conditions import own_program
from hexlogic.proofs.deciding import AtomPair, Ruling, decide
from hexlogic.proofs.equality import Finding, Outcome, Proof, Refutation, Unfinished
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.joint import joint_program, needed

LARGEST: Final = {"board": 8, "stones": 3}
"""The longest side of the boards that are tried: for lemmas about the board alone, and about stones."""


def check_lemma(lemma: Rule, program: Program, boards: Iterator[tuple[Game, Program]]) -> tuple[bool, str]:
    """Whether the lemma holds on every position of the boards, and a few words about which those are. `program` holds
    the rules that give the lemma its meaning, `boards` the rules of each board from small to large."""
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
    bound = variables(*lemma.body)
    kept = tuple(term for term in lemma.head.arguments if not isinstance(term, Variable) or term in bound)
    held = Atom(internal_name("held"), kept)
    return Rule(held, (Literal(lemma.head),)), Rule(broken, (*lemma.body, Literal(held, False)))


_STONE = re.compile(r"owns\((\w+),(\d+)\)")


def choice_of_stones(game: Game) -> str:
    """The choice over all stones of both players, as text."""
    return "".join(f"{{owns({player},{cell})}}.\n" for player in PLAYERS for cell in game.cells)


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
    task = {"text": str(joint.program) + choice_of_stones(game), "questions": questions, "parts": parts}
    rulings = _decided(names, game, task, time_s, report)
    if isinstance(rulings, Unfinished):
        return rulings
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
    red, blue = (stones_of(last.model, player) for player in PLAYERS)
    position = Position(game, red, blue)
    query, facts = win_query(check_player(last.label)), position_facts(position)
    left, right = (holds(program, query, facts) for program in programs)
    return _refutation(names, position, (left, right), (*findings, finding_of(last, game)), last)


def finding_of(ruling: Ruling, game: Game) -> Finding:
    """The ruling in the words of the game."""
    read = {match[1] for atom in ruling.inputs if (match := _STONE.fullmatch(atom))}
    reads = tuple(player for player in PLAYERS if player in read)
    # clingo counts what the question reads, the other stones are free.
    unread = len(game.cells) * len(reads) - len(ruling.inputs)
    positions = None if not reads or (unread and len(reads) > 1) else ruling.positions
    return Finding(
        player=check_player(ruling.label),
        method="clingo",
        positions=None if positions is None else int(positions * 2**unread),
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


def stones_of(atoms: Sequence[str], player: Player) -> frozenset[int]:
    """The cells of a player's stones among input atoms.

    >>> stones_of(["owns(red,3)", "owns(blue,4)"], "red")
    frozenset({3})
    """
    matches = (match for atom in atoms if (match := _STONE.fullmatch(atom)))
    return frozenset(int(match[2]) for match in matches if match[1] == player)


def _decided(
    names: tuple[str, str], game: Game, task: Mapping[str, object], time_s: float | None, report: Callable[[str], None]
) -> list[Ruling] | Unfinished:
    """The rulings of `decide` on a task, in a child process."""
    try:
        return run_job(decide, task, time_s=time_s, report=report)
    except Stopped as stopped:
        return Unfinished(*names, game, (), stopped.reason, stopped.progress or ("still grounding",))


def _refutation(
    names: tuple[str, str],
    position: Position,
    says: tuple[bool, bool],
    findings: tuple[Finding, ...],
    ruling: Ruling,
    statement: str = "",
) -> Refutation:
    """What the texts say of clingo's counter-example, each asked alone: it does not rest on the joint program."""
    if says[0] == says[1]:
        raise EngineError(f"clingo's counter-example {position.to_moves()!r} is none: please report it")
    player = check_player(ruling.label)
    truth = has_won(position, player)
    return Refutation(*names, position.game, findings, player, position, *says, truth, ruling.smallest, statement)


@dataclass(frozen=True, slots=True)
class Theorem:
    """Two atoms, as text, that should be the same on every full board by a win condition and one more `rule`; `names`
    say what they mean, and `who` has won where they are the same."""

    names: tuple[str, str]
    who: str
    rule: Rule
    left: str
    right: str


_LOST, _NOBODY = Atom(internal_name("bluelost")), Atom(internal_name("nobody"))
_NOT_RED, _NOT_BLUE = Literal(win_query(RED), False), Literal(win_query(BLUE), False)

ONE_WINNER: Final = Theorem(
    ("red wins", "blue loses"), "exactly one player", Rule(_LOST, (_NOT_BLUE,)), str(win_query(RED)), str(_LOST)
)
"""Exactly one player has won."""
_EMPTY = Rule(_NOBODY, (_NOT_RED, _NOT_BLUE))
NO_DRAW: Final = Theorem(
    ("somebody wins", "always"), "at least one player", _EMPTY, str(_NOBODY), internal_name("never")
)
"""At least one player has won; else a full board on which nobody has."""


def prove_theorem(
    theorem: Theorem,
    rules: RuleSet,
    game: Game,
    *,
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove it by the win condition `rules`, or refute it by a full board with the fewest red stones."""
    own_program(rules, game)
    instance = rules.instantiate(game)
    program = replace(instance, rules=(*instance.rules, theorem.rule), inputs=(), queries=())
    cells = "".join(f"{{owns({RED},{cell})}}. owns({BLUE},{cell}) :- not owns({RED},{cell}).\n" for cell in game.cells)
    task = {"text": f"{program}{cells}", "questions": [AtomPair(RED, theorem.left, theorem.right)]}
    rulings = _decided(theorem.names, game, task, time_s, report)
    if isinstance(rulings, Unfinished):
        return rulings
    (ruling,) = rulings
    finding = msgspec.structs.replace(finding_of(ruling, game), reads=(), positions=2 ** len(game.cells))
    match ruling.verdict:
        case "equal":
            text = f"on every full board of {game} {theorem.who} has won, says {rules.name}"
            return Proof(*theorem.names, game, (finding,), text)
        case "unfinished":
            work = f"{ruling.choices:,} choices and {ruling.conflicts:,} conflicts in {ruling.solve_s:.1f} s"
            return Unfinished(*theorem.names, game, (), f"stopped after {time_s:g} s", (work,))
    red = stones_of(ruling.model, RED)
    position = Position(game, red, frozenset(game.cells) - red)
    facts = position_facts(position)
    wins, loses = holds(instance, win_query(RED), facts), not holds(instance, win_query(BLUE), facts)
    text = f"on a full board of {game} {'both players have' if wins else 'neither player has'} won, says {rules.name}"
    return _refutation(theorem.names, position, (wins, loses), (finding,), ruling, text)
