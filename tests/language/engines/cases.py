"""Small programs that every engine must answer like clingo, and the questions about them."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.language import Atom, Program
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.parser import parse_atom


@dataclass(frozen=True)
class Case:
    """A program, the facts it may be given and all questions, blank between atoms.

    `refused_by` names the engines that say they cannot run it.
    """

    text: str
    facts: str
    queries: str
    refused_by: tuple[str, ...] = ()

    @property
    def program(self) -> Program:
        return parse_checked(self.text)

    @property
    def fact_atoms(self) -> list[Atom]:
        return list(map(parse_atom, self.facts.split()))

    @property
    def query_atoms(self) -> list[Atom]:
        return list(map(parse_atom, self.queries.split()))


def pairs(name: str, low: int = 1, high: int = 4) -> str:
    """`name(1,1) name(1,2) ...`."""
    return " ".join(f"{name}({x},{y})" for x in range(low, high + 1) for y in range(low, high + 1))


def singles(names: str, low: int, high: int) -> str:
    """`name(1) name(2) ...` for each of the names."""
    return " ".join(f"{name}({x})" for name in names.split() for x in range(low, high + 1))


CASES: dict[str, Case] = {
    "facts": Case(
        "#defined p/1. p(7). q(a,1). q(X,X) :- p(X).", "p(1) p(b) p(7)", "p(1) p(7) p(8) q(b,b) q(a,1) q(a,b)"
    ),
    "left recursion over cycles": Case(
        "#defined edge/2. reach(X,Y) :- reach(X,Z), edge(Z,Y). reach(X,Y) :- edge(X,Y).",
        pairs("edge"),
        pairs("reach"),
        refused_by=("epilog",),
    ),
    "right recursion over cycles": Case(
        """#defined edge/2. reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y).
        round(X) :- reach(X,X).""",
        pairs("edge"),
        pairs("reach") + " " + singles("round", 1, 4),
        refused_by=("epilog", "pydatalog"),
    ),
    "mutual recursion": Case(
        """#defined edge/2. odd(X,Y) :- edge(X,Y). odd(X,Y) :- even(X,Z), edge(Z,Y).
        even(X,Y) :- odd(X,Z), edge(Z,Y).""",
        pairs("edge"),
        pairs("odd") + " " + pairs("even"),
        refused_by=("epilog",),
    ),
    "stratified negation": Case(
        """#defined edge/2. node(1..4). reach(X,Y) :- edge(X,Y). reach(X,Y) :- reach(X,Z), edge(Z,Y).
        apart(X,Y) :- node(X), node(Y), not reach(X,Y). leaves(X) :- edge(X,_). entered(Y) :- edge(X,Y), X != Y.
        sink(X) :- node(X), not leaves(X). lonely(X) :- sink(X), not entered(X).
        walk(X,Y) :- apart(X,Y). walk(X,Y) :- walk(X,Z), apart(Z,Y), not entered(Y).""",
        pairs("edge"),
        pairs("apart") + " " + pairs("walk") + " " + singles("sink lonely", 1, 4),
        refused_by=("epilog",),
    ),
    "negation without recursion": Case(
        """#defined edge/2. node(1..4). two(X,Z) :- edge(X,Y), edge(Y,Z). apart(X,Y) :- node(X), node(Y), not two(X,Y).
        leaves(X) :- edge(X,_). sink(X) :- node(X), not leaves(X). lonely(X) :- sink(X), not edge(X,X), apart(X,1).""",
        pairs("edge"),
        pairs("two") + " " + pairs("apart") + " " + singles("sink lonely", 1, 4),
    ),
    "arithmetic": Case(
        """#defined n/1. next(X,Y) :- n(X), Y = X+1. half(X,Y) :- n(X), Y = X/2. rest(X,Y) :- n(X), Y = X\\3.
        back(X) :- n(X), n(Y), X = Y-1. square(X*X) :- n(X). minus(Y) :- n(X), Y = 0-X.
        twice(X) :- n(Y), X = (Y+Y)*1. below(X/(-2)) :- n(X). wrap(X,(X-1)\\3+1) :- n(X).
        inside(X) :- n(X), n(X+2). outside(X) :- n(X), not n(X+2). same(X,Y) :- n(X), n(Y), X/2 = Y/2.
        odd(X) :- n(X), X\\2 != 0. five(X) :- n(X), 5 = X+2, X+1 < 2*X. less(X) :- n(X), X/2 < X\\3, 0 <= X/2.""",
        singles("n", -4, 4),
        " ".join(
            f"{name}({x},{y})"
            for name in ("next", "half", "rest", "wrap")
            for x in (-4, -3, 3, 4)
            for y in (-2, -1, 1, 2)
        )
        + " same(-1,1) same(3,2) same(-4,-3) "
        + singles("back square minus below inside outside odd five less", -3, 4)
        + " twice(-8) twice(6)",
    ),
    "comparisons": Case(
        """#defined n/1. less(X,Y) :- n(X), n(Y), X < Y. most(X,Y) :- n(X), n(Y), X <= Y.
        more(X,Y) :- n(X), n(Y), X > Y. least(X,Y) :- n(X), n(Y), X >= Y. differ(X,Y) :- n(X), n(Y), X != Y.
        same(X,Y) :- n(X), n(Y), X = Y. copy(X,Y) :- n(X), Y = X. bound(X) :- Y = 2, n(X), Y < X.
        three(X) :- n(X), 3 = X. not_two(X) :- n(X), 2 != X. always :- 1 < 2, a < b, 7 < a. never :- a = b.""",
        singles("n", 0, 3),
        "always never "
        + " ".join(pairs(name, 1, 2) for name in ("less", "most", "more", "least", "differ", "same", "copy"))
        + " "
        + singles("bound three not_two", 1, 3),
    ),
    "symbols": Case(
        """#defined owns/2. other(red,blue). other(blue,red). has(P) :- owns(P,X).
        lacks(P) :- other(P,Q), not has(P). odd_one(X) :- owns(P,X), P != red, P != nil. named(X) :- owns(nil,X).
        pair(X,Y) :- owns(P,X), owns(Q,Y), other(P,Q). prime(x',Y) :- owns(_x,Y).
        operator(X) :- owns(X,Y), X = is. is_mod(X) :- owns(X,Y), mod = X.""",
        "owns(red,1) owns(red,2) owns(blue,2) owns(nil,3) owns(_x,4) owns(is,5) owns(mod,6) owns(dynamic,7)",
        """has(red) has(dynamic) lacks(blue) odd_one(2) odd_one(3) odd_one(6) named(3) pair(1,2) pair(2,2)
        prime(x',4) operator(is) is_mod(mod) is_mod(red)""",
    ),
    "order of symbols": Case(
        "#defined p/1. small(X) :- p(X), X < nil. upto(X) :- p(X), nil >= X.",
        "p(red) p(blue) p(nil) p(_x)",
        "small(red) small(blue) small(nil) small(_x) upto(nil) upto(red)",
        refused_by=("egglog", "epilog"),
    ),
    "equivalence": Case(
        """%! equivalence same/3.
        #defined edge/3. #defined lone/1. same(P,X,X) :- lone(X), edge(P,_,_). same(P,X,Y) :- edge(P,X,Y).
        same(P,Y,X) :- same(P,X,Y). same(P,X,Z) :- same(P,Y,Z), same(P,X,Y).
        apart(P,X,Y) :- same(P,X,X), same(P,Y,Y), not same(P,X,Y). one(X) :- same(red,1,X). both(X,Y) :- same(P,X,Y),
        same(Q,X,Y), P != Q. chain(P) :- same(P,X,Y), P = 1, X+2 = Y.""",
        "edge(1,1,2) edge(1,2,3) edge(1,4,5) edge(2,2,1) edge(2,3,3) edge(2,4,3) edge(red,1,a) edge(red,a,2) lone(7)",
        """same(1,1,3) same(1,3,1) same(1,1,1) same(1,7,7) same(1,1,4) same(2,1,2) same(2,9,9) same(3,7,7) apart(1,1,4)
        apart(1,1,3) apart(2,7,1) one(1) one(a) one(2) one(3) both(1,2) both(2,1) both(1,1) both(1,3) same(red,1,2)
        chain(1)""",
        refused_by=("clingo", "compiled", "epilog", "pydatalog", "swipl"),
    ),
    "constants and intervals": Case(
        """#const n = m+1. #const m = 2. #const side = red. #defined on/2. cell(1..n*n). grid(1..n,0..1).
        deep(f(1..2),side). mine(X) :- on(side,X), cell(X). last(n*n). corner(X) :- last(X), on(side,X). none(3..2).""",
        "on(red,1) on(red,9) on(blue,2) on(red,10)",
        """cell(0) cell(9) cell(10) grid(3,1) grid(1,2) deep(f(2),red) deep(f(3),red) mine(1) mine(2) mine(10)
        corner(9) corner(1) none(3)""",
    ),
    "compound terms": Case(
        """#defined p/1. wrapped(f(X)) :- p(X). inner(X) :- wrapped(f(X)). twin(pair(X,X)) :- p(X).
        q(pair(X,Y)) :- p(X), p(Y). equal(X) :- q(pair(X,X)). left(X) :- q(Z), Z = pair(X,_).
        both(X) :- q(Z), pair(X,X) = Z. nested(g(f(X),h(X,Y))) :- p(X), p(Y), X < Y. one(X) :- q(pair(1,X)).
        deep(X) :- nested(g(f(X),h(X,_))). shift(f(X+1)) :- p(X). shifted(X) :- p(X), shift(f(X-1+1)).
        match(X) :- p(X), f(X) = f(2). unequal(X) :- p(X), f(X) != f(2). taken(X) :- p(Y), f(X,Y) = f(3,2).""",
        "p(1) p(2) p(3)",
        """wrapped(f(1)) inner(2) twin(pair(1,1)) twin(pair(1,2)) equal(1) equal(3) q(pair(1,2)) left(3) both(2)
        nested(g(f(1),h(1,2))) nested(g(f(1),h(2,2))) deep(1) deep(3) shift(f(2)) shifted(2) match(2) match(1)
        unequal(2) unequal(1) one(2) taken(3)""",
    ),
    "visited lists": Case(
        """#defined edge/2. node(1..4). path(1,visited(1,nil)).
        path(Y,visited(Y,V)) :- path(X,V), edge(X,Y), fresh(Y,V).
        fresh(Y,nil) :- node(Y). fresh(Y,visited(X,V)) :- fresh(Y,V), node(X), X != Y. end(X) :- path(X,V).
        #show end/1.""",
        pairs("edge"),
        singles("end", 1, 5),
        refused_by=("clingo", "compiled", "egglog", "epilog"),
    ),
    "names the tools keep": Case(
        """#defined print/1. #defined append/2. member(X) :- print(X). ask(X) :- append(X,Y), member(Y).
        size(X) :- ask(X). lambda_(X) :- size(X), not atom(X). length(X) :- member(X), X > 1. atom(X) :- length(X).
        is(X) :- atom(X). call(X) :- is(X). true :- call(2). fail :- true. if(X) :- fail, member(X).
        class(X) :- if(X). lambda(X) :- class(X). len(X) :- lambda(X). sum(X) :- len(X). str(X) :- sum(X).
        range_(X) :- str(X). write(X) :- range_(X). table(X) :- write(X). dynamic(X) :- table(X).
        findall(X) :- dynamic(X). list(X) :- findall(X). p_print(X) :- list(X). user_print(X) :- p_print(X).
        none(X) :- user_print(X). end_of_file :- none(2). halt :- end_of_file. mod(X) :- halt, none(X).
        is_list(X) :- mod(X). a'(X) :- is_list(X). _b(X) :- a'(X). format_(X) :- _b(X). load(X) :- format_(X).
        clear(X) :- load(X). import(X) :- clear(X). pass(X) :- import(X). yes(X) :- pass(X).""",
        "print(1) print(2) append(1,1) append(3,2) append(4,4)",
        """member(1) ask(1) ask(3) size(3) lambda_(1) lambda_(3) atom(2) call(2) true fail halt end_of_file if(1)
        user_print(1) mod(1) yes(1) yes(3) a'(2) print(1) append(4,4)""",
    ),
    "variables of any name": Case(
        """#defined p/2. q(True,X') :- p(True,X'). r(_Y) :- p(_Y,None), None != _Y.
        s(T,N,V) :- p(T,N), p(N,V), T+N < 2*V.""",
        "p(1,2) p(2,2) p(2,3) p(3,1)",
        "q(1,2) q(2,1) r(1) r(2) s(1,2,3) s(2,2,2) s(3,1,2) s(1,2,2)",
    ),
    "undefined predicates": Case(
        "#defined p/1. q(X) :- p(X), ghost(X). r(X) :- p(X), not ghost(X). :- p(X), X > 2. #show nothing/2.",
        "p(1) p(2) p(3)",
        "q(1) r(1) r(3) nothing(1,2) unheard(1)",
    ),
}
