"""pyDatalog: tabled top-down resolution in Python, first literal first.

pyDatalog keeps its clauses in one object per thread (`Logic.tl.logic`). A session owns such an object and puts it in
place for each question, so sessions may live side by side and may be asked from any thread, one at a time.

Two limits of pyDatalog 0.22.4 that no error tells of. Incomplete tables that wait for each other can make it search
forever (seen in a tenth of random cyclic graphs); that takes recursive calls with different arguments, so `supports`
refuses them. And arithmetic on a symbol yields an exception as a value, which equals nothing: the answer is "no" where
the other engines report an error.
"""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from hexlogic.errors import EngineError, StratificationError
from hexlogic.language import Atom, Function, Integer, Literal, Predicate, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.checks import needs_union_find
from hexlogic.language.analysis.dependence import recursive_through, strata
from hexlogic.language.dialects import lower, render
from hexlogic.language.dialects.pydatalog import declaration, predicate_name, write_atom
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, Session, leaves_32_bits, reached_unbound, require_ground
from hexlogic.language.walk import predicates, subterms, variables


class PydatalogSession(Session):
    """Clauses of one program, in a `Logic` of their own. A question keeps no table: pyDatalog drops them itself."""

    def __init__(self, program: Program) -> None:
        text = render(program, "pydatalog")
        begin = time.perf_counter()
        from pyDatalog import Logic, pyDatalog

        self._pydatalog = pyDatalog
        self._logic_of_thread = Logic
        self._logic: object = None
        self._added: list[Atom] = []
        self._known: set[Predicate] = set(predicates(program))
        # asserting a fact of the program again and retracting it afterwards would take it from the program
        self._stated = frozenset(rule.head for rule in lower(program).rules if rule.is_fact)
        with self._in_place():
            self._logic = Logic()  # the call empties the thread's place and makes a new object there
        self.start_s = time.perf_counter() - begin
        begin = time.perf_counter()
        with self._in_place():
            pyDatalog.load(text)
        self.load_s = time.perf_counter() - begin

    @contextlib.contextmanager
    def _in_place(self) -> Iterator[None]:
        """Put this session's clauses where pyDatalog looks, and what stood there back; its errors as EngineError."""
        place = self._logic_of_thread.tl
        before = getattr(place, "logic", None)
        if before is None:
            self._logic_of_thread()  # a thread needs this first
        if self._logic is not None:
            place.logic = self._logic
        try:
            yield
        except Exception as error:
            raise EngineError(f"pyDatalog: {type(error).__name__}: {error}") from error
        finally:
            if before is not None:
                place.logic = before

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Assert the facts, ask, retract them. Only the asking is timed."""
        if self._logic is None:
            raise EngineError("the pyDatalog session is closed")
        require_ground(facts, query)
        new = [fact for fact in dict.fromkeys(facts) if fact not in self._stated]
        asked = write_atom(query)
        self.declare(atom.predicate for atom in (*new, query))
        with self._in_place():
            for fact in new:
                self._pydatalog.assert_fact(*_assertion(fact))
            try:
                spent, begin = time.process_time(), time.perf_counter()
                answer = self._pydatalog.ask(asked)
                solve_s, spent = time.perf_counter() - begin, time.process_time() - spent
            finally:
                for fact in new:
                    self._pydatalog.retract_fact(*_assertion(fact))
        return Answer(answer is not None, solve_s, cpu_s=spent)

    def declare(self, given: Iterable[Predicate]) -> None:
        """Load a declaration for each new one."""
        with self._in_place():
            for predicate in sorted({*given} - self._known):
                self._pydatalog.load(declaration(predicate.name, predicate.arity))
                self._known.add(predicate)

    def push(self, fact: Atom) -> None:
        """Assert the fact."""
        self._change(fact, self._pydatalog.assert_fact)
        self._added.append(fact)

    def pop(self) -> None:
        """Retract the fact."""
        self._change(self._added[-1], self._pydatalog.retract_fact)
        self._added.pop()

    def _change(self, fact: Atom, change: Callable[..., None]) -> None:
        if fact not in self._stated:
            with self._in_place():
                change(*_assertion(fact))

    def truths(self, queries: Sequence[Atom]) -> int:
        """Resolve anew over the facts that stand there: tables last for one question."""
        with self._in_place():
            answers = (self._pydatalog.ask(write_atom(query)) is not None for query in queries)
            return sum(1 << place for place, holds in enumerate(answers) if holds)

    def close(self) -> None:
        """Let the clauses go; a second call does nothing."""
        self._logic = None


def _assertion(fact: Atom) -> tuple[object, ...]:
    return predicate_name(fact.name), *map(_value, fact.arguments)


def _value(term: Term) -> object:
    """The Python value that the printed text of a ground term evaluates to."""
    match term:
        case Integer(value):
            return value
        case Symbol(name):
            return name
        case Function(name, arguments):
            return (name, *map(_value, arguments))
        case _:
            raise EngineError(f"the argument {term} has no value", hint="write it as an integer")


class PydatalogEngine(Engine):
    """The adapter of the pyDatalog package."""

    name = "pydatalog"
    package = "pyDatalog"
    dialect = "pydatalog"
    order_sensitive = True

    def supports(self, program: Program) -> str | None:
        """Refuses equivalences, unstratified programs, bodies in an illegal order and recursion that may not end.

        A body that reaches an unbound negation, comparison or sum would be answered None without an error, and look
        very fast. Recursion is safe with the recursive call first (`reach(Y) :- reach(X), edge(X,Y).`).
        """
        try:
            strata(program)
        except StratificationError as error:
            return needs_union_find(program) or str(error)
        if reason := needs_union_find(program) or reached_unbound(program):
            return reason
        for rule in program.rules:
            if (literal := _entangled(program, rule)) is not None:
                return f"it may search forever: `{literal}` is called with new arguments in the recursive `{rule}`"
        return leaves_32_bits(program)

    def open(self, program: Program) -> PydatalogSession:
        """Load the program. Raises EngineError."""
        self.require(program)
        return PydatalogSession(program)


def _entangled(program: Program, rule: Rule) -> Literal | None:
    """A recursive call with arguments that the body has just bound, so that tables of one predicate wait in circles.

    reach(X,Y) :- edge(X,Z), reach(Z,Y).      reach(1,_) waits for reach(2,_), which waits for reach(1,_)

    An argument that stays what the head has is no new one, and a call that takes a compound argument of the head apart
    cannot come back.
    """
    if rule.head is None or not rule.body:
        return None
    component = recursive_through(program, rule.head.predicate)
    bound: frozenset[Variable] = frozenset()
    for item in rule.body:
        if isinstance(item, Literal) and item.positive and item.atom.predicate in component:
            head = rule.head.arguments if item.atom.predicate == rule.head.predicate else ()
            pairs = list(itertools.zip_longest(item.atom.arguments, head))
            descends = any(mine is not None and call in list(subterms(mine))[1:] for call, mine in pairs)
            if not descends and any(variables(call) & bound for call, mine in pairs if call != mine):
                return item
        bound |= variables(item)
    return None


ENGINE = PydatalogEngine()
