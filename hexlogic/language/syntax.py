"""The syntax tree of the rule language: frozen values, equal when their text is equal.

Atom       = name(Term, ...)
Literal    = Atom | not Atom
Comparison = Term (= | != | < | <= | > | >=) Term
Rule       = Atom :- (Literal | Comparison), ... .        a fact has no body
           | :- (Literal | Comparison), ... .             an integrity constraint has no head
Program    = constants, inputs (`#defined p/n.`), equivalences (`%! equivalence p/n.`), rules, queries (`#show p/n.`)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal as OneOf
from typing import TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.language.terms import Arithmetic as Arithmetic
from hexlogic.language.terms import Function as Function
from hexlogic.language.terms import Integer as Integer
from hexlogic.language.terms import Symbol as Symbol
from hexlogic.language.terms import Term as Term
from hexlogic.language.terms import Variable as Variable

ComparisonOperator: TypeAlias = OneOf["=", "!=", "<", "<=", ">", ">="]
COMPARISONS: tuple[ComparisonOperator, ...] = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a rule was read: file (or `<text>`), line and column, counted from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Predicate:
    """A predicate `name/arity`."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate applied to terms."""

    name: str
    arguments: tuple[Term, ...] = ()

    @property
    def predicate(self) -> Predicate:
        """The predicate of this atom."""
        return Predicate(self.name, len(self.arguments))

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.arguments))})" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or, when not `positive`, its default negation."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"not {self.atom}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two terms; `=` with an unbound variable on one side assigns."""

    operator: ComparisonOperator
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


BodyLiteral: TypeAlias = Literal | Comparison


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.`; a fact when the body is empty, an integrity constraint when there is no head."""

    head: Atom | None
    body: tuple[BodyLiteral, ...] = ()
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def conclusion(self) -> Atom:
        """The head of a rule that is known to have one."""
        assert self.head is not None
        return self.head

    @property
    def is_fact(self) -> bool:
        """Whether the rule has a head and no body."""
        return self.head is not None and not self.body

    @property
    def is_constraint(self) -> bool:
        """Whether the rule has no head."""
        return self.head is None

    @property
    def items(self) -> tuple[Atom | BodyLiteral, ...]:
        """The head, if there is one, and the body."""
        return self.body if self.head is None else (self.head, *self.body)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the head and of the body literals, in text order."""
        body = tuple(literal.atom for literal in self.literals)
        return body if self.head is None else (self.head, *body)

    @property
    def literals(self) -> Iterator[Literal]:
        """The body literals that are atoms or negated atoms, in text order."""
        return (item for item in self.body if isinstance(item, Literal))

    def with_body(self, body: tuple[BodyLiteral, ...]) -> Rule:
        """The same rule with another body."""
        return replace(self, body=body)

    def at(self, error: HexlogicError) -> HexlogicError:
        """The same error, with the place of this rule where it is known."""
        place = self.place
        return error if place is None else error.at(file=place.file, line=place.line, column=place.column)

    def __str__(self) -> str:
        head = str(self.head) if self.head is not None else ""
        if not self.body:
            return f"{head}." if head else ":-."
        return f"{head} :- {', '.join(map(str, self.body))}.".lstrip()


@dataclass(frozen=True, slots=True)
class Program:
    """Rules with their declarations.

    `constants` are the `#const` definitions, `inputs` the predicates whose facts come at run time
    (`#defined owns/2.`) and `queries` the predicates that are asked for (`#show wins/1.`). `equivalences` are
    predicates that an engine is asked to keep by union-find (`%! equivalence p/2.`, see
    `hexlogic.language.analysis.checks`); their rules say the same without it.
    `str(program)` is canonical text that parses back to an equal program and that clingo runs as it is.

    >>> from hexlogic import parse
    >>> program = parse("#defined edge/2. reach(1). reach(Y) :- reach(X), edge(X,Y). #show reach/1.")
    >>> [str(predicate) for predicate in (*program.inputs, *program.queries)], len(program.rules)
    (['edge/2', 'reach/1'], 2)
    """

    rules: tuple[Rule, ...] = ()
    constants: tuple[tuple[str, Term], ...] = ()
    inputs: tuple[Predicate, ...] = ()
    queries: tuple[Predicate, ...] = ()
    equivalences: tuple[Predicate, ...] = ()
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Of the five parts, computed once: caches of analyses ask for it thousands of times."""
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(self._parts))
        assert self._hash is not None
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # Without the hash, which another process would compute otherwise.
        return Program, self._parts

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.rules, self.constants, self.inputs, self.queries, self.equivalences

    @property
    def heads(self) -> frozenset[Predicate]:
        """The predicates that some rule or fact defines."""
        return frozenset(rule.head.predicate for rule in self.rules if rule.head is not None)

    @property
    def constraints(self) -> tuple[Rule, ...]:
        """The integrity constraints, in text order."""
        return tuple(rule for rule in self.rules if rule.is_constraint)

    def without_constraints(self) -> Program:
        """The same program without its integrity constraints: what derives something."""
        return self.with_rules(tuple(rule for rule in self.rules if not rule.is_constraint))

    def with_rules(self, rules: tuple[Rule, ...]) -> Program:
        """The same interface over other rules."""
        return replace(self, rules=rules)

    @property
    def definitions(self) -> dict[Predicate, list[Rule]]:
        """The rules and facts of each predicate that has any, in text order."""
        rules: dict[Predicate, list[Rule]] = {}
        for rule in self.rules:
            if rule.head is not None:
                rules.setdefault(rule.head.predicate, []).append(rule)
        return rules

    def defining(self, predicate: Predicate) -> tuple[Rule, ...]:
        """The rules and facts whose head is `predicate`, in text order."""
        heads = ((rule, rule.head) for rule in self.rules if rule.head is not None)
        name, arity = predicate.name, predicate.arity
        return tuple(rule for rule, head in heads if head.name == name and len(head.arguments) == arity)

    def __add__(self, other: Program) -> Program:
        """Both programs' rules, constants and interface, in this order, repeated declarations merged."""
        return Program(
            self.rules + other.rules,
            tuple(dict.fromkeys(self.constants + other.constants)),
            tuple(dict.fromkeys(self.inputs + other.inputs)),
            tuple(dict.fromkeys(self.queries + other.queries)),
            tuple(dict.fromkeys(self.equivalences + other.equivalences)),
        )

    def __str__(self) -> str:
        lines = [f"#const {name} = {value}." for name, value in self.constants]
        lines += [f"#defined {predicate}." for predicate in self.inputs]
        lines += [f"%! equivalence {predicate}." for predicate in self.equivalences]
        lines += [str(rule) for rule in self.rules]
        lines += [f"#show {predicate}." for predicate in self.queries]
        return "\n".join(lines) + "\n" if lines else ""

    def _repr_markdown_(self) -> str:
        """The text as a block of code: what a notebook shows."""
        return f"```prolog\n{self}```"
