"""Induction steps and lemmas about stones as first-order problems, from the original rules.

    rule 4            each rule, as an implication
    only rule 4       the converse, where it is the only rule of its predicate
    learned 2         each lemma and claim that stands above
    hypothesis 1      the claim for each atom of the frozen body whose derivation is shorter
    fact 3            the frozen body and the rest of the claim's body, about constants of unknown value
    goal              the claim's head for the frozen head; `false` for a claim without a head

**Least element.** One schema of induction is used, for lemmas only: where some value satisfies p(..,L,..), a least one
does. It holds on every board: only finitely many atoms are true of a position, and gringo's order of terms is total.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexlogic.language import Atom, Comparison, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.walk import variables
from hexlogic.proofs.induction import Obligation
from hexlogic.proofs.smt.board import signature_of
from hexlogic.proofs.smt.formulas import Named, Not, Problem, conjunction, implication, quantified
from hexlogic.proofs.smt.translate import LESS, Sorts, Translator

LEAST_ELEMENT = "least element"
"""The name of the schema, in exported problems and in the words of a proof."""


def _theory_axioms(
    rules: Iterable[Rule],
    complete: Iterable[Predicate],
    learned: Iterable[Rule],
    *,
    others: Iterable[Rule] = (),
    board: Program,
    constants: Iterable[Symbol] = (),
) -> tuple[list[Named], Sorts]:
    """The axioms of rules, `complete` predicates and learned statements; `others` are rules that need sorts too.

    The rules of the board only tell which places hold integers: nothing is assumed about the board itself.
    """
    program, learned = Program(tuple(rules)), tuple(learned)
    sizes = [Symbol(name) for name, _ in board.constants]
    sorts = Sorts([*board.rules, *program.rules, *learned, *others], sizes, constants)
    translator = Translator(sorts)
    axioms = []
    for number, rule in enumerate(program.rules, 1):
        assert rule.head is not None
        axioms.append(Named(f"rule {number}", str(rule), translator.rule(rule)))
        if rule.head.predicate in complete and len(program.defining(rule.head.predicate)) == 1:
            axioms.append(Named(f"only rule {number}", str(rule), translator.completion([rule])))
    axioms += [Named(f"learned {number}", str(rule), translator.rule(rule)) for number, rule in enumerate(learned, 1)]
    return axioms, sorts


def step_problem(obligation: Obligation, board: Program) -> Problem:
    """The obligation as a problem; `board` is the game's board. Raises HexlogicError where no prover can read it."""
    given = Rule(obligation.goal, obligation.facts)
    axioms, sorts = _theory_axioms(
        obligation.axioms,
        obligation.complete,
        obligation.learned,
        others=(*obligation.hypotheses, given),
        board=board,
        constants=obligation.constants,
    )
    translator = Translator(sorts)
    axioms += [
        Named(f"hypothesis {number}", str(rule), translator.rule(rule))
        for number, rule in enumerate(obligation.hypotheses, 1)
    ]
    facts = translator.body(Rule(None, obligation.facts), typed_as=given)
    axioms += [Named(f"fact {number}", "frozen", fact) for number, fact in enumerate(facts, 1)]
    goal = Named("goal", str(obligation.goal or "contradiction"), translator.some(given))
    constants = tuple((constant, sorts.constant(constant)) for constant in obligation.constants)
    sizes = tuple(sorted(obligation.sizes, key=str))
    return signature_of(Problem("step", sizes, tuple(axioms), goal, constants), sorts)


def stone_lemma_problem(lemma: Rule, rules: Program, board: Program) -> Problem:
    """A lemma about what rules derive, from the rules and the least elements of what occurs in them."""
    axioms, sorts = _theory_axioms(rules.rules, rules.heads, (), others=(lemma,), board=board)
    goal = Named("lemma", str(lemma), Translator(sorts).rule(lemma))
    sizes = tuple(Symbol(name) for name, _ in board.constants)
    return signature_of(Problem("lemma", sizes, (*axioms, *_least_elements(lemma, rules, sorts)), goal), sorts)


def _least_elements(lemma: Rule, rules: Program, sorts: Sorts) -> Iterator[Named]:
    """The schema for each place of an atom that an existential variable of the lemma takes in the head's own rules."""
    if lemma.head is None:
        return
    bound = variables(*lemma.body)
    chosen = [place for place, term in enumerate(lemma.head.arguments) if term not in bound]
    places: dict[tuple[Predicate, int], None] = {}
    for rule in rules.defining(lemma.head.predicate):
        assert rule.head is not None
        wanted = {rule.head.arguments[place] for place in chosen}
        for atom in (literal.atom for literal in rule.literals if literal.positive):
            places |= {(atom.predicate, place): None for place, term in enumerate(atom.arguments) if term in wanted}
    for predicate, place in places:
        signature = sorts.signature(predicate)
        arguments = [Variable(f"A{number}") for number in range(1, predicate.arity + 1)]
        least, smaller = Variable("L"), Variable("K")
        any_value, is_least, below = (
            Atom(predicate.name, (*arguments[:place], term, *arguments[place + 1 :]))
            for term in (arguments[place], least, smaller)
        )
        kind = signature[place]
        less = Comparison("<", smaller, least) if kind == "int" else Atom(LESS, (smaller, least))
        none = quantified("forall", ((smaller, kind),), Not(conjunction((below, less))))
        exists = quantified("exists", ((least, kind),), conjunction((is_least, none)))
        typed = tuple(zip(arguments, signature, strict=True))
        text = f"schema of {LEAST_ELEMENT}s, for argument {place + 1} of {predicate}: some means a least"
        whole = quantified("forall", typed, implication(any_value, exists))
        yield Named(f"{LEAST_ELEMENT} {predicate} {place + 1}", text, whole)
