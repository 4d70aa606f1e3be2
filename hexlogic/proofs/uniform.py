"""Uniform equivalence of a rule set and the output of passes, rule by rule, on the boards of all sizes.

Each rule of the output is frozen and must follow by the input's rules, and the other way round (Sagiv 1988). What
constraints promise about the inputs (`:- owns(P,X), not cell(X).`) may be used: `cell(X) :- owns(P,X).` Only a
constraint of the pass's input, about inputs and predicates that both define by the same rules: then it holds of both.
That says more than equal answers: the two are equal for whatever their predicates may hold.

What is proved for all boards is about the rules written, not about the pass: it could write other rules for another
size. So it is run on several boards, each different output is proved, and the sentence names the boards.
`ground` is left out: it puts the least model of the board's own rules, computed by clingo, in place of those rules,
and only for one size; `prove --size` proves that size.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from hexlogic.games import Hex
from hexlogic.games.rulesets import RuleSet, board_rules
from hexlogic.language import Program, Rule
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import has_interval, predicates
from hexlogic.proofs.all_boards import ProofSection, Universal
from hexlogic.proofs.conditions import finite_integers, own_program, shown
from hexlogic.proofs.induction import InductionStep, Theory
from hexlogic.proofs.joint import same_definitions
from hexlogic.proofs.second_look import board_text

BOARDS: Final = (Hex(2, 2), Hex(2, 3), Hex(3, 3), Hex(4, 3), Hex(5, 5), Hex(9, 9), Hex(11, 11))
"""The boards on which a pass is run to see what it writes."""


def prove_pass_for_all_boards(rules: RuleSet, pipeline: Pipeline) -> Universal:
    """Prove that what the pipeline writes on `BOARDS` has the rule set's least model on every board.

    Names the first rule that fails. Raises HexlogicError, with the place, when the rule set breaks a condition of the
    theorem (`conditions.py`).
    """
    steps = tuple(step for step in pipeline.steps if step.name != "ground")
    names = shown(rules), f"{shown(rules)} after {Pipeline(steps)}"
    sections: list[ProofSection] = []

    def failed(reason: str) -> Universal:
        return Universal(*names, "hex", tuple(sections), reason)

    if rules.is_template:
        return failed(f"{rules.name} is written anew for each size; --size proves one size")
    program = own_program(rules, "hex")
    if growing := growing_predicates(program):
        return failed(f"the terms of {min(growing)} grow without end, so clingo cannot run the texts as they are")
    certificate = finite_integers(board_rules("hex"), program)
    if steps != pipeline.steps:
        words = "computes the board's facts for one size; left out here, --size proves it for that size"
        sections.append(ProofSection("note", "ground", words, ()))
    outputs: dict[tuple[Program, frozenset[Rule]], list[Hex]] = {}
    for board in BOARDS:
        before = rules.instantiate(board)
        after = check(Pipeline(steps).apply(before))
        if any(set(getattr(before, part)) != set(getattr(after, part)) for part in ("constants", "inputs", "queries")):
            return failed(f"{Pipeline(steps)} changes the constants, the inputs or the query")
        sizeless = Program(before.rules, (), before.inputs, before.queries)
        outputs.setdefault((sizeless, frozenset(after.rules)), []).append(board)
    for (before, kept), boards in outputs.items():
        after = before.with_rules(tuple(sorted(kept, key=str)))
        words = f"what the passes write on {' '.join(board.size_text for board in boards)}"
        constraints = before.constraints
        for derived, deriving, side in ((before, after, "output"), (after, before, "input")):
            what, steps_shown = f"every rule of the {side}", tuple(uniformly_contained(deriving, derived, constraints))
            sections.append(ProofSection("containment", f"{what} follows from the other side's", words, steps_shown))
            for step in steps_shown:
                if not step.ok:
                    return failed(f"{what} should follow from the other side's, and {step.case} does not")
    each = names[1] if len(outputs) == 1 else f"each of the {len(outputs)} programs that are {names[1]}"
    tried = " ".join(board.size_text for board in BOARDS)
    what = f"{names[0]} and {each}, as the passes write it on {tried}, are equal"
    constants = rules.instantiate(BOARDS[0]).constants
    written = [(str(replace(before.with_rules(tuple(kept)), constants=constants)),) for before, kept in outputs]
    proof = Universal(*names, "hex", tuple(sections), what=what, certificates=(certificate,))
    return proof.on_boards(((board_text("hex"), rules.text), *written), (rules.text,))


def uniformly_contained(
    program: Program, within: Program, constraints: Iterable[Rule] | None = None
) -> Iterable[InductionStep]:
    """Does every rule of `program` follow from the rules of `within`? One step for each rule.

    `constraints` are those that hold of all inputs, those of both programs unless given. One is used where it
    speaks of inputs and predicates that both programs define by the same rules: so it holds in both models.

    >>> from hexlogic.language.parser import parse
    >>> narrow, wide = parse("p(X) :- q(X), r(X)."), parse("p(X) :- q(X).")
    >>> [step.ok for step in uniformly_contained(narrow, wide)], [step.ok for step in uniformly_contained(wide, narrow)]
    ([True], [False])
    """
    theory = Theory(within.with_rules(tuple(rule for rule in within.rules if not has_interval(rule))), complete=())
    common = same_definitions(program, within, predicates(program) & predicates(within))
    for constraint in constraints if constraints is not None else (*program.rules, *within.rules):
        if constraint.is_constraint and all(item.atom.predicate in common for item in constraint.literals):
            # `:- p, not q.` gives `q :- p.`; `:- p, q.` gives `contradiction :- p, q.`
            negative = [literal for literal in constraint.literals if not literal.positive]
            if len(negative) <= 1:
                body = tuple(item for item in constraint.body if item not in negative)
                theory.learn(Rule(negative[0].atom if negative else None, body))
    deriving = {(rule.head, frozenset(rule.body)) for rule in within.rules}
    for rule in program.without_constraints().rules:
        same = (rule.head, frozenset(rule.body)) in deriving
        follows = same or (not has_interval(rule) and theory.implies(rule))
        yield InductionStep(str(rule.head), "", str(rule), follows, "the same literals" if same else "")
