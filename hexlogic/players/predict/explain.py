"""Everything about a model as rules: its weightiest clauses proved, the whole model shrunk, exported and compared.

The fewest clauses with the same decisions on some positions, and the fewest that cover them, are integer programs:

    minimise sum of z_c  such that on every position   sum of z_c * weight_c  >= 1 where the machine says red,
                                                                            <= 0 where it says blue

Few positions bind: the program begins with some of them and takes in those that its answer gets wrong.

The exported program derives the symbols from `owns/2`, its clauses from the symbols (`clause(3) :- connected(red,1,7),
not owns(blue,4). weight(3,12).`), and the decision from their weights (`decision.lp`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Position, check_player
from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor
from hexlogic.players.evaluation.prediction_file import SCHEMA, StoredExplanation, StoredRules, one_of
from hexlogic.players.evaluation.symbols import Signs
from hexlogic.players.predict.clauses import (
    KINDS,
    Clause,
    Colourings,
    PositionSpace,
    SymbolLiteral,
    clauses_of,
    generalise,
    literal_text,
    position_text,
    prove_clause,
    shrink,
    symbol_rules,
)

Bodies = Mapping[int, Sequence[SymbolLiteral]]
"""The literals of clauses by their numbers."""

IN_RULE_SETS: Final = ("connected(", "owns(")
"""The symbols that rule sets can use."""

_DECISION: Final = Path(__file__).with_name("decision.lp").read_text(encoding="ascii")
_WRONG: Final = "wrong :- won(red), winner(blue). wrong :- won(blue), winner(red).\n"
_TO_MOVE: Final = "to_move(red) :- #sum {{ 1,X : owns(red,X); -1,X : owns(blue,X) }} {level}.\n"
_RULE_SET: Final = Path(__file__).with_name("learned.lp.txt").read_text(encoding="ascii")


def as_program(clauses: Sequence[Clause], bodies: Bodies, space: PositionSpace) -> str:
    """The program, for clingo, with facts `owns(P,X)` beside it. Raises HexlogicError for a symbol that no rule
    defines."""
    lines = [clause.rule(bodies[clause.number]) for clause in clauses]
    lines += [f"weight({clause.number},{clause.weight})." for clause in clauses]
    level = "= 0" if space.leader == "red" else "< 0"
    to_move = "to_move(red).\n" if space.always_red else _TO_MOVE.format(level=level)
    literals = [literal for clause in clauses for literal in bodies[clause.number]]
    return symbol_rules(space.board, literals) + to_move + "\n".join(lines) + "\n" + _DECISION


def program_winners(program: str, space: PositionSpace, boards: Signs) -> Signs:
    """The winner that clingo derives from the program for each row of `boards` (positions x cells): 1 red, 2 blue."""
    colourings = Colourings(replace(space, kind="any"), (), rules=program)
    winners = np.full(len(boards), 2, np.uint8)
    for number, cells in enumerate(boards):
        stones = [
            (f"owns({player},{cell})", bool(cells[cell - 1] == sign))
            for sign, player in enumerate(PLAYERS, start=1)
            for cell in space.board.cells
        ]
        if colourings.find([*stones, ("winner(red)", True)]):
            winners[number] = 1
    return winners


def as_rule_set(name: str, clauses: Sequence[Clause], bodies: Bodies, covered: str) -> str:
    """Sound clauses over `connected` and `owns` as a rule set, `wins(P)` when a clause for P holds, that
    `hexlogic prove` reads."""
    rules = {f"wins({clause.player}) :- {', '.join(map(literal_text, bodies[clause.number]))}.\n" for clause in clauses}
    negated = not all(holds for clause in clauses for _, holds in bodies[clause.number])
    negation = ", stratified negation" if negated else ""
    text = "".join(sorted(rules))
    return _RULE_SET.format(name=name, count=len(clauses), covered=covered, negation=negation, rules=text)


Report = Callable[[str, int, int], None]

_COMPARED: Final = 200
_FIRST_ROWS: Final = 64
_ROUNDS: Final = 60
_NODES: Final = 200


def space_of(predictor: Predictor) -> PositionSpace:
    """Which positions a model is about, as its card says."""
    data = predictor.model.card.data
    kind = one_of("kind of positions", str(data.get("kind")), KINDS)
    if predictor.view == "mover":
        # Red is to move in what the machine sees, level or one stone behind.
        return PositionSpace(predictor.model.board, kind, "blue", always_red=True)
    return PositionSpace(predictor.model.board, kind, check_player(str(data.get("first"))))


def explain(
    model: ClauseModel,
    *,
    name: str = "",
    clauses: int = 5,
    numbers: Sequence[int] = (),
    rules: bool = True,
    report: Report = lambda what, done, whole: None,
) -> tuple[StoredExplanation, dict[str, str]]:
    """Explain the `clauses` weightiest clauses, or those with some `numbers`, and with `rules` the whole model.

    Beside the explanation come the texts of files: the fewest clauses as a program for clingo, which is compared with
    the machine on a part of the sample, and those that are proved to say that their player has won, where there are
    any, as a rule set for `hexlogic prove`. Raises HexlogicError for symbols that no rule defines and for a number that
    no clause has.
    """
    predictor = Predictor(model)
    space = space_of(predictor)
    all_clauses = clauses_of(predictor)
    if not all_clauses:
        raise HexlogicError("the model has no clause", hint="train with more clauses or epochs")
    by_number = {clause.number: clause for clause in all_clauses}
    for number in numbers:
        if number not in by_number:
            hint = f"clauses are numbered 0 to {len(by_number) - 1}"
            raise HexlogicError(f"there is no clause {number}", hint=hint)
    chosen = [by_number[number] for number in numbers] or all_clauses[:clauses]
    proved = [prove_clause(clause, space) for clause in _reported(chosen, "clauses proved", report)]
    together, files = _rules(predictor, by_number, space, report) if rules else (None, dict[str, str]())
    stored = StoredExplanation(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        name=name,
        card=model.card,
        size=model.board.rows,
        positions=space.kind,
        clauses=len(all_clauses),
        explained=tuple(proved),
        rules=together,
    )
    return stored, files


def _reported(clauses: Collection[Clause], what: str, report: Report) -> Iterator[Clause]:
    for done, clause in enumerate(clauses, start=1):
        yield clause
        report(what, done, len(clauses))


def _rules(
    predictor: Predictor, clauses: Mapping[int, Clause], space: PositionSpace, report: Report
) -> tuple[StoredRules, dict[str, str]]:
    """The fewest clauses, as a program too, and the rule set of those that are proved. Literals that the proof of a
    clause does not need are dropped from the rule set, so that a rule may hold where its clause does not."""
    model, truths = predictor.model, predictor.sample_truths
    fewest = fewest_deciding(model.fired(truths), model.weights)
    chosen = [clauses[number] for number in fewest.chosen]
    bodies = {
        clause.number: shrink(clause.literals, Colourings(space, clause.literals))[0]
        for clause in _reported(chosen, "clauses shrunk", report)
    }
    program = as_program(chosen, bodies, space)
    files = {"program.lp": program}
    shown = predictor.sample_seen[0][:_COMPARED]
    machine = np.where(model.votes(truths[:_COMPARED]) > 0, 1, 2)
    wrong: Position | bool | None = None
    if space.kind != "open":
        # A won position with the stone counts of play by turns whose winner the program does not name.
        wrong = Colourings(replace(space, kind="turns"), (), rules=program + _WRONG).find([("wrong", True)])
    sound: dict[int, tuple[SymbolLiteral, ...]] = {}
    for clause in _reported(clauses.values(), "clauses proved as rules", report):
        is_for_rule_sets = all(atom.startswith(IN_RULE_SETS) for atom, _ in clause.literals)
        if is_for_rule_sets and (body := generalise(clause, space)):
            sound[clause.number] = body
    place = {name: number for number, name in enumerate(model.symbols)}
    fired = np.zeros((len(truths), len(sound)), np.uint8)
    for column, body in enumerate(sound.values()):
        fired[:, column] = np.all([truths[:, place[atom]] == holds for atom, holds in body], axis=0)
    used = [clauses[list(sound)[column]] for column in fewest_covering(fired).chosen]
    covered = int(np.count_nonzero(fired.any(axis=1)))
    if sound:
        files["learned.lp"] = as_rule_set("learned", used, sound, f"{covered} of {len(truths)}")
    stored = StoredRules(
        clauses=fewest.chosen,
        at_least=fewest.at_least,
        literals_before=sum(len(clause.literals) for clause in chosen),
        literals_after=sum(map(len, bodies.values())),
        compared=len(shown),
        same_decisions=int(np.count_nonzero(program_winners(program, space, shown) == machine)),
        decides_all_won_positions=None if wrong is None else wrong is False,
        counter_example=position_text(wrong),
        sound_clauses=len(sound),
        rule_set_clauses=len(used),
        covered=covered,
        sample=len(truths),
    )
    return stored, files


class Fewest(NamedTuple):
    """The places of the clauses that were chosen, and a lower bound on how many are needed."""

    chosen: tuple[int, ...]
    at_least: int


def fewest_deciding(fired: NDArray[np.uint8], weights: NDArray[np.int32]) -> Fewest:
    """The fewest clauses that give the same decisions with the same weights.

    `fired` is `[positions, clauses]`, `weights[clauses]`. The branch-and-bound nodes of a round are limited; where they
    do not suffice, clauses that can be spared are left out one by one, and the bound says what is open.
    """
    votes = np.unique(fired.astype(np.int64) * weights.astype(np.int64), axis=0)
    red = votes.sum(axis=1) > 0
    # One form for both: rows of `signed` have to be at least `bound` (votes are whole numbers).
    signed, bound = np.where(red[:, None], votes, -votes), np.where(red, 1, 0)
    return _fewest(signed, bound, np.abs(weights).astype(np.int64), _FIRST_ROWS)


def fewest_covering(fired: NDArray[np.uint8]) -> Fewest:
    """The fewest clauses of which one holds on every position where any holds. `fired` is `[positions, clauses]`."""
    rows = np.unique(fired[fired.any(axis=1)], axis=0).astype(np.int64)
    return _fewest(rows, np.ones(len(rows), np.int64), rows.sum(axis=0), len(rows)) if len(rows) else Fewest((), 0)


def _fewest(signed: NDArray[np.int64], bound: NDArray[np.int64], weights: NDArray[np.int64], first_rows: int) -> Fewest:
    """The fewest columns of `signed` whose sum is at least `bound` in every row."""
    count = signed.shape[1]
    rows: NDArray[np.int64] = np.arange(min(first_rows, len(signed)))
    at_least = 0
    for _ in range(_ROUNDS):
        limits = LinearConstraint(csr_array(signed[rows].astype(np.float64)), bound[rows].astype(np.float64), np.inf)
        options = {"node_limit": _NODES, "presolve": True}
        ones = np.ones(count)
        result = milp(ones, integrality=ones, bounds=Bounds(0, 1), constraints=limits, options=options)
        if result.x is None:
            break
        chosen = np.flatnonzero(result.x > 0.5)
        at_least = max(at_least, int(np.ceil(float(result.mip_dual_bound or 0.0) - 1e-6)))
        slack = signed[:, chosen].sum(axis=1) - bound
        wrong = np.flatnonzero(slack < 0)
        if not len(wrong):
            return Fewest(tuple(chosen.tolist()), len(chosen) if int(result.status) == 0 else at_least)
        rows = np.union1d(rows, wrong[np.argsort(slack[wrong], kind="stable")][:_FIRST_ROWS])
    # Leave out clauses that can be spared, those with light weights first.
    total, left = signed.sum(axis=1), np.ones(count, np.bool_)
    for place in np.argsort(weights, kind="stable"):
        less = total - signed[:, place]
        if np.all(less >= bound):
            total, left[place] = less, False
    return Fewest(tuple(np.flatnonzero(left).tolist()), at_least)
