"""Random small games with variables: relations that no state changes, views, a flood, negation, bodies in any order."""

from __future__ import annotations

from hypothesis import strategies as st

CONSTANTS = ["a", "B", "3"]
_STATIC = ["(s {0})", "(e {0} {1})", "(e {1} {0})"]
_STATE = ["(true (at {0}))", "(true (has {0} {1}))", "(true (has {1} {0}))"]
_VIEWS = ["(v {0})", "(w {0} {1})", "(r {0})"]
_FLAGS = ["(true on)", "(u)"]


@st.composite
def games(draw: st.DrawFn) -> str:
    """The text of a sheet. Its states are few: some of 3 + 9 + 1 facts."""

    def body(first: list[str], more: list[str], *given: str) -> str:
        """Literals in any order: the given ones, what binds ?x and ?y, and tests of them."""
        variables = ("?x", "?y")
        chosen = [draw(st.sampled_from(first)).format(*variables)]
        tests = draw(st.lists(st.sampled_from(more), max_size=2))
        for test in tests:
            names = [draw(st.sampled_from(["?x", draw(st.sampled_from(CONSTANTS))])) for _ in range(2)]
            atom = test.format(*names)
            chosen.append(atom if draw(st.booleans()) else f"(not {atom})")
        bound = " ".join([*given, *(literal for literal in chosen if not literal.startswith("(not"))])
        if "?x" not in bound:
            chosen.append("(s ?x)")
        if draw(st.booleans()):
            chosen.append(f"(distinct ?x {draw(st.sampled_from(CONSTANTS))})")
        return " ".join(draw(st.permutations([*given, *chosen])))

    roles = ["One", "two"][: draw(st.integers(1, 2))]
    state, static = _STATE, _STATIC
    rules = [f"(role {role})" for role in roles]
    rules += [f"(s {name})" for name in draw(st.lists(st.sampled_from(CONSTANTS), min_size=1, unique=True))]
    pairs = st.tuples(st.sampled_from(CONSTANTS), st.sampled_from(CONSTANTS))
    rules += [f"(e {one} {other})" for one, other in draw(st.lists(pairs, min_size=1, max_size=5, unique=True))]
    rules += [f"(init (at {name}))" for name in draw(st.lists(st.sampled_from(CONSTANTS), unique=True))]
    rules += [f"(init (has {one} {other}))" for one, other in draw(st.lists(pairs, max_size=2, unique=True))]
    rules += ["(init on)"] if draw(st.booleans()) else []
    rules += [f"(<= u {body([*state, *static], [*state, *static, _FLAGS[0]])})"]
    low = [*state, *static, *_FLAGS]
    rules += [f"(<= (v ?x) {body([*state, *static], low)})" for _ in range(draw(st.integers(1, 2)))]
    rules += [f"(<= (w ?x ?z) {body([*state, _VIEWS[0]], [*low, _VIEWS[0]], '(e ?x ?z)')})"]
    rules += [f"(<= (r ?x) {body([*state, *_VIEWS[:2]], low)})"]
    rules += [f"(<= (r ?z) {body([_VIEWS[1], *static], [*low, _VIEWS[0]], '(r ?x)', '(e ?x ?z)')})"]
    everything = [*low, *_VIEWS]
    for role in roles:
        rules += [f"(<= (legal {role} (go ?x)) {body([*state, *static], everything)})", f"(legal {role} wait)"]
        rules += [f"(<= (goal {role} {value}) {body([*state, *static], everything)})" for value in (100, 40)]
    rules += [
        f"(<= (next (at ?x)) {body([*state, *static], everything, f'(does {draw(st.sampled_from(roles))} (go ?x))')})"
    ]
    rules += [f"(<= (next (at ?x)) {body([*state, *_VIEWS], everything)})"]
    rules += [f"(<= (next (has ?x ?z)) {body([*state, *_VIEWS], everything, '(does ?p (go ?x))', '(e ?z ?x)')})"]
    if draw(st.booleans()):
        rules += ["(<= (next (at ?x)) (does ?p (go ?x)))", "(<= (next (has ?x ?y)) (true (at ?y)) (does ?p (go ?x)))"]
        rules += [
            f"(<= (legal {draw(st.sampled_from(roles))} (go ?x)) (s ?x))",
            "(<= (next (at ?x)) (true (has ?x ?x)))",
        ]
    rules += ["(<= (next ?f) (true ?f) (kept ?f))", "(kept on)", "(<= (kept (has ?x ?y)) (e ?x ?y))"]
    rules += [f"(<= terminal (true (has a B)) (true (at 3)) {body([*state, *_VIEWS], everything)})"]
    return "\n".join(draw(st.permutations(rules)) if draw(st.booleans()) else rules)
