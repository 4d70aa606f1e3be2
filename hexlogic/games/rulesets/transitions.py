"""Read transition rules, which say how a state changes with a move: one set per file of `rules/transitions/`.

A file has the header of a rule set and two keys more: `state`, the names of the predicates that hold before a move,
and `move`, the predicate of the move. `next_NAME` is what holds after it, and `initial_NAME`, where it is defined,
what holds before the first one. The query reads one state. So no such file is a rule set for a single position.
"""

import functools
from dataclasses import dataclass

from hexlogic.errors import RuleSyntaxError, UnknownNameError
from hexlogic.games import Game
from hexlogic.games.rulesets import REQUIRED, RuleSet, read_header, rule_files, rule_set_of
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse_predicate
from hexlogic.process.files import read_text, rules_folder

_AFTER, _INITIAL = "next_", "initial_"


@dataclass(frozen=True)
class Transitions:
    """Transition rules for one board: the program, the predicates of its state, of its move and of its query."""

    program: Program
    state: tuple[Predicate, ...]
    move: Predicate
    query: Predicate

    @property
    def after(self) -> tuple[Predicate, ...]:
        """The predicates of the state after the move, in the order of `state`."""
        return tuple(Predicate(_AFTER + predicate.name, predicate.arity) for predicate in self.state)

    def becomes(self, atom: Atom) -> Atom:
        """`next_p(...)` or `initial_p(...)` as the `p(...)` of the state it describes."""
        return Atom(atom.name.removeprefix(_AFTER).removeprefix(_INITIAL), atom.arguments)

    @property
    def initial(self) -> tuple[Predicate, ...]:
        """The predicates that define what holds before the first move."""
        named = (Predicate(_INITIAL + predicate.name, predicate.arity) for predicate in self.state)
        return tuple(predicate for predicate in named if self.program.defining(predicate))

    def first_state(self) -> frozenset[Atom]:
        """What holds before the first move."""
        atoms = least_model(self.program, only=self.initial) if self.initial else ()
        return frozenset(map(self.becomes, atoms))


@dataclass(frozen=True)
class TransitionSet:
    """The transition rules of a file, with what its header says of them (`rules`)."""

    rules: RuleSet
    state: tuple[str, ...]
    move: Predicate

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.rules.name

    def instantiate(self, game: Game) -> Transitions:
        """The rules for this board. Raises as `RuleSet.instantiate`, and RuleSyntaxError for another state."""
        program = self.rules.instantiate(game)
        heads = {rule.head.predicate: None for rule in program.rules if rule.head is not None}
        derived = {head.name.removeprefix(_AFTER): head.arity for head in heads if head.name.startswith(_AFTER)}
        if set(derived) != set(self.state):
            wanted = ", ".join(_AFTER + name for name in self.state)
            raise RuleSyntaxError(f"the rules must derive {wanted} and no other state", file=self.rules.path.name)
        state = tuple(Predicate(name, derived[name]) for name in self.state)
        return Transitions(program, state, self.move, self.rules.query)


def transition_names() -> tuple[str, ...]:
    """The names of all sets of transition rules, sorted."""
    return tuple(rule_files(rules_folder() / "transitions"))


@functools.lru_cache(maxsize=16)
def load_transitions(name: str) -> TransitionSet:
    """The transition rules of that name. Raises UnknownNameError, and RuleSyntaxError when the header is wrong."""
    path = rule_files(rules_folder() / "transitions").get(name)
    if path is None:
        raise UnknownNameError.among("set of transition rules", name, list(transition_names()))
    text = read_text(path)
    header = read_header(text, path.name, (*REQUIRED, "state", "move"))
    state = tuple(part.strip() for part in header["state"].split(","))
    return TransitionSet(rule_set_of(path, text, header), state, parse_predicate(header["move"]))
