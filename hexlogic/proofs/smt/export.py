"""Export a proof for all boards as problems for provers: its steps, its lemmas, the bounds of its integers.

They are written as texts, and asked of cvc5 and z3, which prove every step again from the exported text. The bounds of
integers are one problem for each rule, on boards up to the largest one:

    rule      cell(1..rows*columns).      with rows <= 46340 and columns <= 46340
    goal      rows*columns stays in 32 bits, and is at most 2147395600: the bound of the place
    rule      adjacent(X,Y) :- cell(X), cell(Y), Y = X+1, not column(X,columns).
    goal      forall X Y. 1 <= X <= 2147395600 and ... => X+1 stays in 32 bits, and so on

A rule derives integers within the bounds of its head from integers within the bounds of its body. A comparison counts
only after its own terms were shown to stay in 32 bits, in the order in which the analysis used it. A variable that may
hold a name as well is an integer here; a comparison of it says nothing then, for names come after all integers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Program
from hexlogic.language.analysis.bounds import FAR, Narrowed, Values
from hexlogic.language.constants import LARGEST
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, subterms, variables
from hexlogic.proofs.all_boards import ASSUMED, UNUSED, ProofSection, Universal
from hexlogic.proofs.conditions import Certificate
from hexlogic.proofs.induction import InductionStep
from hexlogic.proofs.smt.formulas import (
    Formula,
    Named,
    Problem,
    conjunction,
    implication,
    quantified,
    smtlib,
    terms_of,
    tptp,
)
from hexlogic.proofs.smt.lemmas import LemmaProver, step_problem
from hexlogic.proofs.smt.provers import ProverAnswer, ask, check_provers

_IN_32_BITS = Values(-LARGEST, LARGEST, False)


def bound_problems(certificate: Certificate) -> Iterator[Problem]:
    """A problem for each term that a rule computes, and for each bound of its head that its body does not state."""
    sizes = tuple(Symbol(name) for name in certificate.names)
    most = Integer(certificate.largest)
    axioms = tuple(
        Named(f"size {number}", f"{size} is at most {most}", Comparison("<=", size, most))
        for number, size in enumerate(sizes, 1)
    )
    number = 0
    for narrowed in certificate.bounds.narrowed:
        for goal in dict.fromkeys(_Rule(narrowed, certificate).goals()):
            number += 1
            named = sorted({part for term in terms_of(goal) for part in variables(term)}, key=str)
            whole = quantified("forall", tuple((variable, "int") for variable in named), goal)
            aim = Named("bounds", str(narrowed.rule), whole)
            yield Problem(f"bound-{number}", sizes, axioms, aim)


class _Rule:
    """What is shown of one rule, as implications from what narrows it so far."""

    def __init__(self, narrowed: Narrowed, certificate: Certificate) -> None:
        self._narrowed, self._names, self._places = narrowed, certificate.names, certificate.bounds.places
        self._known: list[Formula] = []

    def goals(self) -> Iterator[Formula]:
        rule = self._narrowed.rule
        for literal in self._narrowed.literals:
            yield from self._in_32_bits(literal)
            self._known += self._says(literal)
        for item in rule.items:
            yield from self._in_32_bits(item)
        for part, values in [] if rule.head is None else self._integers(rule.head):
            wanted = [bound for bound in _within(part, values) if bound not in self._known]
            if wanted:
                yield implication(conjunction(self._known), conjunction(wanted))

    def _in_32_bits(self, item: Atom | BodyLiteral) -> Iterator[Formula]:
        parts = [part for term in body_terms(item) for part in subterms(term)]
        for part in reversed(parts):  # innermost first: what was shown of them helps
            if isinstance(part, Arithmetic) and self._is_integer(part):
                shown = conjunction(_within(part, _IN_32_BITS))
                yield implication(conjunction((*self._known, *_defined(part))), shown)
                self._known.append(shown)

    def _says(self, item: BodyLiteral) -> Iterator[Formula]:
        """What a literal that holds says of the integers in it."""
        for term in body_terms(item):
            yield from _defined(term)
        if isinstance(item, Literal):
            for part, values in self._integers(item.atom):
                yield from _within(part, values)
        elif self._is_integer(item.left, strictly=True) and self._is_integer(item.right, strictly=True):
            yield item

    def _integers(self, atom: Atom) -> Iterator[tuple[Term, Values]]:
        """The parts of arguments that are integers, each with the values that its argument may have."""
        for term, values in zip(atom.arguments, self._places[atom.predicate], strict=True):
            parts = [term]
            while parts:
                part = parts.pop(0)
                if isinstance(part, Function):
                    parts[:0] = part.arguments
                elif self._is_integer(part):
                    yield part, values

    def _is_integer(self, term: Term, strictly: bool = False) -> bool:
        """Whether the term can be an integer; `strictly`: and nothing else."""
        match term:
            case Variable():
                values = self._narrowed.values.get(term, Values(1, 0, True))
                return values.low <= values.high and not (strictly and values.others)
            case Symbol(name):
                return name in self._names
            case Function():
                return False
            case Arithmetic(_, left, right) | Interval(left, right):
                return self._is_integer(left) and self._is_integer(right)
            case Integer():
                return True


def _within(term: Term, values: Values) -> Iterator[Formula]:
    low, high = (term.low, term.high) if isinstance(term, Interval) else (term, term)
    if values.low > -FAR:
        yield Comparison("<=", Integer(values.low), low)
    if values.high < FAR:
        yield Comparison("<=", high, Integer(values.high))


def _defined(term: Term) -> Iterator[Formula]:
    """That no divisor in the term is 0: else the rule derives nothing."""
    for part in subterms(term):
        if isinstance(part, Arithmetic) and part.operator in ("/", "\\"):
            yield Comparison("!=", part.right, Integer(0))


_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Exported:
    """One problem of a proof: `kind` is `step`, `lemma` or `bound`, `text` what a reader knows it by. `rules` are those
    beside the board's whose least model, on every position, the axioms are about."""

    kind: str
    text: str
    problem: Problem
    rules: Program


def exported(proof: Universal, board: Program, lemmas: LemmaProver, *, steps: bool = True) -> tuple[Exported, ...]:
    """Every step of the proof, every problem that proves one of its lemmas, and the bounds of its integers, in order,
    with different names.

    Without `steps` only the problems of lemmas. Raises HexlogicError for a step without an obligation, such as one of
    a pass, or one that no prover can read.
    """
    problems = [
        problem
        for section in proof.sections
        if steps or section.kind == "lemma"
        for step in section.steps
        for problem in _of_step(section, step, board, lemmas)
    ]
    bounds: dict[tuple[object, Named], Exported] = {}
    for certificate in proof.certificates if steps else ():
        for problem in bound_problems(certificate):
            text = f"a bound of {problem.goal.text}"
            bounds.setdefault((problem.axioms, problem.goal), Exported("bound", text, problem, Program()))
    title = f"{proof.left} and {proof.right} on all {proof.boards}"
    whole = list[Exported]()
    for n, each in enumerate((*problems, *bounds.values()), 1):
        named = replace(each.problem, name=f"{n:03}-{each.problem.name}", comment=(title, *each.problem.comment))
        whole.append(replace(each, problem=named))
    return tuple(whole)


def _of_step(section: ProofSection, step: InductionStep, board: Program, lemmas: LemmaProver) -> Iterator[Exported]:
    if section.kind == "lemma":
        proved = () if section.justification in (ASSUMED, UNUSED) else lemmas.problems.get(step.claim, ())
        for problem in proved:
            name = _slug(f"lemma {section.statement.partition(':')[0]} {problem.name}")
            named = replace(problem, name=name, comment=(f"lemma {section.statement}", section.words))
            yield Exported("lemma", section.statement, named, lemmas.rules[step.claim])
        return
    if step.obligation is None and not step.ok:
        return  # the proof names it as the step that failed
    if step.obligation is None:
        raise HexlogicError(f"the step {step.case or step.claim} has no problem that can be exported")
    words = [section.words] if section.words else []
    problem = replace(
        step_problem(step.obligation, board),
        name=_slug(f"{section.kind} {step.claim} case {step.case}"),
        comment=(f"{section.kind}: {step.claim}", *words, f"rule: {step.case}"),
    )
    yield Exported("step", f"{step.claim} for the rule {step.case}", problem, Program(step.obligation.axioms))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LENGTH].rstrip("-")


def write_problems(folder: Path, problems: tuple[Exported, ...]) -> int:
    """Write each problem as `NAME.smt2` and `NAME.p`; the number of problems. Raises HexlogicError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for problem in problems:
            (folder / f"{problem.problem.name}.smt2").write_text(smtlib(problem.problem), encoding="utf-8")
            (folder / f"{problem.problem.name}.p").write_text(tptp(problem.problem), encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot write the problems: {error.strerror}", file=str(folder)) from None
    return len(problems)


_EACH_S = 15.0
_FIRST_S = 3.0


@dataclass(frozen=True, slots=True)
class Checked:
    """What one prover said of the steps, of the problems that prove lemmas, and of the bounds of integers.

    `failed` are the texts of those that it did not prove, each with the reason; `reduced` counts the problems that it
    proved from the axioms that another prover had used, fewer than all.
    """

    prover: str
    counts: dict[str, tuple[int, int]]
    reduced: int
    failed: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the prover proved all."""
        return not self.failed

    def __str__(self) -> str:
        kinds = {"step": "steps", "lemma": "lemma problems", "bound": "bounds of integers"}
        counts = ((*self.counts[kind], words) for kind, words in kinds.items())
        parts = [f"{proved} of {total} {words}" for proved, total, words in counts if total]
        reduced = f", {self.reduced} of them from the axioms that cvc5 used" if self.reduced else ""
        return f"{self.prover} proved {', '.join(parts) or 'nothing: there are no steps'}{reduced}"


def check_problems(
    problems: Sequence[Exported], provers: Sequence[str], report: Callable[[str], None] = lambda _: None
) -> tuple[Checked, ...]:
    """Ask each prover about each problem. Raises HexlogicError when a prover is not installed."""
    checked = []
    for prover in check_provers(provers):
        helped = prover != "cvc5" and "cvc5" in provers
        first_s = _FIRST_S if helped else _EACH_S
        answers = ask(prover, [smtlib(problem.problem) for problem in problems], each_s=first_s, report=report)
        reduced = 0
        if helped:
            unknown = [n for n, answer in enumerate(answers) if answer.verdict == "unknown"]
            for n, answer in zip(unknown, _with_less(prover, [problems[n].problem for n in unknown]), strict=True):
                if answer.verdict == "proved":
                    answers[n], reduced = answer, reduced + 1
        checked.append(_checked(prover, problems, answers, reduced))
    return tuple(checked)


def _with_less(prover: str, problems: Sequence[Problem]) -> list[ProverAnswer]:
    """The answers from the axioms alone that cvc5 used: what follows from fewer axioms follows from all."""
    cores = ask("cvc5", list(map(smtlib, problems)), each_s=_EACH_S, core=True)
    scripts = []
    for problem, used in zip(problems, cores, strict=True):
        kept = tuple(axiom for axiom in problem.axioms if used.core is None or axiom.name in used.core)
        scripts.append(smtlib(replace(problem, axioms=kept)))
    return ask(prover, scripts, each_s=_EACH_S)


def _checked(prover: str, problems: Sequence[Exported], answers: Sequence[ProverAnswer], reduced: int) -> Checked:
    counts = dict.fromkeys(("step", "lemma", "bound"), (0, 0))
    failed = []
    for problem, answer in zip(problems, answers, strict=True):
        proved, total = counts[problem.kind]
        counts[problem.kind] = (proved + (answer.verdict == "proved"), total + 1)
        if answer.verdict != "proved":
            note = f" ({answer.note})" if answer.note else ""
            failed.append(f"{problem.problem.name}: {answer.verdict}{note}: {problem.text}")
    return Checked(prover, counts, reduced, tuple(failed))
