"""Everything about a model as rules: its weightiest clauses proved, the whole model shrunk, exported and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex, Position, check_player
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.predict.clause import Clause, clauses_of, readable
from hexlogic.players.predict.clause_proofs import Proved, Setting, generalise, prove_clause, shrink
from hexlogic.players.predict.colourings import Kind, SymbolLiteral, check_kind
from hexlogic.players.predict.export import as_program, as_rule_set, program_winners, wrong_decision
from hexlogic.players.predict.fewest import fewest_covering, fewest_deciding
from hexlogic.players.predict.perfect import LARGEST
from hexlogic.players.predict.prediction_file import (
    SCHEMA,
    StoredClause,
    StoredExplanation,
    StoredRules,
    StoredSoundness,
)
from hexlogic.players.predict.predictor import Predictor
from hexlogic.players.solver import MOST_CELLS, Solver

_NAME = "learned"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is found of a model, as reports read it, and two texts: the fewest clauses as a `program` for clingo, and
    those that are proved to say that their player has won as a `rule_set` for `hexlogic prove`; None where there is
    none."""

    stored: StoredExplanation
    program: str | None
    rule_set: str | None


def setting_of(predictor: Predictor, kind: Kind | None = None) -> Setting:
    """Which positions a model is about, as its card says, or of another kind."""
    data = predictor.model.card.get("data", {})
    if predictor.view == "mover":
        # Red is to move in what the machine sees, level or one stone behind.
        return Setting(predictor.model.board, kind or check_kind(str(data.get("kind"))), "blue", always_red=True)
    first = check_player(str(data.get("first")))
    return Setting(predictor.model.board, kind or check_kind(str(data.get("kind"))), first)


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
    report: Callable[[str, int, int], None] = lambda what, done, whole: None,
) -> Explanation:
    """Explain the `clauses` weightiest clauses, or those with some `numbers`, and with `rules` the whole model.

    Colourings of a clause are counted up to `most`; the program of the rules is compared with the machine on
    `positions` positions of the sample. Raises HexlogicError for symbols that no rule defines and for a number that no
    clause has.
    """
    predictor = Predictor(model)
    setting = setting_of(predictor, kind)
    found = clauses_of(predictor)
    if not found:
        raise HexlogicError("the model has no clause", hint="train with more clauses or epochs")
    cells = len(model.board.cells)
    by_table = model.board.size is not None and model.board.size <= LARGEST
    solver = Solver(model.board) if not by_table and cells <= MOST_CELLS and setting.kind == "open" else None
    chosen = [_of_number(found, number) for number in numbers] or found[:clauses]
    proved = []
    for number, clause in enumerate(chosen):
        proved.append(_stored_clause(prove_clause(clause, setting, most, solver), model.board))
        report("clauses proved", number + 1, len(chosen))
    together, program, rule_set = _rules(predictor, found, setting, positions, report) if rules else (None, None, None)
    stored = StoredExplanation(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        name=name,
        card=model.card,
        size=model.board.rows,
        positions=setting.kind,
        clauses=len(found),
        explained=tuple(proved),
        rules=together,
    )
    return Explanation(stored, program, rule_set)


def _stored_clause(proof: Proved, board: Hex) -> StoredClause:
    clause = proof.clause
    literals, redundant, kept = (
        tuple(readable(board, literal) for literal in part) for part in (clause.literals, proof.redundant, proof.kept)
    )
    return StoredClause(
        clause=clause.number,
        player=clause.player,
        weight=clause.weight,
        coverage=round(clause.coverage, 5),
        precision=None if clause.precision is None else round(clause.precision, 5),
        rule=clause.rule(),
        literals=literals,
        redundant=redundant,
        kept=kept,
        atoms=proof.kept,
        open_literals=proof.open_literals,
        possible=proof.possible,
        puzzle=_text(proof.puzzle),
        colourings=proof.colourings,
        all_counted=proof.all_counted,
        soundness=tuple(
            StoredSoundness(verdict=one.verdict, about=one.about, counter_example=_text(one.counter_example))
            for one in proof.soundness
        ),
    )


def _text(position: Position | bool | None) -> str | None:
    return position.to_text() if isinstance(position, Position) else None


def _of_number(found: Sequence[Clause], number: int) -> Clause:
    for clause in found:
        if clause.number == number:
            return clause
    raise HexlogicError(f"there is no clause {number}", hint=f"clauses are numbered 0 to {len(found) - 1}")


def _rules(
    predictor: Predictor,
    found: list[Clause],
    setting: Setting,
    positions: int,
    report: Callable[[str, int, int], None],
) -> tuple[StoredRules, str, str | None]:
    """The fewest clauses, as a program too, and the rule set of those that are proved."""
    model = predictor.model
    fewest = fewest_deciding(model.fired(predictor.sample_truths), model.weights)
    by_number = {clause.number: clause for clause in found}
    chosen = [by_number[number] for number in fewest.chosen]
    bodies: dict[int, tuple[SymbolLiteral, ...]] = {}
    for number, clause in enumerate(chosen):
        bodies[clause.number] = shrink(clause.literals, setting.colourings(clause.literals))[0]
        report("clauses shrunk", number + 1, len(chosen))
    program = as_program(chosen, bodies, setting)
    shown = predictor.sample_seen[0][:positions]
    machine = np.where(model.votes(predictor.sample_truths[:positions]) > 0, 1, 2)
    wrong = None if setting.kind == "open" else wrong_decision(program, setting)
    sound = [clause for number, clause in enumerate(found) if _implies_win(clause, setting, number, len(found), report)]
    rule_set, chosen_sound, covered = _rule_set(sound, predictor)
    stored = StoredRules(
        clauses=fewest.chosen,
        at_least=fewest.at_least,
        literals_before=sum(len(clause.literals) for clause in chosen),
        literals_after=sum(len(body) for body in bodies.values()),
        compared=len(shown),
        same_decisions=int(np.count_nonzero(program_winners(program, model.board, shown) == machine)),
        decides_all_won_positions=None if wrong is None else wrong is False,
        counter_example=_text(wrong),
        sound_clauses=len(sound),
        rule_set_clauses=chosen_sound,
        covered=covered,
        sample=len(predictor.sample_truths),
    )
    return stored, program, rule_set


def _implies_win(
    clause: Clause, setting: Setting, number: int, whole: int, report: Callable[[str, int, int], None]
) -> bool:
    """Whether a clause that a rule set can hold says that its player has won, wherever the stones lie."""
    report("clauses proved as rules", number + 1, whole)
    if not clause.literals or not all(atom.startswith(("connected(", "owns(")) for atom, _ in clause.literals):
        return False
    colourings = setting.colourings(clause.literals, "any")
    if not isinstance(colourings.find(clause.literals), Position):
        return False
    return colourings.find([*clause.literals, (f"won({clause.player})", False)]) is False


def _rule_set(sound: list[Clause], predictor: Predictor) -> tuple[str | None, int, int]:
    """The rule set of the fewest proved clauses, how many these are, and how many positions of the sample it decides.

    Literals that the proof does not need are dropped, so that a rule may hold where its clause does not.
    """
    if not sound:
        return None, 0, 0
    setting = setting_of(predictor, "any")
    bodies = {clause.number: generalise(clause, setting) for clause in sound}
    place = {name: number for number, name in enumerate(predictor.model.symbols)}
    truths = predictor.sample_truths
    columns = np.stack(
        [
            np.all([truths[:, place[atom]] == holds for atom, holds in bodies[clause.number]], axis=0)
            for clause in sound
        ],
        axis=1,
    ).astype(np.uint8)
    chosen = [sound[number] for number in fewest_covering(columns).chosen]
    covered = int(np.count_nonzero(columns.any(axis=1)))
    return as_rule_set(_NAME, chosen, bodies, f"{covered} of {len(truths)}"), len(chosen), covered
