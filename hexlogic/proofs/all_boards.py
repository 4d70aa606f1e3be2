"""Equivalence on the boards of all sizes: an induction proof along bridges between two rule sets.

Every claim of the bridges is proved in order, then `wins` in both directions, by induction (`induction.py`).
"""

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Hex, load_game
from hexlogic.games.rulesets import RuleSet, board_rules, load_rule_set, sized
from hexlogic.language import Literal, Predicate, Program, Rule, Symbol
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.walk import general_atom
from hexlogic.proofs.as_written import Tried
from hexlogic.proofs.bounded import LARGEST, check_lemma
from hexlogic.proofs.bridges import Bridge, Statement, bridge_path, load_bridges
from hexlogic.proofs.conditions import (
    Certificate,
    finite_integers,
    finite_terms,
    given_by,
    known_words,
    new_meanings,
    own_program,
    own_words,
    shown,
)
from hexlogic.proofs.induction import InductionStep, Theory
from hexlogic.proofs.intervals import without_equations, without_intervals
from hexlogic.proofs.joint import Joint, joint_program, same_rules
from hexlogic.proofs.question import InputSpace
from hexlogic.proofs.second_look import board_text, try_by_prolog, try_on_boards
from hexlogic.proofs.trial_boards import sized_boards


@dataclass(frozen=True, slots=True)
class Refuted:
    """A lemma is false; `note` names the sizes of a board on which it is."""

    note: str


Justify: TypeAlias = Callable[[Statement, Program, Program], str | Refuted | None]
"""A way to prove a lemma: asked with the lemma, the rules of both rule sets and the meanings, and those of the board.
It returns how the lemma was proved, such as `proved by cvc5`, that it is false, or None."""

NO_BRIDGE = "there is no bridge between them in rules/bridges"
ASSUMED = "assumed"
GIVEN = "a rule of the board"
UNUSED = "not proved, so not used"


@dataclass(frozen=True, slots=True)
class ProofSection:
    """A part of the proof with its steps: a lemma, a claim, or one direction of the conclusion.

    `justification` says why a lemma may be used: `ASSUMED`, or how it was proved. It is empty for all else. A lemma
    that only other lemmas are proved from is `UNUSED` where it is not proved.
    """

    kind: str
    statement: str
    words: str
    steps: tuple[InductionStep, ...]
    justification: str = ""

    @property
    def ok(self) -> bool:
        """Whether every step holds."""
        return all(step.ok for step in self.steps)


@dataclass(frozen=True, slots=True)
class Universal:
    """A proof for all boards, or as far as it went. `reason` says why there is none, empty when `proved`.

    `what` is what was proved, where "left and right are equal" is not the way to say it. `certificates` bound the
    integers of each program that it is about. `tried` is what came of the texts on real boards: without it nothing
    counts as proved.
    """

    left: str
    right: str
    game: str
    sections: tuple[ProofSection, ...]
    reason: str = ""
    what: str = ""
    certificates: tuple[Certificate, ...] = ()
    tried: Tried | None = None

    @property
    def proved(self) -> bool:
        """Whether every step holds, the `assumed` lemmas taken for granted, and clingo found no difference."""
        return not self.reason and self.tried is not None and not self.tried.problem

    equal = proved

    @property
    def lemmas(self) -> tuple[ProofSection, ...]:
        """The lemmas that the proof uses."""
        return tuple(section for section in self.sections if section.kind == "lemma")

    @property
    def assumed(self) -> tuple[str, ...]:
        """The names of the lemmas that the proof takes for granted, each lemma once."""
        statements = dict.fromkeys(lemma.statement for lemma in self.lemmas if lemma.justification == ASSUMED)
        return tuple(statement.partition(":")[0] for statement in statements)

    @property
    def largest(self) -> int | None:
        """The largest size of the boards that it is about: on larger ones clingo's integers may wrap."""
        return min((certificate.largest for certificate in self.certificates), default=None)

    @property
    def boards(self) -> str:
        """The boards that it is about, in words: `boards of up to 46,340 columns and rows (hex)`."""
        if not self.certificates:
            return f"boards of {self.game}" if self.game != "inputs" else "sets of input facts"
        names = sorted(self.certificates[0].names)
        size = f"{self.largest:,} {' and '.join(names)}" if len(names) > 1 else f"{names[0]} {self.largest:,}"
        return f"boards of up to {size} ({self.game})"

    def on_boards(self, sides: Sequence[Sequence[str]], numbers_of: Sequence[str]) -> "Universal":
        """The proof with what clingo makes of the texts of the `sides`; one that went wrong before as it is."""
        if self.reason:
            return self
        statements = [section.statement for section in self.sections if section.kind != "note"]
        names = (self.left, *[self.right] * (len(sides) - 1))
        tried = try_on_boards(names, sides, self.game, numbers_of, statements)
        fault = "an assumed lemma is false or the proof has a fault" if self.assumed else "the proof has a fault"
        reason = f"{fault}: {tried.problem}; please report it" if tried.ran and tried.problem else tried.problem
        return dataclasses.replace(self, tried=tried, reason=reason)

    def __str__(self) -> str:
        if not self.proved:
            return f"{self.left} and {self.right}: not proved for all boards, {self.reason or 'never run on a board'}"
        what = self.what or f"{self.left} and {self.right} are equal"
        if not self.assumed:
            return f"{what}: proved for all {self.boards}"
        count = "1 lemma" if len(self.assumed) == 1 else f"{len(self.assumed)} lemmas"
        return f"{what} on the {self.boards}: proved, assuming {count} ({', '.join(self.assumed)})"


@dataclass(frozen=True)
class AllBoards(InputSpace[RuleSet, RuleSet, Universal]):
    """The positions of every board of a game: two rule sets are compared along `bridges` (those of `rules/bridges/`). A
    lemma that `justify_lemma` does not prove is assumed. `report` is told about each section of the proof."""

    game: str = "hex"
    bridges: Sequence[Bridge] | None = None
    justify_lemma: Justify = lambda _lemma, _rules, _board: None
    report: Callable[[str], None] = lambda _: None

    def compare(self, left: RuleSet, right: RuleSet) -> Universal:
        """A proof, or the first claim that fails. Sound, not complete: a failure is no counter-example.

        What is proved is tried on real boards (`second_look.py`): after a difference nothing is. Raises HexlogicError,
        with the place, when a rule set or a bridge breaks a condition of the theorem (`conditions.py`).
        """
        proof, board = _by_bridges(left, right, self), board_text(self.game)
        if not proof.reason and any(growing_predicates(own_program(rules, self.game)) for rules in (left, right)):
            tried = try_by_prolog((left, right), self.game)
            return dataclasses.replace(proof, tried=tried, reason=tried.problem)
        return proof.on_boards(((board, left.text), (board, right.text)), (left.text, right.text))


def _by_bridges(left: RuleSet, right: RuleSet, over: AllBoards) -> Universal:
    """The proof along bridges, or why there is none; not yet tried on real boards."""
    game = over.game
    names = (shown(left), shown(right))
    programs: list[Program] = []
    for rules in (left, right):
        if rules.is_template:
            return Universal(*names, game, (), f"{rules.name} is written anew for each size; --size proves one size")
        programs.append(own_program(rules, game))
    if left.query != right.query:
        raise HexlogicError(f"{left.name} answers {left.query} and {right.name} answers {right.query}")
    if same_rules(*programs):
        note = ProofSection("note", "these are the same rules", "", ())
        certificate = finite_integers(board_rules(game), finite_terms(programs[0]))
        return Universal(*names, game, (note,), certificates=(certificate,))
    if left.name == right.name:
        hint = f"change `% name:` in {left.path.name} or {right.path.name}"
        raise HexlogicError(f"two different rule sets are called {left.name}: a bridge goes by names", hint=hint)
    given = {rules.name: rules for rules in (left, right)}
    path = bridge_path(left.name, right.name, tuple(over.bridges) if over.bridges is not None else load_bridges(game))
    if path is None:
        return Universal(*names, game, (), NO_BRIDGE)
    sections: list[ProofSection] = []
    certificates: list[Certificate] = []
    for bridge in path:
        left_rules, right_rules = (given.get(name) or load_rule_set(name) for name in (bridge.left, bridge.right))
        own_words(bridge, (left_rules, right_rules))
        joint, board = joint_rules(left_rules, right_rules, game), board_rules(game)
        program = _with_meanings(bridge, joint.program, given_by(board))
        stated = [rule for statement in bridge.statements if statement.kind != "means" for rule in statement.rules]
        lemmas = (statement.rule for statement in bridge.statements if statement.kind == "lemma")
        grows = growing_predicates(program) != growing_predicates(joint.program)
        if grows or not all(_is_about(lemma, board) for lemma in lemmas):
            finite_terms(program)  # that a class is finite is what lemmas about the rules' predicates may rest on
        certificates.append(finite_integers(board, program, stated))
        for section in sections_of(bridge, joint, board, left.query, game, over.justify_lemma):
            sections.append(section)
            over.report(f"{section.kind} {section.statement}")
            if not section.ok:
                failed = next(step for step in section.steps if not step.ok)
                where = f", for the rule {failed.case}" if failed.case else ""
                return Universal(*names, game, tuple(sections), f"the {section.kind} {section.statement} fails{where}")
    return Universal(*names, game, tuple(sections), certificates=tuple(certificates))


def _is_about(rule: Rule, board: Program) -> bool:
    return all(atom.predicate in given_by(board) for atom in rule.atoms)


def joint_rules(left: RuleSet, right: RuleSet, game: str) -> Joint:
    """Both rule sets without the board, whose predicates are the inputs of the joint program. See `joint_program`."""
    given, programs = tuple(sorted(given_by(board_rules(game)))), (own_program(rules, game) for rules in (left, right))
    return joint_program(*(dataclasses.replace(each, inputs=given, queries=()) for each in programs)).spelled()


def sections_of(
    bridge: Bridge,
    joint: Joint,
    board: Program,
    query: Predicate,
    game: str = "",
    justify: Justify = lambda _lemma, _rules, _board: None,
) -> Iterator[ProofSection]:
    """The sections of the proof along one bridge, each computed when it is asked for.

    `board` is what both texts are given; nothing is known of its inputs. A lemma is tried on the boards of `game`
    before it is proved, unless that is empty. Raises HexlogicError for a bridge that breaks a condition.
    """
    program = _with_meanings(bridge, joint.program, given_by(board))
    sizes = frozenset(Symbol(name) for name, _ in board.constants)
    given = without_intervals(board.without_constraints(), sizes)
    theory = Theory(without_equations(without_intervals(program, sizes)), sizes=sizes, given=given.rules)
    rules = dataclasses.replace(program, inputs=())
    steps_of_lemmas = {source for statement in bridge.statements for source in statement.sources}
    for statement in bridge.statements:
        if statement.kind == "means":
            yield ProofSection("meaning", " ".join(map(str, statement.rules)), statement.words, ())
            continue
        if statement.kind == "lemma":
            is_given = statement.rule in board.rules
            beside = Program() if _is_about(statement.rule, board) else rules
            ok, note = _tried_lemma(statement.rule, beside, game) if game and not is_given else (True, "")
            unproved = UNUSED if statement in steps_of_lemmas else ASSUMED
            why = GIVEN if is_given else (justify(statement, rules, board) if ok else None) or unproved
            if isinstance(why, Refuted):
                ok, note, why = False, why.note, unproved
            step = InductionStep(str(statement.rule), statement.words, "", ok, note)
            yield ProofSection("lemma", f"{statement.name}: {statement.rule}", statement.words, (step,), why)
        else:
            for rule in statement.rules:
                together = tuple(other for other in statement.rules if other is not rule)
                steps = theory.prove(rule, statement.words, together)
                yield ProofSection("claim", str(rule), statement.words, tuple(steps))
        if statement not in steps_of_lemmas:
            for rule in statement.rules:
                theory.learn(rule)
    left_query, right_query = joint.question(general_atom(query))
    for head, body in ((right_query, left_query), (left_query, right_query)):
        conclusion = Rule(head, (Literal(body),))
        yield ProofSection("conclusion", str(conclusion), "", tuple(theory.prove(conclusion)))


@functools.lru_cache(maxsize=256)
def _tried_lemma(lemma: Rule, rules: Program, game: str) -> tuple[bool, str]:
    return check_lemma(lemma, rules, boards_of(game))


def _with_meanings(bridge: Bridge, program: Program, given: frozenset[Predicate]) -> Program:
    """The joint program with the definitions of the bridge, all of whose statements are checked."""
    for statement in bridge.statements:
        known = given | program.heads
        if statement.kind == "means":
            new_meanings(statement, known, program)
            program = program.with_rules((*program.rules, *statement.rules))
        else:
            known_words(statement, known)
    return program


def boards_of(game: str) -> Iterator[tuple[Game, Program]]:
    """The rules of every board up to the largest that lemmas are checked on."""
    program, kind = board_rules(game), load_game(game)
    sides = range(1, max(LARGEST.values()) + 1)
    for board in sized_boards(kind, itertools.product(sides, repeat=2 if kind is Hex else 1)):
        yield board, sized(program, board)
