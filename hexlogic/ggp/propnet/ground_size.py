"""How many ground rules a sheet has, counted or estimated, and a form of it with fewer and the same answers in play.

Ground rules are the gates of a propositional network, and their body literals its wires. Before anything is ground,
the types of arguments bound facts and moves; what is derived has as many tuples as its joins, with independent columns.

    next(linked(K,M,N)) :- moved(E), true(linked(E,M,N)), true(step(K)).

has a ground rule for each K, M, N and E. Flattened and split along a tree decomposition of its variables:

    next_linked_split(M,N) :- moved(E), true(linked(E,M,N)).
    next(linked(K,M,N)) :- next_linked_split(M,N), true(step(K)).
"""

from dataclasses import dataclass
from math import prod

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import OpenedSheet, open_sheet
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.language.sheet import PLAYED, QUERIES, sheet_of
from hexlogic.ggp.language.static_facts import growing_rule, possible_inputs
from hexlogic.language.analysis.dependence import recursive_predicates, rules_below
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.ground.program import ground_program, levels
from hexlogic.language.ground.solving import least_model
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.split import split
from hexlogic.language.syntax import Atom, Predicate, Program, Rule, Variable
from hexlogic.language.walk import predicates

_ROUNDS = 3
"""So often sizes are estimated from those of the round before."""
_WORTH = 300_000
"""Ground rules: some seconds of grounding."""


def has_wide_rules(sheet: Program) -> bool:
    """Whether the sheet as it stands seems to have more ground rules than are worth making; False where terms grow."""
    try:
        opened = open_sheet(sheet)
        sizes = possible_sizes(opened)
    except EngineError:
        return False
    return sum(sizes.answers(rule.body) for rule in opened.program.rules) > _WORTH


def possible_sizes(opened: OpenedSheet) -> Statistics:
    """The sizes of all relations and of their columns."""
    statistics = Statistics()
    first: dict[Predicate, float] = {}
    for fact in opened.initial:
        predicate = opened.atom("true", fact).predicate
        first[predicate] = first.get(predicate, 0.0) + 1
    for predicate in opened.inputs:
        columns = _columns(opened, predicate)
        statistics.sizes[predicate] = prod(columns)
        statistics.columns |= {(predicate, place): size for place, size in enumerate(columns)}
    recursive = recursive_predicates(opened.program)
    order = [predicate for phase in opened.phases for component in phase for predicate in sorted(component)]
    for _ in range(_ROUNDS):
        for predicate in order:
            learn_relation(statistics, opened, predicate)
        for predicate, origin in opened.pairs.items():
            coming = statistics.sizes.get(origin, 0.0) + first.get(predicate, 0.0)
            statistics.sizes[predicate] = min(statistics.sizes[predicate], coming)
    # A recursion has more rounds than were made: at most as many as a column has values.
    for predicate in order:
        if predicate in recursive and predicate.arity:
            columns = _columns(opened, predicate)
            statistics.sizes[predicate] = min(prod(columns), statistics.sizes[predicate] * max(columns))
    return statistics


def _columns(opened: OpenedSheet, predicate: Predicate) -> list[float]:
    """How many terms can stand in each argument place."""
    return [float(max(1, opened.types.of((predicate, place)).size)) for place in range(predicate.arity)]


def learn_relation(statistics: Statistics, opened: OpenedSheet, predicate: Predicate) -> None:
    """Estimate a relation from its facts and rules."""
    rules, most = opened.program.definitions.get(predicate, ()), _columns(opened, predicate)
    facts = [rule.head.arguments for rule in rules if rule.head is not None and not rule.body]
    size, values = float(len(facts)), [float(len(set(column))) for column in zip(*facts, strict=True)]
    values = values or [0.0] * predicate.arity
    for rule in rules:
        if rule.head is None or not rule.body:
            continue
        size += statistics.projected(rule.body, [term for term in rule.head.arguments if isinstance(term, Variable)])
        for place, term in enumerate(rule.head.arguments):
            values[place] += statistics.values(rule.body, term) if isinstance(term, Variable) else 1
    # Each value of a column stands in a tuple: joins whose columns depend on each other seem emptier than they are.
    statistics.sizes[predicate] = min(max(size, *values, 0.0), prod(most)) if values else min(size, 1.0)
    statistics.columns |= {(predicate, place): min(values[place], most[place]) for place in range(predicate.arity)}


_ASKED = tuple(query for query in QUERIES if query.name not in ("base", "input"))
_FEW = 100.0
"""Estimated instances up to which a rule is left as it is."""


def small_grounding(sheet: Program) -> Program:
    """The sheet with fewer ground rules, without `base` and `input`; the same sheet where terms grow, or a type of
    them has no end."""
    if growing_rule(sheet) is not None:
        return sheet
    try:
        opened = open_sheet(sheet)
        statistics = possible_sizes(opened)
    except EngineError:
        return sheet
    names = {predicate.name for predicate in (*predicates(opened.program), *predicates(sheet))}
    context = RuleContext(names, statistics)
    rules: list[Rule] = []
    for rule in opened.program.rules:
        if context.statistics.answers(rule.body) < _FEW:
            rules.append(rule)
        else:
            rules += split(rule, context)
    played = opened.flat.sheet(opened.program.with_rules(tuple(rules)))
    others = rules_below(sheet, _ASKED)
    defined = {rule.head.predicate for rule in played if rule.head is not None}
    kept = [rule for rule in others.rules if rule.head is None or rule.head.predicate not in defined]
    return sheet_of(rules_below(Program((*played, *kept)), _ASKED).rules)


_GROUND = "ground rules and literals"


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of a sheet: `amount` in units of `unit`; None when it is not known: not within the limit, or nothing
    bounds the states. `estimated` where it was not counted."""

    amount: int | None
    unit: str
    estimated: bool = False

    def __str__(self) -> str:
        """
        >>> print(Work(1234, "inferences"), Work(1234, "rules", estimated=True), Work(None, "inferences"), sep="; ")
        1,234; about 1,200 (estimated); not known
        """
        if self.amount is None:
            return "not known"
        return f"about {float(f'{self.amount:.1e}'):,.0f} (estimated)" if self.estimated else f"{self.amount:,}"

    @property
    def order(self) -> tuple[bool, float]:
        """Less is better: what was counted before what was estimated, and what is known before what is not."""
        return (self.estimated, float(self.amount)) if self.amount is not None else (True, float("inf"))


def ground_work(sheet: Program) -> Work:
    """The ground rules and body literals of a sheet. Raises EngineError for one that cannot be ground."""
    possible = possible_inputs(sheet)
    if possible is None:
        return Work(None, _GROUND)
    ground = ground_program(sheet, possible, wanted=PLAYED)
    return Work(sum(1 + len(rule.body) for rule in ground.rules), _GROUND)


def estimated_work(sheet: Program) -> Work:
    """The same, estimated within a second or two; not known where terms grow."""
    try:
        opened = open_sheet(sheet_of(rules_below(sheet, PLAYED).rules))
        sizes = possible_sizes(opened)
    except EngineError:
        return Work(None, _GROUND)
    rules = [rule for rule in opened.program.rules if rule.body]
    amount = sum(sizes.answers(rule.body) * (1 + len(rule.body)) for rule in rules)
    return Work(round(amount), _GROUND, estimated=True)


_DECLARED = {Predicate("base", 1): "true", Predicate("input", 2): "does"}


@dataclass(frozen=True, slots=True)
class Size:
    """Ground rules with a body that is not always true, the atoms in them, and how many of these a state or a move
    brings. `cyclic`: some atom depends on itself."""

    rules: int
    atoms: int
    inputs: int
    cyclic: bool


def measure_sheet(sheet: Program) -> Size:
    """The size by clingo's grounder, with all that `base` and `input` declare as choices. Raises EngineError.

    >>> from hexlogic.ggp import read_kif
    >>> text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    >>> measure_sheet(read_kif(text))
    Size(rules=2, atoms=4, inputs=2, cyclic=False)
    """
    declared = least_model(rules_below(sheet, _DECLARED), only=_DECLARED)
    inputs = sorted((Atom(_DECLARED[atom.predicate], atom.arguments) for atom in declared), key=str)
    ground = ground_program(sheet, inputs)
    level = levels(ground).tolist()
    cyclic = any(level[part] == level[rule.head] for rule in ground.rules for part in rule.body)
    return Size(len(ground.rules), len(ground.atoms), ground.inputs, cyclic)


def measure_kif(text: str) -> Size:
    """As `measure_sheet`, of a sheet in KIF: for a child process, as gringo cannot be interrupted."""
    return measure_sheet(read_kif(text))
