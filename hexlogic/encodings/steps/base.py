"""What a step is, and the registry: every module of this package that defines `STEP`, and every `RulePass`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.errors import UnknownNameError
from hexlogic.language import Arithmetic, BodyLiteral, Comparison, Function, Integer, Rule, Term, Variable
from hexlogic.language.passes import load_pass, pass_names
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.walk import head_variables, substitute, variables
from hexlogic.proofs.rewriting import rewriting_proof
from hexlogic.registry import Registry

CLASSICAL: Final = ("constraint", "weak")
"""Kinds of bodies of which only the truth in an answer set counts, so that aggregates may stand for conjunctions."""


@dataclass(frozen=True)
class Change:
    """New rules for a body, auxiliary ones first and last the body's own, with the proof that they mean the same."""

    rules: tuple[Rule, ...]
    proof: str
    aggregate: str = ""
    """An item of the new body that the rule language lacks."""
    propagates: bool = True
    """Whether the solver concludes as much from the new rules as from the given one."""


@dataclass(frozen=True)
class Dropped:
    """A statement that is dropped, with its body where that is a block, and why that keeps the answer sets."""

    block: Block | None
    proof: str
    reason: str = "the rest says the same"
    text: str = ""
    """What takes its place."""


Changes: TypeAlias = Callable[[Rule, RuleContext, Block, Analysis], Iterable[Change]]


@dataclass(frozen=True)
class Step:
    """One rewriting of bodies, or a choice of statements that are left out."""

    name: str
    changes: Changes = lambda *_: ()
    """The changes of a body that have a proof, each of what the one before has left."""
    dropped: Callable[[Analysis], Mapping[int, Dropped]] = lambda _: {}
    """The statements to leave out, by number."""
    finished: Callable[[Rule], Rule] = lambda auxiliary: auxiliary
    """What becomes of an auxiliary rule once all steps are done."""
    adds_predicates: bool = False
    kinds: Collection[str] | None = None
    """The kinds of bodies that the step may rewrite; None for all."""

    def suits(self, block: Block, once: Collection[str]) -> bool:
        """Whether the step may rewrite a body. `once` are parts of which each instance is ground once.

        A second instance of a rule with a new head is refused by clingo, and an atom that one instance defines gets no
        more reasons from the next.
        """
        if self.kinds is not None and block.kind not in self.kinds:
            return False
        return not self.adds_predicates or block.part == BASE or (block.part in once and block.kind != "minimize")


def proved(
    rewrite: Callable[[Rule, RuleContext], list[Rule]],
    proof: Callable[[Rule, Sequence[Rule], RuleContext], str | None] = rewriting_proof,
) -> Changes:
    """The changes that `rewrite` makes of a rule and the `proof` shows right, as that of a `RulePass`."""

    def changes(rule: Rule, context: RuleContext, _: Block, __: Analysis) -> Iterator[Change]:
        rules = rewrite(rule, context)
        if rules != [rule] and (why := proof(rule, rules, context)) is not None:
            yield Change(tuple(rules), why)

    return changes


def lesser(item: BodyLiteral) -> tuple[Term, Term, ComparisonOperator] | None:
    """The lesser and the greater side of a comparison, and whether these are `<` or `<=`; None for other items."""
    match item:
        case Comparison("<" | "<=" as operator, left, right):
            return left, right, operator
        case Comparison(">" | ">=" as operator, left, right):
            return right, left, "<" if operator == ">" else "<="
        case _:
            return None


def parts_of(term: Term, sign: int) -> list[tuple[int, Term]]:
    """The terms of a sum or a difference, each with 1 or -1."""
    match term:
        case Arithmetic("+" | "-" as operator, left, right):
            return [*parts_of(left, sign), *parts_of(right, sign if operator == "+" else -sign)]
        case _:
            return [(sign, term)]


def total(parts: Sequence[tuple[int, Term]]) -> Term:
    """The sum of terms, each with 1 or -1, with one of the former first."""
    ordered = sorted(parts, key=lambda part: -part[0])
    first = ordered.pop(0)[1] if ordered[0][0] > 0 else Integer(0)
    for sign, each in ordered:
        first = Arithmetic("+" if sign > 0 else "-", first, each)
    return first


def apart(rule: Rule) -> Rule:
    """The rule with an equality for each place of equal terms of one shape: `D = X, E = Y` for `(D,E) = (X,Y)`."""
    body: list[BodyLiteral] = []
    for item in rule.body:
        match item:
            case Comparison("=", Function() as left, Function() as right) if left.name == right.name:
                sides = zip(left.arguments, right.arguments, strict=False)
                equal = rule.with_body(tuple(Comparison("=", *pair) for pair in sides))
                body += apart(equal).body if len(left.arguments) == len(right.arguments) else [item]
            case _:
                body.append(item)
    return rule.with_body(tuple(body))


def put_in(rule: Rule, item: Comparison) -> tuple[Rule, Comparison]:
    """The rule with terms in the place of the variables of a comparison that are equal to them, and that comparison.
    An equality goes whose variable nothing else mentions then: `D = X-A, |D| = 1`."""
    given = {
        name: (other, term)
        for other in rule.body
        if isinstance(other, Comparison) and other.operator == "=" and other != item
        for name, term in ((other.left, other.right), (other.right, other.left))
        if isinstance(name, Variable) and isinstance(term, Arithmetic) and name not in variables(term)
    }
    while (name := next((name for name in given if name in variables(item)), None)) is not None:
        other, term = given.pop(name)
        changed = substitute(Rule(None, (item,)), {name: term}).body[0]
        assert isinstance(changed, Comparison)
        rest = tuple(each for each in rule.body if each not in (item, other))
        is_asked = name in head_variables(rule) | variables(*rest, changed)
        rule, item = rule.with_body((*rest, *([other] if is_asked else []), changed)), changed
    return rule, item


_STEPS: Registry[Step] = Registry("hexlogic.encodings.steps", "STEP", "step")


def step_names() -> tuple[str, ...]:
    """The names of all steps, sorted."""
    passes = (name for name in pass_names() if isinstance(load_pass(name), RulePass))
    return tuple(sorted({*_STEPS.names(), *passes}))


def load_step(name: str) -> Step:
    """The step of that name. Raises UnknownNameError."""
    if name in _STEPS:
        return _STEPS.load(name)
    try:
        rule_pass = load_pass(name)
    except UnknownNameError:
        rule_pass = None
    if not isinstance(rule_pass, RulePass):
        raise UnknownNameError.among("step", name, list(step_names()))
    return Step(name, proved(rule_pass.rewrite), adds_predicates=rule_pass.adds_predicates, kinds=rule_pass.kinds)
