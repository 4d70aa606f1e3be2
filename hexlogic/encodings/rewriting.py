"""Steps over all bodies of an encoding: each rewriting is kept only with a proof.

A step looks at one body at a time. What it makes of it is handed to `hexlogic.proofs.rewriting`; a rewriting that is
not proved there is dropped, and the body stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Dropped, Step, load_step
from hexlogic.encodings.writing import Edit, written
from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Rule, Symbol
from hexlogic.language.names import RESERVED
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.statistics import Statistics
from hexlogic.language.walk import rule_variables

_WHOLE: Final = ("rule", "head", "constraint", "weak", "minimize", "show")
"""Kinds of bodies that, without kept items, mention all variables of their statement: a new one is new in it."""

_VISIBLE: Final = f"% Atoms that begin with {RESERVED} are auxiliary; clingo hides them under --out-hide-aux."


@dataclass(frozen=True)
class Rewriting:
    """What one step made of one body, and the proof; `rules` is empty for a rule that was dropped."""

    step: str
    block: Block
    before: Rule
    rules: tuple[Rule, ...]
    proof: str
    estimated_before: float
    estimated_after: float
    added: str = ""
    """An aggregate in the body of the last rule."""
    why_dropped: str = ""

    @property
    def after(self) -> list[str]:
        """The new rules as text."""
        if not self.added:
            return list(map(str, self.rules))
        *auxiliary, last = self.rules
        whole = Rule(last.head, (*last.body, Literal(Atom(self.added))))
        return [*map(str, auxiliary), str(whole)]

    def __str__(self) -> str:
        new = " ".join(self.after) or f"dropped, {self.why_dropped}"
        return f"{self.step}: {self.before} -> {new} (proved: {self.proof})"


@dataclass(frozen=True)
class Rewritten:
    """An encoding after some steps."""

    encoding: Encoding
    rewritings: tuple[Rewriting, ...] = ()
    edits: tuple[Edit, ...] = ()
    removed: frozenset[int] = frozenset()
    shown: frozenset[Predicate] = frozenset()
    """Predicates to show and nothing else."""
    shows_all: bool = False
    """Whether all atoms of the text are seen, auxiliary ones too: to hide these, every predicate of every instance
    would have to be known."""

    @property
    def auxiliary(self) -> frozenset[Predicate]:
        """The predicates that the rewriting has added."""
        rules = (rule for edit in self.edits for rule in edit.rules[:-1])
        return frozenset(rule.head.predicate for rule in rules if rule.head is not None)

    @property
    def text(self) -> str:
        """The new text."""
        return self.without(())

    def without(self, statements: Collection[int]) -> str:
        """The new text with some statements of the given one left out, such as facts; they have no edits."""
        removed = {*self.removed, *statements}
        notes = [_VISIBLE] if self.shows_all and not self.shown and self.auxiliary else []
        return written(self.encoding, self.edits, removed, self.shown, notes)


def rewrite(encoding: Encoding, steps: Iterable[str], statistics: Statistics, analysis: Analysis) -> Rewritten:
    """The encoding after the steps, in their order, on every body. Raises UnknownNameError for a step there is not."""
    chosen = list(map(load_step, steps))
    sizes = Statistics(dict(statistics.sizes), dict(statistics.columns))
    context = RuleContext(
        set(analysis.names), sizes, answer_set_dependencies=analysis.answer_set_dependencies, facts=analysis.facts
    )
    rewritings: list[Rewriting] = []
    edits: list[Edit] = []
    removed: dict[int, tuple[Step, Dropped]] = {}
    for step in chosen:
        for number, dropped in step.dropped(analysis).items():
            removed.setdefault(number, (step, dropped))
    for block in analysis.blocks:
        if block.statement not in removed:
            changed = _rewritten(block, chosen, context, analysis)
            if changed is not None:
                rewritings += changed[0]
                edits.append(changed[1])
        elif block is removed[block.statement][1].block:
            step, dropped = removed[block.statement]
            answers = sizes.answers(block.rule.body)
            rewritings.append(
                Rewriting(step.name, block, block.rule, (), dropped.proof, answers, 0.0, why_dropped=dropped.reason)
            )
    shows_all = not analysis.shows_by_name
    return Rewritten(encoding, tuple(rewritings), tuple(edits), frozenset(removed), shows_all=shows_all)


def _rewritten(
    block: Block, steps: Sequence[Step], shared: RuleContext, analysis: Analysis
) -> tuple[list[Rewriting], Edit] | None:
    """What the steps did to a body, and its new form; None when none of them changes it."""
    context = replace(
        shared,
        part="" if block.part == BASE else block.part,
        definitions=analysis.definitions if block.part == BASE else {},
        dependencies=analysis.dependencies.get(block.part, ()),
        recursive=frozenset[Predicate]().union(*(analysis.components.get(head, ()) for head in block.heads)),
    )
    rewritings: list[Rewriting] = []
    auxiliary: list[Rule] = []
    aggregates: list[str] = []
    rule = block.rule
    for step in steps:
        if not rule.body or not step.suits(block, analysis.once):
            continue
        for change in step.changes(rule, context, block, analysis):
            new = rule_variables(change.rules[-1]) - rule_variables(rule)
            if new and (block.kept or block.kind not in _WHOLE):
                break
            rules = _with_parameters(change.rules, block.parameters, context)
            before, after = (sum(context.statistics.answers(each.body) for each in side) for side in ([rule], rules))
            shown = (*rules[:-1], rule.with_body(rules[-1].body))
            rewritings.append(Rewriting(step.name, block, rule, shown, change.proof, before, after, change.aggregate))
            auxiliary += rules[:-1]
            aggregates += [change.aggregate] if change.aggregate else []
            rule = rules[-1]
    if rule == block.rule:
        return None
    for step in steps:
        auxiliary = list(map(step.finished, auxiliary))
    return rewritings, Edit(block, (*auxiliary, rule), tuple(aggregates))


def _with_parameters(rules: Sequence[Rule], parameters: Sequence[str], context: RuleContext) -> list[Rule]:
    """The rules with the parameters of their part as more arguments of each new predicate: each instance of the part
    then defines atoms of its own."""
    new = {rule.head.predicate for rule in rules[:-1] if rule.head is not None}
    if not new or not parameters:
        return list(rules)
    more = tuple(map(Symbol, parameters))

    def extended(literal: BodyLiteral) -> BodyLiteral:
        if not isinstance(literal, Literal) or literal.atom.predicate not in new:
            return literal
        return Literal(Atom(literal.atom.name, (*literal.atom.arguments, *more)), literal.positive)

    extended_rules = [rule.with_body(tuple(map(extended, rule.body))) for rule in rules]
    for number, rule in enumerate(extended_rules[:-1]):
        assert rule.head is not None
        extended_rules[number] = replace(rule, head=Atom(rule.head.name, (*rule.head.arguments, *more)))
        context.statistics.learn(extended_rules[number])
    return extended_rules
