"""Edits of random texts (`random_texts.py`) by syntax, operators and definitions that a reader may take for others."""

from __future__ import annotations

from tests.proofs.random_texts import Case, number, with_guard

__all__ = ["with_operators", "with_syntax", "with_tangle"]

TRUTHS = ("#true", "#false", "not #false", "not X < 9", "X != X", "1 < X < 9")
STONES = ("not not owns(P,X)", "not owns(P,_)", "owns(P,_)", "owns(P,X) : cell(X)")
LAST = ("zzz", "f(1)", "(1,2)", "f(X)", "Z", "red", "#sup", '""')
ORDERED = ("P < X", "red < X", "f(1) < f(2)", "f(2) < g(1)", "f(1,1) < f(2)")


def with_syntax(case: Case) -> None:
    """Statements and terms of clingo's language that are not of ours, or that mean something else than they seem to."""
    chance = case.chance
    rules, mark = chance.choice(((case.left, "a"), (case.right, "b")))
    n, m = number(case), number(case)
    body = chance.choice(("owns(P,X)", f"owns(P,X), X > {n}"))
    rules.append(
        chance.choice(
            (
                f"#const far = {chance.choice(('#sup', '#inf', 'a;b', '(1;2)', 'p(1..2)', '-1', '- 1', '0-1'))}.\n"
                f"wins(P) :- {body}, X < far.",
                f"#const far = near. #const near = {n}. wins(P) :- {body}, X = far.",
                f"#const far = near+1. #const near = {chance.choice(('far', 'far-1', 'red', f'{n}/{m}', f'{n}/0'))}.\n"
                f"odd_{mark}(far). wins(P) :- {body}, odd_{mark}(far).",
                f"wins(P) :- {body}, {chance.choice(TRUTHS)}.",
                f"wins(P) :- {body}, {chance.choice(STONES)}.",
                f"wins(P;P) :- {body}.",
                f"odd_{mark}({n};{m}). wins(P) :- {body}, odd_{mark}(X).",
                f"odd_{mark}({n}..{m}). wins(P) :- {body}, odd_{mark}(X).",
                f"odd_{mark}({n},{m};{m},{n}). wins(P) :- {body}, odd_{mark}(X,Y), owns(P,Y).",
                f"wins(P) :- {body}, X = {n}..{m}.",
                f"wins(P) :- {body}, X < {chance.choice(LAST)}.",
                f"wins(P) :- {body}, {chance.choice(ORDERED)}.",
                f"wins(P) | odd_{mark}(P) :- {body}.",
                f"{{ wins(P) }} :- {body}.",
                f"#show wins(P) : {body}.\nodd_{mark}(1).",
                f"#external wins(P) : {body}.",
                f"#program {chance.choice(('base', 'other', 'base(t)'))}.\nwins(P) :- {body}.",
                f"#script ({chance.choice(('lua', 'python'))})\n#end.\nwins(P) :- {body}.",
                f"odd_{mark}(1). odd_{mark}(1,2). wins(P) :- {body}, odd_{mark}(X).",
                f"wins'(P) :- {body}.",
                f"wins'(P) :- {body}. wins(P) :- wins'(P), owns(P,X).",
                f"_wins(P') :- owns(P',X). wins(P) :- _wins(P), owns(P,X), X > {n}.",
                f"odd_{mark}(f({n})). wins(P) :- {body}, odd_{mark}(f(X)).",
                f"wins(P) :- {body}, #count {{ Y : owns(P,Y) }} > {n}.",
                f"wins(P) :- {body}; X != 1.",
                f"-wins(P) :- {body}.",
                f"- - wins(P) :- {body}.",
                f"wins(P) :- {body}, X = 0x{n}.",
                f"wins(P) :- {body}, X = 0{n}.",
                f"wins(P) :- {body}, X == {n}.",
            )
        )
    )


def with_operators(case: Case) -> None:
    """A condition with an operator where clingo's value is not what a reader expects, or no value at all."""
    n, m = number(case), number(case)
    one, other = case.chance.choice((("X", str(n)), (f"(0-{n})", "X"), (f"(X-{n})", f"(0-{m})"), (str(n), f"(X-{m})")))
    operator = case.chance.choice(("/", "\\", "/", "\\", "*", "-", "**", "&", "?", "^"))
    value = case.chance.choice(
        (f"{one}{operator}{other}", f"{one}{operator}{other}*2", f"|{one}|", f"~{other}", f"-{one}")
    )
    guard = (
        f"{value} {case.chance.choice(('=', '!=', '<', '>'))} {case.chance.choice((str(n), '0', f'0-{m}', 'P', 'red'))}"
    )
    with_guard(case, guard, both=case.chance.random() < 0.4, lemma=case.chance.random() < 0.5)


def with_tangle(case: Case) -> None:
    """Definitions of a text or of a bridge that go round in a circle: by growth, by negation, or into what is known."""
    chance = case.chance
    n = chance.choice((65, 82, 145, 5000))
    start = f"up(X) :- cell(X), X > {n}."
    circle = chance.choice(
        (
            f"{start}\nup(Y) :- down(Y).\ndown(Y) :- up(X), Y = X{chance.choice('+-*')}{chance.choice((1, 2))}.",
            f"{start}\nup(Y) :- down(X,Y).\ndown(X,X-1) :- up(X).",
            f"{start}\nup(f(X)) :- down(X).\ndown(X) :- up(X).",
            f"{start}\nup(X) :- down(f(X)).\ndown(f(f(X))) :- up(X).",
            f"{start}\nup(X) :- down(g(X,Y)).\ndown(g(Y,X+1)) :- up(X), cell(Y), X < {n}.",
            f"up(X) :- cell(X), X > {n}, not down(X).\ndown(X) :- cell(X), not up(X).",
            f"up(X) :- cell(X), X > {n}, not up(X).",
            f"{start}\ncell(X) :- up(X).",
            f"{start}\nowns(red,X) :- up(X).",
            f"{start}\nwins_{chance.choice(('left', 'right'))}(P) :- up(X), owns(P,X).",
            f"{start}\nup(Z) :- up(X), up(Y), Z = X+Y, Z < {n * 2}.",
            f"up(X) :- cell(X), X > {n}.\nup(X-1) :- up(X), X > 1.",
        )
    )
    if chance.random() < 0.5:
        case.bridge.insert(0, f"%% means: in a circle\n{circle}")
    else:
        (case.left if chance.random() < 0.5 else case.right).append(circle)
    lemma = chance.choice(
        (":- up(X)", ":- up(X), X > 0", "up(Y) :- up(X)", ":- owns(P,X), up(X)", "up(X) :- owns(P,X), cell(X)")
    )
    case.bridge.insert(1, f"%% lemma about it: a guess\n{lemma}.")
    with_guard(case, f"X > {n}", both=False, lemma=False)
