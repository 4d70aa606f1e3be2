"""Everything about a model as rules: its weightiest clauses proved, the whole model shrunk, exported and compared.

The fewest clauses with the same decisions on some positions, and the fewest that cover them, are integer programs:

    minimise sum of z_c  such that on every position   sum of z_c * weight_c  >= 1 where the machine says red,
                                                                            <= 0 where it says blue

Few positions bind: the program begins with some of them and takes in those that its answer gets wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from hexlogic.errors import HexlogicError
from hexlogic.games import Position, check_player
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.evaluation.predictor import Predictor
from hexlogic.players.predict.clauses import (
    SMALL_BOARD,
    Clause,
    clauses_of,
    generalise,
    position_text,
    prove_clause,
    shrink,
)
from hexlogic.players.predict.colourings import Colourings, Kind, Setting, check_kind
from hexlogic.players.predict.export import IN_RULE_SETS, as_program, as_rule_set, program_winners, wrong_decision
from hexlogic.players.predict.prediction_file import SCHEMA, StoredExplanation, StoredRules
from hexlogic.players.solver import MOST_CELLS, Solver

Report = Callable[[str, int, int], None]

_FIRST_ROWS: Final = 64
_ROUNDS: Final = 60
_NODES: Final = 200


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a model as reports read it, and two texts: the fewest clauses as a `program` for clingo, and
    those that are proved to say that their player has won as a `rule_set` for `hexlogic prove`; None where there is
    none."""

    stored: StoredExplanation
    program: str | None
    rule_set: str | None


def setting_of(predictor: Predictor, kind: Kind | None = None) -> Setting:
    """Which positions a model is about, as its card says, or of another kind."""
    data = predictor.model.card.data
    kind = kind or check_kind(str(data.get("kind")))
    if predictor.view == "mover":
        # Red is to move in what the machine sees, level or one stone behind.
        return Setting(predictor.model.board, kind, "blue", always_red=True)
    return Setting(predictor.model.board, kind, check_player(str(data.get("first"))))


def explain(
    model: ClauseModel,
    *,
    name: str = "",
    clauses: int = 5,
    numbers: Sequence[int] = (),
    kind: Kind | None = None,
    most: int = 100,
    rules: bool = True,
    positions: int = 200,
    report: Report = lambda what, done, whole: None,
) -> Explanation:
    """Explain the `clauses` weightiest clauses, or those with some `numbers`, and with `rules` the whole model.

    Colourings of a clause are counted up to `most`; the program of the rules is compared with the machine on
    `positions` positions of the sample. Raises HexlogicError for symbols that no rule defines and for a number that no
    clause has.
    """
    predictor = Predictor(model)
    setting = setting_of(predictor, kind)
    all_clauses = clauses_of(predictor)
    if not all_clauses:
        raise HexlogicError("the model has no clause", hint="train with more clauses or epochs")
    by_number = {clause.number: clause for clause in all_clauses}
    for number in numbers:
        if number not in by_number:
            hint = f"clauses are numbered 0 to {len(by_number) - 1}"
            raise HexlogicError(f"there is no clause {number}", hint=hint)
    cells = len(model.board.cells)
    by_play = cells <= SMALL_BOARD or (cells <= MOST_CELLS and setting.kind == "open")
    solver = Solver(model.board) if by_play else None
    chosen = [by_number[number] for number in numbers] or all_clauses[:clauses]
    proved = []
    for done, clause in enumerate(chosen, start=1):
        proved.append(prove_clause(clause, setting, most, solver))
        report("clauses proved", done, len(chosen))
    together, program, rule_set = None, None, None
    if rules:
        together, program, rule_set = _rules(predictor, all_clauses, setting, positions, report)
    stored = StoredExplanation(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        name=name,
        card=model.card,
        size=model.board.rows,
        positions=setting.kind,
        clauses=len(all_clauses),
        explained=tuple(proved),
        rules=together,
    )
    return Explanation(stored, program, rule_set)


def _rules(
    predictor: Predictor, clauses: list[Clause], setting: Setting, positions: int, report: Report
) -> tuple[StoredRules, str, str | None]:
    """The fewest clauses, as a program too, and the rule set of those that are proved."""
    model, truths = predictor.model, predictor.sample_truths
    fewest = fewest_deciding(model.fired(truths), model.weights)
    by_number = {clause.number: clause for clause in clauses}
    chosen = [by_number[number] for number in fewest.chosen]
    bodies = {}
    for done, clause in enumerate(chosen, start=1):
        bodies[clause.number] = shrink(clause.literals, Colourings(setting, [atom for atom, _ in clause.literals]))[0]
        report("clauses shrunk", done, len(chosen))
    program = as_program(chosen, bodies, setting)
    shown = predictor.sample_seen[0][:positions]
    machine = np.where(model.votes(truths[:positions]) > 0, 1, 2)
    wrong = None if setting.kind == "open" else wrong_decision(program, setting)
    sound = []
    for done, clause in enumerate(clauses, start=1):
        report("clauses proved as rules", done, len(clauses))
        if _implies_win(clause, setting):
            sound.append(clause)
    rule_set, used, covered = _rule_set(sound, predictor, setting)
    stored = StoredRules(
        clauses=fewest.chosen,
        at_least=fewest.at_least,
        literals_before=sum(len(clause.literals) for clause in chosen),
        literals_after=sum(map(len, bodies.values())),
        compared=len(shown),
        same_decisions=int(np.count_nonzero(program_winners(program, model.board, shown) == machine)),
        decides_all_won_positions=None if wrong is None else wrong is False,
        counter_example=position_text(wrong),
        sound_clauses=len(sound),
        rule_set_clauses=used,
        covered=covered,
        sample=len(truths),
    )
    return stored, program, rule_set


def _implies_win(clause: Clause, setting: Setting) -> bool:
    """Whether a clause that a rule set can hold says that its player has won, wherever the stones lie."""
    if not clause.literals or not all(atom.startswith(IN_RULE_SETS) for atom, _ in clause.literals):
        return False
    colourings = Colourings(setting.of_kind("any"), [atom for atom, _ in clause.literals])
    loses = (f"won({clause.player})", False)
    return (
        isinstance(colourings.find(clause.literals), Position) and colourings.find([*clause.literals, loses]) is False
    )


def _rule_set(sound: list[Clause], predictor: Predictor, setting: Setting) -> tuple[str | None, int, int]:
    """The rule set of the fewest proved clauses, how many these are, and how many positions of the sample it decides.

    Literals that the proof does not need are dropped, so that a rule may hold where its clause does not.
    """
    if not sound:
        return None, 0, 0
    bodies = {clause.number: generalise(clause, setting) for clause in sound}
    place = {name: number for number, name in enumerate(predictor.model.symbols)}
    truths = predictor.sample_truths
    columns = [
        np.all([truths[:, place[atom]] == holds for atom, holds in bodies[clause.number]], axis=0) for clause in sound
    ]
    fired = np.stack(columns, axis=1).astype(np.uint8)
    chosen = [sound[number] for number in fewest_covering(fired).chosen]
    covered = int(np.count_nonzero(fired.any(axis=1)))
    return as_rule_set("learned", chosen, bodies, f"{covered} of {len(truths)}"), len(chosen), covered


@dataclass(frozen=True, slots=True)
class Fewest:
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
        constraint = LinearConstraint(
            csr_array(signed[rows].astype(np.float64)), bound[rows].astype(np.float64), np.inf
        )
        options = {"node_limit": _NODES, "presolve": True}
        ones = np.ones(count)
        result = milp(ones, integrality=ones, bounds=Bounds(0, 1), constraints=constraint, options=options)
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
