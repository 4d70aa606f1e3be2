"""Where two texts are compared: on every board of a game, or on every set of input facts."""

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias, cast

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, RED, Game, Hex, Position, load_game
from hexlogic.games.boards import load_board
from hexlogic.games.rulesets import RuleSet, board_rules, position_facts, sized, win_query
from hexlogic.language import Atom, Comparison, Integer, Literal, Predicate, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.columns import ColumnKind, Columns
from hexlogic.language.constants import compare
from hexlogic.language.ground.solving import ground_size
from hexlogic.language.homomorphism import unfold_call
from hexlogic.language.walk import general_atom, rule_variables, substitute
from hexlogic.proofs.all_boards import AllBoards, Justify, Universal, joint_rules
from hexlogic.proofs.all_inputs import AllInputs, ProgramText
from hexlogic.proofs.bridges import Statement, load_bridges, read_bridge
from hexlogic.proofs.conditions import finite_integers, own_program
from hexlogic.proofs.joint import Joint, joint_program
from hexlogic.proofs.question import equal
from hexlogic.proofs.trial_boards import sized_boards

_SHAPES: Final = (
    (1, 1, 6),
    (1, 3, 8),
    (3, 1, 8),
    (2, 2, 10),
    (2, 3, 10),
    (3, 2, 10),
    (3, 3, 24),
    (4, 4, 16),
    (3, 5, 8),
    (5, 4, 8),
)
"""Rows, columns and the number of positions; a game whose boards have one size takes the rows."""
_UNIVERSES: Final = ((2, 12), (3, 20), (4, 24), (6, 24))
"""Integers that the arguments of inputs have, and the number of sets of facts."""
_STEPS: Final = 12
"""Rules of a random derivation, at most."""
_WRAPS: Final = 2**31
"""Integers from here on are none of clingo's."""
_MEASURED: Final = (100, 1.5), (10, 15.0)
"""Integers of the set of facts that costs are measured on, and facts for each; the latter where an input has three
arguments or more, so that facts meet."""
_SEEDS: Final = 10
"""Sets of facts that are drawn for it, at most."""
_ANSWERED_S: Final = 10.0
"""Seconds to see whether there is an answer from one."""


Text: TypeAlias = RuleSet | ProgramText
"""Rules with a name."""


class World(ABC):
    """The inputs of the texts that a search compares, and how a proof about them is checked."""

    query: Predicate
    board: Program
    """The rules that are given; its inputs are what every text may read."""

    @cached_property
    def given(self) -> frozenset[Predicate]:
        """The predicates that no text defines."""
        return self.board.heads | frozenset(self.board.inputs)

    @property
    def names(self) -> frozenset[str]:
        """The names of these."""
        return frozenset(predicate.name for predicate in self.given)

    @abstractmethod
    def read(self, name: str, rules: Program) -> Text:
        """Rules of a search as a text of this world."""

    @abstractmethod
    def program(self, text: Text) -> Program:
        """The rules of a text without those that are given. Raises HexlogicError for a text that proofs refuse."""

    @abstractmethod
    def joint(self, left: Text, right: Text) -> Joint:
        """Both texts side by side, in names that a text can spell. Raises HexlogicError."""

    @abstractmethod
    def instances(self, chance: random.Random) -> Iterator[tuple[Program, list[Sequence[Atom]]]]:
        """What is given, in several sizes, with random sets of input facts for each."""

    @cached_property
    def _sampled(self) -> list[tuple[Program, list[Sequence[Atom]]]]:
        return [*self.instances(random.Random(0))]

    def sampled(self, seed: int) -> Iterator[tuple[Program, list[Sequence[Atom]]]]:
        """The `instances` of a seed; those of 0, which a search asks for with each program, are drawn once."""
        return self.instances(random.Random(seed)) if seed else iter(self._sampled)

    @abstractmethod
    def prove(self, left: Text, right: Text, bridge: str) -> Universal:
        """The proof along a bridge; nothing of the search is trusted by it."""

    @abstractmethod
    def measured(self, text: Text) -> tuple[Program, Sequence[Atom]]:
        """The program and the facts on which costs are compared."""

    def lemmas(self) -> Iterator[Statement]:
        """Statements about what is given that are known to be provable."""
        yield from ()


@dataclass(frozen=True)
class BoardWorld(World):
    """Every position of every board of a game; texts are rule sets."""

    game: str = "hex"
    justify_lemma: Justify = lambda _lemma, _rules, _board: None
    query: Predicate = field(default=win_query(RED).predicate, init=False)

    @cached_property
    def board(self) -> Program:  # type: ignore[override]  # computed where others store it
        """The rules of the board."""
        return board_rules(self.game)

    def read(self, name: str, rules: Program) -> RuleSet:
        """A rule set of these rules."""
        return RuleSet.from_text(_text(rules, self.query), name, games=self.game)

    def program(self, text: Text) -> Program:
        """The rules of a rule set without those of the board: numbers that grow have no samples."""
        rules = cast(RuleSet, text)
        program = own_program(rules, self.game)
        try:
            finite_integers(self.board, program)
        except HexlogicError as error:
            raise error.at(file=rules.path.name) from None
        return replace(program, queries=(self.query,))

    def joint(self, left: Text, right: Text) -> Joint:
        """Both rule sets beside the board."""
        for text in (left, right):
            self.program(text)
        return joint_rules(cast(RuleSet, left), cast(RuleSet, right), self.game)

    def instances(self, chance: random.Random) -> Iterator[tuple[Program, list[Sequence[Atom]]]]:
        """Small boards with random positions; in every other one a player has a chain as well."""
        kind, counts = load_game(self.game), dict[Game, int]()
        for *shape, count in _SHAPES:
            for board in sized_boards(kind, [tuple(shape) if kind is Hex else (shape[0],)]):
                counts.setdefault(board, count)
        for board, count in counts.items():
            yield sized(self.board, board), [_stones(board, chance) for _ in range(count)]

    def prove(self, left: Text, right: Text, bridge: str) -> Universal:
        """The proof for all boards."""
        over = AllBoards(self.game, (read_bridge(bridge, "found.lp"),), self.justify_lemma)
        return equal(cast(RuleSet, left), cast(RuleSet, right), over)

    def measured(self, text: Text) -> tuple[Program, Sequence[Atom]]:
        """On `difficult-1`; in other games on a board of size 7 that is half full."""
        position = load_board("difficult-1").position
        if self.game != Hex.name:
            board, chance = load_game(self.game).of_size(7), random.Random(0)
            cells = [cell for cell in board.cells if chance.random() < 0.5]
            red = frozenset(cell for cell in cells if chance.random() < 0.7)
            position = Position(board, red, frozenset(cells) - red)
        return cast(RuleSet, text).instantiate(position.game), position_facts(position)

    def lemmas(self) -> Iterator[Statement]:
        """The lemmas about the board that the shipped bridges prove."""
        stated = (statement for bridge in reversed(load_bridges(self.game)) for statement in bridge.statements)
        return (statement for statement in stated if statement.kind == "lemma")


@dataclass(frozen=True)
class InputWorld(World):
    """Every set of facts of the inputs of a program, which are all that nothing is known of."""

    source: ProgramText
    justify_lemma: Justify = lambda _lemma, _rules, _board: None

    @cached_property
    def board(self) -> Program:  # type: ignore[override]
        """The inputs alone."""
        return Program((), (), self.source.program.inputs)

    @cached_property
    def query(self) -> Predicate:  # type: ignore[override]
        """The only predicate that the program shows."""
        return self.source.program.queries[0]

    def read(self, name: str, rules: Program) -> ProgramText:
        """The rules with the program's inputs and query."""
        inputs = "".join(f"#defined {predicate}.\n" for predicate in self.board.inputs)
        return ProgramText(name, f"{inputs}{_text(rules, self.query)}")

    def program(self, text: Text) -> Program:
        """The rules of a text."""
        return cast(ProgramText, text).program

    def joint(self, left: Text, right: Text) -> Joint:
        """Both programs side by side."""
        return joint_program(*(replace(self.program(text), queries=()) for text in (left, right))).spelled()

    def instances(self, chance: random.Random) -> Iterator[tuple[Program, list[Sequence[Atom]]]]:
        """Sets of facts over integers and the constants of the program, from none to dense ones."""
        for size, count in _UNIVERSES:
            random_facts = [self._facts(chance, size, chance.random() ** 2 * 3) for _ in range(count)]
            yield self.board, [*random_facts, *(self._derivation(chance, size) for _ in range(count // 2))]

    def _derivation(self, chance: random.Random, size: int) -> list[Atom]:
        """The facts at the leaves of a random derivation of an answer, over the program's constants and integers, which
        differ as long as there are some."""
        program = self.source.program
        rule = Rule(None, (Literal(general_atom(self.query)),))
        for _ in range(_STEPS + 1):
            calls = (item for item in rule.literals if item.positive and item.atom.predicate in program.heads)
            if (call := next(calls, None)) is None:
                break
            ways = [way for each in program.defining(call.atom.predicate) if (way := unfold_call(rule, call, each))]
            if not ways:
                break
            rule = chance.choice(ways)
        different = chance.sample(range(1, size + 1), size)
        names = sorted(rule_variables(rule), key=str)
        values: dict[Variable, Term] = dict(zip(names, map(Integer, itertools.cycle(different)), strict=False))
        for item in (each for each in rule.body if isinstance(each, Comparison)):
            ends = item.left, item.right
            for variable, bound in (ends, ends[::-1]):
                if isinstance(variable, Variable) and isinstance(bound, Integer):
                    for near in _near(bound):
                        if compare(item.operator, *(near if term == variable else term for term in ends)):
                            values[variable] = near
        leaves = [item.atom for item in substitute(rule, values).literals if item.positive]
        return [atom for atom in dict.fromkeys(leaves) if atom.predicate in self.board.inputs]

    def _facts(self, chance: random.Random, size: int, degree: float) -> list[Atom]:
        """Facts of each input: about `degree` for each value of its first argument."""
        facts, kinds, names = [], Columns(self.source.program), dict[int, list[Term]]()
        for number, rule in enumerate(self.source.program.rules):
            columns_of = ((kinds.kinds(atom.predicate), atom.arguments) for atom in rule.atoms)
            written = [pair for each in columns_of for pair in zip(*each, strict=True)]
            for place, item in enumerate(rule.body):
                for side in (item.left, item.right) if isinstance(item, Comparison) else ():
                    near = _near(side) if isinstance(side, Integer) else ()
                    written += [(kinds.compared(number, place), term) for term in near]
            for kind, term in written:
                if isinstance(term, Integer | Symbol) and term not in names.setdefault(kind.number, []):
                    names[kind.number].append(term)
        for predicate in self.board.inputs:
            columns = [_values(kind, size, names) for kind in kinds.kinds(predicate)]
            wanted = max(1, len(columns[0]) * degree) if predicate.arity > 1 else chance.uniform(0, size)
            drawn = {tuple(map(chance.choice, columns)) for _ in range(round(wanted) if columns else 1)}
            facts += [Atom(predicate.name, terms) for terms in sorted(drawn, key=str)]
        return facts

    def prove(self, left: Text, right: Text, bridge: str) -> Universal:
        """The proof for all sets of input facts."""
        over = AllInputs(read_bridge(bridge, "found.lp"), self.justify_lemma)
        return equal(cast(ProgramText, left), cast(ProgramText, right), over)

    @cached_property
    def _measured(self) -> list[Atom]:
        """The first of some random sets of facts from which there is an answer, or where that takes long to see."""
        measured = _MEASURED[any(predicate.arity > 2 for predicate in self.board.inputs)]
        drawn = [self._facts(random.Random(seed), *measured) for seed in range(_SEEDS)]
        solved = ((facts, ground_size(self.source.program, facts, _ANSWERED_S)) for facts in drawn)
        return next((facts for facts, size in solved if size is None or size.shown), drawn[0])

    def measured(self, text: Text) -> tuple[Program, Sequence[Atom]]:
        """On a random set of facts."""
        return self.program(text), self._measured


def _near(bound: Integer) -> Iterator[Integer]:
    """The integers about one that a rule compares with, of those that clingo has."""
    numbers = (bound.value + step for step in (0, -1, 1))
    return (Integer(number) for number in numbers if abs(number) < _WRAPS)


def _values(kind: ColumnKind, size: int, names: Mapping[int, list[Term]]) -> list[Term]:
    """Integers up to a size and those of the program, and as often the names that it has in such a column."""
    written = names.get(kind.number, [])
    symbols = [term for term in written if isinstance(term, Symbol)]
    often = max(1, size // max(1, len(symbols)))
    integers = dict.fromkeys([*written, *map(Integer, range(1, size + 1))])
    return [*symbols * often, *(term for term in integers if term not in symbols)]


def _text(rules: Program, query: Predicate) -> str:
    return "\n".join([*map(str, rules.rules), "", f"#show {query}.", ""])


def _stones(board: Game, chance: random.Random) -> list[Atom]:
    """Stones of random density; in every other position a player has a chain as well."""
    density, share = chance.random(), chance.random()
    owners: dict[int, str] = {
        cell: PLAYERS[0] if chance.random() < share else PLAYERS[1] for cell in board.cells if chance.random() < density
    }
    if chance.random() < 0.5:
        player = chance.choice(PLAYERS)
        stones = frozenset(cell for cell in board.cells if chance.random() < 0.8)
        owners |= dict.fromkeys(board.winning_stones(stones, player) or (), player)
    return [Atom("owns", (Symbol(player), Integer(cell))) for cell, player in owners.items()]
