"""The search for a bridge: claims that hold on all samples, thinned to those that induction proves.

Claims of one atom come first, then those of two, about the texts' own predicates; where that is not enough, about new
ones too (`exploring.py`). A claim is proved alone where that is possible, else with others at once: what the others do
not prove is dropped, until nothing is dropped. After each round the conclusions are tried. Source: Flanagan and Leino
2001, "Houdini, an annotation assistant for ESC/Java".
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexlogic.language import Comparison, Literal, Predicate, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.parser import parse_rule
from hexlogic.language.walk import general_atom, rename_rule
from hexlogic.proofs.bridges import Statement, read_statements
from hexlogic.proofs.finding.exploring import (
    asked_of_atoms,
    claims_of_one_atom,
    claims_of_two_atoms,
    compared,
    components,
    denials,
    existential_claims,
    least_elements,
    names_apart,
    transferred,
)
from hexlogic.proofs.finding.facts import Binding, Claim, Fact, canonical, fact_of, instance, is_variable, variables_of
from hexlogic.proofs.finding.known import Case, Known, Meaning, claim_of
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.saturation import DEEPEST
from hexlogic.proofs.finding.worlds import Text, World
from hexlogic.proofs.intervals import without_equations, without_intervals

_POOL: Final = 60
"""Claims that are proved at once."""
_LAST_S: Final = 5.0
"""Seconds to see which cases are open, when the time is over."""


class Search:
    """The search for claims from which two rule sets are equal on all boards of a game."""

    def __init__(
        self,
        left: Text,
        right: Text,
        world: World,
        *,
        limit_s: float = 60.0,
        report: Callable[[str], None] = lambda _: None,
        hints: str = "",
    ) -> None:
        """`report` is told each claim that is proved; `hints` are statements of a bridge to begin with. Raises
        HexlogicError as `World.joint` does."""
        joint, board, self._world = world.joint(left, right), world.board, world
        sizes = frozenset(Symbol(name) for name, _ in board.constants)
        program = without_equations(without_intervals(joint.program, sizes))
        given = without_intervals(board.without_constraints(), sizes)
        self.known = Known(program, Samples(joint.program, world), given)
        self.known.end_s = time.process_time() + limit_s
        self.known.report = report
        one, other = joint.question(general_atom(world.query))
        ways = (other, one), (one, other)
        self.goals = tuple(canonical(Claim((fact_of(head),), (fact_of(body),))) for head, body in ways)
        recursive = recursive_predicates(program)
        self._queries = frozenset(atom.name for atom in (one, other) if atom.predicate not in recursive)
        """Queries that only conclude: no claim speaks of them."""
        names = {**joint.right.names, **joint.left.names}
        self._hints = [
            replace(statement, rules=tuple(rename_rule(rule, names) for rule in statement.rules))
            for statement in read_statements(hints)
        ]
        self.stated: dict[Claim, Rule] = {}
        """Claims of the hints, as they were written."""

    def run(self) -> bool:
        """Whether both conclusions are proved within the limit."""
        if self.refuted:
            return False
        known = self.known
        self._learn_the_given()
        self._take_hints(self._hints)
        for goal in self.goals if self._hints else ():
            self._prove(goal)
        if self._is_done:
            return True
        self._learn_single_atoms()
        self._take_hints(self._hints)
        inventions: list[Callable[[], None]] = [self._cut_queries, self._invent]
        inventions.append(lambda: self._transfer(existential_claims(known, self._names)))
        if self._compares:
            inventions[:2] = inventions[1::-1]
        self._explore()
        for invent in inventions:
            if not self._is_done:
                known.forget_meanings(self.goals)
                invent()
                self._explore()
        return self._is_done

    @property
    def refuted(self) -> tuple[Claim, ...]:
        """The conclusions that a sample refutes; of an answer that no sample has nothing is refuted."""
        samples = self.known.samples
        answered = (goal for goal in self.goals if samples.arities.get(str(goal.body[0][0])))
        return tuple(goal for goal in answered if not samples.support(goal))

    def _prove(self, claim: Claim) -> bool:
        """Learn a claim where it is proved alone."""
        uses = None if claim in self.known.learned else self.known.proof(claim, (claim,))
        if uses is not None:
            self.known.learn(claim, uses)
        return uses is not None

    @property
    def _compares(self) -> bool:
        """Whether a rule compares what two variables stand for."""
        items = (item for rule in self.known.program.rules for item in rule.body)
        return any(isinstance(item, Comparison) and isinstance(item.right, Variable) for item in items)

    @property
    def _is_done(self) -> bool:
        return all(goal in self.known.learned for goal in self.goals)

    def open_cases(self) -> Iterator[tuple[Claim, Case]]:
        """The conclusions that are not proved, each with the cases of its induction that are open."""
        self.known.end_s = time.process_time() + _LAST_S
        for goal in (goal for goal in self.goals if goal not in self.known.learned):
            for case in self.known.cases(goal, (goal,)):
                if self.known.saturated(case)[1] is None:
                    yield goal, case

    def run_with_lemmas(self) -> bool:
        """Whether both conclusions are proved where a query that denies is taken by the Hex theorem, and rules of one
        query, where those are not all, by those of the other that hold on all samples."""
        self.known.end_s = time.process_time() + _LAST_S
        for goal in [goal for goal in self.goals if goal not in self.known.learned]:
            asked, given = str(goal.head[0][0]), str(goal.body[0][0])
            for query, other in ((given, asked), (asked, given)):
                for rule in (each for each in self._defining(query) if len(each.body) == 2):
                    for lacking in (item.atom.name for item in rule.literals if not item.positive):
                        self._take_hints(hex_theorem(other, lacking))
            self._prove(goal)
        for goal in self.goals if self._world.board.heads else ():
            self._assume(goal)
        return self._is_done

    def _assume(self, goal: Claim) -> None:
        """Learn a conclusion by a lemma: what is not proved of one query's rules follows from rules of the other. What
        would say as much as the conclusion is no lemma."""
        known, (asked,), (given,) = self.known, goal.head, goal.body
        asks, says = self._bodies(asked), self._bodies(given)
        left = [body for body in says if not known.follows(Claim((asked,), body))]
        if goal in known.learned or not left or not asks:
            return
        said = self._part(given, left)
        needed = sorted(asks, key=lambda body: not known.follows(Claim((given,), body)))
        for body in list(needed):
            fewer = [other for other in needed if other is not body]
            if fewer and known.samples.support(Claim((self._part(asked, fewer),), (said,))):
                needed = fewer
        lemma = Claim((self._part(asked, needed),), (said,))
        if (len(left) < len(says) or len(needed) < len(asks)) and known.samples.support(lemma):
            words = "it holds on all samples, and no proof was found"
            known.assumed[lemma] = Statement("lemma", f"rest of {given[0]}", words, (lemma.rule,))
            known.learn(lemma)
            self._prove(Claim((asked,), lemma.head))
            self._prove(goal)

    def _part(self, query: Fact, bodies: Sequence[tuple[Fact, ...]]) -> Fact:
        """What some rules of a query say, as a predicate of its variables."""
        view = self.known.view([*map(str, query[1:])], bodies)
        self.known.define(replace(view, idea=f"a part of {query[0]}"))
        return (view.name, *query[1:])

    def _bodies(self, query: Fact) -> list[tuple[Fact, ...]]:
        """The bodies of the rules of a query in its variables; none where a head has other terms than variables."""
        claims = [claim_of(rule) for rule in self._defining(str(query[0]))]
        bodies = list[tuple[Fact, ...]]()
        for claim in claims:
            arguments = claim.head[0][1:]
            if len({part for part in arguments if is_variable(part)}) < len(query) - 1:
                return []
            names: Binding = {name: f"{name}_of" for atom in claim.body for name in variables_of(atom)}
            names |= dict(zip(map(str, arguments), query[1:], strict=True))
            bodies.append(tuple(instance(atom, names) for atom in claim.body))
        return bodies

    def _take_hints(self, hints: Iterable[Statement]) -> None:
        """Define what the hints define, assume lemmas that hold on all samples, and prove the claims that follow."""
        for statement in hints:
            claims = [claim_of(rule) for rule in statement.rules]
            self.stated.update(zip(claims, statement.rules, strict=True))
            if statement.kind == "means":
                for claim in claims:
                    self.known.define(Meaning(claim.head[0], (claim.body,)))
                    self._learn_single_atoms([str(claim.head[0][0])])
            elif statement.kind == "lemma":
                samples, claim = self.known.samples, canonical(claims[0])
                holds = samples.support(claim) if claim.head else samples.excludes(claim.body)
                if holds and claims[0] not in self.known.learned:
                    self.known.assumed[claims[0]] = statement
                    self.known.learn(claims[0])
            elif len(claims) > 1:
                self.known.prove_together(claims)
            else:
                self._prove(claims[0])

    def _defining(self, query: str) -> tuple[Rule, ...]:
        return self.known.program.defining(Predicate(query, self.known.samples.arities.get(query, 1)))

    @property
    def _names(self) -> set[str]:
        return self.known.words - self._queries

    def _learn_single_atoms(self, new: Collection[str] = ()) -> None:
        """Learn all that one atom says alone, of `new` predicates, where given."""
        known, group = self.known, list[Claim]()
        for claim in claims_of_one_atom(known, self._names, self._queries, new):
            if claim not in known.learned and not known.derived & claim.names:
                known.learn(claim)
            elif claim.body[0][0] in known.derived:
                group.append(claim)  # of those, what is learned is left out
        known.prove_together(group)

    # What the texts alone suggest

    def _cut_queries(self) -> None:
        """Define what the rules of the queries say on one side of a variable."""
        for view in components(self.known, {str(goal.body[0][0]) for goal in self.goals}):
            self.known.define(view)

    def _invent(self) -> None:
        """Define what is denied, and least values, where values are compared."""
        known = self.known
        if self._compares:
            for meaning in list(denials(known)):
                known.define(meaning)
            for smaller, least, exists in list(least_elements(known, self._names)):
                known.define(smaller)
                known.define(least)
                words = "a finite set of values that is not empty has a least one"
                known.assumed[exists] = Statement("lemma", f"least element of {least.name}", words, (exists.rule,))
                known.learn(exists)

    def _transfer(self, claims: Iterable[Claim]) -> None:
        """Learn claims of one atom with what they ask of the rules of their subject."""
        known = self.known
        for claim in dict.fromkeys(claims):
            if known.derived & claim.names and claim not in known.learned and not known.is_late:
                asked = dict.fromkeys(each for each in transferred(known, claim) if known.samples.support(each))
                known.prove_together([claim, *asked])
                self._prove(claim)

    def _learn_the_given(self) -> None:
        """Learn what the board promises of inputs, and by cases of what is given that players are apart, where rules
        write names; and each rule that compares, in the words of recursions."""
        known = self.known
        if known.names_of_kind:
            inputs = {predicate.name for predicate in self._world.board.inputs} | known.static
            for claim in existential_claims(known, inputs):
                known.learn(claim)
        for rule in self._world.board.constraints:
            if all(isinstance(item, Literal) and item.positive for item in rule.body):
                claim = canonical(claim_of(rule))
                self.stated[claim] = rule
                known.learn(claim)
                for apart in names_apart(known, claim):
                    self._prove(apart)
        for claim in compared(known):
            self._prove(claim)

    def _conclude(self) -> None:
        """Prove the conclusions: where rules write names of a kind, for each of these names alone, then by cases of
        what is given that has no others, such as `opponent(P,Q)`."""
        known = self.known
        for goal in self.goals:
            self._prove(goal)
            if goal in known.learned:
                continue
            for place, part in enumerate(goal.body[0][1:]):
                name = str(goal.body[0][0])
                names = [] if known.samples.holds(name, place, 1) else known.constants(name, place)
                for constant in names:
                    fixed: Binding = {str(part): constant}
                    self._prove(Claim((instance(goal.head[0], fixed),), (instance(goal.body[0], fixed),)))
                for given in sorted(known.given.heads) if names else ():
                    heads = [rule.conclusion.arguments for rule in known.given.defining(given)]
                    for column in range(given.arity):
                        tells_apart = all(isinstance(terms[column], Symbol) for terms in heads)
                        if tells_apart and known.samples.kind(given.name, column) == known.samples.kind(name, place):
                            atom = (given.name, *(part if n == column else f"Z{n}" for n in range(given.arity)))
                            self._prove(canonical(Claim(goal.head, (atom, *goal.body))))
            if not self._prove(goal) and self._learn_what_is_asked(goal):
                self._prove(goal)

    def _learn_what_is_asked(self, goal: Claim, deeper: bool = True) -> bool:
        """Whether a claim is new that an open case of a conclusion asks of an atom, with as little else as it needs;
        where that has open cases, what they ask comes first."""
        known, count = self.known, len(self.known.learned)
        for case in known.cases(goal, (goal,)):
            saturation, reached = known.saturated(case)
            for claim in asked_of_atoms(known, case, saturation.facts, self._queries) if reached is None else ():
                if claim in known.learned or not known.samples.support(claim):
                    continue
                if known.proof(claim, (claim,)) is not None or (deeper and self._learn_what_is_asked(claim, False)):
                    for atom in claim.body[1:]:
                        fewer = Claim(claim.head, tuple(other for other in claim.body if other != atom))
                        if known.samples.support(fewer) and known.proof(fewer, (fewer,)) is not None:
                            claim = fewer
                    self._prove(claim)
        return len(known.learned) > count

    def _explore(self) -> None:
        """Learn what one atom and two atoms say together."""
        self._learn_single_atoms()
        self._transfer(claims_of_one_atom(self.known, self._names, self._queries))
        self._conclude()
        known = self.known
        if self._is_done:
            return
        pool = [
            *(claim for claim in claims_of_one_atom(known, self._names, self._queries) if known.derived & claim.names),
            *claims_of_two_atoms(known, self._names, self._queries),
        ]
        pool = [claim for claim in dict.fromkeys(pool) if claim not in known.learned]
        count, known.deepest = -1, 1
        while count != len(known.learned) and not self._is_done and not known.is_late:
            count, left = len(known.learned), list[Claim]()
            for claim in pool if not known.is_late else ():
                uses = known.proof(claim, (claim,))
                if uses is None:
                    left.append(claim)
                elif claim.body[0][0] in known.denied or not known.follows(claim):  # denials follow by contraposition
                    known.learn(claim, uses)
            pool = left
            self._conclude()
            if count == len(known.learned):
                known.prove_together(pool[:_POOL])
        known.deepest = DEEPEST


def hex_theorem(wins: str, lacking: str) -> Iterator[Statement]:
    """A player has won exactly when the opponent cannot connect, not even with all other cells: of Hex and of Y.
    Source: Gale 1979, "The game of Hex and the Brouwer fixed-point theorem"."""
    halves = {
        "no draw": f"{wins}(P) :- opponent(P,Q), not {lacking}(Q).",
        "one winner": f":- {lacking}(Q), opponent(P,Q), {wins}(P).",
        "two players": "opponent(P,Q) :- owns(P,X).",
    }
    for name, rule in halves.items():
        yield Statement("lemma", name, "the Hex theorem", (parse_rule(rule),))
