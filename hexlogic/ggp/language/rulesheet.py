"""Rulesheets of Stanford's game players, written in Epilog, as expressions of GDL.

    place(X) :: control(R) ==> stone(R,X) & ~free(X)
    legal(place(X)) :- free(X)

    (<= (next (stone ?r ?x)) (does ?someone (place ?x)) (true (control ?r)))
    (<= (gone_free ?x) (does ?someone (place ?x)) (true (control ?r)))
    (<= (next (free ?x1)) (true (free ?x1)) (not (gone_free ?x1)))
    (<= (next (stone ?x1 ?x2)) (true (stone ?x1 ?x2)))
    (<= (legal_move (place ?x)) (true (free ?x)))
    (<= (legal ?role ?move) (true (control ?role)) (legal_move ?move))

A relation is a fact of the state where `init`, `base` or an operation has it; any other has rules or facts in the
sheet. A role that is not in control has the move `noop`. What Epilog computes becomes tables of facts (`computed`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hexlogic.ggp.language.expressions import Expression, Form, Word, form, words, wrong
from hexlogic.language.dialects.epilog_sheet import BUILTINS

_TESTS = ("leq", "less", "symleq", "symless")
_OWN = {"next": "next_view", "does": "does_view", "input": "input_view", "legal": "legal_move"}
"""Words of GDL under their names in the translation, with `_` behind where the sheet has such a name itself."""
_Condition = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """What Epilog computes: the relation that stands for it, the expression, and the variables that it needs. Of an
    aggregate also the term that is counted; the relation `counted` has it as its last argument."""

    name: str
    expression: Form
    needs: tuple[str, ...]
    counts: bool = False


def make(place: Expression, *parts: Expression | str) -> Form:
    """A list at the place of another expression."""
    items = (Word(part, place.line, place.column) if isinstance(part, str) else part for part in parts)
    return form(tuple(items), place.line, place.column)


def name_of(expression: Expression) -> str:
    """The word that an atom or a term begins with. Raises RuleSyntaxError for a variable."""
    if (name := name_of_or_none(expression)) is None:
        raise wrong("a variable where an atom should be", expression)
    return name


def name_of_or_none(expression: Expression) -> str | None:
    """The word that a term begins with; None of a variable."""
    first = expression.items[0] if isinstance(expression, Form) else expression
    return first.text if isinstance(first, Word) and not first.text.startswith("?") else None


def _arguments(expression: Expression) -> tuple[Expression, ...]:
    return expression.items[1:] if isinstance(expression, Form) else ()


def _variables(*expressions: Expression) -> list[str]:
    return list(dict.fromkeys(word.text for one in expressions for word in words(one) if word.text.startswith("?")))


class Translation:
    """The expressions of GDL that the sentences of a rulesheet stand for, and what is still to be computed. Raises
    RuleSyntaxError with the place of what no player of such sheets could play."""

    def __init__(self, sentences: Sequence[Expression]) -> None:
        self.computed: list[Computed] = []
        self._extra: list[Expression] = []
        self._outside: set[str] = set()
        self._used = {word.text for word in words(form(tuple(sentences), 1, 1))}
        self._first = max(
            (int(word.rpartition("_")[2]) + 1 for word in self._used if re.search(r"_\d{1,9}$", word)), default=0
        )
        operations = [item.items for item in sentences if isinstance(item, Form) and name_of(item) == "::"]
        rules = [item for item in sentences if name_of(item) != "::"]
        heads = [item.items[1] if isinstance(item, Form) and name_of(item) == "<=" else item for item in rules]
        changes = [(head, *change) for _, head, body in operations for change in _changes(body, ())]
        self._acts = acts = {name_of(head) for head, *_ in changes}
        stated = [_arguments(head)[0] for head in heads if name_of(head) in ("init", "base")]
        effects = [effect for *_, effect, _ in changes if name_of(effect) not in acts]
        facts = {(name_of(fact), len(_arguments(fact))): fact for fact in (*stated, *effects)}
        self._state = {name for name, _ in facts}
        self._check(heads, facts.values(), operations, changes)
        self.expressions = [self._rule(head, rule) for head, rule in zip(heads, rules, strict=True)]
        self.expressions += self._moves(heads)
        self._chained = {name_of(effect) for *_, effect, _ in changes} & acts
        gone = {(name_of(effect), len(_arguments(effect))) for *_, effect, adds in changes if not adds}
        for change in changes:
            self.expressions += self._change(*change)
        for (name, arity), at in facts.items():
            fact = _renamed(make(at, name, *(f"?x{number}" for number in range(1, arity + 1))), name)
            denied = [make(at, "not", _renamed(fact, self._own(f"gone_{name}")))] if (name, arity) in gone else []
            self.expressions.append(make(at, "<=", make(at, "next", fact), make(at, "true", fact), *denied))
        self.expressions += self._extra

    def _check(
        self,
        heads: Sequence[Expression],
        facts: Iterable[Expression],
        operations: Sequence[tuple[Expression, ...]],
        changes: Sequence[tuple[Expression, _Condition, Expression, bool]],
    ) -> None:
        """Raise RuleSyntaxError for sentences that players read without an error and never use as they are meant."""
        for head in heads:
            name = name_of(head)
            if name in BUILTINS:
                raise wrong(f"`{name}` is built into Epilog, so these rules are never asked", head, "rename it")
            if name in self._state:
                what = f"`{name}` is a fact of the state and has rules: Epilog looks for it among the rules alone"
                raise wrong(what, head, "rename one of the two")
        for at in (*facts, *(head for _, head, _ in operations)):
            if name_of(at) in BUILTINS:
                what = f"`{name_of(at)}` is built into Epilog or into JavaScript's arrays: it is never found"
                raise wrong(what, at, "rename it")
        starting = [head for head in heads if name_of(head) == "init" and name_of(_arguments(head)[0]) == "control"]
        if len(starting) != 1:
            what = f"{len(starting) or 'no'} roles are in control at the start: players take the moves of one"
            raise wrong(what, (starting or heads)[-1] if heads else Word("", 1, 1), "init(control(R)) for one role R")
        named = {name_of(head) for head in heads}
        for word in ("role", "init", "legal", "goal", "terminal"):
            if word not in named:
                raise wrong(f"the sheet has no `{word}`", heads[0] if heads else Word("", 1, 1), "a rulesheet needs it")
        named_moves = [
            (name_of_or_none(_arguments(head)[0]), head) for head in heads if name_of(head) in ("legal", "action")
        ]
        moves = {name: head for name, head in named_moves if name is not None}
        self._moved = {*moves} if all(name for name, _ in named_moves) else {*moves, *self._acts}
        for name, head in moves.items():
            if name not in self._acts:
                what = f"the move `{name}` has no operation: Epilog would add the move itself to the state"
                raise wrong(what, head, f"{name} :: CONDITION ==> EFFECTS")
        used = {*moves, *(name_of(effect) for *_, effect, _ in changes)}
        for _, head, _ in operations:
            if moves and name_of(head) not in used:
                what = f"the operation `{name_of(head)}` is without effect: it belongs to no move"
                raise wrong(what, head, "legal(...) or action(...) names the moves")

    def _rule(self, head: Expression, rule: Expression) -> Expression:
        """A rule or a fact with its body; an action belongs to each role."""
        body = list(_arguments(rule)[1:]) if head is not rule else []
        goals = self._body(head, body)
        match name_of(head):
            case "action":
                head = make(head, "input", "?role", *_arguments(head))
                goals.insert(0, make(head, "role", "?role"))
            case "legal":
                head = _renamed(head, self._own("legal_move"))
            case name if name in _OWN:
                head = _renamed(head, self._own(_OWN[name]))
        return make(rule, "<=", head, *goals) if goals else head

    def _moves(self, heads: Sequence[Expression]) -> Iterator[Expression]:
        """Who may make the legal moves, and what the others do."""
        at = next(head for head in heads if name_of(head) == "legal")
        control = make(at, "true", make(at, "control", "?role"))
        yield make(at, "<=", make(at, "legal", "?role", "?move"), control, make(at, self._own("legal_move"), "?move"))
        if [name_of(head) for head in heads].count("role") > 1:
            idle = next(name for name in ("noop", "rest", "idle", "nothing") if name not in self._acts)
            yield make(at, "<=", make(at, "legal", "?role", idle), make(at, "role", "?role"), make(at, "not", control))
            if any(name_of(head) == "action" for head in heads):
                yield make(at, "<=", make(at, "input", "?role", idle), make(at, "role", "?role"))

    def _change(self, head: Expression, conditions: _Condition, effect: Expression, adds: bool) -> Iterator[Expression]:
        """Rules for an effect; one that has operations of its own is an event, which brings theirs."""
        name, body = name_of(effect), self._body(make(head, "effect", head, effect), conditions)
        if name in self._chained:
            result: Expression = make(effect, self._own("event"), effect)
        else:
            result = make(effect, "next", effect) if adds else _renamed(effect, self._own(f"gone_{name}"))
        if name_of(head) in self._chained:
            yield make(effect, "<=", result, make(head, self._own("event"), head), *body)
        if name_of(head) in self._moved:
            yield make(effect, "<=", result, make(head, "does", "?someone", head), *body)

    def _body(self, head: Expression, conditions: Sequence[Expression]) -> list[Expression]:
        parts = [part for condition in conditions for part in _conjuncts(condition)]
        goals: list[Expression] = []
        for part in parts:
            self._outside = set(_variables(head, *(other for other in parts if other is not part)))
            goals += self._goals(part)
        return goals

    def _goals(self, expression: Expression) -> list[Expression]:
        parts = (part for part in _conjuncts(expression) if not (isinstance(part, Word) and part.text == "true"))
        return list(map(self._goal, parts))

    def _goal(self, expression: Expression) -> Expression:
        name, parts = name_of(expression), _arguments(expression)
        match name:
            case "true" | "false" if not parts:
                return make(expression, "distinct", "a", "b" if name == "true" else "a")
            case "and" | "or" | "not":
                return make(expression, name, *map(self._goal, parts))
            case "same" | "distinct" if len(parts) == 2:
                apart = make(expression, "distinct", *parts)
                return apart if name == "distinct" else make(expression, "not", apart)
            case "exists" if len(parts) == 2:
                kept = [name for name in _variables(parts[1]) if name in self._outside - set(_variables(parts[0]))]
                named = _renamed(make(expression, "holds", *kept), f"holds_{self._first + len(self._extra)}")
                self._extra.append(make(expression, "<=", named, *self._goals(parts[1])))
                return named
            case "==>":
                raise wrong("an operation inside a condition", expression)
            case _ if name in BUILTINS:
                return self._compute(expression)
            case _ if name in self._state:
                return make(expression, "true", expression)
        return _renamed(expression, self._own(_OWN[name])) if name in _OWN else expression

    def _own(self, name: str) -> str:
        """A name of the translation, which no word of the sheet is."""
        while name in self._used:
            name += "_"
        return name

    def _compute(self, expression: Expression) -> Expression:
        """A relation in the place of something that Epilog computes."""
        name, parts = name_of(expression), _arguments(expression)
        if name == "evaluate" and len(parts) == 2 and name_of_or_none(parts[0]) == "countofall":
            expression = make(expression, *parts[0].items, parts[1])  # type: ignore[union-attr]
            name, parts = "countofall", _arguments(expression)
        number = self._first + len(self.computed)
        if unknown := {word.text for word in words(expression)} & {"setofall", "choose", "if", "map"}:
            raise wrong(
                f"`{min(unknown)}` has no translation here", expression, "countofall counts; rules say the rest"
            )
        if len(parts) < 2:
            raise wrong(
                f"`{name}` is built into Epilog and takes more arguments", expression, "rename your own relation"
            )
        if name == "countofall" and len(parts) == 3:
            term, condition, result = parts
            needs = [name for name in _variables(term, condition) if name in self._outside]
            inner = make(expression, f"counted_{number}", *needs, term)
            self._extra.append(make(expression, "<=", inner, *self._goals(condition)))
            self.computed.append(
                Computed(f"computed_{number}", make(expression, "countofall"), tuple(needs), counts=True)
            )
            return make(expression, f"computed_{number}", *needs, result)
        if name in _TESTS:
            given, inner = parts, make(expression, name, *parts)
        elif name == "member":
            given, inner = parts[1:], make(expression, name, *parts[1:])
        elif name == "evaluate":
            given, inner = parts[:1], make(expression, name, *parts[:1])
        else:
            given, inner = parts[:-1], make(expression, "evaluate", make(expression, name, *parts[:-1]))
        needs = _variables(*given)
        self.computed.append(Computed(f"computed_{number}", inner, tuple(needs)))
        return make(expression, f"computed_{number}", *needs, *(part for part in parts if part not in given))


def _renamed(expression: Expression, name: str) -> Expression:
    parts = _arguments(expression)
    return make(expression, name, *parts) if parts else Word(name, expression.line, expression.column)


def _conjuncts(expression: Expression) -> list[Expression]:
    if isinstance(expression, Form) and name_of(expression) == "and":
        return [part for item in expression.items[1:] for part in _conjuncts(item)]
    return [expression]


def _changes(body: Expression, conditions: _Condition) -> Iterator[tuple[_Condition, Expression, bool]]:
    """The effects of an operation: the conditions, the fact, and whether it is added."""
    match name_of(body):
        case "==>":
            _, condition, effects = body.items  # type: ignore[union-attr]
            yield from _changes(effects, (*conditions, condition))
        case "and":
            for part in _arguments(body):
                yield from _changes(part, conditions)
        case "not":
            yield conditions, _arguments(body)[0], False
        case "or" | "same" | "distinct" | "evaluate":
            raise wrong("a condition where an effect should be", body, "act :: CONDITION ==> EFFECT & ~EFFECT")
        case name if name not in ("true",) or _arguments(body):
            yield conditions, body, True
