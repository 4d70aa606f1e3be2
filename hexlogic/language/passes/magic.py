"""Magic: derive only what the queries ask for (demand, or magic-set, transformation).

Before:  path(X,Y) :- edge(X,Y).  path(X,Z) :- path(X,Y), edge(Y,Z).
         goal(Y) :- start(X), path(X,Y).
After:   path_bf(X,Y) :- demand_path_bf(X), edge(X,Y).  path_bf(X,Z) :- demand_path_bf(X), path_bf(X,Y), edge(Y,Z).
         goal(Y) :- start(X), path_bf(X,Y).  demand_path_bf(X) :- start(X).

A call binds the arguments that stand bound when it is reached, left to right: the order of the text is the SIP, so a
`reorder` before `magic` chooses it. `path_bf` holds the paths that are asked for with the first argument bound,
`demand_path_bf` the values it is asked with. The queries themselves are asked with free arguments: which instance
somebody will ask is not known yet, so all of them are answered, and only the calls inside are narrowed.

- `magic:supplementary` joins the literals before a call once, in a predicate of their own, and not once for the demand
  and once more in the rule: `p_before(X,Z) :- demand_p_b(X), q(X,Y), r(Y,Z).  demand_s_b(Z) :- p_before(X,Z).`
- `magic:subsumptive` answers a call from the predicate of a call that binds fewer arguments, where the program makes
  such a call: with `path(X,Y)` asked for as bf and as bb, both are answered from `path_bf`.
- `magic:subsumptive+supplementary` does both.

Keeps the answers to the queries. Leaves alone facts and inputs, predicates that are called with nothing bound,
predicates in integrity constraints, declared equivalences, and programs without a query. Rules that no query needs go.
A negated predicate, and whatever it needs, stays whole where the program would recurse through negation otherwise.
Meant for engines that go bottom-up: a demand found from a larger term (visited lists) sends others up without end.
Source: Beeri and Ramakrishnan 1991; stratified negation: Balbin, Port, Ramamohanarao and Meenakshi 1991; subsumptive
demand: Tekle and Liu 2011.
"""

import functools
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from hexlogic.errors import UnknownNameError
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.binding import needs
from hexlogic.language.analysis.dependence import dependency_graph, intensional, reachable, sccs, strata
from hexlogic.language.names import fresh_variables, reserved_name
from hexlogic.language.passes import Pass, Transformation
from hexlogic.language.walk import computes, predicates, rule_variables, variables

_SUPPLEMENTARY: Final = "supplementary"
_SUBSUMPTIVE: Final = "subsumptive"


def magic(program: Program, variants: Collection[str] = (), only: Collection[Predicate] | None = None) -> Program:
    """The program with demand predicates; the same object when no call binds an argument. With `only` no other
    predicates are narrowed, and demand does not depend on them where it is bound without.

    Raises StratificationError when the program recurses through negation.
    """
    strata(program)
    if not program.queries:
        return program
    # Computed in full: what constraints speak about, inputs that have rules as well, and equivalences. One that is
    # narrowed would lose the closing rules by which an engine knows that it may merge.
    spoken_of = {literal.atom.predicate for rule in program.constraints for literal in rule.literals}
    inputs = set(program.inputs) & intensional(program)
    whole = reachable(program, spoken_of | inputs | set(program.equivalences))
    if only is not None:
        whole |= intensional(program).difference(only)
    while True:
        demand = _Demand(program, whole, variants, frozenset() if only is None else only)
        changed = demand.transform()
        graph = dependency_graph(changed)
        cyclic = {
            demand.origin.get(negated.name, negated)
            for component in sccs(changed)
            for predicate in component
            for negated, negative in graph.successors(predicate).items()
            if negative and negated in component
        }
        if not cyclic:
            return changed if demand.names else program
        whole |= reachable(program, cyclic)


def _variant(option: str) -> Transformation:
    variants = option.split("+")
    for variant in variants:
        if variant not in (_SUBSUMPTIVE, _SUPPLEMENTARY):
            raise UnknownNameError.among("variant of magic", variant, [_SUBSUMPTIVE, _SUPPLEMENTARY])
    return functools.partial(magic, variants=variants)


_Call: TypeAlias = tuple[Predicate, tuple[int, ...]]  # A predicate with the argument positions that are bound


class _Demand:
    def __init__(
        self, program: Program, whole: frozenset[Predicate], variants: Collection[str], avoided: Collection[Predicate]
    ) -> None:
        self._program = program
        self._avoided = dependency_graph(program).above(avoided)  # Predicates that demand should not depend on
        self._whole = whole
        self._variants = variants
        self._rules_for = program.definitions
        self._derived = intensional(program)
        self._free = set(whole | set(program.queries))
        self._patterns: set[_Call] = set()
        self.names: dict[_Call, tuple[str, str]] = {}
        """The new predicates of each call that binds an argument: its answers, and the demand for them."""
        self.origin: dict[str, Predicate] = {}
        """The predicate of the input program whose answers a new predicate has."""

    @functools.cached_property
    def _text(self) -> str:
        return str(self._program)

    def transform(self) -> Program:
        """The program with narrowed calls. A predicate that is once called with nothing bound is computed in full."""
        while True:
            known = len(self._free), len(self._patterns)
            self.names, self.origin = {}, {}
            self._used = {predicate.name for predicate in predicates(self._program)}
            rules = self._reach()
            if (len(self._free), len(self._patterns)) == known:
                return self._program.with_rules(tuple(rules))

    def _reach(self) -> list[Rule]:
        """The rules of all predicates that the queries lead to, in the order of the program's text."""
        start = sorted(self._free & (set(self._program.queries) | self._whole) & self._derived)
        waiting: list[_Call] = [(predicate, ()) for predicate in start]
        done: set[_Call] = set()
        new: dict[Rule, list[Rule]] = {}
        """What becomes of each rule, for one call after the other."""
        for predicate, bound in waiting:
            if (predicate, bound) not in done:
                done.add((predicate, bound))
                for rule in dict.fromkeys(self._rules_for[predicate]):
                    new.setdefault(rule, []).extend(self._adorn(rule, bound, waiting))
        rules: list[Rule] = []
        for rule in self._program.rules:
            if rule.head is None or rule.head.predicate not in self._derived:
                rules.append(rule)
            else:
                rules += new.get(rule, ())
        return list(dict.fromkeys(rules))

    def _adorn(self, rule: Rule, bound: tuple[int, ...], waiting: list[_Call]) -> Iterator[Rule]:
        """The demand rules for the calls in the body, then the rule itself with its guard."""
        if not rule.body:
            # a fact costs nothing; it stays unguarded (an interval in it could not be guarded)
            yield Rule(self._narrow(rule.conclusion, bound), (), rule.place)
            return
        guard, late = self._guard(rule, bound)
        body: list[BodyLiteral] = [*guard]
        fewer: list[BodyLiteral] = [*guard]
        known = variables(*guard)
        for place, item in enumerate(rule.body):
            if isinstance(item, Literal) and item.atom.predicate in self._derived:
                call = self._call(item, known)
                waiting.append((item.atom.predicate, call))
                if call and Literal(asked := self._demand(item.atom, call)) not in guard:
                    if _SUPPLEMENTARY in self._variants:
                        needed = variables(rule.conclusion, *rule.body[place:], *late)
                        joined, body = self._joined_once(rule, body, needed)
                        yield from joined
                    is_bound = self._avoided and variables(asked) <= variables(*_evaluable(fewer))
                    yield Rule(asked, tuple(_evaluable(fewer if is_bound else body)), rule.place)
                is_avoided = item.atom.predicate in self._avoided
                item = Literal(self._narrow(item.atom, call), item.positive)
            else:
                is_avoided = False
            body.append(item)
            fewer += [] if is_avoided else [item]
            if not needs(item, known):
                known |= variables(item)
        yield Rule(self._narrow(rule.conclusion, bound), (*body, *late), rule.place)

    def _joined_once(
        self, rule: Rule, body: Sequence[BodyLiteral], needed: frozenset[Variable]
    ) -> tuple[list[Rule], list[BodyLiteral]]:
        """The rule of a supplementary predicate for the literals before a call, and the body over that predicate."""
        before = list(_evaluable(body))
        left = [item for item in body if item not in before]
        if len(before) < 2:
            return [], list(body)
        kept = tuple(sorted(variables(*before) & (needed | variables(*left))))
        head = Atom(self._new(f"{rule.conclusion.name}_before"), kept)
        return [Rule(head, tuple(before), rule.place)], [Literal(head), *left]

    def _guard(self, rule: Rule, bound: tuple[int, ...]) -> tuple[list[Literal], list[Comparison]]:
        """The demand for the head, and what makes it fit where the head computes an argument."""
        if not bound:
            return [], []
        fresh = iter(fresh_variables("D", rule_variables(rule)))
        arguments = list(rule.conclusion.arguments)
        late: list[Comparison] = []
        for position in bound:
            term = arguments[position]
            if computes(term):
                arguments[position] = next(fresh)
                late.append(Comparison("=", arguments[position], term))
        return [Literal(self._demand(Atom(rule.conclusion.name, tuple(arguments)), bound))], late

    def _call(self, literal: Literal, known: frozenset[Variable]) -> tuple[int, ...]:
        """The argument positions that this call binds; none when the predicate is computed in full."""
        predicate = literal.atom.predicate
        if predicate in self._free:
            return ()
        terms: Sequence[Term] = literal.atom.arguments
        bound = tuple(position for position, term in enumerate(terms) if variables(term) <= known)
        if not bound:
            self._free.add(predicate)
        elif _SUBSUMPTIVE in self._variants:
            fewer = (other for known, other in self._patterns if known == predicate and set(other) < set(bound))
            bound = min(fewer, key=lambda other: (len(other), other), default=bound)
            self._patterns.add((predicate, bound))
        return bound

    def _named(self, predicate: Predicate, bound: tuple[int, ...]) -> tuple[str, str]:
        key = (predicate, bound)
        if key not in self.names:
            adornment = "".join("b" if position in bound else "f" for position in range(predicate.arity))
            adorned = f"{predicate.name}_{adornment}"
            self.names[key] = name, _ = self._new(adorned), self._new(f"demand_{adorned}")
            self.origin[name] = predicate
        return self.names[key]

    def _new(self, base: str) -> str:
        """A name that belongs to this program, since what it stands for depends on all of it."""
        name = reserved_name(base, self._text, self._used)
        self._used.add(name)
        return name

    def _narrow(self, atom: Atom, bound: tuple[int, ...]) -> Atom:
        return Atom(self._named(atom.predicate, bound)[0], atom.arguments) if bound else atom

    def _demand(self, atom: Atom, bound: tuple[int, ...]) -> Atom:
        name = self._named(atom.predicate, bound)[1]
        return Atom(name, tuple(atom.arguments[position] for position in bound))


def _evaluable(body: Sequence[BodyLiteral]) -> Iterator[BodyLiteral]:
    """The literals of a prefix that find what they need; without the others the demand is larger, never too small."""
    known: frozenset[Variable] = frozenset()
    for item in body:
        if not needs(item, known):
            yield item
            known |= variables(item)


PASS = Pass(
    "magic",
    "derive only what the queries ask for: one demand predicate for each call with bound arguments",
    magic,
    _variant,
)
