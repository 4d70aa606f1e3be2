"""What Epilog computes in a rulesheet, arithmetic, lists, orders and counts, as tables of facts.

    step(N) & evaluate(plus(N,1),M)     (true (step ?n)) (computed_0 ?n ?m)     (computed_0 1 2) (computed_0 2 3) ...

A table has a row for each value that can reach the expression in a game: clingo grounds the sheet with all that may
come up, and calls this module for each value. A count goes through the items that may hold, one after the other, and
adds one for each that does. `base` bounds the facts that it names.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

import clingo

from hexlogic.errors import HexlogicError
from hexlogic.ggp.language.expressions import Expression, Word, parse_kif
from hexlogic.ggp.language.rulesheet import Computed, Translation
from hexlogic.ggp.language.sheet import build_sheet
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.dialects.epilog_sheet import form_of
from hexlogic.language.dialects.gdl import constant, word_of, write_term
from hexlogic.language.ground.solving import grounded, to_term
from hexlogic.language.syntax import Atom, BodyLiteral, Literal, Program, Rule
from hexlogic.language.terms import Function, Integer, Symbol, Term, Variable

MOST_ROWS = 5000
"""Rows of all tables together; a sheet that needs more counts without end."""
_Values = tuple[Term, ...]
_TALLY = """
(<= (tally_{0} {1} ?j ?n) (tally_{0} {1} ?i ?n) (item_{0} {1} ?i ?j ?x) (not (counted_{0} {1} ?x)))
(<= (tally_{0} {1} ?j ?m) (tally_{0} {1} ?i ?n) (item_{0} {1} ?i ?j ?x) (counted_{0} {1} ?x) (more_{0} ?n ?m))
(<= (computed_{0} {1} ?n) (tally_{0} {1} ?j ?n) (end_{0} {1} ?j))
"""


def tabulated(translation: Translation, file: str) -> tuple[Expression, ...]:
    """The expressions of the sheet with all tables. Raises HexlogicError, with the place, for a rule whose body reaches
    what it computes or denies with an unbound variable, and for tables without end."""
    expressions = tuple(translation.expressions)
    sheet = build_sheet(expressions, file)
    tables = _Tables(translation.computed)
    for rule in sheet.rules:
        asked = any(item.atom.name in tables.computed for item in rule.literals)
        if rule.conclusion.name.replace("counted_", "computed_") in tables.computed:
            continue  # its first variables come from the rule that counts
        if not is_legal(tables.needing(rule) if asked else rule):
            check(Program((rule,), (), tuple(literal.atom.predicate for literal in rule.literals)))
            hint = "Epilog goes from left to right: bind it by a goal before"
            raise rule.at(HexlogicError(f"a goal of `{rule}` is reached with an unbound variable", hint=hint))
    return (*expressions, *parse_kif("\n".join(tables.filled(sheet)))) if translation.computed else expressions


class _Tables:
    """Also clingo's context: it calls `computed_K` and `absent_computed_K`."""

    def __init__(self, computed: Sequence[Computed]) -> None:
        self.computed = {entry.name: entry for entry in computed}
        self.rows: dict[str, dict[_Values, list[_Values]]] = {name: {} for name in self.computed}
        self.items: dict[tuple[str, _Values], list[Term]] = {}

    def needing(self, rule: Rule) -> Rule:
        """The rule with a denied literal for what each computed one needs: the order has to bind it before."""
        body: list[BodyLiteral] = []
        for item in rule.body:
            if isinstance(item, Literal) and item.atom.name in self.computed:
                given = item.atom.arguments[: len(self.computed[item.atom.name].needs)]
                body.append(Literal(Atom("needs", given), positive=False))
            body.append(item)
        return rule.with_body(tuple(body))

    def __getattr__(self, name: str) -> Callable[..., list[clingo.Symbol]]:
        table = name.removeprefix("absent_")
        if table not in self.__dict__.get("computed", ()):
            raise AttributeError(name)
        return functools.partial(self._absent if name != table else self._called, table)

    def _results(self, name: str, given: _Values) -> list[_Values]:
        if self.computed[name].counts:
            self.rows[name].setdefault(given, [])
            return [(Integer(number),) for number in range(len(self.items.get((name, given), ())) + 1)]
        if given not in self.rows[name]:
            self.rows[name][given] = list(results(self.computed[name], given))
            if sum(map(len, self.rows.values())) > MOST_ROWS:
                raise OverflowError
        return self.rows[name][given]

    def _called(self, name: str, *symbols: clingo.Symbol) -> list[clingo.Symbol]:
        answers = self._results(name, tuple(map(to_term, symbols)))
        return [clingo.parse_term(str(answer[0])) if answer else clingo.Number(1) for answer in answers]

    def _absent(self, name: str, *symbols: clingo.Symbol) -> list[clingo.Symbol]:
        count, terms = len(self.computed[name].needs), tuple(map(to_term, symbols))
        is_there = terms[count:] in self._results(name, terms[:count])
        return [clingo.Number(int(self.computed[name].counts or not is_there))]

    def _text(self, item: BodyLiteral) -> str:
        """A body literal as clingo reads it: what is computed becomes a call."""
        if not isinstance(item, Literal) or item.atom.name not in self.computed:
            return str(item)
        name, count = item.atom.name, len(self.computed[item.atom.name].needs)
        given, result = item.atom.arguments[:count], item.atom.arguments[count:]
        if item.positive:
            return f"{result[0] if result else 1} = @{name}({','.join(map(str, given))})"
        return f"1 = @absent_{name}({','.join(map(str, item.atom.arguments))})"

    def filled(self, sheet: Program) -> list[str]:
        """The facts and rules of all tables, as KIF."""
        places = [rule for rule in sheet.rules if any(item.atom.name in self.computed for item in rule.literals)]
        lines = []
        for rule in filter(lambda rule: rule.body, sheet.rules):
            # Of what certainly holds, clingo looks for no second reason: so a head with a call may hold.
            head = f"{{ {rule.conclusion} }}" if rule in places else f"{rule.conclusion}"
            lines.append(f"{head} :- {', '.join(map(self._text, rule.body))}.")
        lines += [f"{rule}" for rule in sheet.rules if rule.is_fact]
        lines += ["{ true(X) } :- init(X).", "{ does(R,M) } :- legal(R,M)."]
        bounds = {form_of(rule.conclusion.arguments[0]) for rule in sheet.defining(_BASE)}
        forms = dict.fromkeys(form_of(rule.conclusion.arguments[0]) for rule in sheet.defining(_NEXT))
        spread: list[Rule] = []
        for name, arity in filter(None, forms):
            variables = tuple(Variable(f"X{place}") for place in range(arity))
            fact = Function(name, variables) if arity else Symbol(name)
            lines.append(f"{{ true({fact}) }} :- next({fact}){f', base({fact})' if (name, arity) in bounds else ''}.")
            if (name, arity) not in bounds:
                spread.append(Rule(Atom("true", (fact,)), (Literal(Atom("next", (fact,))),)))
        endless = HexlogicError("a number or a list may grow without end", hint="`base` bounds what may come up")
        if _NEXT in growing_predicates(sheet + Program(tuple(spread))):
            raise places[0].at(endless)
        for _ in range(MOST_ROWS):
            known = sum(map(len, self.items.values()))
            try:
                control, _ = grounded("\n".join(lines), context=self)
            except OverflowError:
                raise places[0].at(endless) from None
            for entry in control.symbolic_atoms:
                name = entry.symbol.name.replace("counted_", "computed_")
                if name != entry.symbol.name and name in self.computed:
                    *given, item = map(to_term, entry.symbol.arguments)
                    items = self.items.setdefault((name, tuple(given)), [])
                    items.extend([item] if item not in items else [])
            if known == sum(map(len, self.items.values())):
                break
        return self._written()

    def _written(self) -> list[str]:
        lines: list[str] = []
        for name, table in self.rows.items():
            number = name.removeprefix("computed_")
            if not self.computed[name].counts:
                lines += [_fact(name, (*given, *result)) for given, several in table.items() for result in several]
                continue
            most = 0
            lines.append(
                _TALLY.format(number, " ".join(f"?g{place}" for place in range(len(self.computed[name].needs))))
            )
            for given in table:
                items = sorted(self.items.get((name, given), ()), key=str)
                steps = [Integer(step) for step in range(len(items) + 1)]
                lines += [
                    _fact(f"tally_{number}", (*given, *steps[:1] * 2)),
                    _fact(f"end_{number}", (*given, steps[-1])),
                ]
                for before, after, item in zip(steps, steps[1:], items, strict=False):
                    lines.append(_fact(f"item_{number}", (*given, before, after, item)))
                most = max(most, len(items))
            lines += [_fact(f"more_{number}", (Integer(step), Integer(step + 1))) for step in range(most)]
        return lines


def _fact(name: str, arguments: Sequence[Term]) -> str:
    return write_term(Function(name, tuple(arguments))) if arguments else name


def results(computed: Computed, given: Sequence[Term]) -> Iterator[_Values]:
    """The results of an expression for these values: one, none where it fails, `()` for a test that holds; of `member`
    one for each item."""
    name, *parts = computed.expression.items
    assert isinstance(name, Word)
    binding = dict(zip(computed.needs, given, strict=True))
    values = [value for part in parts if (value := _value(part, binding)) is not None]
    if len(values) < len(parts):
        return
    if name.text == "member":
        yield from ((item,) for item in dict.fromkeys(_listed(values[0]) or ()))
    elif name.text == "evaluate":
        yield (values[0],)
    else:
        sides = [_word(value) if name.text.startswith("sym") else _number(value) for value in values]
        compare: Callable[..., bool] = operator.le if name.text.endswith("leq") else operator.lt
        if None not in sides and compare(*sides):
            yield ()


def _value(expression: Expression, binding: Mapping[str, Term]) -> Term | None:
    """The value of an expression; a function that Epilog does not know stays as it is. None where it fails."""
    if isinstance(expression, Word):
        return binding.get(expression.text) if expression.text.startswith("?") else constant(expression.text)
    name, *parts = expression.items
    assert isinstance(name, Word)
    values = [value for part in parts if (value := _value(part, binding)) is not None]
    if len(values) < len(parts):
        return None
    numeric = name.text in _NUMBERS
    if not numeric and name.text not in _LISTS:
        return Function(name.text, tuple(values))
    given = [_number(value) if numeric else _listed(value) for value in values]
    try:
        if numeric:
            number: float = _NUMBERS[name.text](*given)
            return constant(str(int(number)) if number == int(number) else repr(number))
        return None if None in given else _LISTS[name.text](*given)
    except (ArithmeticError, IndexError, TypeError, ValueError):
        return None


def _number(term: Term) -> float | None:
    try:
        return float(_word(term))
    except (ValueError, HexlogicError):
        return None


def _word(term: Term) -> str:
    return word_of(term.name) if isinstance(term, Symbol) else str(term)


def _listed(term: Term) -> list[Term] | None:
    items: list[Term] = []
    while isinstance(term, Function) and term.name == "cons" and len(term.arguments) == 2:
        items.append(term.arguments[0])
        term = term.arguments[1]
    return items if term == Symbol("nil") else None


def _as_list(items: Sequence[Term]) -> Term:
    term: Term = Symbol("nil")
    for item in reversed(items):
        term = Function("cons", (item, term))
    return term


_BASE, _NEXT = Atom("base", (Symbol("x"),)).predicate, Atom("next", (Symbol("x"),)).predicate
_NUMBERS: Mapping[str, Callable[..., float]] = {
    "plus": lambda *numbers: sum(numbers),
    "minus": lambda first, *others: first - sum(others),
    "times": lambda *numbers: math.prod(numbers),
    "quotient": lambda first, *others: first / math.prod(others),
    "remainder": math.fmod,
    "min": min,
    "max": max,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "sqrt": math.sqrt,
    "pow": pow,
}
_LISTS: Mapping[str, Callable[..., Term]] = {
    "length": lambda items: Integer(len(items)),
    "first": lambda items: items[0],
    "rest": lambda items: _as_list(items[1:] if items else items[0]),
    "last": lambda items: items[-1],
    "reverse": lambda items: _as_list(items[::-1]),
    "append": lambda *lists: _as_list([item for items in lists for item in items]),
    "sort": lambda items: _as_list(sorted(items, key=_word)),
}
"""The functions of numbers and of lists that Epilog and this reader both know."""
