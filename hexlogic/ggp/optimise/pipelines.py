"""A sheet after a pipeline. The passes see the rules about play, flattened, with a position of a random game and with
the invariants of the game: constraints that `prune` may use.

    :- true_cell(X,Y,S), not at(X,Y).            every fact is about a cell of the board
    :- does_mark(R,X,Y), not true_control(R).    what is done is legal, and the only rule for that needs control

The first kind is read off all facts and moves that can come up, the second off the rules for `legal`. What only `role`,
`init`, `base` and `input` need is left as it is: nobody asks for it in play.
"""

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import Flattening, flatten, open_sheet
from hexlogic.ggp.language.sheet import PLAYED, sheet_of
from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.propnet.ground_size import has_wide_rules, possible_sizes
from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Term
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import listable_predicates, reachable, rules_below
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.names import closed_names
from hexlogic.language.passes import Pipeline, Step
from hexlogic.language.passes.ground import groundable
from hexlogic.language.passes.optimise import Change, changes_of, optimise
from hexlogic.language.passes.split import PASS as SPLIT
from hexlogic.language.walk import general_atom, variables

_LONGEST = 400
"""Steps of the game in whose middle the sample position stands."""
_MOST_FACTS = 5_000
"""A relation with more facts stays a rule."""
_WIDEST = 3
"""Arguments up to which a relation is compared with what can come up."""


@dataclass(frozen=True)
class Prepared:
    """A sheet, its rules about play flattened, with their invariants, and a position of a random game."""

    sheet: Program
    flat: Flattening
    position: tuple[Atom, ...]

    def after(self, pipeline: Pipeline) -> tuple[Program, tuple[Change, ...]]:
        """The sheet after a pipeline, and what each step changed in it. Raises PipelineError."""
        program = self.flat.program
        changes: list[Change] = []
        words = {query: self.flat.kinds.get(query, (query.name,))[0] for query in program.queries}
        asked = {query: frozenset({0}) for query, word in words.items() if word in ("legal", "goal")}
        for step in pipeline.steps:
            if step.name == SPLIT.name and (sizes := self._sizes()) is not None:
                new = SPLIT.apply_by(program, sizes)
            else:
                new = optimise(program, Pipeline(_limited(step, program)), self.position, asked).program
            new = closed_names(new)
            changes += changes_of(step, self._rules(program), self._rules(new))
            program = new
        return assemble(self.sheet, self._rules(program).rules), tuple(changes)

    def _sizes(self) -> Statistics | None:
        """How many tuples relations may have over all states, for `split`; None where nothing bounds them."""
        try:
            opened = open_sheet(self.sheet)
            possible = possible_sizes(opened)
        except EngineError:
            return None
        names = {relation: self.flat.names.get(key, relation) for key, relation in opened.flat.names.items()}
        return Statistics(
            {names.get(relation, relation): size for relation, size in possible.sizes.items()},
            {(names.get(relation, relation), place): size for (relation, place), size in possible.columns.items()},
        )

    def _rules(self, program: Program) -> Program:
        """The rules as those of a sheet, without the invariants."""
        return sheet_of(rule for rule in self.flat.sheet(program) if not rule.is_constraint)


def prepare(sheet: Program, seed: int = 0) -> Prepared:
    """A sheet ready for pipelines. Raises EngineError when nobody can play it."""
    needed = reachable(sheet, [query for query in PLAYED if query in sheet.queries])
    possible = None if has_wide_rules(sheet) else closed_inputs(sheet)
    flat = flatten([rule for rule in sheet.rules if rule.head and rule.head.predicate in needed], possible)
    program = flat.program.with_rules((*flat.program.rules, *invariants(flat, possible)))
    return Prepared(sheet, replace(flat, program=program), tuple(map(flat.atom, _position(sheet, seed))))


def _position(sheet: Program, seed: int) -> list[Atom]:
    """The facts and the moves in the middle of a random game, which ends where a role cannot move."""
    draw = random.Random(seed)
    passed: list[list[Atom]] = []
    with StateMachine.from_sheet(sheet) as machine:
        state = machine.initial_state
        while len(passed) < _LONGEST and not machine.is_terminal(state):
            options = [machine.legal_moves(state, role) for role in machine.roles]
            if not all(options):
                break
            moves = [draw.choice(legal) for legal in options]
            passed.append([Atom("true", (fact,)) for fact in sorted(state.facts, key=str)])
            passed[-1] += [Atom("does", pair) for pair in zip(machine.roles, moves, strict=True)]
            state = machine.next_state(state, moves)
    return passed[len(passed) // 2] if passed else []


def _limited(step: Step, program: Program) -> tuple[Step, ...]:
    """`ground` without the relations that have very many facts; no step when there are no others."""
    if step.name != "ground" or step.option is not None:
        return (step,)
    facts = facts_of(program, groundable(program))
    few = sorted(predicate.name for predicate, atoms in facts.items() if len(atoms) <= _MOST_FACTS)
    return (Step("ground", "+".join(few)),) if few else ()


def assemble(sheet: Program, played: Sequence[Rule]) -> Program:
    """The rules about play with those that only other questions need, in the order of the sheet. Checked."""
    defined = {rule.conclusion.predicate for rule in played}
    whole = sheet_of([*played, *(rule for rule in sheet.rules if rule.conclusion.predicate not in defined)])
    rank: dict[Predicate, int] = {}
    for number, rule in enumerate(sheet.rules):
        rank.setdefault(rule.conclusion.predicate, number)
    last, placed = 0, list[tuple[int, Rule]]()
    for rule in rules_below(whole, whole.queries).rules:
        last = rank.setdefault(rule.conclusion.predicate, last)
        placed.append((last, rule))
    return check(sheet_of(rule for _, rule in sorted(placed, key=lambda pair: pair[0])))


def invariants(flat: Flattening, possible: Sequence[Atom] | None) -> tuple[Rule, ...]:
    """The constraints of a flattened sheet; the second kind only, where not all that can come up is known."""
    program = flat.program
    opened = [] if possible is None else [flat.atom(atom) for atom in possible]
    return tuple(dict.fromkeys((*_within(program, opened), *_legal(flat))))


def _within(program: Program, possible: Iterable[Atom]) -> Iterator[Rule]:
    """Arguments whose values are all in a relation that no state changes."""
    listable = listable_predicates(program)
    known = facts_of(program, sorted(predicate for predicate in listable if 0 < predicate.arity <= _WIDEST))
    values = {target: {atom.arguments for atom in tuples} for target, tuples in known.items()}
    arguments: dict[Predicate, set[tuple[Term, ...]]] = {}
    for atom in possible:
        if atom.predicate in program.inputs:
            arguments.setdefault(atom.predicate, set()).add(atom.arguments)
    for predicate, tuples in sorted(arguments.items()):
        given = general_atom(predicate)
        for target, allowed in values.items():
            for chosen in itertools.permutations(range(predicate.arity), target.arity):
                if all(tuple(terms[position] for position in chosen) in allowed for terms in tuples):
                    yield _constraint(given, Atom(target.name, tuple(given.arguments[place] for place in chosen)))


def _legal(flat: Flattening) -> Iterator[Rule]:
    """What the only rule for a legal move needs of the state."""
    for (word, shape), move in flat.names.items():
        if word == "does":
            rules = flat.program.defining(flat.names["legal", shape])
            head = rules[0].head if len(rules) == 1 else None
            if head is not None:
                for literal in rules[0].literals:
                    if literal.positive and variables(literal.atom) <= variables(head):
                        yield _constraint(Atom(move.name, head.arguments), literal.atom)


def _constraint(given: Atom, wanted: Atom) -> Rule:
    return Rule(None, (Literal(given), Literal(wanted, False)))
