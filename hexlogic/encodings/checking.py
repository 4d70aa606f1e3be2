"""Whether two programs have the same answer sets over the predicates of the first, by clingo, on given instances.

Where both have few answer sets, all are compared, with their costs and with how often each occurs, so that an auxiliary
predicate cannot multiply them. Where there are more, some that a random search finds in each program are looked for in
the other one, and the optimal costs are compared. Predicates that nothing defines get random facts, so that a
comparison without an instance is not one of empty programs.
"""

import itertools
import random
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from clingo import Number, SymbolType
from clingo.ast import AST, ASTType, BinaryOperation, BinaryOperator, SymbolicTerm, Transformer

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.clingo_jobs import ENDLESS, Budget, Unmeasured, same_answer_sets
from hexlogic.encodings.clingo_runs import Run
from hexlogic.encodings.reading import Encoding, Parts
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.errors import HexlogicError
from hexlogic.language import Predicate, Variable
from hexlogic.language.walk import variables
from hexlogic.proofs.question import InputSpace

_NUMBERS: Final = ("1", "2", "3")
_MOST_NAMES: Final = 2
"""How many names of the program are arguments of random facts, at most."""
_MOST_FACTS: Final = 6
"""How many random facts a predicate gets, at most."""
_HALF: Final = 2
_UNSEEN: Final = ("Comment", "Script")


def undefined_predicates(statements: Iterable[Statement]) -> frozenset[Predicate]:
    """The predicates that bodies ask about and of which nothing derives an atom.

    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> encoding = read_encoding_text("{ a(X) } :- n(X). :~ a(X), c(X,Y). [Y]")
    >>> sorted(map(str, undefined_predicates(encoding.statements)))
    ['c/2', 'n/1']
    """
    statements = list(statements)
    asked = (statement.asked for statement in statements)
    derived = (statement.heads for statement in statements if statement.is_rule or statement.kind == "External")
    return frozenset[Predicate]().union(*asked).difference(*derived)


def takes_too_long(encoding: Encoding, reason: str, analysis: Analysis | None = None) -> HexlogicError:
    """The error for a program that takes longer than a limit, at the first rule whose recursion makes new terms."""
    analysis = analysis or Analysis(encoding)
    for block in analysis.blocks:
        head = block.rule.head if block.kind == "rule" else None
        circle = () if head is None else analysis.components.get(head.predicate, ())
        inner = [item for item in block.rule.literals if item.atom.predicate in circle]
        bound = variables(*(item for item in block.rule.body if item not in inner))
        new = [variables(term) for term in (head.arguments if head and inner else ()) if not isinstance(term, Variable)]
        if any(names and not names & bound for names in new):
            line, column = block.source.place(block.source.span(encoding.statements[block.statement].node)[0])
            hint = f"{head} may grow without end; --limit S allows more time"
            return HexlogicError(reason, file=block.source.name, line=line, column=column, hint=hint)
    return HexlogicError(reason, file=encoding.sources[0].name, hint="--limit S allows more time")


@dataclass(frozen=True)
class Instance:
    """The name of an instance, the facts of the encoding that it leaves out, and the text that it adds."""

    name: str
    gone: list[int]
    added: str
    thin: tuple[float, int] | None = None
    """Which of the facts without a statement stay, see `Source.thinned`."""


def given_instance(profile: Encoding | None) -> Instance:
    """The instance as the user gave it."""
    return Instance("the instance that was given", [], "" if profile is None else "\n#program base.\n" + profile.text)


def random_instance(
    encoding: Encoding,
    profile: Encoding | None,
    seed: int,
    part: float = 2,
    *,
    keep: bool = False,
    defined: Collection[Predicate] = (),
) -> Instance | None:
    """An instance with a random half of the facts and with random facts of undefined predicates; None where there is
    nothing to vary.

    With a `part` over 2 it is smaller: one fact in `part` stays, of an interval in a fact the first 1/`part`, and whole
    numbers that `#const` gives are divided by it. `keep` leaves out no fact of the encoding, and `defined` are
    predicates that something outside of the texts defines.
    """
    generator = random.Random(seed)
    given = [] if profile is None else [statement for statement in profile.statements if statement.kind not in _UNSEEN]
    bulk = [] if profile is None else [source.sample(part, seed) for source in profile.sources]
    known = encoding.fact_predicates | (frozenset() if profile is None else profile.fact_predicates)
    undefined = sorted(undefined_predicates([*encoding.statements, *given]) - known - {*defined})
    facts = {place: fact for place, fact in enumerate(encoding.statements) if fact.is_fact and fact.source is not None}
    gone = [] if keep else [place for place in facts if generator.random() < 1 - 1 / part]
    varied = bool(given or known or (facts and not keep))
    added = [
        _smaller(statement, part)
        for statement in given
        if not statement.is_fact or generator.random() < 1 / part or (part != _HALF and statement.names.has_interval)
    ]
    if part != _HALF:
        wide = [place for place, fact in facts.items() if fact.part == BASE and fact.names.has_interval]
        gone += [place for place in wide if place not in gone]
        named = frozenset[str]() if profile is None else profile.constants
        definitions = (statement for statement in encoding.statements if statement.kind == "Definition")
        free = (definition for definition in definitions if definition.node.name not in named)
        values = (replace(definition, node=definition.node.update(is_default=False)) for definition in free)
        smaller = [_smaller(statement, part) for statement in (*map(facts.__getitem__, wide), *values)]
        added += ["#program base.", *smaller]
        varied = varied or bool(smaller)
    if not (varied or undefined):
        return None
    names = sorted(frozenset[str]().union(*(statement.names.constants for statement in encoding.statements)))
    values_of_facts = [*_NUMBERS, *names[:_MOST_NAMES]]
    random_facts = [fact for predicate in undefined for fact in _facts(predicate, values_of_facts, generator)]
    half = "a random half of its facts" if part == _HALF else f"1/{part} of its facts and ranges"
    name = f"the instance with {half}" if varied else "random facts"
    text = "\n".join(["", *added, "#program base.", *bulk, *random_facts, ""])
    return Instance(f"{name}, seed {seed}", gone, text, (part, seed))


class _Smaller(Transformer):
    """Divides the widths of intervals."""

    def __init__(self, part: float) -> None:
        self._part = part

    def visit_Interval(self, node: AST) -> AST:  # noqa: N802 # the name that clingo calls
        where = node.location
        width = BinaryOperation(where, BinaryOperator.Minus, node.right, node.left)
        less = width
        for operator, number in (
            (BinaryOperator.Multiplication, 100),
            (BinaryOperator.Division, int(self._part * 100)),
        ):
            less = BinaryOperation(where, operator, less, SymbolicTerm(where, Number(number)))
        return node.update(right=BinaryOperation(where, BinaryOperator.Plus, node.left, less))


def _smaller(statement: Statement, part: float) -> str:
    """A statement with narrower intervals where it is a fact, and with a smaller whole number where it is a constant;
    as it is for half of the facts."""
    node = statement.node
    if part == _HALF:
        return str(node)
    if statement.kind == "Definition" and node.value.ast_type == ASTType.SymbolicTerm:
        symbol = node.value.symbol
        if symbol.type == SymbolType.Number and symbol.number > 0:
            node = node.update(value=SymbolicTerm(node.location, Number(max(1, int(symbol.number / part)))))
    elif statement.is_rule and not node.body and statement.names.has_interval:
        node = _Smaller(part).visit(node)
    return str(node)


def _facts(predicate: Predicate, values: list[str], generator: random.Random) -> list[str]:
    """Random facts of a predicate; of one without arguments the atom or nothing."""
    if not predicate.arity:
        return [f"{predicate.name}."] * generator.randint(0, 1)
    drawn = itertools.repeat(predicate.arity, generator.randint(1, _MOST_FACTS))
    return [f"{predicate.name}({','.join(generator.choices(values, k=arity))})." for arity in drawn]


_PATIENCE = 4
"""How many instances may be too slow to compare before the check ends."""
_PARTS = (2, 8, 32, 128)
"""One fact in so many stays in an instance; the next number follows after an instance that was too slow."""


@dataclass(frozen=True, slots=True)
class AnswerSetCheck:
    """Instances on which the answer sets were compared, why others could not be, and the first that differs."""

    instances: int
    skipped: tuple[str, ...] = ()
    difference: str | None = None

    @property
    def equal(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    @property
    def proved(self) -> bool:
        """False: these are samples."""
        return False

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT ANSWER SETS on {self.difference}"
        left = f", {len(self.skipped)} could not be compared ({self.skipped[0]})" if self.skipped else ""
        if not self.instances:
            return f"no instance{left}"
        return f"the same answer sets on {self.instances} instance{'s' * (self.instances > 1)}{left}"


@dataclass(frozen=True)
class EncodingInstances(InputSpace[Encoding, Rewritten, AnswerSetCheck]):
    """The given instance, and others, in each of which a random half of the facts is missing and predicates that
    nothing defines have random facts; smaller ones after one that could not be compared."""

    predicates: Collection[Predicate]
    """The predicates over which answer sets are compared."""
    profile: Encoding | None
    """The given instance."""
    limit_s: float
    instances: int = 3
    parts: Parts = field(default_factory=Parts)
    """The answer sets are compared after `base` and after each call of these."""
    scripts: bool = False
    shown: bool = False
    """Whether the two must also show the same."""
    budget: Budget = ENDLESS
    """What the whole comparison has left."""
    is_large: bool = False
    """Whether the given instance takes so long that only smaller ones are compared."""
    is_slow: bool = False
    """Whether the others are to be smaller than half of it."""

    def compare(self, left: Encoding, right: Rewritten) -> AnswerSetCheck:
        """Compare an encoding with what steps made of it. Its facts stay where a proof has looked at each of them."""
        rests = any(rewriting.proof == "guarantees" for rewriting in right.rewritings)
        compared, skipped = 0, list[str]()
        run = Run(self.parts.calls, scripts=self.scripts)
        for seed in range(0 if self.is_large else -1, self.instances + _PATIENCE):
            instance: Instance | None = given_instance(self.profile)
            if seed >= 0:
                part, defined = _PARTS[min(len(skipped) + self.is_slow, len(_PARTS) - 1)], self.parts.defined
                instance = random_instance(left, self.profile, seed, part, keep=rests, defined=defined)
            if instance is None and self.is_large and not (compared or skipped):
                instance = given_instance(self.profile)
            if instance is None:
                break
            before, after = (
                left.runnable(new.without(instance.gone, instance.thin) + instance.added + self.parts.added)
                for new in (Rewritten(left), right)
            )
            same = same_answer_sets(
                before, after, self.predicates, self.limit_s, run, shown=self.shown, budget=self.budget
            )
            if same is False:
                return AnswerSetCheck(compared, tuple(skipped), instance.name)
            if isinstance(same, Unmeasured):
                skipped.append(same.reason)
            else:
                compared += 1
            if compared == self.instances + (not self.is_large) or len(skipped) == _PATIENCE or self.budget.left_s < 0:
                break
        return AnswerSetCheck(compared, tuple(skipped))
