"""Steps over all bodies of an encoding: each rewriting is kept only with a proof.

A step looks at one body at a time. What it makes of it is handed to `hexlogic.proofs.rewriting`; a rewriting that is
not proved there is dropped, and the body stays. The new bodies are written into the text; every other byte stays.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block, never_true
from hexlogic.encodings.domains import certain
from hexlogic.encodings.reading import Encoding, concatenated
from hexlogic.encodings.source import Source
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Dropped, Step, load_step
from hexlogic.language import Atom, Literal, Predicate, Rule, Symbol
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED, is_reserved
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import map_atoms, rule_variables


@dataclass(frozen=True)
class Edit:
    """A body with its new rules: auxiliary ones, and last the rule with its new body."""

    block: Block
    rules: tuple[Rule, ...]
    added: tuple[str, ...] = ()
    """Items of the new body that the rule language lacks."""


def _source(
    encoding: Encoding, source: Source, edits: Sequence[Edit], removed: Mapping[int, str], data: bytes
) -> bytes:
    changes: list[tuple[int, int, Edit | str]] = [(edit.block.begin, edit.block.end, edit) for edit in edits]
    changes += ((*source.span(encoding.statements[place].node), text) for place, text in removed.items())
    for edit in edits:
        if edit.block.kind != "minimize" and len(edit.rules) > 1:
            begin = source.span(encoding.statements[edit.block.statement].node)[0]
            changes.append((begin, begin, replace(edit, rules=edit.rules[:-1])))
    return _range(data, 0, len(data), changes)


def _range(data: bytes, begin: int, end: int, changes: Sequence[tuple[int, int, Edit | str]]) -> bytes:
    """The bytes of a range with the outermost changes in it made; those inside a kept item are made there."""
    inside = sorted(
        (change for change in changes if begin <= change[0] and change[1] <= end),
        key=lambda change: (change[0], change[1] > change[0], -change[1]),
    )
    text, place = b"", begin
    for first, last, edit in inside:
        if first < place:
            continue
        text += data[place:first]
        if isinstance(edit, str):
            text += edit.encode()
        elif first == last:
            text += b"".join(str(rule).encode() + _line_end(data) for rule in edit.rules)
        else:
            text += _body(data, edit, [change for change in inside if change[2] is not edit])
        place = last
    return text + data[place:end]


def _body(data: bytes, edit: Edit, inner: Sequence[tuple[int, int, Edit | str]]) -> bytes:
    """The new body: its literals, then the items that were kept, one to a line where the old body had several lines."""
    block = edit.block
    items = [str(item).encode() for item in edit.rules[-1].body]
    items += [item.encode() for item in edit.added]
    items += [_range(data, begin, end, inner) for begin, end in block.kept]
    gap = b" "
    if b"\n" in data[block.begin : block.end]:
        line = data.rfind(b"\n", 0, block.begin) + 1
        gap = _line_end(data) + b" " * (block.begin - line)
    # a conditional literal reaches up to the next semicolon; inside an element a semicolon would begin the next element
    separator = b"," if block.kind in ("element", "minimize") or not block.kept else b";"
    return block.lead.encode() + (separator + gap).join(items)


def _line_end(data: bytes) -> bytes:
    """What the lines of a text end with."""
    return b"\r\n" if b"\r\n" in data else b"\n"


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
    text: str = ""
    """A new statement as text."""
    propagates: bool = True
    """Whether the solver concludes as much from the new rules as from the given one."""

    @property
    def after(self) -> list[str]:
        """The new rules as text."""
        if self.text:
            return [self.text]
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
    removed: Mapping[int, str] = field(default_factory=dict)
    """The statements that are left out, by number, with what takes the place of each."""
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
    def hidden(self) -> frozenset[Predicate]:
        """The predicates that have lost all their rules, or atoms that nothing asks for."""
        statements = enumerate(self.encoding.statements)
        left = (statement.heads for place, statement in statements if self.removed.get(place, "stays"))
        gone = (self.encoding.statements[place].heads for place in self.removed)
        unasked = (rewriting for rewriting in self.rewritings if rewriting.proof in ("asked", "splitting"))
        fewer = (rewriting.block.heads for rewriting in unasked)
        return frozenset[Predicate]().union(*gone).difference(*left).union(*fewer)

    @property
    def text(self) -> str:
        """The new text."""
        return self.without(())

    def without(self, statements: Collection[int], thin: tuple[float, int] | None = None) -> str:
        """The new text with some statements of the given one left out, such as facts; they have no edits. With `thin`
        also most of the facts that have no statement, see `Source.thinned`.

        Auxiliary rules stand before the statement that needs them; those of `#minimize` stand at the end.
        """
        removed = dict.fromkeys(statements, "") | dict(self.removed)
        parts = []
        for source in self.encoding.sources:
            edits = [edit for edit in self.edits if edit.block.source is source]
            gone = {place: text for place, text in removed.items() if self.encoding.statements[place].source is source}
            data = source.data if thin is None else source.thinned(*thin)
            parts.append(_source(self.encoding, source, edits, gone, data))
        text = concatenated(parts)
        last = [str(rule) for edit in self.edits if edit.block.kind == "minimize" for rule in edit.rules[:-1]]
        last += [f"#show {predicate}." for predicate in sorted(self.shown)]
        last = ["#program base.", *last] if last else []
        last += [_VISIBLE] if self.shows_all and not self.shown and self.auxiliary else []
        if last:
            text += ("" if not text or text.endswith("\n") else "\n") + "\n".join(last) + "\n"
        return text


@dataclass(frozen=True)
class Memory:
    """What steps do, so that pipelines with a common part share the work; for one analysis and, but for what steps
    drop and what is `certain`, for one set of sizes."""

    dropped: dict[str, Mapping[int, Dropped]] = field(default_factory=dict)
    certain: set[Predicate] = field(default_factory=set)
    changes: dict[tuple[int, int, str, Rule], list[Change]] = field(default_factory=dict)
    """By statement and first byte of the body, step and rule, where no auxiliary predicate is in either rule."""

    def dropped_by(self, step: Step, analysis: Analysis) -> Mapping[int, Dropped]:
        """The statements that a step leaves out."""
        if step.name not in self.dropped:
            self.dropped[step.name] = step.dropped(analysis)
        return self.dropped[step.name]

    def changed_by(
        self, step: Step, rule: Rule, context: RuleContext, block: Block, analysis: Analysis
    ) -> list[Change]:
        """The changes of a rule."""
        key = (block.statement, block.begin, step.name, rule)
        if (known := self.changes.get(key)) is not None:
            return known
        changes = list(step.changes(rule, context, block, analysis))
        if all(len(change.rules) == 1 for change in changes) and not any(
            is_reserved(literal.atom.name) for literal in rule.literals
        ):
            self.changes[key] = changes
        return changes


def rewrite(
    encoding: Encoding,
    steps: Iterable[str],
    statistics: Statistics,
    analysis: Analysis,
    memory: Memory | None = None,
    only: Collection[int] | None = None,
) -> Rewritten:
    """The encoding after the steps, in their order, on every body, or in the statements of some numbers only. `memory`
    is shared by calls for the same encoding, sizes and analysis. Raises UnknownNameError for a step there is not."""
    chosen, memory = list(map(load_step, steps)), memory or Memory()
    sizes = Statistics(dict(statistics.sizes), dict(statistics.columns))
    if not memory.certain:
        memory.certain.update(certain(analysis))
    context = RuleContext(
        set(analysis.names), sizes, answer_set_dependencies=analysis.answer_set_dependencies, facts=memory.certain
    )
    rewritings: list[Rewriting] = []
    edits: list[Edit] = []
    # the first step that drops a statement
    removed = {
        number: (step, drop) for step in reversed(chosen) for number, drop in memory.dropped_by(step, analysis).items()
    }
    others = [drop.block for _, drop in removed.values() if drop.block and drop.block not in analysis.blocks]
    for block in [*analysis.blocks, *others]:
        if only is not None and block.statement not in only:
            continue
        if block.statement not in removed:
            changed = _rewritten(block, chosen, context, analysis, memory)
            if changed is not None:
                rewritings += changed[0]
                edits.append(changed[1])
        elif block is removed[block.statement][1].block:
            step, dropped = removed[block.statement]
            answers = sizes.answers(block.rule.body)
            rewritings.append(
                Rewriting(
                    step.name, block, block.rule, (), dropped.proof, answers, 0.0, "", dropped.reason, dropped.text
                )
            )
    # all atoms are seen where no `#show p/n.` or `#show.` says which
    shows_all = all(statement.kind != "ShowSignature" for statement in encoding.statements)
    gone = {number: dropped.text for number, (_, dropped) in removed.items()}
    lost = {edit.block.statement for edit in edits if edit.block.lead}
    for predicate, number in never_true(encoding).items():
        heads = {place for place, each in enumerate(encoding.statements) if predicate in each.heads}
        if heads and heads <= lost and predicate not in analysis.given and encoding.statements[number].source:
            gone[number] = ""
            edits = [edit for edit in edits if edit.block.statement != number]
    return Rewritten(encoding, tuple(rewritings), tuple(edits), gone, shows_all=shows_all)


def _rewritten(
    block: Block, steps: Sequence[Step], shared: RuleContext, analysis: Analysis, memory: Memory
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
        for change in memory.changed_by(step, rule, context, block, analysis):
            new = rule_variables(change.rules[-1]) - rule_variables(rule)
            if new and (block.kept or block.kind not in _WHOLE):
                break
            rules = _with_parameters(change.rules, block.parameters, context)
            before, after = (sum(context.statistics.answers(each.body) for each in side) for side in ([rule], rules))
            shown = (*rules[:-1], rule.with_body(rules[-1].body))
            made = Rewriting(step.name, block, rule, shown, change.proof, before, after, change.aggregate)
            rewritings.append(replace(made, propagates=change.propagates))
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

    def extended(atom: Atom) -> Atom:
        return Atom(atom.name, (*atom.arguments, *more)) if atom.predicate in new else atom

    extended_rules = [map_atoms(rule, extended) for rule in rules]
    for rule in extended_rules[:-1]:
        context.statistics.learn(rule)
    return extended_rules
