"""Views on demand: a view is not derived in each state where it costs less to ask for what a rule needs of it.

    empty(X,Y) :- cell(X,Y), not true_cell(X,Y,w), not true_cell(X,Y,b).     64 tuples a state, or a test
    legal_move(w,X,Y,Z) :- true_cell(X,Y,w), up(Y,Z), empty(X,Z).            for each of 16 pieces

Where a literal has all its variables bound by others, the view is a test; elsewhere its rules are written in the place
of the literal (`unfold`). Costs are estimated from measured sizes, joins in their order.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.estimates import Asked, join_cost
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Slot
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.homomorphism import unfold_call
from hexlogic.language.syntax import Atom, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import variables

PUT: Final = 3.0
"""What it costs to insert a tuple and to take it out again, where looking at one costs 1."""
_MOST_RULES: Final = 6
"""Rules that may take the place of one."""
_LONGEST_WALK: Final = 200
"""Calls of a test by itself, one inside the other."""
_SELDOM: Final = 0.02
"""How often goals are asked for, where moves are asked for once."""


def only_where_asked(opened: OpenedSheet, sizes: Statistics, others: Collection[Predicate]) -> OpenedSheet:
    """The sheet in which views but the `others` are derived only for the terms that they are asked for, as the moves of
    the role in control; `sizes` get what is left of them.

        stuck(P) :- control(P), not can_move(P).
        can_move(P) :- possible(P,M), not check(P).
        possible(P,stay) :- piece(P).                   becomes     possible(P,stay) :- control(P), piece(P).

    All that ask for such a view name a fact about one of its terms, or ask on behalf of such a view."""
    uses = [(rule, item.atom) for rule in opened.program.rules for item in rule.literals]
    views = frozenset(chain.from_iterable(chain(*opened.phases[1:]))).difference(*opened.asked)
    columns = [(view, column) for view in views & {atom.predicate for _, atom in uses} for column in range(view.arity)]
    added: dict[Predicate, tuple[int, Predicate]] = {}
    for fact in (true for true in opened.state if true.arity == 1):
        # A term of another type has another number.
        slots = {slot for slot in columns if opened.types.of(slot) is opened.types.of((fact, 0))}
        while unnamed := {slot for rule, atom in uses for slot in _unnamed(rule, atom, fact, slots)}:
            slots -= unnamed
        for view, column in sorted(slots):
            share = sizes.size(fact) / sizes.column(view, column)
            if share < 1 and view not in {*others, *opened.kept, *added}:
                added[view] = column, fact
                sizes.sizes[view], sizes.columns[view, column] = share * sizes.size(view), sizes.size(fact)
    rules = []
    for rule in opened.program.rules:
        if rule.conclusion.predicate in added:
            column, fact = added[rule.conclusion.predicate]
            rule = rule.with_body((Literal(Atom(fact.name, (rule.conclusion.arguments[column],))), *rule.body))
        rules.append(rule)
    return opened.with_rules(tuple(rules))


def _unnamed(rule: Rule, atom: Atom, fact: Predicate, slots: Collection[Slot]) -> Iterator[Slot]:
    """The slots of an atom in a rule's body whose terms the rule does not name in the fact."""
    head = rule.conclusion
    for column, term in enumerate(atom.arguments):
        asking = {(head.predicate, place) for place, own in enumerate(head.arguments) if own == term}
        if asking.isdisjoint(slots) and Literal(Atom(fact.name, (term,))) not in rule.body:
            yield from {(atom.predicate, column)} & {*slots}


def views_on_demand(
    opened: OpenedSheet,
    sizes: Statistics,
    known: Collection[Predicate] = (),
    *,
    statics: StaticTables | None = None,
    is_unfolded: bool = True,
) -> tuple[OpenedSheet, dict[Predicate, Asked]]:
    """The sheet in which views are asked for where that costs less, and the relations that are asked; those that are
    `known` to be are left as they are. With `is_unfolded` not, no view is written in the place of a literal."""
    recursive = recursive_predicates(opened.program)
    walks = walked_views(opened, statics) if statics is not None else {}
    costs = _Costs(opened, sizes, known, walks)
    views = {predicate for component in chain(*opened.phases[1:3]) for predicate in component}
    for view in sorted(
        views.difference(known, recursive - walks.keys(), opened.kept, *opened.asked),
        key=lambda view: (-sizes.size(view), view),
    ):
        costs.try_on_demand(view, is_unfolded=is_unfolded and view not in walks)
    return opened.with_rules(tuple(costs.rules)), costs.tested


def walked_views(opened: OpenedSheet, statics: StaticTables) -> dict[Predicate, frozenset[int]]:
    """The views that can be asked though they ask for themselves, but for no others that ask for them, and the columns
    whose terms a question must give."""
    program = opened.program
    views = [view for view in sorted(recursive_predicates(program)) if recursive_through(program, view) == {view}]
    given = {view: _given_columns(program.defining(view), statics) for view in views}
    return {view: columns for view, columns in given.items() if columns is not None}


def _given_columns(rules: Sequence[Rule], statics: StaticTables) -> frozenset[int] | None:
    """The columns whose terms must be known to ask for a view that asks for itself once at most, for other arguments,
    and comes to an end; None for others. One rule is recursive,

        open(X,Y,D,U,V) :- next(X,Y,D,S,T), not cell(X,Y), open(S,T,D,U,V).         X, Y and D are given

    and a relation that no state changes, `next`, leads from each arguments to one next, never in a circle. What is
    handed on, and named nowhere else, need not be known."""
    view = rules[0].conclusion.predicate
    calls = [(rule, item) for rule in rules for item in rule.literals if item.atom.predicate == view]
    if len(calls) != 1 or not calls[0][1].positive:
        return None
    rule, call = calls[0]
    elsewhere = frozenset[Variable]().union(*(variables(item) for item in rule.body if item != call))
    pairs = list(zip(rule.conclusion.arguments, call.atom.arguments, strict=True))
    for item in rule.literals:
        step = item.atom
        if not item.positive or step.predicate not in statics or len(set(step.arguments)) < len(step.arguments):
            continue
        columns = {term: column for column, term in enumerate(step.arguments) if isinstance(term, Variable)}
        named = [pair for pair in pairs if not columns.keys().isdisjoint(pair)]
        if all(pair[0] == pair[1] for pair in pairs if pair not in named) and all(
            term in columns for pair in named for term in pair
        ):
            rows = statics.tuples[step.predicate].tolist()
            here, there = ([columns[pair[place]] for pair in named] for place in (0, 1))  # type: ignore[index]
            moves = {(tuple(row[at] for at in here), tuple(row[at] for at in there)) for row in rows}
            following = dict(moves)
            if len(following) == len(moves) and _longest(following) <= _LONGEST_WALK:
                heads: Counter[Term] = Counter(chain.from_iterable(map(variables, rule.conclusion.arguments)))
                handed_on = {
                    head for head, term in pairs if head == term and head not in elsewhere and heads[head] == 1
                }
                return frozenset(column for column, (head, _) in enumerate(pairs) if head not in handed_on)
    return None


def _longest(following: Mapping[tuple[int, ...], tuple[int, ...]]) -> float:
    """The steps of the longest walk; infinity where there is a circle."""
    steps: dict[tuple[int, ...], float] = {}
    for place in following:
        path = []
        while place in following and place not in steps:
            steps[place] = inf
            path.append(place)
            place = following[place]
        for place in reversed(path):
            steps[place] = 1 + steps.get(following[place], 0)
    return max(steps.values(), default=0)


class _Costs:
    """The rules, and the relations that are asked. `walks`: the columns that a question to a recursive view gives."""

    def __init__(
        self,
        opened: OpenedSheet,
        sizes: Statistics,
        known: Collection[Predicate],
        walks: Mapping[Predicate, frozenset[int]],
    ) -> None:
        self.rules = list(opened.program.rules)
        self.tested: dict[Predicate, Asked] = {}
        self._sizes, self._walks = sizes, walks
        self._seldom = frozenset[Predicate]().union(*opened.phases[3], *opened.phases[4])
        for predicate in known:
            self.tested[predicate] = self._asked(predicate)

    def try_on_demand(self, view: Predicate, *, is_unfolded: bool) -> None:
        """Have a view asked for where that costs less than to derive it."""
        definitions = [rule for rule in self.rules if rule.head is not None and rule.head.predicate == view]
        uses = [rule for rule in self.rules if any(item.atom.predicate == view for item in rule.literals)]
        derived = sum(self._cost(rule, self.tested) for rule in definitions) + PUT * self._sizes.size(view)
        before = derived + sum(self._cost(rule, self.tested) for rule in uses)
        tested = self.tested | {view: self._asked(view)}
        unfolded: dict[Rule, list[Rule]] = {}
        after = 0.0
        for rule in uses:
            is_asked = self._cost(rule, tested) < inf
            if not is_asked and not is_unfolded:
                return
            unfolded[rule] = [rule] if is_asked else self._unfolded(rule, view, definitions)
            if not unfolded[rule]:
                return
            after += sum(self._cost(each, tested) for each in unfolded[rule])
            if after >= before:
                return
        rules = chain.from_iterable(unfolded.get(rule, [rule]) for rule in self.rules)
        self.rules = list(dict.fromkeys(rules))
        if any(item.atom.predicate == view for rule in self.rules for item in rule.literals):
            self.tested = tested
        else:
            self.rules = [rule for rule in self.rules if rule not in definitions]

    def _unfolded(self, rule: Rule, view: Predicate, definitions: Collection[Rule]) -> list[Rule]:
        """The rules in place of one, without positive literals of the view; none where there would be too many."""
        done: list[Rule] = []
        waiting = [rule]
        while waiting:
            rule = waiting.pop()
            call = next((item for item in rule.literals if item.positive and item.atom.predicate == view), None)
            if call is None:
                done.append(rule.with_body(tuple(dict.fromkeys(rule.body))))
            else:
                made = (unfold_call(rule, call, definition) for definition in definitions)
                waiting += [each for each in made if each is not None]
            if len(done) + len(waiting) > _MOST_RULES:
                return []
        return done

    def _cost(self, rule: Rule, tested: Mapping[Predicate, Asked]) -> float:
        """What a rule costs in a step; for a relation that is asked, each time."""
        if rule.head is None or not rule.body:
            return 0.0
        columns = tested[rule.head.predicate].columns if rule.head.predicate in tested else ()
        given = frozenset[Variable]().union(*(variables(rule.head.arguments[column]) for column in columns))
        try:
            cost = join_cost(rule.body, self._sizes, tested, given, variables(rule.head))
        except EngineError:
            return inf
        return cost * _SELDOM if rule.head.predicate in self._seldom else cost

    def _asked(self, view: Predicate) -> Asked:
        columns = self._walks.get(view, frozenset(range(view.arity)))
        rules = [rule for rule in self.rules if rule.head is not None and rule.head.predicate == view]
        tested = {**self.tested, view: Asked(1.0, columns)}
        return Asked(1 + sum(self._cost(rule, tested) for rule in rules), columns)
