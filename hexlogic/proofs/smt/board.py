"""Lemmas about the board alone, for every size: the rules of the board as arithmetic with unknown sizes.

The text of `rules/games/hex.lp` is translated as it is read, by `translate.py`; `rows` and `columns` are unknown
integers from 1. The predicates that a lemma is about must be defined without recursion and without stones; then their
completion is their definition. The multiplication `rows*columns` and the division by `columns` stay as they are:
cvc5 and z3 reason about them (non-linear integer arithmetic).

A prover may give up. It is asked twice: with every definition, and with those that multiply two unknowns left open,
which makes the lemma stronger. A lemma that is false gets the sizes of a board on which it fails: first those of the
prover's model, then the smallest board up to that size, each of which is linear arithmetic.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import networkx as nx

from hexlogic.errors import HexlogicError
from hexlogic.logic import Arithmetic, Atom, Comparison, Integer, Literal, Predicate, Program, Rule, Symbol
from hexlogic.logic.walk import body_terms, is_ground, subterms
from hexlogic.proofs.smt.formulas import Named, Problem, Sort, atoms_of
from hexlogic.proofs.smt.provers import ask
from hexlogic.proofs.smt.smtlib import smtlib
from hexlogic.proofs.smt.sorts import Sorts
from hexlogic.proofs.smt.translate import LESS, ORDER, Translator

__all__ = ["LARGEST_SIDE", "BoardLemma", "about_the_board", "board_problem", "prove_board_lemma", "signature_of"]

LARGEST_SIDE: Final = 12
"""The longest side of the boards that are searched for a counter-example, when a prover has no model."""

_EACH_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class BoardLemma:
    """What became of a lemma: `sizes` are those of a board on which it fails, `note` a sentence for the proof."""

    proved: bool
    note: str
    sizes: tuple[tuple[str, int], ...] = ()


def about_the_board(lemma: Rule, program: Program) -> bool:
    """Whether every predicate that the lemma depends on is defined without stones and without recursion."""
    wanted = [literal.atom.predicate for literal in lemma.literals]
    wanted += [lemma.head.predicate] if lemma.head is not None else []
    needed = _needed(program, wanted)
    if any(predicate in program.inputs or not program.defining(predicate) for predicate in needed):
        return False
    return nx.is_directed_acyclic_graph(_dependencies(program, needed))


def board_problem(
    lemma: Rule,
    program: Program,
    *,
    opaque: Iterable[Predicate] = (),
    sizes: Sequence[tuple[str, int]] = (),
    name: str = "lemma",
    comment: tuple[str, ...] = (),
) -> Problem:
    """The lemma as a problem about a board of unknown size; `opaque` predicates may be any relation.

    `sizes` fixes the board. Raises HexlogicError for a lemma that is not about the board, or that no prover can read.
    """
    if not about_the_board(lemma, program):
        raise HexlogicError(f"{lemma} depends on stones, on recursion, or on a predicate that nobody defines")
    wanted = [literal.atom.predicate for literal in lemma.literals]
    wanted += [lemma.head.predicate] if lemma.head is not None else []
    needed, left_open = _needed(program, wanted), frozenset(opaque)
    parameters = tuple(Symbol(name) for name, _ in program.constants)
    rules = [rule for rule in program.rules if rule.head is not None]
    sorts = Sorts([*program.rules, lemma], parameters)
    translator = Translator(sorts)
    used = _needed(program, wanted, stop=left_open)
    order = [one for one in nx.topological_sort(_dependencies(program, needed)) if one in used - left_open]
    definitions = []
    for predicate in order:
        own = [rule for rule in rules if rule.head is not None and rule.head.predicate == predicate]
        atom, typed, meaning = translator.only_rules(own)
        text = "\n".join(map(str, own))
        definitions.append((atom, typed, Named(f"definition of {predicate}", text, meaning)))
    fixed = [
        Named(f"size {number}", f"{name} is {value}", Comparison("=", Symbol(name), Integer(value)))
        for number, (name, value) in enumerate(sizes, 1)
    ]
    goal = Named("lemma", str(lemma), translator.rule(lemma))
    problem = Problem(name, comment, (), parameters, (), tuple(definitions), tuple(fixed), goal)
    return signature_of(problem, sorts)


def signature_of(problem: Problem, sorts: Sorts) -> Problem:
    """The problem with the sorts of all its predicates, and the axioms of the order of names where it is used."""
    atoms = [part for formula in problem.formulas for part in atoms_of(formula)]
    predicates = {part.predicate for part in atoms if isinstance(part, Atom)}
    predicates |= {atom.predicate for atom, _, _ in problem.definitions}
    less = Predicate(LESS, 2)
    names: tuple[Sort, ...] = ("thing", "thing")
    signature = tuple((one, names if one == less else sorts.signature(one)) for one in sorted(predicates))
    axioms = (*(ORDER if less in predicates else ()), *problem.axioms)
    return replace(problem, signature=signature, axioms=axioms)


def prove_board_lemma(lemma: Rule, program: Program, *, prover: str = "cvc5", each_s: float = _EACH_S) -> BoardLemma:
    """Prove the lemma for every size of the board, or find a board on which it fails."""
    problem = board_problem(lemma, program)
    (exact,) = ask(prover, [_with_values(problem)], each_s=each_s)
    if exact.verdict == "proved":
        return BoardLemma(True, f"proved by {prover} for every size")
    opaque = _nonlinear(program)
    if exact.verdict == "unknown" and opaque:
        (open_,) = ask(prover, [smtlib(board_problem(lemma, program, opaque=opaque))], each_s=each_s)
        if open_.verdict == "proved":
            words = ", ".join(sorted(map(str, opaque)))
            return BoardLemma(True, f"proved by {prover} for every size, whatever {words} may be")
    names = [name for name, _ in program.constants]
    found = {name: exact.values[f"size {name}"] for name in names if f"size {name}" in exact.values}
    limit = min(max(found.values(), default=LARGEST_SIDE), LARGEST_SIDE)
    boards = sorted(itertools.product(range(1, limit + 1), repeat=len(names)), key=lambda board: (max(board), board))
    for chunk in itertools.batched(boards, 16) if hasattr(itertools, "batched") else _batched(boards, 16):
        sizes = [tuple(zip(names, board, strict=True)) for board in chunk]
        scripts = [smtlib(board_problem(lemma, program, sizes=size)) for size in sizes]
        for size, answer in zip(sizes, ask(prover, scripts, each_s=each_s), strict=True):
            if answer.verdict == "refuted":
                return BoardLemma(False, _fails(size), size)
    if exact.verdict == "refuted" and len(found) == len(names):
        return BoardLemma(False, _fails(tuple(found.items())), tuple(found.items()))
    words = f"holds on every board up to side {LARGEST_SIDE}" if limit == LARGEST_SIDE else "no small counter-example"
    return BoardLemma(False, f"{prover} cannot settle it for every size ({exact.note}); {words}")
