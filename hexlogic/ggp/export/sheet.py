"""A rule set, the rules of its board and the frame of a game, put together as one sheet; its text, with a header.

rules/gdl/turns.lp, stones.lp  +  rules/games/hex.lp, ground  +  rules/follow-line-tabled.lp
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import Game
from hexlogic.games.rulesets import RuleSet, load_rule_set, read_rule_set, rule_set_names
from hexlogic.games.rulesets.transitions import TransitionSet, load_transitions
from hexlogic.ggp.check import text_findings
from hexlogic.ggp.export.rewriting import TRANSITION_RULES, name_cells, next_rules
from hexlogic.ggp.language.sheet import INPUTS, QUERIES, sheet_of
from hexlogic.ggp.propnet.ground_size import Size, measure_sheet
from hexlogic.language import BodyLiteral, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import growing_predicates, recursive_predicates, rules_below
from hexlogic.language.dialects import dialects, load_dialect, lower, render
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.names import closed_names, fresh_names
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import predicates, rename_rule
from hexlogic.process.files import load_template, readable, rules_folder

Rules: TypeAlias = RuleSet | TransitionSet

_CHAPTERS = ("role", "base", "input", "init", "legal", "next", "terminal", "goal")
_BASE = Predicate("base", 1)
_GDL = frozenset((*INPUTS, *QUERIES))
"""The relations of GDL itself: transition rules that are carried speak of the state themselves."""
_SHARED = frozenset({"owns", "plays", "mirror", "swapped"})
"""What the frame and the rules of a board or a rule set know by the same name."""

_CYCLE_FREE = ("follow-line-sweeps", "unbroken-lines")
_SMALLEST = ("follow-line-tabled", "follow-line")
PLAYER_KINDS = {
    "compiled": _SMALLEST,
    "propnet": _CYCLE_FREE,
    "epilog": ("clusters-with-sides", "clusters-merging", *_CYCLE_FREE),
    "prover": ("clusters-by-side", *_SMALLEST),
    "unknown": ("clusters-by-side", *_CYCLE_FREE),
}
"""By kind of player, as `--for` names it, the rule sets that suit it, the best first.

epilog    Stanford's players: no tables, so no cycle, and no index on the state, so few facts and short rules
prover    no tables, work in each state: the state carries what a move changes
propnet   a propositional network of unknown make: no ground rule may depend on itself, and it must be built in time
compiled  ground rules are compiled and cycles are taken right: the fewest rules
unknown   right on every kind, and fast on a prover, to which players come back that cannot build their network
"""
_REASONERS = {"epilog": "epilog", "compiled": "compiled", "propnet": "clingo", "prover": "swipl:sld", "swipl": "swipl"}
"""A prover without tables is `swipl:sld`; a propositional network costs what the ground rules of the sheet are, as they
stand: clingo grounds them all, `compiled` looks for a form with fewer first."""


@dataclass(frozen=True)
class Sheet:
    """A sheet and what it was made from."""

    program: Program
    rules: RuleSet
    game: Game
    swap: bool
    pipeline: Pipeline

    @functools.cached_property
    def size(self) -> Size:
        """How large it is when ground."""
        return measure_sheet(self.program)


def sheet_rule_sets(game: str) -> tuple[str, ...]:
    """The names under which `find_rules` looks for a game, sorted. Raises UnknownNameError."""
    known = tuple(name for name in TRANSITION_RULES if load_transitions(name).rules.fits(game))
    return tuple(sorted((*rule_set_names(game), *known)))


def find_rules(name: str, game: str) -> Rules:
    """The rule set of that name or in that `.lp` or `.lp.j2` file, or the transition rules that a sheet can carry.
    Raises UnknownNameError for a name, RuleSyntaxError for a file that has no rule set."""
    if name.endswith((".lp", ".lp.j2")):
        return read_rule_set(Path(name))
    known = sheet_rule_sets(game)
    if name not in known:
        raise UnknownNameError.among(f"rule set for {game}", name, list(known))
    return load_transitions(name) if name in TRANSITION_RULES else load_rule_set(name)


def rules_for(player: str, game: str) -> str:
    """The name of the rule set to export for a kind of player. Raises UnknownNameError, and HexlogicError where none
    suits.

    >>> rules_for("prover", "hex"), rules_for("unknown", "y")
    ('clusters-by-side', 'y/follow-line-sweeps')
    """
    if player not in PLAYER_KINDS:
        raise UnknownNameError.among("kind of player", player, list(PLAYER_KINDS))
    known = {name.rpartition("/")[2]: name for name in sheet_rule_sets(game)}
    for wanted in PLAYER_KINDS[player]:
        if wanted in known:
            return known[wanted]
    raise HexlogicError(f"{game} has no sheet for {player}", hint="choose one with --rules")


def reasoner_for(player: str) -> str:
    """The reasoner whose work is counted in place of that of a kind of player. Raises UnknownNameError."""
    if player not in _REASONERS:
        raise UnknownNameError.among("kind of player", player, list(_REASONERS))
    return _REASONERS[player]


def export_sheet(rules: Rules, game: Game, *, swap: bool = False, pipeline: Pipeline | None = None) -> Sheet:
    """The sheet of a game whose win is decided by these rules, after the passes of the pipeline.

    Raises HexlogicError when the rules miss some wins or are not fit for GDL, SizeError for a board that the rules or
    the swap rule cannot have.

    >>> from hexlogic import export_sheet, load_rule_set, render
    >>> from hexlogic.games import Hex
    >>> sheet = export_sheet(load_rule_set("follow-line-tabled"), Hex.square(2))
    >>> render(sheet.program, "gdl").splitlines()[:2]
    ['(role red)', '(role blue)']
    """
    rule_set = rules if isinstance(rules, RuleSet) else rules.rules
    if not rule_set.complete:
        why = f" ({rule_set.caveat})" if rule_set.caveat else ""
        raise HexlogicError(f"{rule_set.name} is incomplete{why}: its sheet would be another game")
    frames = _frames(rules, game, swap)
    board = _board(rules, game, swap)
    whole = functools.reduce(Program.__add__, [*frames, _apart(board, frames)])
    if growing := growing_predicates(whole):
        raise HexlogicError(f"the terms of {min(growing)} grow without end: no sheet of {rule_set.name} can be ground")
    kept = list(rules_below(whole, QUERIES).rules)
    known = (predicate for predicate in predicates(board) if predicate not in _GDL)
    tables = {predicate for predicate in known if all(rule.is_fact for rule in board.defining(predicate))}
    kept.sort(key=functools.partial(_chapter, tables=tables))
    passes = pipeline or Pipeline()
    satisfiable = sheet_of(_satisfiable(name_cells(sheet_of(kept), game).rules))
    program = sheet_of(closed_names(passes.apply(sheet_of(rules_below(satisfiable, QUERIES).rules))).rules)
    for finding in text_findings(render(program, "gdl")):
        if finding.kind == "error" or finding.check == "formulas":
            made = f"{rule_set.name} after {passes}" if passes.steps else rule_set.name
            raise HexlogicError(f"no sheet can be made of {made}: {finding.message}", hint=finding.hint)
    return Sheet(program, rule_set, game, swap, passes)


def _frames(rules: Rules, game: Game, swap: bool) -> list[Program]:
    is_carried = not isinstance(rules, RuleSet)
    kept = TRANSITION_RULES[rules.name] if is_carried else "taken"
    changed = {"taken": "stones", "free": "free-cells"}[kept]
    names = [kept, "turns", *(["swap", f"{changed}-with-swap"] if swap else [changed])]
    names += [] if game.always_won else ["draws"]
    return [_frame(name) for name in (*names, *([rules.name] if is_carried else []))]


def _board(rules: Rules, game: Game, swap: bool) -> Program:
    """What the rules say on this board; what depends on no stone and no move is computed."""
    program = rules.instantiate(game) if isinstance(rules, RuleSet) else next_rules(rules.instantiate(game), swap=swap)
    if swap:
        if game.swap_rules is None:
            raise HexlogicError(f"what the swap rule does in {game.name} is not known", hint="leave out --swap")
        game.check_swap()
        program += _frame(game.swap_rules)
    return Pipeline.parse("ground").apply(lower(program))


@functools.lru_cache(maxsize=16)
def _frame(name: str) -> Program:
    """The rules of `rules/gdl/NAME.lp`. Raises HexlogicError when the file cannot be read."""
    path = rules_folder() / "gdl" / f"{name}.lp"
    with readable(path):
        return parse(path.read_text(encoding="utf-8"), path.name)


def _satisfiable(rules: Iterable[Rule]) -> list[Rule]:
    """The rules without those that ask for a relation that no rule derives, and without such negative literals.

    reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).     gone on the 1x1 board, which has no two adjacent cells
    has(P) :- owns(P,X), not side(1,X).                     has(P) :- owns(P,X).     where no cell is on a side
    """
    kept = list(rules)
    while True:
        known = {*INPUTS, *(rule.head.predicate for rule in kept if rule.head is not None)}

        def holds(item: BodyLiteral, known: Collection[Predicate] = known) -> bool:
            """Whether it is not known beforehand that the atom is false."""
            return not isinstance(item, Literal) or item.atom.predicate in known

        fewer = [rule for rule in kept if all(map(holds, (item for item in rule.literals if item.positive)))]
        if len(fewer) == len(kept):
            return [rule.with_body(tuple(filter(holds, rule.body))) for rule in kept]
        kept = fewer


def _apart(board: Program, frames: Sequence[Program]) -> Program:
    """The board's program with another name for each relation that GDL or the frame has a use of its own for."""
    used = {predicate.name for program in (board, *frames) for predicate in predicates(program)}
    taken = {predicate.name for predicate in _GDL}
    taken |= {rule.head.name for program in frames for rule in program.rules if rule.head is not None} - _SHARED
    clashing = sorted(predicate for predicate in predicates(board) if predicate.name in taken and predicate not in _GDL)
    new = {predicate: next(iter(fresh_names(f"{predicate.name}_on_board", used))) for predicate in clashing}
    return board.with_rules(tuple(rename_rule(rule, new) for rule in board.rules)) if new else board


def _chapter(rule: Rule, tables: Collection[Predicate]) -> int:
    """Where a rule stands, as people read a sheet: first the relations of GDL, the tables of the board last."""
    if rule.conclusion.predicate in tables:
        return len(_CHAPTERS) + 1
    name = rule.conclusion.name
    return _CHAPTERS.index(name) if name in _CHAPTERS else len(_CHAPTERS)


def check_sheet_dialect(name: str) -> None:
    """Raise UnknownNameError unless game descriptions are written in the dialect."""
    known = [dialect for dialect in dialects() if load_dialect(dialect).describes_games]
    if name not in known:
        raise UnknownNameError.among("dialect of sheets", name, known)


def sheet_text(sheet: Sheet, dialect: str = "gdl", size: Size | str | None = None) -> str:
    """The sheet with a header, in KIF (`gdl`) or infix (`hrf`). `size`: as counted, or why it was not."""
    text, game, half = load_dialect(dialect), sheet.game, len(sheet.game.cells) // 2
    size = sheet.size if size is None else size
    middle = max(game.cells, key=lambda cell: (len(game.neighbours(cell)), -abs(cell - half)))
    kinds = (write_term(rule.conclusion.arguments[0]) for rule in sheet.program.defining(_BASE))
    head = load_template(Path(__file__).with_name("header.txt.j2")).render(
        sheet=sheet,
        game=game,
        middle=middle,
        beside=" ".join(map(game.cell_name, game.neighbours(middle))),
        state=" ".join(dict.fromkeys(kinds)),
        is_recursive=family(sheet.program, size) == "recursive",
        size=size,
        version=version("hexlogic"),
    )
    return "".join(f"{text.comment} {line}\n" for line in head.splitlines()) + f"\n{text.render(sheet.program)}"


def family(program: Program, size: Size | str) -> str:
    """`recursive` or `cycle-free`, by the ground rules; where these were not counted, by the rules."""
    if isinstance(size, str):
        return "recursive" if recursive_predicates(program) else "cycle-free"
    return "recursive" if size.cyclic else "cycle-free"
