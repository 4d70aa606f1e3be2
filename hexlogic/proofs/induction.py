"""Claims proved by induction on derivations: Sagiv's test, with a bridge's meanings as induction hypotheses.

To prove   reach(P,Y) :- same_cluster(P,X,Y), first(P,X).        on every board, for each rule of same_cluster
1. freeze  same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).
           into the facts same_cluster(p,x,z), same_cluster(p,x,y), adjacent(y,z), owns(p,z);
2. assume  the rest of the claim's body for the head: first(p,x), and the claim itself for the body's
           same_cluster atom, whose derivation is shorter;
3. run     both rule sets, the meanings, the lemmas and the claims proved before;
4. look    for the claim's head, reach(p,z), or a contradiction: then this rule cannot have been used.
Sound: the facts map into any board on which the rule fires, and positive rules carry what they derive along. Not
complete: a claim that is true may need another claim first. Source: Sagiv 1988, "Optimizing Datalog programs".

Steps 1 and 2 make an `Obligation`, which says all of it in the original rules, for any prover; `closes` is steps 3
and 4.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.homomorphism import match_terms
from hexlogic.language.names import internal_name
from hexlogic.language.terms import Arithmetic, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import has_interval, is_ground, rule_variables, substitute, variables
from hexlogic.proofs.chase import (
    CONTRADICTION,
    bounded,
    chase,
    denial,
    excluded_comparisons,
    existential,
    impossible,
    inversions,
    negated,
    ordered,
    positive,
    told_apart,
)


@dataclass(frozen=True, slots=True)
class Obligation:
    """One case of a claim: `goal` follows from the rest.

    `claim` and `case` are the claim and the rule that was frozen, as text.

    `axioms` are rules with head, body, negation, comparisons and arithmetic as they were written; `#const` names of
    the rule sets are replaced by their values. A rule with an undefined arithmetic term (`red+1`, `1/0`) says nothing.
    `complete` are the predicates that have no rules but those in `axioms`: an atom of one holds only where the body of
    one of its rules does (Clark's completion).

    `learned` are lemmas and claims proved before, closed under "for all". A head variable that the body does not bind
    is "there is some"; no head means that the body cannot be.

    `constants` are the frozen terms: unknown elements, two of which may be the same. `sizes` are symbols that stand
    for an unknown positive integer, such as `rows`. Every other symbol is a constant of its own.

    `facts` are ground literals and comparisons that hold; the arithmetic terms in them are defined.

    `hypotheses` are what the claim, and those that are proved at the same time, say of the atoms of the frozen body,
    whose derivations are shorter: their first body literal is one of these atoms and left out.

    `goal` is an atom whose variables are "there is some", None when a contradiction has to follow.
    """

    claim: str
    case: str
    axioms: tuple[Rule, ...]
    complete: frozenset[Predicate]
    learned: tuple[Rule, ...]
    constants: tuple[Symbol, ...]
    facts: tuple[BodyLiteral, ...]
    hypotheses: tuple[Rule, ...]
    goal: Atom | None
    sizes: frozenset[Symbol] = frozenset()


@dataclass(frozen=True, slots=True)
class InductionStep:
    """One line of a proof: `ok`, or where it fails. `case` is the rule that was frozen, empty for a lemma. `obligation`
    is what was shown, None for a lemma and where nothing could be tried."""

    claim: str
    words: str
    case: str
    ok: bool
    note: str = ""
    obligation: Obligation | None = None

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{'ok    ' if self.ok else 'FAILED'}  {self.case or self.claim}{note}"


class Theory:
    """Rules that hold on every board, and what has been proved or assumed about them so far."""

    def __init__(
        self,
        program: Program,
        *,
        complete: Iterable[Predicate] | None = None,
        sizes: Iterable[Symbol] = (),
        given: Iterable[Rule] = (),
    ) -> None:
        """`complete` are the predicates all of whose rules are in `program`: an atom of one with a single rule lets
        the body of that rule be concluded. All that `program` defines, unless given. `sizes`: see `Obligation`.
        `given` are all rules for other predicates, those of a board: they are cases of a claim and no axioms.
        """
        self._program = program
        self._axioms = tuple(rule for rule in program.rules if rule.head is not None)
        self._complete = program.heads if complete is None else frozenset(complete)
        self._sizes = frozenset(sizes)
        self._given = Program(tuple(given))
        self._learned: list[Rule] = []

    def learn(self, rule: Rule) -> None:
        """Take a lemma, or a claim that was proved, as true. A rule without a head says that its body cannot be."""
        self._learned.append(rule)

    def prove(self, claim: Rule, words: str = "", together: Iterable[Rule] = ()) -> list[InductionStep]:
        """The induction steps of a claim, one for each rule of the first body atom's predicate.

        `together` are claims that are proved at the same time: all of them may be used on shorter derivations. Nothing
        is proved unless the steps of each of them hold.
        """

        def refused(note: str, case: str = "") -> InductionStep:
            return InductionStep(str(claim), words, case, False, note)

        subject = claim.body[0] if claim.body else None
        if not isinstance(subject, Literal) or not subject.positive:
            return [refused("the first part of the body must be an atom, to do induction on")]
        predicate = subject.atom.predicate
        complete = self._program.defining(predicate) if predicate in self._complete else ()
        cases = self._given.defining(predicate) or complete
        if not cases:
            return [refused(f"{predicate} has no rules to do induction on")]
        if not _can_be_subject(subject.atom, cases, self._sizes):
            return [refused("the first atom must have different variables, names or numbers as arguments")]
        steps = []
        for case in cases:
            if has_interval(case):
                steps.append(refused("a rule with an interval is not frozen", str(case)))
            elif (narrowed := _narrowed(case, subject.atom)) is not None:
                obligation = self.obligation(claim, narrowed, (claim, *together))
                steps.append(InductionStep(str(claim), words, str(narrowed), closes(obligation), "", obligation))
        return steps

    def obligation(self, claim: Rule, case: Rule, claims: Iterable[Rule]) -> Obligation:
        """The case of a claim that a rule is, where `claims` hold of shorter derivations. Both were checked."""
        frozen = freeze(case)
        subject, *rest = claim.body
        assert isinstance(subject, Literal)
        binding = match_terms(subject.atom.arguments, frozen.conclusion.arguments, {})
        assert binding is not None
        others = frozenset[Variable]().union(*(variables(item) for item in rest)) - binding.keys()
        fresh = {variable: Symbol(internal_name("k", variable.name)) for variable in sorted(others, key=str)}
        instance = substitute(claim, binding | fresh)
        shorter = [literal.atom for literal in frozen.literals if literal.positive]
        constants = [Symbol(internal_name("c", variable.name)) for variable in sorted(rule_variables(case), key=str)]
        return replace(
            self.consequence(claim),
            case=str(case),
            constants=(*constants, *fresh.values()),
            # The head is true, for the rule has fired; only the hypotheses may not be used on it.
            facts=tuple(dict.fromkeys((Literal(frozen.conclusion), *frozen.body, *instance.body[1:]))),
            hypotheses=tuple(dict.fromkeys(rule for atom in shorter for rule in _said_of(atom, claims))),
            goal=instance.head,
        )

    def consequence(self, claim: Rule) -> Obligation:
        """That a claim follows, without induction."""
        names = {variable: Symbol(internal_name("c", variable.name)) for variable in variables(*claim.body)}
        instance = substitute(claim, names)
        return Obligation(
            claim=str(claim),
            case="",
            axioms=self._axioms,
            complete=self._complete,
            learned=tuple(self._learned),
            constants=tuple(sorted(names.values(), key=str)),
            facts=instance.body,
            hypotheses=(),
            goal=instance.head,
            sizes=self._sizes,
        )

    def implies(self, rule: Rule) -> bool:
        """Whether the rule's body, frozen, gives its head: Sagiv's test as it stands, without any claim."""
        if has_interval(rule):
            return False
        frozen = freeze(positive(rule))
        rules = chase_rules(self._axioms, self._complete, self._learned, (rule,))
        models = chase(rules, [literal.atom for literal in frozen.literals])
        return any(frozen.head in model or CONTRADICTION in model for model in models)


def _can_be_subject(atom: Atom, cases: Iterable[Rule], sizes: Collection[Symbol]) -> bool:
    """Whether induction can be on the derivations of an atom: its arguments are different variables, names that stand
    for themselves, or numbers where no rule computes one or writes a size."""
    places = [term for term in atom.arguments if isinstance(term, Variable)]
    if len(set(places)) < len(places):
        return False
    for place, term in enumerate(atom.arguments):
        if isinstance(term, Integer):
            heads = (case.conclusion.arguments[place] for case in cases)
            if any(isinstance(head, Arithmetic | Interval) or head in sizes for head in heads):
                return False
        elif not isinstance(term, Variable) and (not isinstance(term, Symbol) or term in sizes):
            return False
    return True


def _narrowed(case: Rule, subject: Atom) -> Rule | None:
    """The instances of a rule that derive an instance of the subject: its variables replaced by the subject's names and
    numbers. None where the head has another one, or a compound term, in the place of one of these."""
    binding: dict[Variable, Term] = {}
    for term, argument in zip(case.conclusion.arguments, subject.arguments, strict=True):
        if isinstance(argument, Symbol | Integer):
            value = binding.get(term, term) if isinstance(term, Variable) else term
            if isinstance(value, Variable):
                binding[value] = argument
            elif value != argument:
                return None
    return substitute(case, binding)


def _said_of(atom: Atom, claims: Iterable[Rule]) -> Iterator[Rule]:
    """What claims say of an atom, as far as the rest of their bodies holds."""
    for claim in claims:
        subject, *rest = claim.body
        assert isinstance(subject, Literal)
        if subject.atom.predicate == atom.predicate:
            binding = match_terms(subject.atom.arguments, atom.arguments, {})
            if binding is not None:
                yield substitute(Rule(claim.head, tuple(rest)), binding)


def closes(obligation: Obligation) -> bool:
    """Whether the chase finds the goal of the obligation, or a contradiction: with the goal denied where it does not
    follow so, for what is and is not so may both lead to it. False says nothing."""
    if _closes(obligation, obligation.facts):
        return True
    goal, stated = obligation.goal, (*obligation.axioms, *obligation.learned, *obligation.hypotheses)
    if goal is None or not is_ground(goal):
        return False
    denies = any(not literal.positive for rule in stated for literal in rule.literals)
    compares = any(isinstance(item, Comparison) for rule in obligation.learned for item in rule.body)
    return (denies or compares) and _closes(obligation, (*obligation.facts, Literal(goal, False)))


def _closes(obligation: Obligation, facts: tuple[BodyLiteral, ...]) -> bool:
    given = Rule(None, facts)
    rules = chase_rules(obligation.axioms, obligation.complete, obligation.learned, (*obligation.hypotheses, given))
    rules += [existential(positive(rule), f"hypothesis{n}") for n, rule in enumerate(obligation.hypotheses)]
    goal = positive(Rule(obligation.goal)).conclusion
    for model in chase(rules, [literal.atom for literal in positive(given).literals]):
        reached = (atom for atom in model if atom.predicate == goal.predicate)
        if CONTRADICTION in model or any(
            match_terms(goal.arguments, atom.arguments, {}) is not None for atom in reached
        ):
            return True
    return False


def chase_rules(
    axioms: Iterable[Rule], complete: Iterable[Predicate], learned: Iterable[Rule] = (), others: Iterable[Rule] = ()
) -> list[Rule]:
    """The positive rules that the chase runs. `others` only tell which predicates occur negated."""
    program, learned = Program(tuple(axioms)), tuple(learned)
    rules = [bounded(positive(rule)) for rule in program.rules]
    rules += inversions(program, complete)
    rules += impossible((*program.rules, *learned, *others))
    rules += ordered((*program.rules, *learned, *others))
    rules += told_apart((*program.rules, *learned, *others))
    for number, rule in enumerate(learned):
        plain = positive(rule)
        rules.append(existential(plain, f"learned{number}"))
        first, *rest = plain.literals
        if rule.head is not None:
            rest = [Literal(negated(rule.head)), *rest]
        # From q(Y) :- p(X), rest  also  'not'p(X) :- 'not'q(Y), rest, where these bind X and the body binds Y.
        is_bound = rule.head is None or variables(rule.head) <= frozenset().union(*map(variables, plain.literals))
        if is_bound and variables(first) <= frozenset().union(*map(variables, rest)):
            rules.append(Rule(negated(first.atom), tuple(rest)))
        rules += excluded_comparisons(denial(plain)) if is_bound else ()
    return rules


def freeze(rule: Rule) -> Rule:
    """The rule with a new constant for each variable.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(freeze(parse_rule("p(X) :- q(X,Y).")))
    p('c'X) :- q('c'X,'c'Y).
    """
    return substitute(rule, {variable: Symbol(internal_name("c", variable.name)) for variable in rule_variables(rule)})
