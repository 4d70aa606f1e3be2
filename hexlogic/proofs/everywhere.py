"""Equivalence on all boards at once: along bridges for two rule sets, rule by rule for what a pass has made.

Two rule sets: every claim of the bridges between them, then `wins` in both directions, by induction (`induction.py`).
A pass: uniform equivalence, each rule of one side derived by the other side's rules from its own frozen body. That
says more than equal answers: equal for whatever the other predicates may be.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.logic import Integer, Program, Rule
from hexlogic.logic.parser import parse
from hexlogic.logic.walk import rename_rule
from hexlogic.proofs.bridges import Bridge, Statement, bridge_path, load_bridges
from hexlogic.proofs.induction import Step, Theory
from hexlogic.proofs.lemmas import LARGEST, check_lemma
from hexlogic.resources import rules_folder
from hexlogic.rulesets import RuleSet, load_rule_set

__all__ = ["Section", "Universal", "prove_for_all_boards"]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the proof with its steps: a lemma, a claim, or one direction of the conclusion."""

    kind: str
    statement: str
    words: str
    steps: tuple[Step, ...]

    @property
    def ok(self) -> bool:
        """Whether every step holds."""
        return all(step.ok for step in self.steps)


@dataclass(frozen=True, slots=True)
class Universal:
    """A proof for all boards, or as far as it went. `reason` says why there is none, empty when `proved`."""

    left: str
    right: str
    game: str
    sections: tuple[Section, ...]
    reason: str = ""

    @property
    def proved(self) -> bool:
        """Whether every step holds."""
        return not self.reason

    @property
    def lemmas(self) -> tuple[Section, ...]:
        """What the proof takes for granted."""
        return tuple(section for section in self.sections if section.kind == "lemma")

    def __str__(self) -> str:
        if self.proved:
            return f"{self.left} and {self.right} are equal: proved for all boards of {self.game}"
        return f"{self.left} and {self.right}: not proved for all boards, {self.reason}"


def prove_for_all_boards(
    left: RuleSet,
    right: RuleSet,
    *,
    game: str = "hex",
    bridges: Sequence[Bridge] | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Universal:
    """Prove that two rule sets agree on every board of the game, along `bridges` (those of `rules/bridges/`).

    Stops at the first claim that fails, and names it. Sound, not complete: a failure is no counter-example.
    """
    names = (left.name, right.name)
    for rules in (left, right):
        if rules.is_template:
            reason = f"{rules.name} is written anew for each size; --size proves one size"
            return Universal(*names, game, (), reason)
    given = {rules.name: rules for rules in (left, right)}
    if left.name == right.name and left.text == right.text:
        return Universal(*names, game, (Section("note", "these are the same rules", "", ()),))
    path = bridge_path(*names, tuple(bridges) if bridges is not None else load_bridges())
    if path is None:
        return Universal(*names, game, (), "there is no bridge between them in rules/bridges")
    sections: list[Section] = []
    for bridge in path:
        one, other = (given.get(name) or load_rule_set(name) for name in (bridge.left, bridge.right))
        for section in _along(bridge, one, other, game):
            sections.append(section)
            report(f"{section.kind} {section.statement}")
            if not section.ok:
                failed = next(step for step in section.steps if not step.ok)
                where = f", for the rule {failed.case}" if failed.case else ""
                return Universal(*names, game, tuple(sections), f"the {section.kind} {section.statement} fails{where}")
    return Universal(*names, game, tuple(sections))


def _along(bridge: Bridge, left: RuleSet, right: RuleSet, game: str) -> Iterator[Section]:
    """The sections of one bridge, each computed when it is asked for."""
    program, query = _together(left, right)
    means = tuple(rule for statement in bridge.statements if statement.kind == "means" for rule in statement.rules)
    program = program.with_rules((*program.rules, *means))
    theory = Theory(program)
    for statement in bridge.statements:
        if statement.kind == "means":
            text = " ".join(map(str, statement.rules))
            yield Section("meaning", text, statement.words, ())
            continue
        if statement.kind == "lemma":
            ok, note = check_lemma(statement.rule, program, _boards(game))
            step = Step(str(statement.rule), statement.words, "", ok, note)
            yield Section("lemma", f"{statement.name}: {statement.rule}", statement.words, (step,))
        else:
            yield _section(theory, statement)
        theory.learn(statement.rule)
    for conclusion in query:
        yield Section("conclusion", str(conclusion), "", tuple(theory.prove(conclusion)))


def _section(theory: Theory, statement: Statement) -> Section:
    steps = theory.prove(statement.rule, statement.words)
    return Section("claim", str(statement.rule), statement.words, tuple(steps))


def _together(left: RuleSet, right: RuleSet) -> tuple[Program, list[Rule]]:
    """Both rule sets without a board, what both define told apart by `_left` and `_right`; and what is to be shown."""
    if left.query != right.query:
        raise HexlogicError(f"{left.name} answers {left.query} and {right.name} answers {right.query}")
    texts = [parse(rules.text, rules.path.name) for rules in (left, right)]
    heads = [{rule.head.predicate for rule in program.rules if rule.head is not None} for program in texts]
    both = heads[0] & heads[1]
    rules: list[Rule] = []
    for program, side in zip(texts, ("left", "right"), strict=True):
        names = {predicate: f"{predicate.name}_{side}" for predicate in both}
        rules += [rename_rule(rule, names) for rule in program.rules if rule.head is not None]
    named = f"{left.query.name}_left", f"{left.query.name}_right"
    variables = ",".join(f"P{number}" for number in range(1, left.query.arity + 1))
    wins = [f"{name}({variables})" for name in named]
    conclusions = parse(f"{wins[1]} :- {wins[0]}. {wins[0]} :- {wins[1]}.").rules
    return Program(tuple(rules)), list(conclusions)


def _boards(game: str) -> Iterator[tuple[Hex, Program]]:
    """The rules of every board up to the largest that lemmas are checked on."""
    text = (rules_folder() / "games" / f"{game}.lp").read_text(encoding="utf-8")
    side = max(LARGEST.values())
    program = parse(text, f"{game}.lp")
    for rows in range(1, side + 1):
        for columns in range(1, side + 1):
            sizes = (("rows", Integer(rows)), ("columns", Integer(columns)))
            yield Hex(rows, columns), dataclasses.replace(program, constants=sizes)
