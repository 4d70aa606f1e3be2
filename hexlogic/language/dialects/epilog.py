"""Epilog text, for the JavaScript engine of Genesereth's group at Stanford.

    first(P,X) :- column(X,1), red(P).        first_2(P,X) :- column_2(X,c1) & red_1(P)
    next(X,Y) :- cell(X), Y = X+1.            next_2(X,Y) :- cell_1(X) & evaluate(plus(X,1),Y)
    far(red,X) :- cell(X), not near(X).       far_2(s_red,X) :- cell_1(X) & ~near_1(X)
    less(X,Y) :- n(X), n(Y), X < Y.           less_2(X,Y) :- n_1(X) & n_1(Y) & evaluate(min(X,Y),X) & distinct(X,Y)

What Epilog needs of the text:

- `&` joins goals, and no dot ends a sentence: a dot may be part of a name.
- Epilog finds facts and rules through properties of JavaScript arrays, by name alone. So no name may be one of theirs
  or of a builtin (`length`, `map`, `min`), and two arities are two names: a predicate ends in its arity, a symbol
  begins with `s_`, a compound term's name with `f_`.
- Integers are not indexed. They are symbols (`c12`) wherever the program neither computes with them nor orders them.
- It has no order but `min` that every version knows, and none of anything but numbers.
"""

from collections.abc import Iterator

from hexlogic.errors import HexlogicError
from hexlogic.language.analysis.columns import ColumnKind, Columns
from hexlogic.language.dialects import Dialect, lower, rename_variables
from hexlogic.language.dialects.epilog_sheet import Rulesheet, is_sheet
from hexlogic.language.names import fresh_variables
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, ArithmeticOperator, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import predicates, rule_variables

_ARITHMETIC: dict[ArithmeticOperator, str] = {
    "+": "plus({},{})",
    "-": "minus({},{})",
    "*": "times({},{})",
    "/": "trunc(quotient({},{}))",  # rounds towards zero, as gringo does
    "\\": "remainder({},{})",
}


def predicate_name(predicate: Predicate) -> str:
    """The Epilog name of a predicate.

    >>> predicate_name(Predicate("owns", 2)), predicate_name(Predicate("_a'", 1))
    ('owns_2', 'u._a.q_1')
    """
    # names of the rule language begin with a small letter or underscores; a dot is a letter to Epilog and not to us;
    # a quote is `.q` and never a dot alone, or `u'_a` would become what `_a` is
    name = predicate.name.replace("'", ".q")
    return f"{'u.' if name.startswith('_') else ''}{name}_{predicate.arity}"


def render(program: Program) -> str:
    """The text of a program whose bodies can be evaluated left to right (see `hexlogic.language.analysis.binding`), or
    the rulesheet of a game description (`epilog_sheet`).

    Integrity constraints derive nothing and become comments. Raises HexlogicError for an order of, or arithmetic on,
    anything but integers.
    """
    return Rulesheet(program).text if is_sheet(program) else EpilogWriter(program).text()


class EpilogWriter:
    """Writes a program and, in the same spelling, the facts and queries that it is given later."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lowered = lower(program)
        self._columns = Columns(self._lowered)
        self._check()

    def text(self) -> str:
        """The whole text: how inputs are written, then a sentence in each line."""
        lines = [f"% input: {self._pattern(predicate)}" for predicate in self._program.inputs]
        lines += self.sentences()
        lines += [f"% not run: {rule}" for rule in self._program.constraints]
        return "\n".join(lines) + "\n"

    def sentences(self) -> list[str]:
        """The facts and rules alone."""
        return [self._rule(number, rule) for number, rule in enumerate(self._lowered.rules)]

    def atom(self, atom: Atom) -> str:
        """An atom. Raises HexlogicError for a symbol or compound term in a column of integers."""
        name = predicate_name(atom.predicate)
        columns = self._columns.kinds(atom.predicate)
        terms = [self._term(term, kind) for term, kind in zip(atom.arguments, columns, strict=True)]
        return f"{name}({','.join(terms)})" if terms else name

    def _pattern(self, predicate: Predicate) -> str:
        columns = ("12" if kind.numeric else "s_red or c12" for kind in self._columns.kinds(predicate))
        return f"{predicate_name(predicate)}({', '.join(columns)})" if predicate.arity else predicate_name(predicate)

    def _check(self) -> None:
        """Every column that is computed with or ordered holds integers only, as far as the text says."""
        places = [place for predicate in sorted(predicates(self._lowered)) for place in self._columns.named(predicate)]
        places += [
            (f"`{item}`", self._columns.compared(number, place))
            for number, rule in enumerate(self._lowered.rules)
            for place, item in enumerate(rule.body)
        ]
        for what, kind in places:
            if kind.numeric and (kind.symbol or kind.functors):
                value = str(kind.symbol) if kind.symbol else "{}/{}".format(*min(kind.functors))
                use = "computes with" if kind.computed else "orders"
                raise HexlogicError(f"{what} holds {value}, but the program {use} these values: Epilog needs integers")

    def _rule(self, number: int, rule: Rule) -> str:
        rule = rename_variables(rule)
        names = iter(fresh_variables("T", rule_variables(rule)))
        kinds = (self._columns.compared(number, place) for place in range(len(rule.body)))
        goals = [goal for item, kind in zip(rule.body, kinds, strict=True) for goal in self._goals(item, kind, names)]
        head = self.atom(rule.conclusion)
        return f"{head} :- {' & '.join(goals)}" if goals else head

    def _goals(self, item: BodyLiteral, kind: ColumnKind, names: Iterator[Variable]) -> Iterator[str]:
        match item:
            case Literal(atom, positive):
                yield self.atom(atom) if positive else f"~{self.atom(atom)}"
            case Comparison("=", Arithmetic() as value, Arithmetic() as target):
                name = str(next(names))
                yield f"evaluate({self._term(target, kind)},{name})"
                yield f"evaluate({self._term(value, kind)},{name})"
            case Comparison("=", Arithmetic() as value, target) | Comparison("=", target, Arithmetic() as value):
                yield f"evaluate({self._term(value, kind)},{self._term(target, kind)})"
            case Comparison("=", left, right):
                yield f"same({self._term(left, kind)},{self._term(right, kind)})"
            case Comparison(operator, left, right):
                sides = []
                for side in (right, left) if operator in (">", ">=") else (left, right):
                    sides.append(str(next(names)) if isinstance(side, Arithmetic) else self._term(side, kind))
                    if isinstance(side, Arithmetic):
                        yield f"evaluate({self._term(side, kind)},{sides[-1]})"
                if operator != "!=":
                    yield f"evaluate(min({','.join(sides)}),{sides[0]})"
                if operator not in ("<=", ">="):
                    yield f"distinct({','.join(sides)})"

    def _term(self, term: Term, kind: ColumnKind) -> str:
        match term:
            case Variable(name):
                return name
            case Integer(value):
                return str(value) if kind.numeric else f"c{value}".replace("-", "_")
            case Symbol() | Function() if kind.numeric:
                raise HexlogicError(f"{term} stands where the program needs an integer")
            case Symbol(name):
                return f"s_{name}".replace("'", ".")
            case Function(name, arguments):
                columns = self._columns.kinds((name, len(arguments)))
                fields = (self._term(part, kind) for part, kind in zip(arguments, columns, strict=True))
                return f"f_{name}_{len(arguments)}({','.join(fields)})".replace("'", ".")
        assert isinstance(term, Arithmetic), "lowering leaves no interval"
        sides = (self._term(side, ColumnKind(computed=True)) for side in (term.left, term.right))
        return _ARITHMETIC[term.operator].format(*sides)


DIALECT = Dialect("epilog", render, stones="the next comments say how to write them", describes_games=True)
