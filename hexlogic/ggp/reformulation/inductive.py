"""Two games proved the same in all states that can be reached: claims that each move keeps, found and proved.

1. Lemmas: what the static facts of the sheet obey, which is all that is assumed of its board. near(Y,X) :- near(X,Y).
2. Invariants: claims that hold at first, and after each move from a state that obeys all (Houdini: Flanagan and Leino
   2001). Those about linked sets speak of any set, so that no recursion is worked out: a set that is linked after the
   move was linked before it, where this follows too.
3. Claims on what recursions derive in one state, by induction on derivations (`hexlogic.proofs.induction`). What is
   said of linked sets is said of those recursions that are ones. Then moves, goals and end are the same.
4. Claims on what recursions derive before and after a move, in the same way. Then what the second game's rules make of
   its state is what it has of the next state of the first game.

Where a claim is missing nothing is said. Candidates hold in sampled states. Each is asked of z3, else of cvc5, about
unknown elements, so that nothing depends on the size of the board but its counters: a number that each move leads on in
a chain has a successor, where each move adds an element to a relation whose column has no more values than the chain
has numbers. A game with cells is first the one with coordinates under other names (`renaming.py`).
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.ggp.propnet.ground_size import has_wide_rules
from hexlogic.ggp.reformulation.claims import (
    SET,
    Claims,
    differing,
    holding,
    places,
    plain,
    speaks_of_sets,
    subject,
    with_argument,
)
from hexlogic.ggp.reformulation.flat_game import ROLE, FlatGame, chain_of
from hexlogic.ggp.reformulation.flood import sampled
from hexlogic.ggp.reformulation.joined import Joined, joined
from hexlogic.language import Atom, Comparison, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import dependency_graph, recursive_predicates, rules_below
from hexlogic.language.ground.solving import has_stable_model
from hexlogic.language.homomorphism import unfold_calls
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom as general
from hexlogic.language.walk import map_atoms, predicates, variables
from hexlogic.proofs.induction import Theory
from hexlogic.proofs.joint import MUST_DIFFER, differences
from hexlogic.proofs.smt.formulas import smtlib
from hexlogic.proofs.smt.lemmas import step_problem
from hexlogic.proofs.smt.provers import ask_here, available

_LIMITS: Final = {"z3": 800_000, "cvc5": 100_000}
"""What a prover may do for one question, by its own count; `_EACH_S` seconds only where that does not end it. cvc5 is
asked where z3 does not know: it proves what leads z3 into endless instances."""
_LAST: Final = {"cvc5": 800_000, "z3": 10_000_000}
"""The same for a question on which the whole proof depends."""
_EACH_S: Final = 20.0
_CASES: Final = 64
"""Ways to derive something that are looked at one by one, at most."""
_CLINGO_S: Final = 8.0
"""Seconds by the clock for clingo's one question, which it answers soon or not at all."""
_STATES: Final = 60
"""Sampled states in which candidates hold."""
_MOVES: Final = Predicate(internal_name("moves"), 1)
_END: Final = Predicate("terminal", 0)


class _NoTime(Exception):  # noqa: N818
    """The time is over."""


@dataclass(frozen=True, slots=True)
class Proved:
    """Two games are the same: by so many `invariants`, and `facts` and moves where clingo looked at all of them."""

    invariants: int
    facts: int | None = None

    def then(self, other: Proved | None) -> Proved | None:
        """This proof and one that begins with its second game, if there is one."""
        return None if other is None else Proved(self.invariants + other.invariants, other.facts or self.facts)


def proved_same(before: FlatGame, after: FlatGame, until: float) -> Proved | None:
    """Whether the second game is the first one, step by step from its origins, unless both have them; None where that
    is not known or z3 is not installed. `until` is a time of the monotonic clock; grounding is not interrupted. Raises
    HexlogicError for rules that z3 or clingo cannot read."""
    origin = after.origin
    if origin is None or origin == before.origin:
        return _proved_by_induction(before, after, until)
    first = proved_same(before, origin.before, until) if origin.is_same(origin.before, origin.renamed) else None
    return None if first is None else first.then(_proved_by_induction(origin.renamed, after, until))


def _proved_by_induction(before: FlatGame, after: FlatGame, until: float) -> Proved | None:
    if (before.program, before.initial) == (after.program, after.initial):
        return Proved(0)
    both = joined(before, after) if available("z3") else None
    if both is None:
        return None
    samples = [([*state, *both.facts], move) for state, move in sampled(before, _STATES, random.Random(0))]
    moves = [[*state, *move] for state, move in samples if move]
    try:
        proof = _Proof(both, [state for state, _ in samples], moves, until)
        return proof.proved(any(has_wide_rules(game.written) for game in (before, after)))
    except _NoTime:
        return None


@dataclass
class _Proof:
    joined: Joined
    states: Sequence[Sequence[Atom]]
    """Sampled ones, with the static facts."""
    moves: Sequence[Sequence[Atom]]
    until: float
    invariants: tuple[Rule, ...] = ()
    _known: list[Rule] = field(default_factory=list)
    """What was proved of each state."""
    _counters: list[Rule] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._claims, game = Claims(self.joined), self.joined.before
        roles = {role for atom in self.joined.static[ROLE] for role in atom.arguments}
        tables = [atoms for atoms in self.joined.static.values() if all({*atom.arguments} <= roles for atom in atoms)]
        named = [Rule(atom) for atoms in tables for atom in atoms]
        self._named = sorted({rule.conclusion.predicate for rule in named})
        moves = [Rule(Atom(_MOVES.name, general(does).arguments[:1]), (Literal(general(does)),)) for does in game.moves]
        self._program = self.joined.program.with_rules((*self.joined.program.rules, *moves, *named))
        self._legal = list(self._claims.legal_moves())
        self._made = [Rule(general(_MOVES), (Literal(general(ROLE)),)), Rule(None, (Literal(general(_END)),))]
        unsteady = dependency_graph(self._program).above((*game.state, *game.moves)) | {*game.state, *game.moves}
        static = sorted({*self.joined.static, *self._program.heads} - unsteady)
        values = holding(self._claims.values(static), [self.joined.facts], self._program.rules)
        alike = [each for each in static if each.arity == 2 and len({*self.joined.kinds(each)}) == 1]
        lemmas = [*self._claims.of_one(static, static, places(values)), *self._claims.ends()]
        lemmas += self._claims.beside((each for each in static if each.arity == 1), frozenset())
        lemmas += [Rule(None, (Literal(Atom(each.name, (Variable("X"),) * 2)),)) for each in alike]
        lemmas += [
            rule for order in self.joined.chains.values() for rule in self._claims.of_two([order], [order], [order])
        ]
        self._lemmas = [*values, *holding(lemmas, [self.joined.facts], self._program.rules), *self._undefined()]
        self._find_invariants()

    def proved(self, is_wide: bool) -> Proved | None:
        """What is proved: by clingo where that is soon done and rules are not wide, else by provers."""
        possible = None if is_wide else closed_inputs(self.joined.before.written)
        tuples = [self.joined.before.flat.atom(atom) for atom in possible or ()]
        if tuples and self._differs_nowhere(tuples):
            return Proved(len(self.invariants), len(tuples))
        return Proved(len(self.invariants)) if self._states_alike() and self._steps_alike() else None

    def _differs_nowhere(self, tuples: Iterable[Atom]) -> bool:
        """Whether clingo finds no state that obeys the invariants and no legal move after which the games differ."""
        pairs = [pair for pair in (*self.joined.looks, *self.joined.steps) if pair[0] != pair[1]]
        given = [
            Rule(None, claim.body if claim.head is None else (*claim.body, Literal(claim.head, False)))
            for claim in (*self._legal, *plain(self.invariants))
            if claim.head is None or variables(claim.head) <= variables(*claim.body)
        ]
        differ = differences((general(one), Atom(other.name, general(one).arguments)) for one, other in pairs)
        rules = [*self._program.rules, *map(Rule, self.joined.facts), *given, *differ, MUST_DIFFER]
        text = "\n".join([*(f"{{ {atom} }}." for atom in tuples), *map(str, rules)])
        return has_stable_model(text, min(self.until, time.monotonic() + _CLINGO_S)) is False

    def _undefined(self) -> Iterator[Rule]:
        """Relations without rules have no facts."""
        pairs = itertools.chain(*self.joined.looks, *self.joined.steps)
        spoken = {*pairs, *(atom.predicate for rule in self._program.rules for atom in rule.atoms)}
        given = {*self.joined.before.state, *self.joined.before.moves, *self.joined.static}
        yield from (Rule(None, (Literal(general(each)),)) for each in sorted(spoken - given - self._program.heads))

    def _proves(
        self,
        claim: Rule,
        known: Iterable[Rule],
        together: Iterable[Rule] | None = None,
        *,
        moved: bool,
        others: Iterable[Rule] = (),
        limits: Mapping[str, int] = _LIMITS,
    ) -> bool:
        """Whether a claim is proved from what is known, by induction on its first atom's derivations where others are
        proved `together` with it. `moved`: a move is made. `others` are further rules."""
        if time.monotonic() > self.until:
            raise _NoTime
        game, program = self.joined.before, self._program.with_rules((*self._program.rules, *others))
        spoken = [*self._named, *self.joined.views, *(atom.predicate for atom in claim.atoms)]
        spoken += [_MOVES, _END, *game.moves.values(), *game.state.values()] if moved else []
        below = rules_below(program, spoken)
        theory = Theory(rules_below(program, [*spoken, *self.joined.parts({*spoken, *predicates(below)})]))
        for rule in (*self._lemmas, *((*self._legal, *self._made) if moved else ()), *known):
            theory.learn(rule)
        if together is None:
            wanted = [theory.consequence(claim)]
        else:
            wanted = [theory.obligation(claim, case, together) for case in program.defining(subject(claim))]
        return all(_is_proved(smtlib(step_problem(each, Program(), cases=True)), limits) for each in wanted)

    def _kept(self, claims: Iterable[Rule], proves: Callable[[Rule, Sequence[Rule]], bool]) -> list[Rule]:
        """What is left when each claim is dropped that does not follow from all, again and again."""
        kept, before = list(claims), -1
        while before != len(kept):
            before = len(kept)
            for claim in tuple(kept):
                if not proves(claim, kept):
                    kept.remove(claim)
        return kept

    def _find_invariants(self) -> None:
        game, claims = self.joined.before, self._claims
        start = [*game.initial, *self.joined.facts]
        models = [start, *self.states]
        derived = [each for each in self.joined.views if each.name.startswith("true_")]
        flat = rules_below(self._program, derived)
        loops = dependency_graph(flat).above(recursive_predicates(flat)) | recursive_predicates(flat)
        words = sorted({*game.state, *derived} - loops)
        values = holding(claims.values(words), models, flat.rules)
        some, linked = places(values), list(claims.linked(words))
        candidates = [
            *claims.of_one(words, [*words, *sorted(self.joined.static)], some),
            *claims.of_two(words, words, words),
        ]
        candidates += [*claims.ordered(words), *claims.beside(words, some), *(goes_on for goes_on, _, _ in linked)]
        candidates = [*values, *holding(candidates, models, flat.rules)]
        for _, together, _ in linked:
            apart = Rule(None, (*together.body[:2], Comparison("!=", *differing(together)[1:])))
            candidates += [together] if holding([apart], [start], flat.rules) else []
        self._closed = list(dict.fromkeys(closed for _, _, closed in linked))
        later = [self.joined.said_later(closed) for closed in self._closed]

        @cache
        def are_closed(known: tuple[Rule, ...]) -> bool:
            return all(self._proves(closed, known, moved=True) for closed in self._closed)

        def is_kept(claim: Rule, kept: Sequence[Rule]) -> bool:
            known, wanted = [*self._counters, *plain(kept)], [self.joined.said_later(claim)]
            if speaks_of_sets(claim):
                known += later
                if not are_closed(tuple(known)):
                    return False
                known += kept
            return all(self._proves(each, known, moved=True) for each in wanted)

        kept, counters = list(dict.fromkeys(candidates)), None
        while counters != self._counters:
            counters = self._counters = list(self._long_enough(plain(kept)))
            kept = self._kept(kept, is_kept)
            self._counters = list(self._long_enough(plain(kept)))
        self.invariants = tuple(kept)

    def _long_enough(self, known: Sequence[Rule]) -> Iterator[Rule]:
        """That counters have successors, while a move is made."""
        game, static = self.joined.before, self.joined.static
        had, has, new, ahead = (Atom(internal_name(word), (Variable("X0"),)) for word in ("had", "has", "new", "ahead"))
        done, words = set[tuple[Predicate, Predicate]](), sorted(game.state)
        counters = [each for each in words if each.arity == 1]
        for chain, counter, word in itertools.product(self.joined.chains, counters, words):
            start = [atom.arguments[0] for atom in game.initial if atom.predicate == counter]
            counts = len(start) == 1 and self.joined.kinds(counter) == self.joined.kinds(chain)[:1]
            if (chain, counter) in done or not counts:
                continue
            order = chain_of(static[chain])
            steps = len(order[order.index(start[0]) + 1 :]) if start[0] in order else 0
            for place, kind in enumerate(self.joined.kinds(word)):
                begun = {atom.arguments[place] for atom in game.initial if atom.predicate == word}
                if steps < kind.size - len(begun) or (chain, counter) in done:
                    continue
                element = with_argument(word, place, Variable("X0"), "Z")
                follows = Literal(Atom(chain.name, (Variable("Y0"), Variable("X0"))))
                defined = [
                    Rule(had, (Literal(element),)),
                    Rule(has, (Literal(self.joined.said_later(Rule(element)).conclusion),)),
                    Rule(new, (Literal(has), Literal(had, False))),
                    Rule(ahead, (Literal(general(counter, "Y")), follows)),
                ]
                moved = self.joined.said_later(Rule(general(counter))).conclusion
                wanted = [Rule(ahead, (Literal(moved),)), Rule(has, (Literal(had),)), Rule(general(new.predicate, "E"))]
                if all(self._proves(each, known, moved=True, others=defined) for each in wanted):
                    done.add((chain, counter))
                    yield Rule(Atom(chain.name, (Variable("X0"), Variable("E"))), (Literal(general(counter)),))

    def _by_derivation(self, claims: Iterable[Rule], known: Sequence[Rule], *, moved: bool) -> list[Rule]:
        """The claims on recursions that are proved by induction on derivations, those of a recursion together."""
        waiting, proved = list(claims), list[Rule]()
        while True:
            new: list[Rule] = []
            for predicate in dict.fromkeys(map(subject, waiting)):
                given = [*known, *proved, *new]

                def is_kept(claim: Rule, kept: Sequence[Rule], given: Sequence[Rule] = given) -> bool:
                    return self._proves(claim, given, kept, moved=moved)

                new += self._kept((claim for claim in waiting if subject(claim) == predicate), is_kept)
            if not new:
                return proved
            proved += new
            waiting = [claim for claim in waiting if claim not in new]

    def _states_alike(self) -> bool:
        """Whether moves, goals and end are the same in each state that obeys the invariants."""
        game, claims, views = self.joined.before, self._claims, [*self.joined.views]
        program = rules_below(self._program, [*(each for pair in self.joined.looks for each in pair), *views])
        recursive = sorted(recursive_predicates(program))
        heads = [*sorted(game.state), *sorted(self.joined.static), *dict.fromkeys((*views, *recursive))]
        about = [*claims.of_one(recursive, heads)]
        meant = [*claims.of_one([each for each in views if each not in recursive], recursive)]
        about, meant = (holding(each, self.states, program.rules) for each in (about, meant))
        self._known, size = [*plain(self.invariants)], -1
        while size != len(self._known):
            size = len(self._known)
            self._known += self._by_derivation(
                [each for each in about if each not in self._known], self._known, moved=False
            )
            self._known += self._of_linked(recursive)
            self._known += [
                each for each in meant if each not in self._known and self._proves(each, self._known, moved=False)
            ]
        return self._alike(self.joined.looks, self._known, moved=False)

    def _of_linked(self, recursive: Iterable[Predicate]) -> Iterator[Rule]:
        """What is said of linked sets, said of each recursion that is one."""
        claims = [claim for claim in self.invariants if speaks_of_sets(claim)]
        kinds = {self.joined.kinds(subject(claim))[differing(claim)[0]] for claim in claims}
        for each in recursive:
            for place in (place for place, kind in enumerate(self.joined.kinds(each)) if kind in kinds):

                def put(atom: Atom, each: Predicate = each, place: int = place) -> Atom:
                    (term,) = atom.arguments if atom.predicate == SET else (None,)
                    return with_argument(each, place, term, "S") if isinstance(term, Variable) else atom

                said = [map_atoms(claim, put) for claim in claims]
                asked = (self._proves(map_atoms(closed, put), self._known, moved=False) for closed in self._closed)
                yield from said if not {*said} <= {*self._known} and all(asked) else ()

    def _steps_alike(self) -> bool:
        """Whether the second game's next state is what it has of the first game's."""
        steady = {*self.joined.later, *self.joined.static}
        known = [*self._counters, *self._known]
        known += [
            self.joined.said_later(each) for each in self._known if all(a.predicate in steady for a in each.atoms)
        ]
        program = rules_below(self._program, itertools.chain(*self.joined.before.state.items(), *self.joined.steps))
        staying = holding(self._claims.staying(), self.moves, program.rules)
        known += [each for each in staying if self._proves(each, known, moved=True)]
        recursive, after = sorted(recursive_predicates(program)), internal_name("after")
        heads = sorted({*program.heads, *self.joined.before.state, *self.joined.parts(predicates(program))})
        theirs = [each for each in recursive if each.name.startswith(after)]
        others = [each for each in heads if each.name.startswith(after) and each not in recursive]
        about = [*self._claims.of_one(recursive, heads), *self._claims.of_two(theirs, others, theirs)]
        about += self._claims.apart(theirs, others)
        known += self._by_derivation(holding(about, self.moves, program.rules), known, moved=True)
        return self._alike(self.joined.steps, known, moved=True)

    def _alike(self, pairs: Iterable[tuple[Predicate, Predicate]], known: Sequence[Rule], *, moved: bool) -> bool:
        """Whether the relations of each pair are the same, those of moves and goals for roles; what is not proved at
        once is proved for each way to derive it."""
        atoms = ((general(one), Atom(other.name, general(one).arguments)) for one, other in pairs if one != other)
        asked = {each for pair in self.joined.looks for each in pair if each.arity}
        opened = self._program.heads - recursive_predicates(self._program) - {*self.joined.before.state.values()}

        def is_proved(left: Atom, right: Atom) -> bool:
            guard = (Literal(Atom(ROLE.name, left.arguments[:1])),) if left.predicate in asked else ()
            claim = Rule(left, (Literal(right), *guard))
            if self._proves(claim, known, moved=moved):
                return True
            cases = unfold_calls(claim, self._program, opened - {ROLE}, _CASES) or [claim]
            return all(any(self._proves(case, given, moved=moved, limits=_LAST) for given in ways) for case in cases)

        fewer = [each for each in known if each.head is None or variables(each.head) <= variables(*each.body)]
        ways = [fewer, known][len(fewer) == len(known) :]
        return all(is_proved(*pair) and is_proved(*pair[::-1]) for pair in atoms)


def _is_proved(script: str, limits: Mapping[str, int]) -> bool:
    for prover, limit in limits.items():
        bound = f"(set-option :{'rlimit' if prover == 'z3' else 'rlimit-per'} {limit})\n"
        verdict = ask_here(prover, bound + script, _EACH_S).verdict if available(prover) else "unknown"
        if verdict != "unknown":
            return verdict == "proved"
    return False
