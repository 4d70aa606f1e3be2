"""A sheet under examination: its atoms as they are written, what could be read of it, and random games, also against a
second reasoner.

Programs know the places of rules only, and no longer tell `TERMINAL` from `terminal`; a mention knows every word's.
"""

import difflib
import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp.language.expressions import Expression, Form, Word
from hexlogic.ggp.language.reading import expressions_of
from hexlogic.ggp.language.sheet import INPUTS, QUERIES, read_rules, sheet_of
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.machines.side_by_side import Difference, SideBySide
from hexlogic.language.dialects.gdl import FORMULA_WORDS, write_term
from hexlogic.language.syntax import Program, Rule, Term

RELATIONS = frozenset(predicate.name for predicate in (*INPUTS, *QUERIES))
"""The relations that GDL itself gives a meaning."""
WORDS = RELATIONS | FORMULA_WORDS
"""All words of GDL."""
ASKABLE = WORDS - {"init", "next", "base", "input", "<="}
"""Those that may stand in a body."""


def closest(name: str, known: Iterable[str], similar: float = 0.75) -> str | None:
    """The known name that is most like this one, if one is like it. It has the same letters in another order, or is the
    first by 2 * letters in common / letters of both.

    >>> closest("termnal", RELATIONS)
    'terminal'
    >>> closest("nto", WORDS)
    'not'
    """
    names = sorted(known)
    turned = [other for other in names if other != name and sorted(other) == sorted(name)]
    matches = turned or difflib.get_close_matches(name, names, n=1, cutoff=similar)
    return matches[0] if matches else None


def did_you_mean(name: str | None) -> str | None:
    """A hint, where there is a name to hint at."""
    return None if name is None else f"did you mean `{name}`?"


@dataclass(frozen=True, slots=True)
class Mention:
    """An atom where it is written: name, arguments, whether it is a head and whether it stands in parentheses."""

    word: Word
    arguments: tuple[Expression, ...]
    is_head: bool
    in_list: bool

    @property
    def name(self) -> str:
        """The name as it is compared with the words of GDL: in lower case."""
        return self.word.text.lower()


def mentions(expression: Expression) -> Iterator[Mention]:
    """The atoms of a fact or a rule, `distinct` among them, in text order; what is no atom is passed over."""
    match expression:
        case Form((Word("<="), head, *body)):
            yield from _atoms(head, True)
            for formula in body:
                yield from _atoms(formula, False)
        case _:
            yield from _atoms(expression, True)


def _atoms(expression: Expression, is_head: bool) -> Iterator[Mention]:
    match expression:
        case Form((Word() as word, *parts)) if not is_head and word.text.lower() in FORMULA_WORDS - {"distinct"}:
            for part in parts:
                yield from _atoms(part, False)
        case Word() as word if not word.text.startswith("?"):
            yield Mention(word, (), is_head, False)
        case Form((Word() as word, *parts)) if not word.text.startswith("?"):
            yield Mention(word, tuple(parts), is_head, True)


def compounds(terms: Iterable[Expression]) -> Iterator[Form]:
    """The compound terms, outermost first; `(noop)` is a constant."""
    return (term for term in lists(terms) if len(term.items) > 1)


def lists(terms: Iterable[Expression]) -> Iterator[Form]:
    """The terms in parentheses, outermost first."""
    for term in terms:
        if isinstance(term, Form):
            yield term
            yield from lists(term.items)


LONGEST = 2_000
"""Steps after which a random game counts as endless, unless a caller says otherwise."""
REASONER = "compiled"


@dataclass(frozen=True, slots=True)
class Plays:
    """How many random games are played, from which seed, by which reasoner, and how long each may be."""

    games: int = 10
    seed: int = 0
    reasoner: str = REASONER
    longest: int = LONGEST
    against: str | None = None
    """A second reasoner, asked the same in each state of such games."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game: its joint moves, the roles stuck at its end, whether it is over, and wrong goals."""

    moves: tuple[tuple[Term, ...], ...]
    stuck: tuple[Term, ...]
    over: bool
    wrong_goals: tuple[GameError, ...]


@dataclass(frozen=True, slots=True)
class SeenGames:
    """The games, the facts that were true in a state of one, and the moves that were legal, each with its role."""

    games: tuple[RandomGame, ...] = ()
    facts: frozenset[Term] = frozenset()
    legal: frozenset[tuple[Term, Term]] = frozenset()
    difference: Difference | None = None
    """The first state in which the two reasoners differ."""
    agreeing: int = 0
    """The states in which they agree."""

    @property
    def steps(self) -> int:
        """Steps in all games."""
        return sum(len(game.moves) for game in self.games)


def play(sheet: Program, plays: Plays) -> SeenGames:
    """Play random games; none follows one that does not end. Without games no machine is made. Then as many are played
    against the second reasoner, unless they differ. Raises what StateMachine.from_sheet raises."""
    games: list[RandomGame] = []
    facts: set[Term] = set()
    legal: set[tuple[Term, Term]] = set()
    draw = random.Random(plays.seed)
    if not plays.games:
        return SeenGames()
    with StateMachine.from_sheet(sheet, plays.reasoner) as machine:
        for _ in range(plays.games):
            games.append(_game(machine, draw, plays.longest, facts, legal))
            if not games[-1].over and not games[-1].stuck:
                break
        difference, agreeing = None, 0
        if plays.against is not None:
            with StateMachine.from_sheet(sheet, plays.against) as other:
                pair = SideBySide(machine, other, plays.longest)
                for _ in games:
                    difference = difference or pair.play(draw)
                agreeing = len(pair.same)
    return SeenGames(tuple(games), frozenset(facts), frozenset(legal), difference, agreeing)


def _game(
    machine: StateMachine, draw: random.Random, longest: int, facts: set[Term], legal: set[tuple[Term, Term]]
) -> RandomGame:
    """One game; what is true and legal in it is noted."""
    state = machine.initial_state
    moves: list[tuple[Term, ...]] = []
    while True:
        facts |= state.facts
        options = {role: machine.legal_moves(state, role) for role in machine.roles}
        over = machine.is_terminal(state)
        if over or len(moves) == longest:
            return RandomGame(tuple(moves), (), over, tuple(_wrong_goals(machine, state)) if over else ())
        legal |= {(role, move) for role, choices in options.items() for move in choices}
        if stuck := tuple(role for role, choices in options.items() if not choices):
            return RandomGame(tuple(moves), stuck, False, ())
        moves.append(tuple(map(draw.choice, options.values())))
        state = machine.next_state(state, moves[-1])


def _wrong_goals(machine: StateMachine, state: State) -> list[GameError]:
    """What is wrong with the goals of a state: each role needs one number from 0 to 100."""
    wrong = []
    for role in machine.roles:
        try:
            value = machine.goal(state, role)
        except GameError as error:
            wrong.append(error)
        else:
            if not 0 <= value <= 100:
                text = f"the goal of {write_term(role)} is {value} in a state"
                wrong.append(GameError(text, hint="a goal is from 0 to 100"))
    return wrong


_ARITIES = {predicate.name: predicate.arity for predicate in QUERIES}
"""The relations that rules derive, and how many arguments they have."""


@dataclass(frozen=True)
class Examined:
    """A sheet as expressions, and for each of them its rules or the error that it is."""

    file: str
    expressions: tuple[Expression, ...]
    readings: tuple[tuple[Rule, ...] | HexlogicError, ...]
    plays: Plays = field(default_factory=Plays)

    @cached_property
    def refused(self) -> tuple[HexlogicError, ...]:
        """The errors of the expressions that are no rules."""
        return tuple(error for error in self.readings if isinstance(error, HexlogicError))

    @cached_property
    def program(self) -> Program:
        """The rules that could be read."""
        return sheet_of(
            itertools.chain.from_iterable(part for part in self.readings if not isinstance(part, HexlogicError))
        )

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every atom as it is written, those of refused expressions included."""
        return tuple(mention for expression in self.expressions for mention in mentions(expression))

    @cached_property
    def read(self) -> tuple[Mention, ...]:
        """The atoms of the expressions that are rules."""
        pairs = zip(self.expressions, self.readings, strict=True)
        readable = (expression for expression, reading in pairs if not isinstance(reading, HexlogicError))
        return tuple(mention for expression in readable for mention in mentions(expression))

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of all heads, in lower case."""
        return frozenset(mention.name for mention in self.mentions if mention.is_head)

    def defining(self, name: str) -> Iterator[Rule]:
        """The rules that could be read whose head has this name."""
        return (rule for rule in self.program.rules if rule.head is not None and rule.head.name == name)

    @cached_property
    def games(self) -> SeenGames:
        """Random games. Raises HexlogicError when the reasoner cannot take the sheet."""
        return play(self.program, self.plays)

    @cached_property
    def misspelt(self) -> dict[Mention, str]:
        """The names that look misspelt, with the words of GDL that they look like.

        A head that no body uses is one when it is like a word of GDL with such arguments, and very much so where that
        word has rules too. So is a name in a body that no head has, when it is more like a word of GDL than like the
        head of any rule.
        """
        used = {mention.name for mention in self.mentions if not mention.is_head}
        meaning = cache(self._meaning)
        misspelt: dict[Mention, str] = {}
        for mention in self.mentions:
            name, is_head = mention.name, mention.is_head
            if name in WORDS or name in (used if is_head else self.defined):
                continue
            # such arguments: as many, and numbers for goals only, as `(int 0)` is a relation of its own
            numbers = any(isinstance(term, Word) and term.text.isdecimal() for term in mention.arguments)
            count = len(mention.arguments)
            fitting = frozenset(
                word for word, arity in _ARITIES.items() if arity == count and (word == "goal" or not numbers)
            )
            meant = meaning(name, fitting if is_head else None)
            if meant in WORDS:
                misspelt[mention] = meant
        return misspelt

    def _meaning(self, name: str, fitting: frozenset[str] | None) -> str | None:
        """The word that an unused or undefined name may be meant for; a head for a `fitting` word of GDL."""
        if fitting is not None:
            return closest(name, fitting - self.defined) or closest(name, fitting, similar=0.8)
        return closest(name, ASKABLE | self.defined)


def examine(text: str, file: str = "<text>", plays: Plays | None = None) -> Examined:
    """The sheet in a text. Raises RuleSyntaxError when its parentheses do not match."""
    expressions = expressions_of(text, file)
    return Examined(file, expressions, tuple(read_rules(expressions, file)), plays or Plays())
