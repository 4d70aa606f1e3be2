"""A game as flat rules about play and a first state, which moves of the search change, and as a sheet again.

    true(cell(X,Y,P)), next(cell(X,Y,P)), does(P,place(X,Y))      true_cell(X,Y,P), next_cell(X,Y,P), does_place(P,X,Y)

A state relation may come, go or change; what the players see, moves, goals and the end, may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

from hexlogic.errors import EngineError, GameError
from hexlogic.ggp.language.opened import Flattening, open_sheet, shape_of
from hexlogic.ggp.language.sheet import sheet_of
from hexlogic.ggp.language.static_facts import closed_inputs, roles_of
from hexlogic.ggp.language.types import Type, Types
from hexlogic.ggp.optimise.pipelines import assemble
from hexlogic.ggp.propnet.ground_size import small_grounding
from hexlogic.language import Atom, Predicate, Program, Rule, Symbol, Term
from hexlogic.language.analysis.dependence import dependency_graph, reachable, rules_below
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import predicates

_ENDS = (Predicate("terminal", 0), Predicate("goal", 2))
ROLE: Final = Predicate("role", 1)
_BASE: Final = Predicate("base", 1)


@dataclass(frozen=True)
class FlatGame:
    """The rules about play over flat relations, and the facts with which a game begins."""

    sheet: Program
    """The sheet that it was made from: its roles, moves and other facts."""
    flat: Flattening
    initial: frozenset[Atom]
    coupled: tuple[Rule, ...] = ()
    """Rules that derive new relations of `true` from a state of the origin, in its words."""
    origin: Origin | None = None
    """None for the sheet itself."""

    @property
    def program(self) -> Program:
        """The flat rules."""
        return self.flat.program

    @cached_property
    def state(self) -> Mapping[Predicate, Predicate]:
        """For each relation of `true` that of `next`."""
        names = self.flat.names
        return {name: names["next", shape] for (word, shape), name in names.items() if word == "true"}

    @cached_property
    def moves(self) -> Mapping[Predicate, Predicate]:
        """For each relation of `does` that of `legal`."""
        names = self.flat.names
        return {name: names["legal", shape] for (word, shape), name in names.items() if word == "does"}

    @cached_property
    def moving(self) -> frozenset[Predicate]:
        """The relations that depend on the state or the moves."""
        return dependency_graph(self.program).above(self.program.inputs)

    @cached_property
    def views(self) -> tuple[Predicate, ...]:
        """The derived relations that legal moves, goals and the end depend on, sorted."""
        asked = [predicate for predicate in self.program.queries if predicate not in self.state.values()]
        below = reachable(self.program, asked) & self.moving
        return tuple(sorted(below - set(asked) - set(self.program.inputs)))

    @cached_property
    def types(self) -> Types:
        """What the arguments of relations stand for. Raises EngineError for lists that grow."""
        facts = map(Rule, sorted(self.initial, key=str))
        pairs = [*self.state.items(), *self.moves.items()]
        same = [((left, place), (right, place)) for left, right in pairs for place in range(left.arity)]
        return Types((*self.program.rules, *facts), same)

    def kinds(self, predicate: Predicate) -> list[Type]:
        """The types of a relation's arguments."""
        return [self.types.of((predicate, place)) for place in range(predicate.arity)]

    def fresh(self, base: str) -> str:
        """A name that begins with `base` and that no relation has."""
        return next(self.names(base))

    def names(self, base: str) -> Iterator[str]:
        """All such names."""
        used = {predicate.name for predicate in (*predicates(self.program), *predicates(self.sheet))}
        return iter(fresh_names(base, used))

    def with_rules(self, rules: Iterable[Rule], names: Mapping[Predicate, Predicate] | None = None) -> FlatGame:
        """The game with other rules, and with new relations of `true` and `next`; the first state has no facts of them
        yet. State that nothing reads is dropped."""
        known = dict(self.flat.names)
        for true, following in (names or {}).items():
            name = true.name.removeprefix("true_")
            shape = (name if true.arity else Symbol(name), true.arity)
            known |= {("true", shape): true, ("next", shape): following}
        program = replace(self.program, rules=tuple(dict.fromkeys(rules)))
        needed = _needed(
            program, {known["true", shape]: known["next", shape] for word, shape in known if word == "true"}
        )
        gone = {shape for (word, shape), true in known.items() if word == "true" and true not in needed}
        known = {key: name for key, name in known.items() if key[0] not in ("true", "next") or key[1] not in gone}
        inputs = tuple(name for (word, _), name in known.items() if word in ("true", "does"))
        heads = {rule.conclusion.predicate for rule in program.rules}
        queries = [name for (word, _), name in known.items() if word in ("next", "legal")]
        program = replace(
            program,
            rules=tuple(rule for rule in program.rules if rule.conclusion.predicate in needed),
            inputs=inputs,
            queries=tuple(predicate for predicate in (*queries, *_ENDS) if predicate in heads),
        )
        initial = frozenset(atom for atom in self.initial if atom.predicate in inputs)
        return replace(self, flat=Flattening(program, known), initial=initial)

    def begun(self, rules: Sequence[Rule], true: Predicate, before: Iterable[Atom]) -> FlatGame:
        """The game that begins with those facts of a relation of `true` that the rules derive from `before`."""
        derived = least_model(Program(tuple(rules)), sorted(before, key=str))
        initial = self.initial | {atom for atom in derived if atom.predicate == true}
        return replace(self, initial=initial, coupled=tuple(dict.fromkeys((*self.coupled, *rules))))

    def meaning(self, view: Rule) -> FlatGame:
        """The game with what a new relation of it means among `coupled`, in its words."""
        below = rules_below(self.program, [atom.predicate for atom in view.atoms]).rules
        return replace(self, coupled=tuple(dict.fromkeys((*self.coupled, *below, view))))

    @cached_property
    def written(self) -> Program:
        """The game as a sheet. Raises HexlogicError where it is none."""
        states = {shape for word, shape in self.flat.names if word == "true"}
        init = [rule.conclusion for rule in self.flat.sheet(Program(tuple(map(Rule, sorted(self.initial, key=str)))))]
        played = [*self.flat.sheet(self.program), *(Rule(Atom("init", atom.arguments)) for atom in init)]
        base = [rule for rule in self.sheet.defining(_BASE) if shape_of(rule.conclusion.arguments[0]) in states]
        spoken = {shape_of(rule.conclusion.arguments[0]) for rule in base}
        if base and (new := states - spoken):
            roles = (Rule(Atom("role", (role,))) for role in roles_of(self.sheet))
            possible = closed_inputs(small_grounding(sheet_of([*played, *roles])))
            base += [
                Rule(Atom("base", atom.arguments))
                for atom in possible or ()
                if atom.name == "true" and shape_of(atom.arguments[0]) in new
            ]
        return assemble(self.sheet, [*played, *base])


@dataclass(frozen=True)
class Origin:
    """A game that is another one with other names, and what shows it."""

    before: FlatGame
    renamed: FlatGame
    is_same: Callable[[FlatGame, FlatGame], bool]


Games: TypeAlias = "tuple[FlatGame, ...]"
"""A game, and small instances of it: the same rules over fewer facts. A move changes all alike."""


def _needed(program: Program, pairs: Mapping[Predicate, Predicate]) -> frozenset[Predicate]:
    """What moves, goals and the end depend on, through the states before as well."""
    asked = {query for query in program.queries if query not in pairs.values()}
    needed = reachable(program, asked)
    while True:
        wider = reachable(program, {*asked, *(pairs[predicate] for predicate in needed if predicate in pairs)})
        if wider <= needed:
            return needed
        needed |= wider


def chain_of(atoms: Sequence[Atom]) -> Sequence[Term]:
    """The elements of a relation that is one chain `p(1,2), p(2,3)`, in order; none for any other."""
    following = {atom.arguments[0]: atom.arguments[1] for atom in atoms if len(atom.arguments) == 2}
    ends = {*following.values()}
    chain = [begin for begin in following if begin not in ends]
    if len(chain) != 1 or not len(atoms) == len(following) == len(ends):
        return []
    while chain[-1] in following:
        chain.append(following[chain[-1]])
    return chain if len(chain) == len(following) + 1 else []


def flat_game(sheet: Program) -> FlatGame:
    """A sheet as a flat game. Raises GameError where it has no role, EngineError where its terms grow, or a variable
    stands for facts of many kinds."""
    if not roles_of(sheet):
        raise GameError("the sheet names no role", hint="(role red)")
    opened = open_sheet(sheet)
    for predicate in sorted(opened.program.heads):
        for place in range(predicate.arity):
            opened.types.of((predicate, place))  # lists without end would be sampled, and ground
    if any(predicate.name in ("true", "next") for predicate in predicates(opened.program)):
        raise EngineError("a variable stands for facts of many kinds")
    facts = frozenset(opened.atom("true", fact) for fact in opened.initial)
    return FlatGame(sheet, opened.flat, facts).with_rules(opened.program.rules)
