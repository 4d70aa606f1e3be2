"""Lemmas about the board alone, for every size: the rules of the board as arithmetic with unknown sizes.

The text of `rules/games/hex.lp` is translated as it is read, by `translate.py`; `rows` and `columns` are unknown
integers from 1. The predicates that a lemma is about must be defined without recursion and without stones; then their
completion is their definition. The multiplication `rows*columns` and the division by `columns` stay as they are:
cvc5 and z3 reason about them (non-linear integer arithmetic).

Provers are helped in two ways, none of which changes what is proved. `cases` splits the lemma along the rules of its
first atom. `divisions` says that no dividend is negative and every divisor positive; once that is proved, gringo's
rounding towards 0 is the Euclidean one that provers know. A lemma that is false gets the sizes of a board on
which it fails: the smallest one up to the size of the prover's model, each of which is linear arithmetic.

Rows of different lengths take more. Where a rule of the board has variables of its own, as `row(X,R)` in the rules for
`adjacent(X,Y)` has, the definitions are axioms (`row(X,R)` if and only if ...) instead of abbreviations: provers then
instantiate them where an atom occurs. An induction starts at 0: that the lemma's body holds of no negative number is
proved beside it.
"""

import itertools
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.language import Arithmetic, Comparison, Integer, Literal, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import reachable, recursive_predicates, sccs
from hexlogic.language.homomorphism import unfold_call, unfold_calls
from hexlogic.language.names import internal_name
from hexlogic.language.walk import has_distinct_variables, has_interval, rule_terms, substitute, variables
from hexlogic.proofs.smt.formulas import Connective, Named, Problem, quantified, smtlib
from hexlogic.proofs.smt.provers import ask
from hexlogic.proofs.smt.translate import Sorts, Translator, with_signature

LARGEST_SIDE: Final = 12
"""The longest side of the boards that are searched for a counter-example, when a prover has no model."""

_TABLE: Final = 8
"""Facts of a table that is written in place."""
_BOARD_S: Final = 2.0
_SEARCH_S: Final = 30.0


def about_the_board(lemma: Rule, program: Program) -> bool:
    """Whether every predicate that the lemma depends on is defined without stones and without recursion."""
    needed = _needed(program, (lemma,))
    if any(predicate in program.inputs or not program.defining(predicate) for predicate in needed):
        return False
    return not needed & recursive_predicates(program)


def board_problem(
    lemma: Rule,
    program: Program,
    *,
    sizes: Sequence[tuple[str, int]] = (),
    euclidean: bool = False,
    known: Sequence[Rule] = (),
    induction: Variable | None = None,
    equivalences: bool = False,
    opaque: Collection[Predicate] = (),
    name: str = "lemma",
) -> Problem:
    """The lemma as a problem about a board of unknown size.

    `sizes` fixes the board. `euclidean`: what `divisions` gives was proved. `known` are lemmas that were proved for
    every size: axioms here. `induction`: the lemma for one number in the place of this variable, from the lemma for
    the number before. `equivalences`: definitions are axioms. `opaque`: predicates of which
    nothing is said, so that more is proved. Raises HexlogicError for a lemma that is not about the
    board, or that no prover can read.
    """
    for rule in (lemma, *known):
        if not about_the_board(rule, program):
            raise HexlogicError(f"{rule} depends on stones, on recursion, or on a predicate that nobody defines")
    parameters = tuple(Symbol(name) for name, _ in program.constants)
    goal, hypothesis, constants = lemma, list[Rule](), list[Symbol]()
    if induction is not None:
        number = Symbol(internal_name("number", induction.name))
        before, goal = (substitute(lemma, {induction: each}) for each in (Arithmetic("-", number, Integer(1)), number))
        hypothesis, constants = [before], [number]
    sorts = Sorts([*program.rules, *known, lemma, *hypothesis, goal], parameters, constants)
    translator = Translator(sorts, euclidean=euclidean)
    program = _without(program, opaque)
    used = _needed(program, (lemma, *known))
    definitions = []
    axioms = [
        Named(f"size {number}", f"{name} is {value}", Comparison("=", Symbol(name), Integer(value)))
        for number, (name, value) in enumerate(sizes, 1)
    ]
    for predicate in (each for component in sccs(program) for each in component & used & program.heads):
        rules = program.defining(predicate)
        atom, typed, meaning = translator.only_rules(rules)
        words = f"definition of {predicate}"
        if equivalences:
            whole = quantified("forall", typed, Connective("<=>", (atom, meaning)))
            axioms.append(Named(words, " ".join(map(str, rules)), whole))
        else:
            definitions.append((atom, typed, Named(words, "\n".join(map(str, rules)), meaning)))
    axioms += [Named(f"lemma {number}", str(rule), translator.rule(rule)) for number, rule in enumerate(known, 1)]
    axioms += [Named("hypothesis", str(rule), translator.rule(rule)) for rule in hypothesis]
    aim = Named("lemma", str(goal), translator.rule(goal))
    typed_constants = tuple((constant, sorts.constant(constant)) for constant in constants)
    problem = Problem(name, parameters, tuple(axioms), aim, typed_constants, tuple(definitions), euclidean)
    return with_signature(problem, sorts)


def divisions(lemma: Rule, program: Program, known: Sequence[Rule] = ()) -> tuple[Rule, ...]:
    """Constraints that say: no dividend of the rules that matter is negative, no divisor is less than 1.

    `column(X,C) :- cell(X), C = (X-1)\\columns+1.` gives `:- cell(X), X-1 < 0.` and `:- cell(X), columns < 1.`
    """
    needed = _needed(program, (lemma, *known))
    used = (rule for rule in program.rules if rule.head is not None and rule.head.predicate in needed)
    needs: dict[Rule, None] = {}
    for rule in (lemma, *known, *used):
        given = tuple(literal for literal in rule.literals if literal.positive)
        for term in rule_terms(rule):
            if isinstance(term, Arithmetic) and term.operator in ("/", "\\"):
                needs[Rule(None, (*given, Comparison("<", term.left, Integer(0))))] = None
                needs[Rule(None, (*given, Comparison("<", term.right, Integer(1))))] = None
    return tuple(needs)


def cases(lemma: Rule, program: Program) -> tuple[Rule, ...]:
    """The lemma once for each rule of its first body atom, that rule's body in the place of the atom.

    `adjacent(Y,X) :- adjacent(X,Y).` gives `adjacent(Y,X) :- cell(X), cell(Y), Y = X+1, not column(X,columns).` and
    five others: together they say the same, for nothing else defines `adjacent`.
    """
    if not lemma.body or not isinstance(first := lemma.body[0], Literal) or not first.positive:
        return (lemma,)
    rules = program.defining(first.atom.predicate)
    if not all(rule.body and has_distinct_variables(rule.conclusion) for rule in rules):
        return (lemma,)
    return tuple(filter(None, (unfold_call(lemma, first, rule) for rule in rules))) or (lemma,)


def opaque_predicates(program: Program) -> frozenset[Predicate]:
    """The predicates whose rules multiply or divide what is not known: of these few lemmas need the definition."""
    return frozenset(
        rule.conclusion.predicate
        for rule in program.without_constraints().rules
        for term in rule_terms(rule)
        if isinstance(term, Arithmetic) and term.operator not in "+-" and not isinstance(term.right, Integer)
    )


def _without(program: Program, opaque: Collection[Predicate]) -> Program:
    kept = (rule for rule in program.rules if rule.head is None or rule.head.predicate not in opaque)
    return program.with_rules(tuple(kept))


def _tables_written(program: Program) -> Program:
    """The program with each call of a predicate of a few facts in a rule replaced, in all ways."""
    facts = {
        each: not any(rule.body or has_interval(rule) for rule in program.defining(each)) for each in program.heads
    }
    tables = {each for each in program.heads if facts[each] and len(program.defining(each)) <= _TABLE}
    rules = list[Rule]()
    for rule in program.rules:
        rules += [rule] if rule.is_constraint else unfold_calls(rule, program, tables, sys.maxsize)
    return program.with_rules(tuple(rules))


def lemma_problems(
    lemma: Rule,
    program: Program,
    known: Sequence[Rule] = (),
    induction: Variable | None = None,
    opaque: Collection[Predicate] = (),
) -> list[Problem]:
    """The problems that prove the lemma: those about divisions, then the cases, with divisions taken as Euclidean.

    `known` are lemmas that were proved for every size. With `induction`, its start and its step are in the place of
    the cases. `opaque`: see `board_problem`; tables of facts are then written in place.
    """
    program = _tables_written(program) if opaque else program
    needs = divisions(lemma, _without(program, opaque), known)
    # Provers instantiate axioms where rules have variables that their heads do not have; see the top of this module.
    equivalences = any(rule.head and variables(*rule.body) - variables(rule.head) for rule in program.rules)
    problems = [board_problem(need, program, opaque=opaque, name=f"division-{n}") for n, need in enumerate(needs, 1)]
    parts: list[tuple[str, Rule, Variable | None]]
    if induction is None:
        parts = [(f"case-{n}", rule, None) for n, rule in enumerate(cases(lemma, _without(program, opaque)), 1)]
    else:
        start = Rule(None, (*lemma.body, Comparison("<", induction, Integer(0))))
        parts = [("start", start, None), ("induction", lemma, induction)]
    return problems + [
        board_problem(
            rule,
            program,
            euclidean=bool(needs),
            known=known,
            induction=variable,
            equivalences=equivalences,
            opaque=opaque,
            name=name,
        )
        for name, rule, variable in parts
    ]


def refute_board_lemma(
    lemma: Rule, program: Program, prover: str, each_s: float, search_s: float = _SEARCH_S, first: int = 1
) -> dict[str, int]:
    """The sizes of the smallest board found on which the lemma fails; empty when none is found. `each_s` wall seconds
    are for the question about all sizes, `search_s` for boards from side `first` on."""
    names = [name for name, _ in program.constants]
    sizes_asked = f"(get-value ({' '.join(f'|size {name}|' for name in names)}))\n" if names else ""
    (exact,) = ask(prover, [smtlib(board_problem(lemma, program)) + sizes_asked], each_s=each_s)
    model = {name: exact.values[f"size {name}"] for name in names if f"size {name}" in exact.values}
    deadline = time.monotonic() + search_s
    for side in range(first, min(max(model.values(), default=LARGEST_SIDE), LARGEST_SIDE) + 1):
        if (left_s := deadline - time.monotonic()) <= 0:
            break
        boards = [board for board in itertools.product(range(1, side + 1), repeat=len(names)) if max(board) == side]
        sizes = [tuple(zip(names, board, strict=True)) for board in boards]
        scripts = [smtlib(board_problem(lemma, program, sizes=size)) for size in sizes]
        answers = ask(prover, scripts, each_s=_BOARD_S, total_s=left_s)
        for size, answer in zip(sizes, answers, strict=False):
            if answer.verdict == "refuted":
                return dict(size)
    return model if exact.verdict == "refuted" and len(model) == len(names) else {}


def _needed(program: Program, statements: Iterable[Rule]) -> frozenset[Predicate]:
    """The predicates of the statements, and those that their rules use."""
    stated = {atom.predicate for rule in statements for atom in rule.atoms}
    return reachable(program, stated) | stated  # no predicate that the program does not know is reachable
