"""Souffle text: typed relations, evaluated bottom-up.

    reach(Y) :- reach(X), edge(X,Y).          .decl reach(x1:number)
    next(X,Y) :- cell(X), Y = X+1.            next(X,Y) :- cell(X), Y = X+1.
    far(red,X) :- cell(X), not near(X).       far("red",X) :- cell(X), !near(X).
    first(list(X,nil)) :- cell(X).            .type Term1 = list_2 {x1:number, x2:Term1} | Symbol1 {x:symbol}

What Souffle 2 needs of the text:

- Every column has one type. Integers make it `number`, anything else `symbol`; a column that holds both is an error.
- Compound terms are branches of an algebraic data type, and a plain value among them is wrapped in a branch of its own.
- Names are C identifiers and none of Souffle's own words. An input is read from the file `NAME.facts`.

Souffle's `/` and `%` are those of C++, which truncate like gringo's `/` and `\\`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.columns import ColumnKind, Columns, Functor
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.constants import LARGEST
from hexlogic.language.dialects import Dialect, legal_name, lower, occur_once, operand, rename_variables
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, ArithmeticOperator, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import predicates

_ARITHMETIC: dict[ArithmeticOperator, str] = {"+": "+", "-": "-", "*": "*", "/": "/", "\\": "%"}
# The words of Souffle 2's scanner, and the names of its types.
_OWN_WORDS = """
    as autoinc band bnot bor brie bshl bshr bshru btree btree_delete bxor cat contains count eqrel false float
    fold inline input land lnot lor lxor magic match max mean min nil no_inline no_magic number ord output
    overridable printsize range recursive_iteration_cnt stateful strlen substr sum symbol to_float to_number
    to_string to_unsigned true unsigned
"""
_RESERVED = frozenset(_OWN_WORDS.split())


def predicate_name(name: str) -> str:
    """The Souffle name of a predicate or functor: itself, or with the prefix `r_` where Souffle cannot take it.

    >>> predicate_name("owns"), predicate_name("count"), predicate_name("r_count"), predicate_name("a'")
    ('owns', 'r_count', 'r_r_count', 'r_a_q')
    """
    return legal_name(name, "r_", _RESERVED)


def render(program: Program) -> str:
    """The text of a stratified program whose terms do not grow; the inputs are read from files, the queries written.

    Integrity constraints derive nothing and become comments. Raises HexlogicError for an unsound program (see
    `checks.check`), a column of two types, function terms that grow under recursion, an order of anything but
    integers, and integers beyond 32 bits.
    """
    lowered = lower(check(program))
    if growing := min(growing_predicates(lowered), default=None):
        raise HexlogicError(f"function terms grow under recursion in {growing}, so Souffle would not end")
    return _Writer(Columns(lowered)).text(program, lowered.rules)


@dataclass(frozen=True)
class _Writer:
    _columns: Columns

    def text(self, program: Program, rules: Sequence[Rule]) -> str:
        """Types, declarations, directives and the lowered rules."""
        lines = [self._data_type(kind) for kind in self._columns if kind.functors]
        lines += [f".decl {predicate_name(p.name)}({self._attributes(p)})" for p in sorted(predicates(program))]
        lines += [f".input {predicate_name(predicate.name)}" for predicate in program.inputs]
        lines += [f".output {predicate_name(predicate.name)}" for predicate in program.queries]
        lines += [self._rule(number, rule) for number, rule in enumerate(rules)]
        lines += [f"// not run: {rule}" for rule in program.constraints]
        return "\n".join(lines) + "\n"

    def _attributes(self, owner: Predicate | Functor) -> str:
        columns = enumerate(self._columns.named(owner), 1)
        return ", ".join(f"x{number}:{_type(kind, what)}" for number, (what, kind) in columns)

    def _data_type(self, kind: ColumnKind) -> str:
        if kind.numeric:
            raise HexlogicError(f"{_example(kind)} is compared or computed with like an integer")
        branches = [f"{_branch_name(functor)} {{{self._attributes(functor)}}}" for functor in sorted(kind.functors)]
        branches += [f"Symbol{kind.number} {{x:symbol}}"] if kind.symbol else []
        branches += [f"Number{kind.number} {{x:number}}"] if kind.integer else []
        return f".type Term{kind.number} = {' | '.join(branches)}"

    def _rule(self, number: int, rule: Rule) -> str:
        rule = rename_variables(rule)
        once = occur_once(rule)
        head = self._atom(rule.conclusion, frozenset())
        goals = [self._goal(item, self._columns.compared(number, place), once) for place, item in enumerate(rule.body)]
        return f"{head} :- {', '.join(goals)}." if goals else f"{head}."

    def _goal(self, item: BodyLiteral, kind: ColumnKind, once: frozenset[Variable]) -> str:
        match item:
            case Literal(atom, positive):
                return self._atom(atom, once) if positive else f"!{self._atom(atom, once)}"
            case Comparison(operator, left, right):
                _type(kind, f"`{item}`")
                if operator not in ("=", "!=") and (kind.symbol or kind.functors):
                    raise HexlogicError(f"`{item}` orders {_example(kind)}: Souffle's order of it is not gringo's")
                return f"{self._term(left, kind)} {operator} {self._term(right, kind)}"

    def _atom(self, atom: Atom, once: frozenset[Variable]) -> str:
        columns = zip(atom.arguments, self._columns.kinds(atom.predicate), strict=True)
        terms = ("_" if term in once else self._term(term, kind) for term, kind in columns)
        return f"{predicate_name(atom.name)}({','.join(terms)})"

    def _term(self, term: Term, kind: ColumnKind) -> str:
        match term:
            case Variable(name):
                return name
            case Integer(value):
                if abs(value) > LARGEST:
                    raise HexlogicError(f"the integer {value} does not fit into Souffle's 32 bits")
                return f"$Number{kind.number}({value})" if kind.functors else str(value)
            case Symbol(name):
                return f'$Symbol{kind.number}("{name}")' if kind.functors else f'"{name}"'
            case Function(name, arguments):
                columns = zip(arguments, self._columns.kinds((name, len(arguments))), strict=True)
                fields = ",".join(self._term(part, kind) for part, kind in columns)
                return f"${_branch_name((name, len(arguments)))}({fields})"
        assert isinstance(term, Arithmetic), "lowering leaves no interval"
        sides = (operand(side, self._term(side, ColumnKind(computed=True))) for side in (term.left, term.right))
        return _ARITHMETIC[term.operator].join(sides)


def _branch_name(functor: Functor) -> str:
    """Branches are known in the whole program, and a name may come with several numbers of fields."""
    name, arity = functor
    return f"{predicate_name(name)}_{arity}"


def _example(kind: ColumnKind) -> str:
    return "the compound term {}/{}".format(*min(kind.functors)) if kind.functors else f"the symbol {kind.symbol}"


def _type(kind: ColumnKind, what: str) -> str:
    """The Souffle type of a kind. Raises HexlogicError when there is none; `what` says where the values stand."""
    if kind.functors:
        return f"Term{kind.number}"
    if kind.symbol and (kind.integer or kind.computed):
        value = f"the integer {kind.integer}" if kind.integer else "the result of arithmetic"
        hint = "a column of Souffle has one type: keep integers and symbols in predicates of their own"
        raise HexlogicError(f"{what} holds {value} and the symbol {kind.symbol}", hint=hint)
    return "number" if kind.integer or kind.numeric else "symbol"


DIALECT = Dialect(
    "souffle",
    render,
    comment="//",
    run="souffle -F. -D- FILE.dl",
    stones="write them to owns.facts, one per line: red, a tab, the cell's number",
    reads_inputs=True,
)
