"""The value of an aggregate that is only compared or minimised is written where it is used, and has no atoms any more.

Before:  weight(S) :- S = #sum { W,X : in(X), w(X,W) }.   :- weight(S), S > limit.   #minimize { C : cost(C) }.
After:   :- #sum { W,X : in(X), w(X,W) } > limit.         #minimize { W,X : in(X), w(X,W) }.

Before:  load(B,S) :- bin(B), S = #sum { W,X : in(X,B), w(X,W) }.   :- load(B,S), load(C,T), S-T > 9.
After:   :- bin(B), bin(C), #sum { W,0,X : in(X,B), w(X,W); -W,1,X : in(X,C), w(X,W) } > 9.

gringo writes a rule for each value that the sum can have, and a constraint for each two values. The predicate has one
rule. It goes where `#show p/n.` lines say what is seen and do not name it, so that nothing can tell, and each use is a
constraint that compares the value, or two with each other, or a minimised one, with the other arguments in its tuple
and no second statement of its priority; else it stays, and only two values that are compared are written as one sum.
*Preserves* what is shown, the costs, and the answer sets over all predicates that stay.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from clingo.ast import AST, AggregateFunction, ASTType, BinaryOperator, Transformer, UnaryOperator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.convert import COMPARISONS, names_in
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Predicate, Variable

_SUMS = {AggregateFunction.Sum: False, AggregateFunction.Count: True}
"""The aggregates that a minimised value may have, and whether each tuple counts 1."""
_SIGNS: Final = {BinaryOperator.Plus: 1, BinaryOperator.Minus: -1}


@dataclass
class _Renamed(Transformer):
    """Other terms for some variables, and new names for those of others that are used."""

    terms: Mapping[str, AST]
    used: frozenset[Variable]

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 # the name that clingo calls
        name = node.name
        while Variable(name) in self.used:
            name += "_"
        return self.terms.get(node.name) or node.update(name=name)


@dataclass(frozen=True)
class _Use:
    """A value, with its aggregate and the rest of the body in the variables of the statement that uses it."""

    value: str
    aggregate: AST
    rest: list[AST]

    @property
    def tuples(self) -> list[tuple[str, list[str], list[str]]]:
        """Weight, other terms and condition of each element of a sum or count; empty where one has no terms."""
        elements = self.aggregate.elements
        if self.aggregate.function not in _SUMS or not all(element.terms for element in elements):
            return []
        count = ["1"] * _SUMS[self.aggregate.function]
        terms = ([*count, *map(str, element.terms)] for element in elements)
        return [
            (each[0], each[1:], list(map(str, element.condition)))
            for each, element in zip(terms, elements, strict=True)
        ]


@dataclass(frozen=True)
class _Definition:
    """A rule `p(K,V) :- rest, V = #aggregate { ... }.`"""

    head: AST
    value: Variable
    aggregate: AST
    rest: tuple[AST, ...]

    def used(self, statement: Statement, literal: AST, known: Collection[Variable] = ()) -> _Use | None:
        """The use of a literal of another statement, where `known` are more variables; None where an argument is no
        variable or constant."""
        terms = literal.atom.symbol.arguments
        values = dict(zip((argument.name for argument in self.head.arguments), terms, strict=True))
        value = values.pop(self.value.name)
        if any(term.ast_type not in (ASTType.Variable, ASTType.SymbolicTerm) for term in terms) or str(value) == "_":
            return None
        values = {name: term for name, term in values.items() if str(term) != "_"}
        renamed = _Renamed(values, statement.names.variables.union(known))
        rest = [renamed.visit(item) for item in self.rest]
        others = [*values.values(), *(item for item in statement.node.body if item != literal)]
        is_alone = sum(Variable(str(value)) in names_in(item).variables for item in others) <= 1
        is_plain = value.ast_type == ASTType.Variable and is_alone
        return _Use(value.name, renamed.visit(self.aggregate.atom), rest) if is_plain else None


def _definition(statement: Statement) -> _Definition | None:
    items = statement.node.body if statement.is_plain and statement.part == BASE and statement.source else ()
    places = [place for place, item in enumerate(statement.body if items else ()) if item.aggregate is not None]
    if len(places) != 1 or (head := statement.node.head.atom.symbol).ast_type != ASTType.Function:
        return None
    rest = tuple(item for place, item in enumerate(items) if place not in places)
    aggregate, value = items[places[0]], statement.body[places[0]].aggregate.value  # type: ignore[union-attr]
    is_assigned = aggregate.atom.ast_type == ASTType.BodyAggregate and aggregate.atom.right_guard is None
    if value is None or not is_assigned:
        return None
    inside = names_in(*aggregate.atom.elements, *rest).variables
    names = {argument.name for argument in head.arguments if argument.ast_type == ASTType.Variable} - {"_"}
    if len(names) != len(head.arguments) or value.name not in names or value in inside:
        return None
    return _Definition(head, value, aggregate, rest)


def _parts(term: AST, sign: int = 1) -> list[tuple[int, AST]]:
    """The terms of a sum or a difference, each with 1 or -1."""
    if term.ast_type == ASTType.BinaryOperation and term.operator_type in _SIGNS:
        return _parts(term.left, sign) + _parts(term.right, sign * _SIGNS[term.operator_type])
    return [(sign, term)]


_Literals: TypeAlias = Sequence[tuple[AST, _Definition]]
"""The items of a body that are values, with their rules."""


def _compared_in(statement: Statement, values: _Literals) -> str | None:
    """A rule, a choice or a constraint that compares the value with anything else, or two values with each other."""
    uses: list[_Use] = []
    known = frozenset[Variable]()
    if statement.head is None or statement.head.kind not in ("constraint", "rule", "choice"):
        return None
    head, literals = statement.node.head, [literal for literal, _ in values]
    text_of_head = "" if statement.head.kind == "constraint" else f"{head} "
    for literal, definition in values:
        use = definition.used(statement, literal, known)
        if use is None or Variable(use.value) in names_in(head).variables:
            return None
        uses.append(use)
        known |= names_in(use.aggregate, *use.rest).variables
    items = [item for item in statement.node.body if item not in literals]
    for item in items:
        atom = getattr(item, "atom", None)
        if atom is None or item.sign or atom.ast_type != ASTType.Comparison or len(atom.guards) != 1:
            continue
        rest = [
            *map(str, (other for other in items if other != item)),
            *(str(each) for use in uses for each in use.rest),
        ]
        guard = atom.guards[0]
        if texts := _compared(uses, atom.term, COMPARISONS[guard.comparison], guard.term):
            return " ".join(f"{text_of_head}:- {'; '.join(dict.fromkeys([*rest, text]))}." for text in texts)
    return None


def _compared(uses: Sequence[_Use], left: AST, operator: str, right: AST) -> list[str]:
    """The comparison of an aggregate that says what a comparison of values says, two for a distance; empty for others.
    A term that is a side alone may be no integer, and stays one."""
    values = {Variable(use.value) for use in uses}
    is_right = not names_in(left).variables & values
    near, far = (right, left) if is_right else (left, right)
    is_distance = near.ast_type == ASTType.UnaryOperation and near.operator_type == UnaryOperator.Absolute
    if is_distance and operator not in (("<", "<=") if is_right else (">", ">=")):
        return []
    sums: list[tuple[str, str]] = []
    if len(uses) == 1 and near.ast_type == ASTType.Variable and not names_in(far).variables & values:
        sums.append((str(uses[0].aggregate.update(left_guard=None, right_guard=None)), str(far)))
    for sign in () if sums else (1, -1)[: 1 + is_distance]:
        parts = _parts(near.argument if is_distance else near, sign) + _parts(far, -1)
        signs = {str(term): sign for sign, term in parts if term.ast_type == ASTType.Variable}
        others = [(sign, term) for sign, term in parts if names_in(term).variables.isdisjoint(values)]
        is_alone = (-1, far) in others and not str(far).isdigit()
        is_sum = len(parts) == len(others) + len(uses) and all(use.value in signs and use.tuples for use in uses)
        if not is_sum or (is_alone and len(others) > 1):
            return []
        elements = [
            f"{weight if signs[use.value] > 0 else f'-({weight})'},{','.join([str(mark), *terms])}: {', '.join(inner)}"
            for mark, use in enumerate(uses)
            for weight, terms, inner in use.tuples
        ]
        bound = "".join(f"{'-' if sign > 0 else '+'}{term}" for sign, term in others).removeprefix("+") or "0"
        sums.append((f"#sum {{ {'; '.join(elements)} }}", bound if is_alone or bound.isdigit() else f"{bound}+0"))
    return [f"{bound} {operator} {text}" if is_right else f"{text} {operator} {bound}" for text, bound in sums]


def _cost(statement: Statement, values: _Literals) -> str | None:
    """A minimised value: the tuples of the sum, with the other terms of the statement."""
    (literal, definition), node = values[0], statement.node
    use = definition.used(statement, literal) if len(values) == 1 else None
    is_weak, weight = statement.kind == "weak", node.weight
    if not is_weak and weight.ast_type == ASTType.UnaryOperation and weight.operator_type == UnaryOperator.Minus:
        weight = weight.argument  # of `#maximize`
    if use is None or str(weight) != use.value or not use.tuples:
        return None
    others = [item for item in node.body if item != literal]
    keys = {str(argument) for argument in literal.atom.symbol.arguments} - {use.value}
    if Variable(use.value) in names_in(*node.terms, *others).variables or not keys <= set(map(str, node.terms)):
        return None
    texts = []
    for first, terms, condition in use.tuples:
        tuples = ",".join([f"{first}@{node.priority}", *map(str, node.terms), *terms])
        body = ("; " if is_weak else ", ").join([*condition, *map(str, others), *map(str, use.rest)])
        texts.append(f":~ {body}. [{tuples}]" if is_weak else f"{tuples} : {body}")
    return (" " if is_weak else "; ").join(texts)


def dropped(analysis: Analysis) -> Mapping[int, Dropped]:
    """The rules of such values, and the statements that use them with their new text."""
    encoding = analysis.encoding
    blocks = {block.statement: block for block in analysis.blocks if block.kind != "element"}
    known: dict[Predicate, tuple[int, _Definition]] = {}
    for number, statement in enumerate(encoding.statements):
        definition, heads = _definition(statement), statement.heads
        if definition is not None and not heads & analysis.given and len(encoding.deriving[min(heads)]) == 1:
            known[min(heads)] = number, definition
    if not known or encoding.has_scripts or encoding.asprin_names:
        return {}
    own = {number for number, _ in known.values()}
    texts: dict[int, tuple[str, list[Predicate]]] = {}
    gone = known.keys() & analysis.hidden
    for number, statement in enumerate(encoding.statements):
        mentioned = {each for each in statement.names.predicates & known.keys() if known[each][0] != number}
        is_body = number in blocks and number not in own and statement.part == BASE
        text, inlined = _written(statement, mentioned, known, analysis) if is_body else (None, [])
        if text is not None:
            texts[number] = text, inlined
        gone -= mentioned - {*inlined}
    dropped = {
        number: Dropped(blocks[number], "values", "", text)
        for number, (text, inlined) in texts.items()
        if len(inlined) > 1 or gone & {*inlined}
    }
    used = {predicate for _, inlined in texts.values() for predicate in inlined} & gone
    for number in (known[predicate][0] for predicate in used):
        dropped[number] = Dropped(blocks.get(number), "values", "no #show asks for its value")
    return dropped


def _written(
    statement: Statement,
    mentioned: Collection[Predicate],
    known: Mapping[Predicate, tuple[int, _Definition]],
    analysis: Analysis,
) -> tuple[str | None, list[Predicate]]:
    """A statement with the aggregates of values in it, and the predicates of these, which it mentions no more; None
    where it cannot do without."""
    body = list(getattr(statement.node, "body", ()))
    inside = [(item, names_in(item).predicates & {*mentioned}) for item in body]
    plain = [(item, min(names)) for item, names in inside if names and str(item).startswith(f"{min(names).name}(")]
    names = [predicate for _, predicate in plain]
    others = names_in(getattr(statement.node, "head", None), *(item for item in body if item not in dict(plain)))
    circles = (analysis.components.get(name, frozenset()) for name in names)
    if not plain or others.predicates & {*names} or statement.heads & frozenset[Predicate]().union(*circles):
        return None, []
    values = [(item, known[name][1]) for item, name in plain]
    if statement.kind not in ("minimize", "weak"):
        text = _compared_in(statement, values)
    else:
        costs = [str(each.node.priority) for each in analysis.encoding.statements if each.kind in ("minimize", "weak")]
        is_only = costs.count(str(statement.node.priority)) == 1 and all(map(str.isdigit, costs))
        text = _cost(statement, values) if is_only else None
    return text, names if text is not None else []


STEP = Step("bounds", dropped=dropped)
