"""Random programs in clingo's language: choices, disjunctions, aggregates, conditional literals, weak constraints."""

from __future__ import annotations

import random

import clingo

from hexlogic.language.names import is_reserved

VARIABLES = "XYZWV"
GIVEN = {"n": 1, "e": 2, "f": 2}
DERIVED = {"p": 2, "q": 1, "r": 2, "t": 0, "-q": 1}


class Maker:
    """Writes one random program; the same one for the same seed."""

    ground = (("{ o; c(1) }. k :- not o.", "o | k.", "o :- not k. k :- not o.", "o. { k }."),)
    """Ways in which ground atoms need not hold."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.odder = random.Random(f"odd {seed}")
        self.chosen = {"c": 1, "d": 2, "a": 1, "b": 1, "v": 2}

    def text(self) -> str:
        lines = [f"n(1..{self.random.choice([2, 2, 3])})."]
        lines += [f"{name}({self.value()},{self.value()})." for name in "ef" for _ in range(3)]
        lines += [":- d(X,Z), d(Y,Z), X != Y."] * self.random.randint(0, 1)
        lines += ["{ c(X) : n(X) }.", self.random.choice(["{ d(X,Y) : e(X,Y) }.", "1 { d(X,Y) : f(X,Y), n(Y) } 2."])]
        lines += [self.random.choice(ways) for ways in self.ground]
        lines += [self.random.choice(["a(X) | b(X) :- c(X).", "a(X) :- c(X), not b(X). b(X) :- c(X), not a(X)."])]
        lines += self.valued()
        lines += self.odd()
        lines += [self.statement() for _ in range(self.random.randint(2, 6))]
        if self.random.random() < 0.5:
            lines += ["#show c/1.", "#show d/2."] + ["#show q/1."] * self.random.randint(0, 1)
        return "\n".join(lines) + "\n"

    def valued(self) -> list[str]:
        """Statements that give `v/2` values, often one for each first argument, and ones that compare values."""
        pick = self.random.choice
        makers = [
            ["{ v(X,Y) : n(Y) } 1 :- n(X)."],
            ["1 { v(X,Y) : n(Y) } 1 :- n(X), not c(X)."],
            ["{ v(X,Y) : e(X,Y) } 1 :- n(X). { v(X,Y) : e(X,Y), n(X) } :- n(Y)."],
            ["{ v(X,Y) : n(Y), e(Y,Z) } = 1 :- n(X), e(X,Z)."],
            ["{ v(X,1..2) : n(X) } 1."],
            ["v(X,S) :- n(X), S = #sum { Y : d(X,Y) }."],
            ["v(1,S) :- S = #count { Y : c(Y) }.", "v(2,S) :- S = #sum { Y,Z : d(Y,Z) }."],
            ["v(X,S) :- n(X), S = #count { Y : d(Y,_) }, c(Z).", "v(3,1) :- c(1)."],
            ["v(X,S) :- c(X), S = #max { Y : d(X,Y); 0 }."],
            ["v(X,Y) :- d(X,Y)."],
        ]
        tests = [
            ":- v(X,Y), v(Z,W), e(X,Z), Y != W.",
            ":- v(1,Y), v(2,W), Y != W.",
            ":- v(X,Y), v(X,W), Y != W, f(X,_).",
            ":- v(X,Y), v(X,W), Y < W.",
            ":- v(X,Y), n(Z), Y != Z+1, c(X), e(X,Z).",
            ":~ v(X,Y), v(Z,W), f(X,Z), W != Y. [1,X]",
            "Y = W :- v(X,Y), v(Z,W), e(X,Z).",
            "Y <= W :- v(X,Y), v(Z,W), f(X,Z), (X+1)/2 = (Z+1)/2.",
            ":- v(X,Y), v(Z,W), X+Y = Z+W, X/2 = Z/2, X != Z.",
            "t :- v(X,Y), v(Z,W), X != Z, Y = W, not t.",
            "s(X) :- n(X), n(Y), X \\ Y = 0, X != Y.",
            ":- n(X), c(Y), X \\ Y = 0, X > Y.",
            "#minimize { 1,X : v(X,Y), v(Z,W), e(X,Z), Y != W }.",
        ]
        if self.random.random() < 0.4:
            return []
        return pick(makers) + self.random.sample(tests, self.random.randint(1, 3))

    def odd(self) -> list[str]:
        """Facts that do not hold, terms that are no numbers, and directives, each with statements about them."""
        domain = [
            ["n(a).", "e(a,1)."],
            ['n("a").', 'q(X) :- c(X), n("a"), n(a).'],
            ["n(f(1)).", "f(f(1),2)."],
            ["n(#inf).", "e(#inf,#sup)."],
            ["n((1,2)).", "f(1,(1,2))."],
            ["n(0).", "n(-1).", "e(-1,0)."],
            ["e(2+1,1).", "q(X) :- c(X), e(2+1,1), e(3,1)."],
        ]
        absent = [
            ["e(1/0,2).", "q(X) :- c(X), e(1/0,2)."],
            ["f(3..1,1).", ":- c(X), f(3..1,1)."],
            ["e(1,a\\0).", "p(X,Y) :- d(X,Y), e(1,a\\0)."],
            ["#const m = 1/0.", "n(m).", "p(X,X) :- c(X), n(m)."],
            ["#const m = 2.", "n(m).", "p(X,X) :- c(X), n(m), n(2)."],
            ["-q(1/0).", "p(X,X) :- c(X), not -q(1/0)."],
            ["#true :- d(X,Z), d(X,Y), Y != Z.", "p(X,X) :- d(X,Y), d(X,Z), e(Y,Z)."],
            ["not #false :- d(X,Y), c(X).", ":- c(Z), d(Z,X).", "not #true :- c(Z), d(Z,X)."],
        ]
        directives = [
            ["#external x(1..2).", "q(X) :- x(X), n(X).", ":- x(X), x(Y), X != Y."],
            ["#external x(X) : c(X), e(X,Y), n(Y).", "q(X) :- c(X), not x(X)."],
            ["#project c/1.", "#project d(X,Y) : e(X,Y), n(X), n(Y)."],
            ["#heuristic c(X) : n(X), e(X,_). [1,true]"],
            ["#edge (X,Y) : d(X,Y), e(X,Z), n(Z)."],
            ["#defined w/1.", "q(X) :- n(X), c(X), not w(X)."],
            ["#show.", "#show c(X) : c(X), n(X), e(X,Y)."],
            ["-c(X) :- n(X), not c(X).", "q(X) :- -c(X), n(X).", ":- -c(X), -c(Y), X != Y."],
        ]
        weights = [
            ["#minimize { Y,X : d(X,Y), d(Z,Y), X != Z }.", "#minimize { Y,X : d(X,Y), c(X) }."],
            ["#maximize { X+Z@2,Y : d(X,Y), d(Z,Y), X != Z; 1,Y : d(Y,X), e(X,Z), n(Z) }."],
            [":~ d(X,Y), d(Z,Y), X != Z. [1,Y]", ":~ d(Y,Z), d(Y,X), Z < X. [1,Y]"],
            [":~ d(X,Y), d(Z,Y), X != Z. [X,Y]", ":~ d(X,Y), c(Y), e(Y,Z), not c(X). [-1@X,Y]"],
            ["q(X) :- n(X), #sum { -1,Y : d(X,Y), n(Y), e(Y,_); 2,Y : c(Y), d(Y,Z), f(Z,_) } >= 0."],
            [":- n(X), 0 <= #sum+ { Y,Z : d(Y,Z), e(Z,X); -2,Y : c(Y), n(X), e(X,V) } <= 1."],
            [
                ":- 1 < #sum { W-2,Y : d(W,Y), e(Y,Z), n(Z) } < 3.",
                ":- 0 > #sum { -W,Y : d(W,Y), d(V,Y), W != V } != -3.",
            ],
            ["-1 #sum { -1,Y : d(X,Y) : e(X,Y), n(Z), f(Z,Y); 2,a : c(X) : e(X,_) } 1 :- n(X), e(X,_)."],
            ["1 #count { Y : d(X,Y) : e(X,Y), f(Y,Z), n(Z) } 2 :- c(X), n(X), e(X,_).", "d(X,Y) :- c(X), f(X,Y)."],
            ["#sum+ { -2,Y : d(X,Y) : n(Y); 1,X : c(X) } 2 :- e(X,Z), f(Z,_)."],
            ["a(X); b(X); c(Y) : e(X,Y), n(Y), f(Y,_) :- n(X), f(X,Z), n(Z), c(X)."],
            ["q(X) :- n(X), #min { Y : d(X,Y), e(Y,_); 2 : c(X), e(X,V), n(V) } != 2.", ":- q(X), q(Y), X != Y."],
            ["c(X) :- n(X), not not c(X), e(X,Y), f(Y,Z).", ":- d(X,Y), not not d(Y,X), X != Y."],
            [
                "{ d(X,Y) : not not e(X,Y), f(Y,_) } :- n(X), not not c(X), n(Y).",
                ":- d(X,Z), d(Y,Z), not not c(Z), X != Y.",
            ],
            ["#show g(X,Y) : d(X,Z), d(Y,Z), X != Y.", "#show g(X) : d(X,Y), d(X,Z), Y != Z.", "#show c/1."],
            [
                'e("s",1). e((1,2),"s"). e("s",(1,2)).',
                "q(1) :- e(X,Y), e(Z,X), X != Z, c(1).",
                ':- c(X), e("s",X), e("s",Y), X != Y.',
            ],
            ["#external x(X) : d(X,Y), d(X,Z), Y != Z, n(X).", "q(X) :- n(X), x(X), e(X,_)."],
            ["-d(X,Y) :- d(Y,X), d(Z,X), Y != Z, n(X).", ":- -d(X,Y), -d(Z,Y), X != Z."],
            [
                "#const m = 2.",
                "d(m,X) :- c(X), n(m), X != m.",
                "{ v(X,m) : e(X,m), n(X) } 1 :- n(m).",
                ":- v(X,Z), v(Y,Z), X != Y, n(m).",
            ],
            ["v(X,Y) :- n(X), Y = #sum+ { Z : d(X,Z); -1 : c(X) }.", ":- v(X,Y), v(Z,V), e(X,Z), Y != V."],
            ["v(X,Y) :- n(X), Y = #sum { -Z,Z : d(X,Z); 1 : c(X) }.", ":~ v(X,Y), v(Z,V), e(X,Z), Y != V. [Y@1]"],
            ["v(X,(Y;1)) :- d(X,Y).", ":- v(X,Y), v(X,Z), Y != Z, c(X).", "q(X) :- v(X,1..2), n(X), e(X,(1;3))."],
        ]
        public = [
            ["q(X) :- n(X), N = #count { Y : c(Y) }, N >= X.", ":- N = { d(X,Y) }, N > 2, c(1)."],
            [":- v(1,X), v(2,Y), not e(X,Y).", ":~ v(X,Y), v(Z,W), e(X,Z), Y != W, not f(Y,W). [1,X]"],
            ["g(X,Y) :- d(X,Y).", "g(X,Z) :- g(X,Y), d(Y,Z).", ":- g(X,X)."],
            [":- d(X,Y), d(Z,W), |X-Z|+|Y-W| = 1.", "q(X) :- c(X), n(Y), e(X+Y,Y)."],
            [":- v(X,Y), v(Z,W), e(X,Z), Y <= W.", ":- d(X,Z), d(Y,Z), X*2 = Y+Z, X != Y."],
            [":- d(X,V), d(Y,V), d(Z,V), X != Y, Y != Z, X != Z, c(V)."],
            ["bad(X) :- d(X,Y), d(X,Z), Y != Z.", "bad(X) :- c(X), d(Y,X), Y = Z, e(Z,_).", ":- bad(_)."],
            ["bad :- d(X,Z), d(Y,Z), X != Y.", ":- bad.", "q(X) :- n(X), not bad, c(X).", "{ bad } :- c(1), k."],
            ["w(X,S) :- n(X), S = #sum { Y : d(X,Y) }.", ":- w(_,S), w(X,T), c(X), S-T > 2.", "q(X) :- w(X,S), S > 2."],
            ["{ h2(X) : c(Y), f(Y,_) } :- w(X,S), S < 2.", "w(X,S) :- c(X), S = #count { Y : d(Y,X) }.", ":- w(_,2)."],
            [":- d(X,Y), d(Z,W), X != Z, |X-Z|+|Y-W| < 2.", ":- d(X,Y), d(Z,W), X != Z, X+Y = Z+W."],
            [":- d(X,Y), d(Z,X), Y != Z, n(Y).", ":- d(X,Y), d(Y,X), Z = X, n(Z).", ":- d(X,Y), e(X,Z), Y != Z."],
            [":- d(X,Y), not d(X,Z), n(Z), Y != Z, e(X,Z).", ":- c(X), c(Y), X != Y, n(Y).", ":- c(X), e(X,_)."],
            ["g(X,Y) :- d(X,Z), d(Y,Z).", "h2(X,Y) :- n(X), n(Y), X < Y.", ":- g(X,Y), h2(X,Y)."],
        ]
        groups = (domain, absent, directives, weights, public)
        drawn = (self.odder.choice(ways) for ways in groups if self.odder.random() < 0.3)
        return [line for lines in drawn for line in lines]

    def value(self) -> str:
        return str(self.random.randint(1, 3))

    def atom(self, names: dict[str, int] | None = None, anonymous: bool = True) -> str:
        known = names or {**GIVEN, **self.chosen, **DERIVED}
        name = self.random.choice(sorted(known))
        terms = [self.term(anonymous) for _ in range(known[name])]
        return f"{name}({','.join(terms)})" if terms else name

    def term(self, anonymous: bool) -> str:
        roll = self.random.random()
        if roll < 0.08 and anonymous:
            return "_"
        return self.value() if roll < 0.14 else self.random.choice(VARIABLES)

    def body(self, length: int | None = None) -> tuple[list[str], list[str]]:
        """Safe body items, and the variables that they bind."""
        items = [self.atom() for _ in range(length or self.random.randint(1, 5))]
        bound = sorted({letter for item in items for letter in item if letter in VARIABLES})
        if bound:
            pick = self.random.choice
            extra = [
                f"{pick(bound)} != {pick(bound)}",
                f"{pick(bound)} < {pick(bound)}",
                f"not {pick(['q', 'c', 'a'])}({pick(bound)})",
                f"not not c({pick(bound)})",
                *(["o", "k"] if self.ground else []),
                f"not d({pick(bound)},_)",
                f"1 <= {pick(bound)} <= 3",
                f"U = {pick(bound)}+1",
                f"#count {{ K : e({pick(bound)},K), n(K) }} > 0",
                f"1 {{ d({pick(bound)},K) : n(K), f(K,L) }}",
                f"a(K) : e({pick(bound)},K)",
                f"#sum {{ K,L : e(K,L), c({pick(bound)}) }} < 9",
                f"e({pick(bound)},(1;3))",
                f"{pick(bound)} = 1..2",
                f"d((1..2),{pick(bound)})",
                f"U = #count {{ K : d(K,M), e(M,{pick(bound)}) }}",
                f"not #count {{ K,L : d(K,L), e(L,{pick(bound)}), n(M), f(M,K) }} > {pick('01')}",
                f"not  1 {{ d({pick(bound)},K) : n(K), f(K,L) }} 2",
                f"not %* not *% not #sum {{ K : e(K,L), c(L), d(L,{pick(bound)}) }} != 1..2",
            ]
            items += self.random.sample(extra, self.random.choice([0, 0, 1, 1, 2]))
            left, right = self.random.sample(VARIABLES, 2)
            if self.random.random() < 0.3:
                third = pick(VARIABLES)
                items += [f"d({left},{third})", f"d({right},{third})", f"{left} != {right}"]
                bound = sorted({*bound, left, right, third})
            if self.random.random() < 0.15:
                items += ["d(X,Z)", "d(Y,W)", "X != Y", "Z != W", f"X{pick('+-')}Z = Y{pick('+-')}W"]
                bound = sorted({*bound, *"XYZW"})
        self.random.shuffle(items)
        return items, bound

    def statement(self) -> str:
        items, bound = self.body()
        body = "; ".join(items)
        names = [self.random.choice(bound or ["1"]) for _ in range(2)]
        roll = self.random.random()
        if roll < 0.3:
            return f":- {body}."
        if roll < 0.55:
            name = self.random.choice(sorted(DERIVED))
            arguments = names[: DERIVED[name]]
            return f"{name}({','.join(arguments)}) :- {body}." if arguments else f"{name} :- {body}."
        if roll < 0.65:
            inner, local = self.body(3)
            plain = ", ".join(item for item in inner if "{" not in item and ":" not in item)
            name = self.random.choice(local or ["1"])
            return (
                f"{{ c({name}) : n({name}), {plain} }} :- {body}."  # n: a value of c(X) may come from a count of c(X)
            )
        if roll < 0.75:
            return f":~ {body}. [{self.random.randint(1, 3)}@{self.random.randint(1, 2)},{','.join(names)}]"
        if roll < 0.8:
            return f"#minimize {{ 1,{names[0]} : {', '.join(i for i in items if '{' not in i and ':' not in i)} }}."
        if roll < 0.85:
            return f"#show g({names[0]}) : {body}."
        if roll < 0.93:
            return "r(X,Y) :- d(X,Y). r(X,Z) :- r(X,Y), r(Y,Z)."
        return f"p(X,Y) :- r(X,Y). r(X,Y) :- p(Y,X), {self.atom(GIVEN, False)}, n(X), n(Y), e(Y,Z), p(Z,X)."


class PartsMaker(Maker):
    """Writes a program with parts for multi-shot solving, and the calls in which they are ground."""

    in_part = False
    ground = ()

    def atom(self, names: dict[str, int] | None = None, anonymous: bool = True) -> str:
        if names is not None or not self.in_part or self.random.random() < 0.5:
            return super().atom(names, anonymous)
        name, arity = self.random.choice([("cs", 2), ("ds", 3), ("ds", 3), ("ps", 3), ("qs", 2)])
        step = self.random.choice(["k", "k", "k-1", self.random.choice(VARIABLES)])
        return f"{name}({','.join([self.term(anonymous) for _ in range(arity - 1)])},{step})"

    def text(self) -> str:
        lines = [super().text(), "#program step(k)."]
        self.in_part = True
        lines += ["{ ds(X,Y,k) : e(X,Y) } 1.", "cs(X,k) :- ds(X,_,k-1). cs(X,k) :- c(X), n(X)."]
        lines += [self.part_statement() for _ in range(4)]
        lines += ["#program check(k).", "#external query(k).", *(self.denial("query(k), ") for _ in range(3))]
        lines += ["#program late.", *(self.denial("").replace("k-1", "1").replace("k)", "2)") for _ in range(2))]
        return "\n".join(lines) + "\n"

    def denial(self, first: str) -> str:
        return f":- {first}{'; '.join(self.body()[0])}."

    def part_statement(self) -> str:
        items, bound = self.body()
        body = "; ".join(items)
        first, second = (self.random.choice(bound or ["1"]) for _ in range(2))
        roll = self.random.random()
        if roll < 0.3:
            return f":- {body}."
        if roll < 0.65:
            head = self.random.choice([f"ps({first},{second},k)", f"qs({first},k)"])
            return f"{head} :- {body}."
        if roll < 0.75:
            return f"ps(X,Y,k) :- ds(X,Y,k). ps(X,Z,k) :- ps(X,Y,k), ps(Y,Z,k), {self.atom(GIVEN, False)}, n(X), n(Z)."
        if roll < 0.85:
            return f":~ {body}. [{self.random.randint(1, 3)}@1,{first},k]"
        if roll < 0.93:
            return f"#show g({first},k) : {body}."
        return f":- {body}. :- {body}."

    @property
    def once(self) -> list[list[tuple[str, list[int]]]]:
        """Calls in which each part is ground once for each value."""
        return [[("step", [1])], [("check", [1]), ("late", [])], [("step", [2]), ("check", [2])]]

    @property
    def again(self) -> list[list[tuple[str, list[int]]]]:
        """Calls in which parts are ground again where clingo lets them be."""
        return [*self.once, [("check", [1])], [("late", []), ("step", [3])], [("check", [3]), ("late", [])]]


def shown_by(model: clingo.Model) -> list[str]:
    """What a person sees under --out-hide-aux."""
    shown = model.symbols(shown=True)
    return sorted(str(one) for one in shown if one.type != clingo.SymbolType.Function or not is_reserved(one.name))


def answer_sets(text: str, predicates: frozenset[tuple[str, int, bool]], limit: int) -> list[str] | None:
    """Each answer set as text over these predicates, with shown terms and cost; None for more than `limit`."""
    control = clingo.Control(["--warn=none", "--opt-mode=enum,1000000000", f"--models={limit + 1}"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = (a for a in model.symbols(atoms=True) if (a.name, len(a.arguments), a.positive) in predicates)
            cost = [pair for pair in zip(model.priority, model.cost, strict=True) if pair[1]]
            found.append(f"{sorted(map(str, atoms))} {shown_by(model)} {cost}")
    return sorted(found) if len(found) <= limit else None


def staged_answer_sets(
    text: str, predicates: frozenset[tuple[str, int, bool]], calls: list[list[tuple[str, list[int]]]], limit: int
) -> list[list[str]]:
    """The answer sets after `base` and after each call, for all values of externals, until clingo refuses a call or
    there are more than `limit`."""
    control = clingo.Control(
        ["--warn=none", "--opt-mode=enum,1000000000", f"--models={limit + 1}"], logger=lambda code, message: None
    )
    control.add("base", [], text)
    found: list[list[str]] = []
    for call in [[("base", list[int]())], *calls]:
        try:
            control.ground([(name, [clingo.Number(value) for value in values]) for name, values in call])
            for atom in control.symbolic_atoms:
                if atom.is_external:
                    control.assign_external(atom.symbol, None)
            models = []
            with control.solve(yield_=True) as handle:
                for model in handle:
                    atoms = (
                        a for a in model.symbols(atoms=True) if (a.name, len(a.arguments), a.positive) in predicates
                    )
                    cost = [pair for pair in zip(model.priority, model.cost, strict=True) if pair[1]]
                    models.append(f"{sorted(map(str, atoms))} {shown_by(model)} {cost}")
        except RuntimeError:
            break
        if len(models) > limit:
            break
        found.append(sorted(models))
    return found


def accepted(text: str) -> bool:
    """Whether clingo accepts a random text: a variable of an element may be unsafe."""
    control = clingo.Control(["--warn=none"], logger=lambda code, message: None)
    try:
        control.add("base", [], text)
        control.ground([])
    except RuntimeError:
        return False
    return True
