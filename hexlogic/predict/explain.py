"""Everything about a model as rules: its weightiest clauses proved, the whole model shrunk, exported and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import Position, check_player
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.solver import MOST_CELLS, Solver
from hexlogic.predict.clause import Clause, clauses_of
from hexlogic.predict.clause_proofs import Proved, Setting, generalise, prove_clause, shrink
from hexlogic.predict.colourings import Kind, SymbolLiteral, check_kind
from hexlogic.predict.export import as_program, as_rule_set, program_winners, wrong_decision
from hexlogic.predict.fewest import Fewest, fewest_covering, fewest_deciding
from hexlogic.predict.perfect import LARGEST
from hexlogic.predict.predictor import Predictor
from hexlogic.predict.views import seen

__all__ = ["Agreement", "Explanation", "Rules", "explain", "setting_of"]

_NAME = "learned"


@dataclass(frozen=True, slots=True)
class Agreement:
    """On how many positions of the sample clingo, with a program of rules, decided like the machine."""

    positions: int
    same: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The fewest clauses with the machine's decisions on the sample. `literals` counts theirs before and after what is
    redundant was dropped; `wrong` is a won position that they decide wrongly, False when there is none, None when that
    stayed open. `program` is the text for clingo, `agreement` compares it with the machine.

    `rule_set` is text for `hexlogic prove`: of the clauses that are proved to say that their player has won, the fewest
    that hold on as many positions of the sample, `covered` of `sample`; None where there is no such clause. `proved`
    counts those clauses and the fewest of them.
    """

    fewest: Fewest
    clauses: tuple[Clause, ...]
    literals: tuple[int, int]
    program: str
    agreement: Agreement
    wrong: Position | bool | None
    rule_set: str | None
    proved: tuple[int, int]
    covered: int
    sample: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """A model explained: the setting that all statements are about, the clauses that were proved, and the rules."""

    setting: Setting
    clauses: int
    proved: tuple[Proved, ...]
    rules: Rules | None


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
        proved.append(prove_clause(clause, setting, most, solver))
        report("clauses proved", number + 1, len(chosen))
    return Explanation(
        setting, len(found), tuple(proved), _rules(predictor, found, setting, positions, report) if rules else None
    )


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
) -> Rules:
    model, fired = predictor.model, predictor.sample_fired
    fewest = fewest_deciding(fired, model.weights)
    by_number = {clause.number: clause for clause in found}
    chosen = [by_number[number] for number in fewest.chosen]
    bodies: dict[int, tuple[SymbolLiteral, ...]] = {}
    for number, clause in enumerate(chosen):
        bodies[clause.number] = shrink(clause.literals, setting.colourings(clause.literals))[0]
        report("clauses shrunk", number + 1, len(chosen))
    program = as_program(chosen, bodies, setting)
    sample = model.sample
    shown, mover, _ = seen(predictor.view, model.board, sample["boards"][:positions], sample["to_move"][:positions])
    machine = np.where(model.votes(predictor.symbols.truths(shown, mover)) > 0, 1, 2)
    same = int(np.count_nonzero(program_winners(program, model.board, shown) == machine))
    sound = [clause for number, clause in enumerate(found) if _implies_win(clause, setting, number, len(found), report)]
    rule_set, chosen_sound, covered = _rule_set(sound, predictor)
    return Rules(
        fewest,
        tuple(chosen),
        (sum(len(clause.literals) for clause in chosen), sum(len(body) for body in bodies.values())),
        program,
        Agreement(len(shown), same),
        None if setting.kind == "open" else wrong_decision(program, setting),
        rule_set,
        (len(sound), chosen_sound),
        covered,
        len(fired),
    )


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
    sample = predictor.model.sample
    shown, mover, _ = seen(predictor.view, predictor.model.board, sample["boards"], sample["to_move"])
    truths = predictor.symbols.truths(shown, mover)
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
