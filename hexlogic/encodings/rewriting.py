"""Steps over all bodies of an encoding: each rewriting is kept only with a proof.

A step looks at one body at a time. What it makes of it is handed to `hexlogic.proofs.rewriting`; a rewriting that is
not proved there is dropped, and the body stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from clingo.ast import ASTType

from hexlogic.encodings.anonymous import anonymised
from hexlogic.encodings.blocks import Block, blocks_of
from hexlogic.encodings.convert import heads_and_bodies, predicates_in
from hexlogic.encodings.counting import counted
from hexlogic.encodings.differing import differed
from hexlogic.encodings.dividing import divided
from hexlogic.encodings.implied import determined_values, pruned_bodies
from hexlogic.encodings.keys import keyed
from hexlogic.encodings.reading import BASE, Encoding
from hexlogic.encodings.staging import staged
from hexlogic.encodings.unused import unused_rules
from hexlogic.encodings.writing import Edit, written
from hexlogic.logic import Atom, BodyLiteral, Literal, Predicate, Rule, Symbol
from hexlogic.logic.analysis.functional import Dependency, declared_dependencies
from hexlogic.logic.analysis.graph import Digraph
from hexlogic.logic.walk import rule_variables
from hexlogic.passes.chase import PASS as CHASE
from hexlogic.passes.merge import canonical
from hexlogic.passes.replace import PASS as REPLACE
from hexlogic.passes.rule_pass import Setting
from hexlogic.passes.semijoin import PASS as SEMIJOIN
from hexlogic.passes.split import PASS as SPLIT
from hexlogic.passes.statistics import Statistics
from hexlogic.passes.symmetric import PASS as SYMMETRIC
from hexlogic.proofs.answer_set_facts import division_proof, is_never_true, values_proof
from hexlogic.proofs.rewriting import counting_proof, rewriting_proof

__all__ = ["STEPS", "STEP_NAMES", "Interface", "Rewriting", "Rewritten", "interface_of", "rewrite"]

_Step = Callable[[Rule, Setting], list[Rule]]

STEPS: Final[Mapping[str, _Step]] = {
    "anonymous": lambda rule, setting: [anonymised(rule)],
    "chase": CHASE.rewrite,
    "differ": differed,
    "divide": divided,
    "key": keyed,
    "replace": REPLACE.rewrite,
    "semijoin": SEMIJOIN.rewrite,
    "split": SPLIT.rewrite,
    "stage": staged,
    "symmetric": SYMMETRIC.rewrite,
}
"""The steps by name, beside those that need more than one body or more than the rule language."""

_DIVIDE: Final = "divide"
_AUXILIARY: Final = (_DIVIDE, "key", "semijoin", "split", "stage")
"""The steps that add predicates."""
_PRUNE: Final = "prune"
_COUNT: Final = "count"
_CLASSICAL: Final = ("constraint", "weak")
"""Kinds of bodies of which only the truth in an answer set counts, so that aggregates may stand for conjunctions."""
_DIFFER: Final = "differ"
_JUDGED: Final = (*_CLASSICAL, "minimize")
"""Kinds of bodies of which only the truth in an answer set counts, and of which the items stay items."""
_MERGE: Final = "merge"
_UNUSED: Final = "unused"
_WHOLE: Final = ("rule", "head", "constraint", "weak", "minimize", "show")
"""Kinds of bodies that, without kept items, mention all variables of their statement: a new one is new in it."""

STEP_NAMES: Final = (*sorted([*STEPS, _COUNT, _MERGE, _PRUNE, _UNUSED]),)
"""All steps; `merge` drops a rule that another one repeats, `unused` one of a predicate that does not matter, and
`count` makes an aggregate of a chain of variables."""


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

    @property
    def after(self) -> list[str]:
        """The new rules as text."""
        if not self.added:
            return list(map(str, self.rules))
        *auxiliary, last = self.rules
        whole = Rule(last.head, (*last.body, Literal(Atom(self.added))))
        return [*map(str, auxiliary), str(whole)]

    def __str__(self) -> str:
        new = " ".join(self.after) or f"dropped, {'nothing asks' if self.step == _UNUSED else 'the rest says the same'}"
        return f"{self.step}: {self.before} -> {new} (proved: {self.proof})"


@dataclass(frozen=True)
class Interface:
    """What passes may know of the predicates of an encoding."""

    names: frozenset[str]
    predicates: frozenset[Predicate]
    components: Mapping[Predicate, frozenset[Predicate]]
    """For each recursive predicate those that are mutually recursive with it."""
    definitions: Mapping[Predicate, tuple[Rule, ...]]
    dependencies: Mapping[str, tuple[Dependency, ...]]
    """Those that constraints declare, by the part of the program that they are in."""
    determined: tuple[Dependency, ...]
    """Those that hold because of how atoms are derived."""
    facts: frozenset[Predicate]
    """Predicates of which there are only facts."""
    shows_by_name: bool
    """Whether some `#show p/n.` says which atoms are seen; all are where none does."""
    pruned: Mapping[tuple[int, int], Rule]
    """Bodies without the literals that the rest implies, by statement and first byte."""
    constants: frozenset[str] = frozenset()
    """Names that the instance gives a value."""
    once: frozenset[str] = frozenset()
    """The parts beside `base` that are ground once for each value of their parameters."""
    only_base: bool = False
    """Whether bodies in other parts are left alone."""
    wanted: frozenset[Predicate] = frozenset()
    """The predicates that matter beside those that statements ask about; all do where there is none."""


@dataclass(frozen=True)
class Rewritten:
    """An encoding after some steps."""

    encoding: Encoding
    rewritings: tuple[Rewriting, ...] = ()
    edits: tuple[Edit, ...] = ()
    removed: frozenset[int] = frozenset()
    shown: frozenset[Predicate] = frozenset()

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
        return written(self.encoding, self.edits, removed, self.shown)


def interface_of(
    encoding: Encoding,
    given: Collection[Predicate] = (),
    derived: Collection[Predicate] = (),
    constants: Collection[str] = (),
    once: Collection[str] = (),
) -> Interface:
    """What steps may know of the predicates.

    `given` are those of which an instance has atoms, `derived` those of them of which not all are facts; `constants`
    are names that the instance gives a value; `once` are parts that are ground once for each value of their parameters.

    What holds for a predicate because of its rules is known where all of them are in the part `base`: whichever part is
    ground later then adds nothing to it.
    """
    edges: list[tuple[Predicate, Predicate, bool]] = []
    closed: dict[Predicate, list[Rule]] = {}
    opened: set[Predicate] = set(given)
    blocks = blocks_of(encoding, constants)
    plain = {block.statement: block for block in blocks if block.is_definition and block.part == BASE}
    everything: set[Predicate] = set(given)
    for number, statement in enumerate(encoding.statements):
        node = statement.node
        mentioned = predicates_in(node)
        everything |= mentioned
        heads: frozenset[Predicate] = frozenset()
        if node.ast_type == ASTType.Rule:
            heads, bodies = heads_and_bodies(node)
            edges += ((head, other, False) for head in heads for other in bodies)
        elif node.ast_type == ASTType.Defined:
            heads = frozenset([Predicate(("" if node.positive else "-") + node.name, node.arity)])
        elif node.ast_type not in (ASTType.Minimize, ASTType.ShowTerm, ASTType.ShowSignature):
            heads = mentioned
        if number in plain:
            closed.setdefault(next(iter(heads)), []).append(plain[number].rule)
        else:
            opened |= heads
    graph = Digraph(edges)
    components = {
        predicate: component
        for component in graph.components()
        for predicate in component
        if len(component) > 1 or predicate in graph.successors(predicate)
    }
    pruned = pruned_bodies(encoding, blocks, given, components, constants)
    constraints: dict[str, list[Rule]] = {}
    for block in blocks:
        if block.kind == "constraint" and not block.kept:
            constraints.setdefault(block.part, []).append(block.rule)
    return Interface(
        frozenset(predicate.name for predicate in everything) | encoding.foreign_names,
        frozenset(everything),
        components,
        {predicate: tuple(rules) for predicate, rules in closed.items() if predicate not in opened},
        {part: declared_dependencies(rules) for part, rules in constraints.items()},
        determined_values(encoding, given, components, constants),
        _facts_only(encoding, given, derived),
        any(statement.node.ast_type == ASTType.ShowSignature for statement in encoding.statements),
        pruned,
        frozenset(constants),
        frozenset(once),
    )


def _facts_only(
    encoding: Encoding, given: Collection[Predicate], derived: Collection[Predicate]
) -> frozenset[Predicate]:
    """The predicates of which the encoding and its instance have facts and nothing else."""
    facts, others = set(given), set(derived)
    for statement in encoding.statements:
        node = statement.node
        if node.ast_type == ASTType.Rule:
            heads = heads_and_bodies(node)[0]
            if statement.is_fact and statement.part == BASE:
                facts |= heads
            else:
                others |= heads
        elif node.ast_type not in (ASTType.Minimize, ASTType.ShowTerm, ASTType.ShowSignature, ASTType.Defined):
            others |= predicates_in(node)
    return frozenset() if encoding.has_scripts else frozenset(facts - others)


def rewrite(encoding: Encoding, steps: Iterable[str], statistics: Statistics, interface: Interface) -> Rewritten:
    """The encoding after the steps, in their order, on every body."""
    names = tuple(steps)
    sizes = Statistics(dict(statistics.sizes), dict(statistics.columns))
    setting = Setting(set(interface.names), sizes)
    setting.determined, setting.facts = interface.determined, interface.facts
    found: list[Rewriting] = []
    edits: list[Edit] = []
    blocks = [
        block for block in blocks_of(encoding, interface.constants) if block.part == BASE or not interface.only_base
    ]
    unused = unused_rules(encoding, blocks, interface.wanted) if _UNUSED in names else {}
    removed = (_repeated(blocks) if _MERGE in names else {}) | unused
    for block in blocks:
        if block.statement in removed:
            if block is removed[block.statement]:
                step, proof = (_UNUSED, "splitting") if block.statement in unused else (_MERGE, "definitions")
                found.append(Rewriting(step, block, block.rule, (), proof, sizes.answers(block.rule.body), 0.0))
            continue
        if _DIFFER in names and block.kind in _CLASSICAL and is_never_true(block.rule, interface.determined):
            found.append(Rewriting(_DIFFER, block, block.rule, (), "values", sizes.answers(block.rule.body), 0.0))
            removed[block.statement] = block
            continue
        edit = _rewritten(block, names, setting, interface, found)
        if edit is not None:
            edits.append(edit)
    rewritten = Rewritten(encoding, tuple(found), tuple(edits), frozenset(removed))
    hides = rewritten.auxiliary and not interface.shows_by_name
    return replace(rewritten, shown=interface.predicates) if hides else rewritten


def _rewritten(
    block: Block, names: Iterable[str], setting: Setting, interface: Interface, found: list[Rewriting]
) -> Edit | None:
    """The body after the steps, None when none of them changes it; adds what they did to `found`."""
    setting.definitions = interface.definitions if block.part == BASE else {}
    setting.dependencies = interface.dependencies.get(block.part, ())
    setting.recursive = frozenset[Predicate]().union(*(interface.components.get(head, ()) for head in block.heads))
    auxiliary: list[Rule] = []
    added: list[str] = []
    rule = block.rule
    for name in names:
        if name == _PRUNE and rule == block.rule:
            shorter = interface.pruned.get((block.statement, block.begin), rule)
            if shorter != rule:
                before, after = (setting.statistics.answers(one.body) for one in (rule, shorter))
                found.append(Rewriting(name, block, rule, (shorter,), "guarantees", before, after))
            rule = shorter
        if name == _COUNT and block.kind in _CLASSICAL:
            while (aggregate := counted(rule)) is not None and counting_proof(rule, aggregate.rule, aggregate.expanded):
                before, after = (setting.statistics.answers(one.body) for one in (rule, aggregate.rule))
                text = str(aggregate)
                found.append(
                    Rewriting(
                        name, block, rule, (rule.with_body(aggregate.rule.body),), "counting", before, after, text
                    )
                )
                added.append(text)
                rule = aggregate.rule
        if name not in STEPS or not rule.body or (name in ("replace", "stage") and block.kind == "element"):
            continue
        if name in _AUXILIARY and not _may_define(name, block, interface):
            continue
        if (name == "replace" and not block.is_definition) or (name == _DIFFER and block.kind not in _JUDGED):
            continue
        rules = STEPS[name](rule, setting)
        new = rule_variables(rules[-1]) - rule_variables(rule)
        if rules == [rule] or (new and (block.kept or block.kind not in _WHOLE)):
            continue
        proof = _proof(name, rule, rules, setting)
        if proof is None:
            continue
        rules = _with_parameters(rules, block.parameters, setting)
        before, after = (sum(setting.statistics.answers(one.body) for one in side) for side in ([rule], rules))
        found.append(Rewriting(name, block, rule, tuple(rules), proof, before, after))
        auxiliary += rules[:-1]
        rule = rules[-1]
    if rule == block.rule:
        return None
    if "anonymous" in names:
        auxiliary = [anonymised(one) for one in auxiliary]
    return Edit(block, (*auxiliary, rule), tuple(added))


def _may_define(name: str, block: Block, interface: Interface) -> bool:
    """Whether a step may add predicates in the part of a block: a second instance of a rule with a new head is refused
    by clingo, and an atom that one instance defines gets no more reasons from the next."""
    if block.part == BASE:
        return True
    return block.part in interface.once and name != _DIVIDE and block.kind != "minimize"


def _with_parameters(rules: list[Rule], parameters: Sequence[str], setting: Setting) -> list[Rule]:
    """The rules with the parameters of their part as more arguments of each new predicate: each instance of the part
    then defines atoms of its own."""
    new = {rule.head.predicate for rule in rules[:-1] if rule.head is not None}
    if not new or not parameters:
        return rules
    more = tuple(map(Symbol, parameters))

    def extended(literal: BodyLiteral) -> BodyLiteral:
        if not isinstance(literal, Literal) or literal.atom.predicate not in new:
            return literal
        return Literal(Atom(literal.atom.name, (*literal.atom.arguments, *more)), literal.positive)

    found = [rule.with_body(tuple(map(extended, rule.body))) for rule in rules]
    for place, rule in enumerate(found[:-1]):
        assert rule.head is not None
        found[place] = replace(rule, head=Atom(rule.head.name, (*rule.head.arguments, *more)))
        setting.statistics.learn(found[place])
    return found


def _proof(name: str, rule: Rule, rules: list[Rule], setting: Setting) -> str | None:
    """The argument that shows a rewriting right; None for none."""
    if name == _DIFFER:
        return "values" if values_proof(rule, rules, setting) else None
    if name == _DIVIDE:
        return "division" if division_proof(rule, rules, setting) else None
    return rewriting_proof(rule, rules, setting)


def _repeated(blocks: Iterable[Block]) -> dict[int, Block]:
    """The rules and constraints that an earlier one repeats in other variables, by the number of the statement."""
    known: set[tuple[str, str, tuple[str, ...], Rule]] = set()
    found: dict[int, Block] = {}
    for block in blocks:
        if block.kind in ("rule", "constraint") and not block.kept:
            key = block.kind, block.part, block.parameters, replace(canonical(block.rule), place=None)
            if key in known:
                found[block.statement] = block
            known.add(key)
    return found
