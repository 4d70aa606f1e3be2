"""Claims proved by induction on derivations: Sagiv's test, with a bridge's meanings as induction hypotheses.

To prove   reach(P,Y) :- same_cluster(P,X,Y), first(P,X).        on every board, for each rule of same_cluster
1. freeze  same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).
           into the facts same_cluster(c_P,c_X,c_Y), adjacent(c_Y,c_Z), owns(c_P,c_Z);
2. assume  the rest of the claim's body for the head: first(c_P,c_X), and the claim itself for the body's
           same_cluster atom, whose derivation is shorter;
3. run     both rule sets, the meanings, the lemmas and the claims proved before;
4. look    for the claim's head, reach(c_P,c_Z), or a contradiction: then this rule cannot have been used.
Sound: the facts map into any board on which the rule fires, and positive rules carry what they derive along. Not
complete: a claim that is true may need another claim first. Source: Sagiv 1988, "Optimizing Datalog programs".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hexlogic.logic import Atom, Literal, Program, Rule, Symbol, Term, Variable
from hexlogic.logic.homomorphism import match_terms
from hexlogic.logic.walk import rule_variables, substitute, variables
from hexlogic.proofs.theory import CONTRADICTION, bounded, chase, existential, impossible, inversions, positive

__all__ = ["Step", "Theory", "freeze"]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a proof: `ok`, or where it fails. `case` is the rule that was frozen, empty for a lemma."""

    claim: str
    words: str
    case: str
    ok: bool
    note: str = ""

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{'ok    ' if self.ok else 'FAILED'}  {self.case or self.claim}{note}"


class Theory:
    """Rules that hold on every board, and what has been proved or assumed about them so far."""

    def __init__(self, program: Program, *, invert: bool = True) -> None:
        """`invert` allows conclusions from a derived atom to the body of the only rule that can have derived it."""
        self._program = program
        self._rules = [bounded(positive(rule)) for rule in program.rules if rule.head is not None]
        self._rules += [*(inversions(program) if invert else ()), *impossible(program.rules)]

    def learn(self, rule: Rule) -> None:
        """Take a lemma, or a claim that was proved, as true.

        From `contradiction :- p(X), rest` also `not__p(X) :- rest`, where the rest binds X.
        """
        plain = positive(rule)
        self._rules.append(existential(plain, f"claim_{len(self._rules)}"))
        if rule.head == CONTRADICTION:
            first, *rest = plain.literals
            if variables(first) <= frozenset().union(*(variables(item) for item in rest)):
                no = Atom(f"not__{first.atom.name}", first.atom.arguments)
                self._rules.append(Rule(no, tuple(rest)))

    def prove(self, claim: Rule, words: str = "") -> list[Step]:
        """The induction steps of a claim, one for each rule of the first body atom's predicate."""
        plain = positive(claim)
        subject = next(iter(plain.literals)).atom
        cases = self._program.defining(subject.predicate)
        if not cases:
            note = f"{subject.predicate} has no rules to do induction on"
            return [Step(str(claim), words, "", False, note)]
        if len(set(subject.arguments)) < len(subject.arguments) or any(
            not isinstance(term, Variable) for term in subject.arguments
        ):
            return [Step(str(claim), words, "", False, "the first atom must have different variables")]
        return [Step(str(claim), words, str(case), self._case(plain, case)) for case in cases]

    def _case(self, claim: Rule, case: Rule) -> bool:
        frozen = freeze(positive(case))
        first, *rest = claim.literals
        assert frozen.head is not None
        assert claim.head is not None
        binding: dict[Variable, Term] = {}
        for variable, term in zip(first.atom.arguments, frozen.head.arguments, strict=True):
            assert isinstance(variable, Variable)
            binding[variable] = term
        for variable in sorted(variables_of(rest) - binding.keys(), key=str):
            binding[variable] = Symbol(f"k_{variable.name}")
        instance = substitute(claim, binding)
        facts = [literal.atom for literal in frozen.literals]
        shorter = [atom for atom in facts if atom.predicate == first.atom.predicate]
        hypotheses = [Atom(f"hyp__{atom.name}", atom.arguments) for atom in shorter]
        assumed = [literal.atom for literal in list(instance.literals)[1:]]
        hypothesis = claim.with_body((Literal(Atom(f"hyp__{first.atom.name}", first.atom.arguments)), *rest))
        model = chase([*self._rules, existential(hypothesis, "hyp")], [*facts, *hypotheses, *assumed])
        if CONTRADICTION in model:
            return True
        assert instance.head is not None
        goal = instance.head
        return any(
            match_terms(goal.arguments, atom.arguments, {}) is not None
            for atom in model
            if atom.predicate == goal.predicate
        )

    def implies(self, rule: Rule) -> bool:
        """Whether the rule's body, frozen, gives its head: Sagiv's test as it stands, without any claim."""
        frozen = freeze(positive(rule))
        model = chase(self._rules, [literal.atom for literal in frozen.literals])
        return frozen.head in model or CONTRADICTION in model


def variables_of(items: Iterable[Literal]) -> frozenset[Variable]:
    """The variables of several literals."""
    return frozenset().union(*(variables(item) for item in items))


def freeze(rule: Rule) -> Rule:
    """The rule with a new constant for each variable.

    >>> from hexlogic.logic.parser import parse_rule
    >>> print(freeze(parse_rule("p(X) :- q(X,Y).")))
    p(c_X) :- q(c_X,c_Y).
    """
    return substitute(rule, {variable: Symbol(f"c_{variable.name}") for variable in rule_variables(rule)})
