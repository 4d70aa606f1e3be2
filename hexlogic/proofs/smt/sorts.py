"""Which argument positions hold integers: places that a rule joins by a variable have one sort.

A place is `int` when an integer, arithmetic or a `#const` of the board stands there, or what it is joined with. Every
other place is `thing`: its values are compared by an uninterpreted total order.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.errors import HexlogicError
from hexlogic.language import Arithmetic, Atom, Comparison, Function, Interval, Predicate, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.walk import body_terms, subterms
from hexlogic.proofs.smt.formulas import Sort


class Sorts:
    """The sorts of every predicate's arguments and of every rule's variables, inferred from `rules`."""

    def __init__(
        self, rules: Iterable[Rule], parameters: Iterable[Symbol] = (), constants: Iterable[Symbol] = ()
    ) -> None:
        """`parameters` are unknown integers, `constants` unknown values. Raises HexlogicError for a compound term
        and for a place that holds integers and names.
        """
        self._parameters, self._constants = frozenset(parameters), frozenset(constants)
        self._joined: list[tuple[object, object]] = []
        integers, names = set[object](), set[object]()
        for rule in dict.fromkeys(rules):
            for item in rule.items:
                outer = body_terms(item)
                nodes = [self._node(rule, term, integers, names) for term in outer]
                if isinstance(item, Comparison):
                    self._joined.append((nodes[0], nodes[1]))
                else:
                    predicate = item.predicate if isinstance(item, Atom) else item.atom.predicate
                    self._joined += (((predicate, place), node) for place, node in enumerate(nodes))
                for part in (part for term in outer for part in subterms(term)):
                    self._node(rule, part, integers, names)
                    if isinstance(part, Arithmetic | Interval):
                        ends = (part.left, part.right) if isinstance(part, Arithmetic) else (part.low, part.high)
                        integers.update(self._node(rule, end, integers, names) for end in ends)
        self._int: set[object] = set()
        graph = Digraph((*ends, False) for one, other in self._joined for ends in ((one, other), (other, one)))
        for component in graph.components():
            if component & integers:
                self._int |= component
                if component & names:
                    what = " and ".join(
                        sorted({str(node[-1]) for node in component & names if isinstance(node, tuple)})
                    )
                    hint = "a place of a predicate holds integers or names, not both"
                    raise HexlogicError(f"{what} and integers stand in one place", hint=hint)

    def _node(self, rule: Rule, term: Term, integers: set[object], names: set[object]) -> object:
        """The node of a term in the graph of joined places; notes what is an integer and what a name."""
        if isinstance(term, Function):
            error = HexlogicError(f"the term {term} cannot be written for a prover", hint="no compound terms")
            raise rule.at(error)
        if isinstance(term, Symbol) and term in self._constants:
            node: object = term
        elif isinstance(term, Variable):
            node = (rule.head, rule.body, term)
        else:
            node = (rule.head, rule.body, "term", term)
            (names if isinstance(term, Symbol) and term not in self._parameters else integers).add(node)
        self._joined.append((node, node))
        return node

    def of(self, rule: Rule, term: Term) -> Sort:
        """The sort of a term that stands in a rule; the rule is one of those given."""
        own = isinstance(term, Symbol) and term in self._constants
        node = term if own else (rule.head, rule.body, *([] if isinstance(term, Variable) else ["term"]), term)
        return "int" if node in self._int else "thing"

    def signature(self, predicate: Predicate) -> tuple[Sort, ...]:
        """The sorts of a predicate's arguments."""
        return tuple("int" if (predicate, place) in self._int else "thing" for place in range(predicate.arity))

    def constant(self, constant: Symbol) -> Sort:
        """The sort of one of the constants that stand for any value."""
        return "int" if constant in self._int else "thing"
