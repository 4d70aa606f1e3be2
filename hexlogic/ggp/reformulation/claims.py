"""Sentences that may hold of all states of a game, by the types of arguments alone; and whether they do in examples.

'equal'(X0,Y0) :- on(X0,X1), on(Y0,X1).               a value: one X0 for each X1
part(E0,X1) :- on(X0,X1).                             one atom has another, E0 where a value is determined
on(Y1,X1) :- part(X0,X1), owner(X0,Y1).               two atoms have another, or cannot be
on(Y,E0) :- on(X0,X1), next(Y,X0).                    what is beside it in a chain is there too
linked(Y0) :- linked(X0), added(Y0).                  where one element is linked, all that are added are
'before'after(X0,Y0) :- owner(X0,X1), time(Y0).       what comes before in a chain
part(K0,X) :- part(K0,Z), on(P,Z), near(Z,X), on(P,X).      a relation goes on where a recursion does
'set'(X) :- part(K0,X), part(K0,Z), 'set'(Z).               what is in one part is linked: in each set
                                                            that goes on where the recursion does
"""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexlogic.ggp.language.types import Type
from hexlogic.ggp.reformulation.flat_game import ROLE
from hexlogic.ggp.reformulation.joined import Joined
from hexlogic.language import Atom, BodyLiteral, Comparison, Integer, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom as general
from hexlogic.language.walk import substitute, variables

SET: Final = Predicate(internal_name("set"), 1)
Places: TypeAlias = "frozenset[tuple[Predicate, int]]"
"""Arguments that all others determine."""

_BAD: Final = Predicate(internal_name("bad"), 1)


def with_argument(predicate: Predicate, place: int, term: Variable, letter: str) -> Atom:
    """The general atom with one variable given."""
    arguments = general(predicate, letter).arguments
    return Atom(predicate.name, (*arguments[:place], term, *arguments[place + 1 :]))


@dataclass(frozen=True)
class Claims:
    """Candidates over the relations of two games."""

    joined: Joined

    def _typed(self, atom: Atom) -> dict[Variable, Type]:
        return dict(zip(atom.arguments, self.joined.kinds(atom.predicate), strict=True))  # type: ignore[arg-type]

    def values(self, words: Iterable[Predicate]) -> Iterator[Rule]:
        """All other arguments determine one."""
        for word in words:
            for place, term in enumerate(general(word).arguments):
                two = with_argument(word, place, Variable("Y"), "X")
                yield Rule(None, (Literal(general(word)), Literal(two), Comparison("!=", term, Variable("Y"))))

    def _heads(self, heads: Iterable[Predicate], given: Mapping[Variable, Type], some: Places) -> Iterator[Atom]:
        """Atoms with different arguments of those given, one of the places `some` left open."""
        for head in heads:
            kinds = self.joined.kinds(head)
            for free in (-1, *(place for place in range(head.arity) if (head, place) in some)):
                choices = [
                    [Variable("E")] if place == free else [name for name, each in given.items() if each is kind]
                    for place, kind in enumerate(kinds)
                ]
                for terms in itertools.product(*choices):
                    if len({*terms}) == len(terms):
                        yield Atom(head.name, terms)

    def of_one(
        self, words: Iterable[Predicate], heads: Collection[Predicate], some: Places = frozenset()
    ) -> Iterator[Rule]:
        """What an atom has; that there is an atom."""
        for word in words:
            one = general(word)
            if word.arity == 1 and (word, 0) in some:
                yield Rule(Atom(word.name, (Variable("E"),)))
            for head in self._heads(heads, self._typed(one), some):
                known = zip(head.arguments, one.arguments, strict=False)
                again = head.predicate == word and all(term in (Variable("E"), other) for term, other in known)
                if variables(head) & variables(one) and not again:
                    yield Rule(head, (Literal(one),))

    def of_two(
        self, words: Iterable[Predicate], others: Collection[Predicate], heads: Collection[Predicate]
    ) -> Iterator[Rule]:
        """What two atoms with a variable in common have of both, and that they cannot be."""
        words = list(words)
        for word, second in itertools.product(words, others):
            one = general(word)
            if second < word and second in words:
                continue
            for place, kind in enumerate(self.joined.kinds(second)):
                for term, other in self._typed(one).items():
                    two = with_argument(second, place, term, "Y")
                    if kind is other and two != one:
                        yield Rule(None, (Literal(one), Literal(two)))
                        for head in self._heads(heads, self._typed(one) | self._typed(two), frozenset()):
                            if head != one and head != two and variables(head) & variables(two) - {term}:
                                yield Rule(head, (Literal(one), Literal(two)))

    def apart(self, words: Iterable[Predicate], others: Iterable[Predicate]) -> Iterator[Rule]:
        """Where one element is of the first relation, all of another one are."""
        for word, other in itertools.product(words, others):
            if word.arity == other.arity == 1 and self.joined.kinds(word) == self.joined.kinds(other):
                two = general(other, "Y")
                yield Rule(Atom(word.name, two.arguments), (Literal(general(word)), Literal(two)))

    def ordered(self, words: Collection[Predicate]) -> Iterator[Rule]:
        """What comes before the element of another relation."""
        for order, word, last in itertools.product(self.joined.chains.values(), words, words):
            one, two = general(word), general(last, "Y")
            given = self._typed(one) | self._typed(two)
            for head in self._heads([order], given, frozenset()):
                if last.arity == 1 and word != last and head.arguments[1] == two.arguments[0]:
                    yield Rule(head, (Literal(one), Literal(two)))

    def staying(self) -> Iterator[Rule]:
        """What stays in the state: all of a relation, or what has an argument in a static one."""
        sets = [each for each in self.joined.static if each.arity == 1]
        for true, following in sorted(self.joined.before.state.items()):
            now, kinds = general(true), self.joined.kinds(true)
            pairs = itertools.product(zip(now.arguments, kinds, strict=True), sets)
            inside = [
                Literal(Atom(each.name, (term,))) for (term, kind), each in pairs if self.joined.kinds(each)[0] is kind
            ]
            for guard in ((), *((each,) for each in inside)):
                yield Rule(Atom(following.name, now.arguments), (Literal(now), *guard))

    def beside(self, words: Iterable[Predicate], some: Places) -> Iterator[Rule]:
        """That what comes next to an element in a chain is there too: below each disc lies another one."""
        for word, chain in itertools.product(words, self.joined.chains):
            for place, kind in enumerate(self.joined.kinds(word)):
                term, other = Variable(f"X{place}"), Variable("Y")
                free = (Variable("E") if (word, n) in some else each for n, each in enumerate(general(word).arguments))
                head = Atom(word.name, tuple(other if n == place else each for n, each in enumerate(free)))
                for ends in ((other, term), (term, other)) if kind is self.joined.kinds(chain)[0] else ():
                    yield Rule(head, (Literal(general(word)), Literal(Atom(chain.name, ends))))

    def ends(self) -> Iterator[Rule]:
        """That nothing comes before or after an element of a chain."""
        for chain in self.joined.chains:
            for element in self.joined.kinds(chain)[0].constants:
                yield Rule(None, (Literal(Atom(chain.name, (element, Variable("X")))),))
                yield Rule(None, (Literal(Atom(chain.name, (Variable("X"), element))),))

    def legal_moves(self) -> Iterator[Rule]:
        """What is done is legal, and no role makes two moves."""
        moves = self.joined.before.moves
        for does, legal in sorted(moves.items()):
            one = general(does)
            yield Rule(Atom(legal.name, one.arguments), (Literal(one),))
            yield Rule(Atom(ROLE.name, one.arguments[:1]), (Literal(one),))
            for other in sorted(moves):
                two = Atom(other.name, (*one.arguments[:1], *general(other, "Y").arguments[1:]))
                if does < other:
                    yield Rule(None, (Literal(one), Literal(two)))
                for left, right in zip(one.arguments[1:], two.arguments[1:], strict=True) if does == other else ():
                    yield Rule(None, (Literal(one), Literal(two), Comparison("!=", left, right)))

    def links(self) -> Iterator[tuple[Type, Variable, Variable, tuple[BodyLiteral, ...]]]:
        """Where a recursion over states goes on from one term to another: the type, both, and the rest of the body, the
        relations of the state that it asks of the second term asked of the first one as well."""
        looks = [each for pair in self.joined.looks for each in pair]
        program = rules_below(self.joined.program, [*looks, *self.joined.views])
        known = {*self.joined.later, *self.joined.static}
        for rule in program.rules:
            head = rule.conclusion
            again = [item for item in rule.literals if item.atom.predicate == head.predicate]
            others = {item.atom.predicate for item in rule.literals if item not in again}
            if len(again) != 1 or not again[0].positive or not others <= known:
                continue
            pairs = list(zip(again[0].atom.arguments, head.arguments, strict=True))
            differ = [place for place, (one, other) in enumerate(pairs) if one != other]
            source, target = pairs[differ[0]] if len(differ) == 1 else (None, None)
            if isinstance(source, Variable) and isinstance(target, Variable):
                rest = tuple(item for item in rule.body if item != again[0])
                asked = [
                    item
                    for item in rule.literals
                    if item.atom.predicate not in self.joined.static and target in variables(item) <= variables(head)
                ]
                of_first = substitute(Rule(None, tuple(asked)), {target: source}).body
                if asked and all(item.positive for item in asked):
                    yield self.joined.kinds(head.predicate)[differ[0]], source, target, (*of_first, *rest)

    def linked(self, words: Collection[Predicate]) -> Iterator[tuple[Rule, Rule, Rule]]:
        """For each link and relation: that it goes on; that what is in one is linked; which sets are meant."""
        for kind, source, target, link in self.links():
            inside, also = (Literal(Atom(SET.name, (term,))) for term in (source, target))
            for word in words:
                for place, other in enumerate(self.joined.kinds(word)):
                    if other is kind:
                        one, two = (with_argument(word, place, term, "K") for term in (source, target))
                        together = Rule(also.atom, (Literal(one), Literal(two), inside))
                        yield Rule(two, (Literal(one), *link)), together, Rule(also.atom, (inside, *link))


def speaks_of_sets(claim: Rule) -> bool:
    """Whether a claim is about any set that is linked."""
    return any(atom.predicate == SET for atom in claim.atoms)


def subject(claim: Rule) -> Predicate:
    """The relation of a claim's first literal."""
    return next(iter(claim.literals)).atom.predicate


def plain(claims: Iterable[Rule]) -> list[Rule]:
    """The claims that do not speak of sets."""
    return [claim for claim in claims if not speaks_of_sets(claim)]


def differing(claim: Rule) -> tuple[int, Variable, Variable]:
    """The first place in which the first two atoms of a claim differ, and what stands there."""
    one, two, *_ = (literal.atom.arguments for literal in claim.literals)
    pairs = enumerate(zip(one, two, strict=True))
    return next((place, *pair) for place, pair in pairs if pair[0] != pair[1])  # type: ignore[return-value]


def places(values: Iterable[Rule]) -> Places:
    """The arguments that claims of `Claims.values` determine."""
    return frozenset((subject(claim), differing(claim)[0]) for claim in values)


def holding(claims: Iterable[Rule], models: Iterable[Iterable[Atom]], rules: Iterable[Rule] = ()) -> list[Rule]:
    """The claims that hold in each of the models, to which the rules add."""
    left = list(dict.fromkeys(claims))
    for facts in models:
        broken = [*rules]
        for number, claim in enumerate(left):
            bad = Atom(_BAD.name, (Integer(number),))
            if claim.head is None:
                broken.append(Rule(bad, claim.body))
                continue
            bound = (term for term in claim.head.arguments if term in variables(*claim.body))
            has = Atom(internal_name("has"), (Integer(number), *bound))
            broken += [Rule(has, (Literal(claim.head),)), Rule(bad, (*claim.body, Literal(has, False)))]
        gone = (
            {atom.arguments[0] for atom in least_model(Program(tuple(broken)), facts, only=[_BAD])} if left else set()
        )
        left = [claim for number, claim in enumerate(left) if Integer(number) not in gone]
    return left
