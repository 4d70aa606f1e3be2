"""Keep a view: what rules derive in each state becomes a part of the state, changed by what a move adds.

    line(P) :- true_cell(X,Y,P), next_to(X,Z), true_cell(Z,Y,P).
    next_cell(X,Y,P) :- true_cell(X,Y,P).
    next_cell(X,Y,P) :- does_place(P,X,Y).

    new_cell(X,Y,P) :- does_place(P,X,Y).                                        what the move adds to the state
    new_line(P) :- new_cell(X,Y,P), next_to(X,Z), now_cell(Z,Y,P).               and so to the view
    next_line(P) :- true_line(P).  next_line(P) :- new_line(P).

A recursive view gets a recursion over what is new; one that denies, as the free cells do, loses what a move takes. This
is the differentiation of rules for insertions (Gupta, Mumick and Subrahmanian 1993, "Maintaining views
incrementally"), where the rules for `next` say what is inserted. A move may be wrong: all it proposes is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hexlogic.ggp.language.static_facts import roles_of
from hexlogic.ggp.reformulation.flat_game import ROLE, FlatGame, Games
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through, rules_below
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.reorder import Candidate, View, ordered_body
from hexlogic.language.walk import general_atom, rename_rule, rule_variables, variables


class _NotKept(Exception):  # noqa: N818 - control flow inside this module
    """What a move adds to a relation cannot be said."""


@dataclass
class _Added:
    """The rules for what a move adds to relations, and for what holds after it, made as they are asked for."""

    game: FlatGame
    alone: bool
    rules: list[Rule] = field(default_factory=list)
    _names: dict[tuple[str, Predicate], str] = field(default_factory=dict)

    def atom(self, word: str, atom: Atom) -> Atom:
        """The atom of the relation `new_p` or `now_p` for one of p."""
        key = word, atom.predicate
        if key not in self._names:
            make, name = self._new if word == "new" else self._now, f"{word}_{atom.name.removeprefix('true_')}"
            if {*make(atom.predicate, name)} != {*self.game.program.defining(Predicate(name, atom.predicate.arity))}:
                name = self.game.fresh(name)
                self.rules += make(atom.predicate, name)
            self._names[key] = name
        return Atom(self._names[key], atom.arguments)

    def _new(self, predicate: Predicate, name: str) -> list[Rule]:
        following = self.game.state.get(predicate)
        if following is not None:
            rules = self.game.program.defining(following)
            added = [rule for rule in rules if not _is_frame(rule, predicate)]
            if len(added) == len(rules):
                raise _NotKept
            return [Rule(Atom(name, rule.conclusion.arguments), rule.body) for rule in added]
        if predicate in recursive_predicates(self.game.program):
            raise _NotKept
        rules = self.game.program.defining(predicate)
        if any(not item.positive and self.moves(item) for rule in rules for item in rule.literals):
            raise _NotKept
        return [Rule(Atom(name, rule.conclusion.arguments), body) for rule in rules for body in self.bodies(rule)]

    def _now(self, predicate: Predicate, name: str) -> list[Rule]:
        following = self.game.state.get(predicate)
        if following is None and predicate in recursive_predicates(self.game.program):
            raise _NotKept
        if following is None:
            return [
                Rule(Atom(name, rule.conclusion.arguments), tuple(map(self.now, rule.body)))
                for rule in self.game.program.defining(predicate)
            ]
        frames = [rule for rule in self.game.program.defining(following) if _is_frame(rule, predicate)]
        before = [Rule(Atom(name, rule.conclusion.arguments), rule.body) for rule in frames]
        general = general_atom(predicate)
        return [*before, Rule(Atom(name, general.arguments), (Literal(self.atom("new", general)),))]

    def now(self, item: BodyLiteral) -> BodyLiteral:
        """A literal of a body, after the move."""
        if not isinstance(item, Literal) or not self.moves(item) or self.alone:
            return item
        return Literal(self.atom("now", item.atom), item.positive)

    def moves(self, item: BodyLiteral) -> bool:
        return isinstance(item, Literal) and item.atom.predicate in self.game.moving

    def bodies(self, rule: Rule, view: Predicate | None = None, kept: str = "") -> Iterator[tuple[BodyLiteral, ...]]:
        """The body for each literal that a move may add to, the others as they are after it; of a recursive view what
        is kept, or what is new."""
        for place, item in enumerate(rule.body):
            if isinstance(item, Literal) and item.positive and self.moves(item):
                again = item.atom.predicate == view
                new = Atom(f"new_{kept}", item.atom.arguments) if again else self.atom("new", item.atom)
                word = "now" if again else "true"
                rest = [
                    Literal(Atom(f"{word}_{kept}", other.atom.arguments))
                    if isinstance(other, Literal) and other.atom.predicate == view
                    else self.now(other)
                    for number, other in enumerate(rule.body)
                    if number != place
                ]
                yield _ordered(Literal(new), rest, self.game)


def _is_frame(rule: Rule, predicate: Predicate) -> bool:
    """Whether a rule says that a fact stays, perhaps under conditions."""
    return Literal(Atom(predicate.name, rule.conclusion.arguments)) in rule.body


def _ordered(first: Literal, rest: Sequence[BodyLiteral], game: FlatGame) -> tuple[BodyLiteral, ...]:
    """The body with tests as soon as they can be made, else what leaves least open, and what no move changes first."""
    static = game.program.heads - game.moving

    def best(candidates: Sequence[Candidate], view: View) -> Candidate:
        def order(each: Candidate) -> tuple[bool, bool, int, bool]:
            moves = not isinstance(each.item, Literal) or each.item.atom.predicate not in static
            return each.position > 0, not each.names & view.bound, len(view.new(each)), moves

        return min(candidates, key=order)

    return ordered_body(Rule(None, (first, *rest)), best, View(frozenset(), {}, {}), ())


def keepings(games: Games) -> Iterator[tuple[Games, str]]:
    """The games with each view kept that can be, and what was done."""
    for found in zip(*map(_keepings, games), strict=True):
        yield tuple(game for game, _ in found), found[0][1]


def _keepings(game: FlatGame) -> Iterator[tuple[FlatGame, str]]:
    for changed, view in [*_parts(game), *_for_roles(game), *((game, view) for view in game.views)]:
        for frame, alone in ((True, True), (True, False), (False, True), (False, False)):
            kept = keep_view(changed, view, frame=frame, alone=alone)
            if kept is not None:
                yield kept, f"{view} is kept from state to state"


def keep_view(game: FlatGame, view: Predicate, *, frame: bool = True, alone: bool) -> FlatGame | None:
    """The game with a view kept; None where what a move adds to it cannot be said. Without `frame` nothing of it stays:
    for views with which a game is over. With `alone` what a move adds is taken to be one fact: others are read as they
    were before it."""
    try:
        return _kept(game, view, frame, alone)
    except _NotKept:
        return None


def _parts(game: FlatGame) -> Iterator[tuple[FlatGame, Predicate]]:
    """The game with what a rule for a move denies, and what this ranges over, as a view of its own."""
    for rule in game.program.rules:
        head = rule.conclusion
        word, shape = game.flat.kinds.get(head.predicate, ("", ("", 0)))
        denied = [item for item in rule.literals if not item.positive and item.atom.predicate in game.moving]
        if word != "legal" or not denied:
            continue
        wanted = variables(*denied, head)
        ranges = [
            item
            for item in rule.literals
            if item.positive and item.atom.predicate not in game.moving and variables(item) <= wanted
        ]
        wanted = variables(*denied, *ranges)
        body: tuple[BodyLiteral, ...] = (*ranges, *denied)
        for named in dict.fromkeys((variables(*denied), wanted & variables(head))):
            part = Atom(game.fresh(f"may_{shape[0]}"), tuple(sorted(named, key=str)))
            definition = Rule(part, body)
            if not unsafe_variables(definition) and part.arguments:
                kept = [item for item in rule.body if item not in denied and not variables(item) <= named]
                first = [item for item in kept if item not in ranges]
                last = [item for item in kept if item in ranges and variables(item) & named]
                changed = rule.with_body((*first, Literal(part), *last))
                if not unsafe_variables(changed):
                    rules = [changed if other is rule else other for other in game.program.rules]
                    yield game.with_rules([*rules, definition]), part.predicate


def _for_roles(game: FlatGame) -> Iterator[tuple[FlatGame, Predicate]]:
    """The game with a view for roles alone, where other things stand as well: lines of stones, not of free cells."""
    roles = {*roles_of(game.sheet)}
    named = [Rule(Atom(ROLE.name, (role,))) for role in sorted(roles, key=str)]
    for view in game.views:
        definitions = game.program.defining(view)
        for place, kind in enumerate(game.kinds(view)):
            asked = ((rule, Literal(Atom(ROLE.name, (rule.conclusion.arguments[place],)))) for rule in definitions)
            narrowed = [rule.with_body((*rule.body, role)) for rule, role in asked if role not in rule.body]
            if len(narrowed) == len(definitions) and roles < {*kind.constants}:
                others = [rule for rule in game.program.rules if rule not in definitions]
                names = {view: game.fresh(f"{view.name}_of_role")}
                rules = [rename_rule(rule, names) for rule in (*others, *narrowed)]
                yield game.with_rules([*rules, *named]), Predicate(names[view], view.arity)


def _kept(game: FlatGame, view: Predicate, frame: bool, alone: bool) -> FlatGame:
    rules, added = tuple(game.program.defining(view)), _Added(game, alone)
    moving = [item for rule in rules for item in rule.literals if added.moves(item)]
    denied = [item for item in moving if not item.positive]
    loses = bool(denied) and denied == moving
    if len(recursive_through(game.program, view)) > 1 or (denied and loses != frame):
        raise _NotKept
    kept = game.fresh(f"kept_{view.name}")
    true, following = Predicate(f"true_{kept}", view.arity), Predicate(f"next_{kept}", view.arity)
    general = general_atom(view)

    def atom(word: str, arguments: Sequence[Term] = general.arguments) -> Literal:
        return Literal(Atom(f"{word}_{kept}", tuple(arguments)))

    new = [Rule(atom("next").atom, (atom("true"),))] if frame else []
    if loses:
        head = rules[0].conclusion.arguments
        if len(rules) > 1 or (alone and (len(head) != 1 or not isinstance(head[0], Variable))):
            raise _NotKept
        taken = [Literal(added.atom("new", item.atom)) for item in denied]
        if alone:  # all stays but the one element that a move adds to what the view denies
            other = next(iter(fresh_variables("Other", rule_variables(rules[0]))))
            rest = atom("true", (other,)), Comparison("!=", other, head[0])
            new = [Rule(atom("next", (other,)).atom, (first, *rest)) for first in taken]
        else:
            new = [Rule(atom("next").atom, (atom("true"), Literal(atom("gone").atom, False)))]
            for first in taken:
                open_head = not variables(*head) <= variables(first)
                ranges = [item for item in rules[0].literals if item.positive] if open_head else []
                new.append(Rule(atom("gone", head).atom, _ordered(first, ranges, game)))
    else:
        new.append(Rule(atom("next").atom, (atom("new"),)))
        begun, again = list[Rule](), list[Rule]()
        for rule in rules:
            head = rule.conclusion.arguments
            for body in added.bodies(rule, view, kept):
                if isinstance(body[0], Literal) and body[0].atom.name == f"new_{kept}":
                    again.append(Rule(atom("new", head).atom, (*body, Literal(atom("true", head).atom, False))))
                else:
                    begun.append(Rule(atom("new", head).atom, body))
        new += [*begun, *again]  # provers keep no answers that they find inside a recursion
        if any(item.atom.name == f"now_{kept}" for rule in new for item in rule.literals):
            new += [Rule(atom("now").atom, (atom(word),)) for word in ("true", "new")]
    read = [rename_rule(rule, {view: true.name}) for rule in game.program.rules if rule.conclusion.predicate != view]
    below = rules_below(game.program, [view]).rules
    changed = game.with_rules([*read, *new, *added.rules], {true: following})
    return changed.begun([*below, Rule(atom("true").atom, (Literal(general),))], true, game.initial)
