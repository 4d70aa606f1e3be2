"""States that transition rules change move by move, with an undo: three ways for an engine to derive the next state.

`TransitionsFollower` follows a game with them: an input is a stone, adding it is the move, and the queries read the
state.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeAlias, TypeVar

from hexlogic.errors import EngineError
from hexlogic.games import Game
from hexlogic.games.rulesets.transitions import Transitions, load_transitions
from hexlogic.language import Atom, Integer, Literal, Program, Rule, Symbol, Term
from hexlogic.language.analysis.dependence import dependency_graph, rules_below
from hexlogic.language.engines import Session, load_engine
from hexlogic.language.engines.base import FactStack, StackFollower
from hexlogic.language.ground.solving import holds, least_model, to_term
from hexlogic.language.names import fresh_names
from hexlogic.language.passes.ground import PASS as GROUND
from hexlogic.language.walk import general_atom, map_atoms, rule_terms

if TYPE_CHECKING:
    import clingo

Known = TypeVar("Known")


class _Line(FactStack, Generic[Known]):
    """The states of a game so far, the present one last. A copy is independent. As a stack of stones, `owns(P,X)`
    becomes true by the move of the same arguments, and queries are answered in the present state."""

    _transitions: Transitions
    _line: list[Known]
    """What the engine knows each state by."""

    @abstractmethod
    def move(self, move: Atom) -> None:
        """Make the state after the move the present one. Raises EngineError, and the state is then as before."""

    def push(self, fact: Atom) -> None:
        self.move(Atom(self._transitions.move.name, fact.arguments))

    def pop(self) -> None:
        """Back to the state before the last move. There must be one."""
        self._line.pop()

    def truths(self, queries: Sequence[Atom]) -> int:
        return sum(1 << place for place, query in enumerate(queries) if self.holds(query))

    @abstractmethod
    def holds(self, query: Atom) -> bool:
        """Whether a ground atom follows from the present state."""

    @abstractmethod
    def facts(self) -> frozenset[Atom]:
        """The present state."""

    @abstractmethod
    def counts(self) -> list[int]:
        """How many facts each state of the line has, the first state's first."""

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__ | {"_line": list(self._line)}
        return twin

    def close(self) -> None:
        """Release the engine, for all copies; a second call does nothing. Here there is none to release."""


States: TypeAlias = _Line[int] | _Line[frozenset[Atom]]


class ProgramPart(NamedTuple):
    """A part of a clingo program: `#program name(parameters).` and its text."""

    name: str
    parameters: tuple[str, ...]
    text: str


def timed(transitions: Transitions) -> tuple[ProgramPart, ...]:
    """Transition rules for many states at once, rewritten as parts that clingo grounds one move at a time: `base`, what
    never changes; `look(new)`, what follows from one state; `step(old,new)`; and `move(...,new)`, the fact of a move.

    Each atom that may change gets one argument more, the number of its state; state 0 is in `base`.

    Before:  next_p(X) :- p(X), not hit(X).   hit(X) :- plays(X).   wins :- p(X), goal(X).   goal(7).
    After:   goal(7).
             #program step(old,new).  next_p(X,new) :- p(X,old), not hit(X,new).   hit(X,new) :- plays(X,new).
             #program look(new).      p(X,new) :- next_p(X,new).   wins(new) :- p(X,new), goal(X).

    States need not follow each other: `step(4,9)` makes state 9 out of state 4, whatever became of 5 to 8. `step` and
    `look` are ground one after the other: together they would be recursive through negation in gringo's eyes, which
    sees predicates and not numbers of states, and the atoms after a `not` would stay undecided.
    """
    program, state = transitions.program, frozenset(transitions.state)
    graph = dependency_graph(program)
    moved = graph.above([transitions.move]) | frozenset(transitions.after)
    seen = graph.above(state) - moved
    names = fresh_names("state", _symbols(program))
    old, new = (Symbol(name) for name in islice(names, 2))

    def at(atom: Atom, look: bool) -> Atom:
        if atom.predicate in state or atom.predicate in seen:
            return _with(atom, new if look else old)
        return _with(atom, new) if atom.predicate in moved else atom

    base: list[Rule] = [Rule(_with(atom, Integer(0))) for atom in sorted(transitions.first_state(), key=str)]
    # p(X0,...,new) :- next_p(X0,...,new).
    after = map(general_atom, transitions.after)
    look = [Rule(_with(transitions.becomes(atom), new), (Literal(_with(atom, new)),)) for atom in after]
    step: list[Rule] = []
    for rule in program.rules:
        if rule.head is None or rule.head.predicate in transitions.initial:
            continue
        if rule.head.predicate in moved:
            step.append(map_atoms(rule, lambda atom: at(atom, look=False)))
        elif rule.head.predicate in seen:
            look.append(map_atoms(rule, lambda atom: at(atom, look=True)))
        else:
            base.append(rule)
    parameters = tuple(islice(fresh_names("part", _symbols(program)), transitions.move.arity))
    fact = Rule(_with(Atom(transitions.move.name, tuple(map(Symbol, parameters))), new))
    return (
        ProgramPart("base", (), str(Program(tuple(base), program.constants))),
        ProgramPart("look", (new.name,), str(Program(tuple(look)))),
        ProgramPart("step", (old.name, new.name), str(Program(tuple(step)))),
        ProgramPart("move", (*parameters, new.name), f"{fact}\n"),
    )


def _with(atom: Atom, state: Term) -> Atom:
    return Atom(atom.name, (*atom.arguments, state))


def _symbols(program: Program) -> frozenset[str]:
    """The symbolic constants of a program: a parameter of the same name would replace them."""
    terms = (term for rule in program.rules for term in rule_terms(rule))
    return frozenset(term.name for term in terms if isinstance(term, Symbol)) | {name for name, _ in program.constants}


class GrownStates(_Line[int]):
    """clingo multi-shot: a move grounds the rules once more, for a state with a new number.

    clingo takes nothing back, so an undo only returns to the old number, and the memory grows with every move made
    on this line or its copies, which share the control: use them from one thread.
    """

    def __init__(self, transitions: Transitions) -> None:
        import clingo

        self._parse: Callable[[str], clingo.Symbol] = clingo.parse_term
        self._number: Callable[[int], clingo.Symbol] = clingo.Number
        self._transitions = transitions
        self._messages: list[str] = []
        self._control = clingo.Control(["--warn=none"], logger=lambda _, text: self._messages.append(text.strip()))
        self._line = [0]
        self._new = count(1)
        """The numbers of further states, of all copies."""
        try:
            for part in timed(transitions):
                self._control.add(*part)
        except RuntimeError as error:
            raise self._error(error) from None
        self._ground([("base", []), ("look", [self._number(0)])])

    def move(self, move: Atom) -> None:
        """Ground one more step."""
        state = next(self._new)
        before, after = self._number(self._line[-1]), self._number(state)
        arguments = [self._parse(str(argument)) for argument in move.arguments]
        self._ground([("move", [*arguments, after]), ("step", [before, after])])
        self._ground([("look", [after])])
        self._line.append(state)

    def _ground(self, parts: list[tuple[str, list[clingo.Symbol]]]) -> None:
        try:
            self._control.ground(parts)
        except RuntimeError as error:
            raise self._error(error) from None

    def _error(self, error: RuntimeError) -> EngineError:
        return EngineError(f"clingo: {' '.join(self._messages) or error}")

    def holds(self, query: Atom) -> bool:
        """Look the atom up: it was derived when the state was made."""
        atom = Atom(query.name, (*query.arguments, Integer(self._line[-1])))
        entry = self._control.symbolic_atoms[self._parse(str(atom))]
        return entry is not None and entry.is_fact

    def facts(self) -> frozenset[Atom]:
        """Look through the atoms of all states for those of this one."""
        number = self._number(self._line[-1])
        symbols = (symbol for symbol in self._symbols() if symbol.arguments[-1] == number)
        return frozenset(Atom(symbol.name, tuple(map(to_term, symbol.arguments[:-1]))) for symbol in symbols)

    def counts(self) -> list[int]:
        """Look through the atoms of all states, once."""
        counts = Counter(symbol.arguments[-1] for symbol in self._symbols())
        return [counts[self._number(state)] for state in self._line]

    def _symbols(self) -> Iterator[clingo.Symbol]:
        """The facts of all states, with the number of the state as the last argument."""
        for predicate in self._transitions.state:
            for entry in self._control.symbolic_atoms.by_signature(predicate.name, predicate.arity + 1):
                yield entry.symbol


class SteppedStates(_Line[frozenset[Atom]]):
    """One step at a time: the least model of the rules with the facts of the state before. Nothing is left behind."""

    def __init__(self, transitions: Transitions) -> None:
        self._transitions = transitions
        program = GROUND.apply(transitions.program)
        self._changing = rules_below(program, transitions.after)
        self._judging = rules_below(program, [transitions.query])
        self._line = [transitions.first_state()]

    def move(self, move: Atom) -> None:
        """Derive the `next_` predicates."""
        self._line.append(frozenset(map(self._transitions.becomes, self._after(move))))

    def _after(self, move: Atom) -> Iterable[Atom]:
        return least_model(self._changing, [*self._line[-1], move], only=self._transitions.after)

    def holds(self, query: Atom) -> bool:
        """Derive the query from the facts."""
        return holds(self._judging, query, self._line[-1])

    def facts(self) -> frozenset[Atom]:
        """The set itself."""
        return self._line[-1]

    def counts(self) -> list[int]:
        """The sizes of the sets."""
        return [len(state) for state in self._line]


def state_after(transitions: Transitions, stones: Iterable[Atom]) -> tuple[Atom, ...]:
    """The facts of the state after these stones, `owns(P,X)`, one after the other, sorted by their text."""
    states = SteppedStates(transitions)
    for stone in stones:
        states.push(stone)
    return tuple(sorted(states.facts(), key=str))


class AskedStates(SteppedStates):
    """Clusters, one step at a time on any engine: it answers yes or no, so each atom that could hold after a move is
    asked for. Copies share the engine's session, so use them from one thread."""

    def __init__(self, transitions: Transitions, engine: str) -> None:
        super().__init__(transitions)
        adapter = load_engine(engine)
        if reason := adapter.missing() or adapter.supports(transitions.program):
            raise EngineError(f"{engine}: {reason}")
        self._session: Session = adapter.open(GROUND.apply(transitions.program))

    def _after(self, move: Atom) -> Iterable[Atom]:
        before = self._line[-1]
        facts = [*sorted(before, key=str), move]
        return [atom for atom in _possible(before, move) if self._session.ask(facts, atom).holds]

    def holds(self, query: Atom) -> bool:
        """Ask the engine, without a move."""
        return self._session.ask(sorted(self._line[-1], key=str), query).holds

    def close(self) -> None:
        """End the engine's session."""
        self._session.close()


MERGING = "clusters-merging"


class TransitionsFollower(StackFollower):
    """States that follow a game. Copies share the engine: use them from one thread, and close the last."""

    _stack: States

    def __init__(self, states: States, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(lambda: states, inputs, queries)

    def facts(self) -> frozenset[Atom]:
        """The present state."""
        return self._stack.facts()

    def counts(self) -> list[int]:
        """How many facts the state had after each move."""
        return self._stack.counts()[1:]

    def _copied(self) -> FactStack:
        return self._stack.copy()


def cannot_follow(name: str, engine: str) -> str | None:
    """Why an engine cannot change the state of these transition rules; None when it can."""
    if engine == "clingo" or name == MERGING:
        return None
    return f"an engine that answers yes or no is too little for {name}"


def follow_transitions(
    name: str, game: Game, engine: str, inputs: Sequence[Atom], queries: Sequence[Atom]
) -> TransitionsFollower:
    """The empty board in the state of the transition rules of that name, for an engine to change. clingo keeps one
    control growing. Other engines can be asked for the clusters alone.

    Raises UnknownNameError, EngineError, and SizeError for a game that the rules do not fit.
    """
    transitions = load_transitions(name).instantiate(game)
    if reason := cannot_follow(name, engine):
        raise EngineError(reason, hint="clingo lists a state")
    states: States = GrownStates(transitions) if engine == "clingo" else AskedStates(transitions, engine)
    return TransitionsFollower(states, inputs, queries)


def _possible(state: frozenset[Atom], move: Atom) -> Iterable[Atom]:
    """What could hold after a move: each stone under the name it has and under that of the new one, and the new one."""
    player, cell = move.arguments
    names = {(stone, owner): {name, cell} for name, stone, owner in (fact.arguments for fact in state)}
    names[cell, player] = {cell}
    for (stone, owner), possible in names.items():
        yield from (Atom("next_cluster", (name, stone, owner)) for name in sorted(possible, key=str))
