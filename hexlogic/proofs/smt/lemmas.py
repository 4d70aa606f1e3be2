"""Prove the lemmas of bridges for all boards by SMT solvers, instead of assuming them; and induction steps and lemmas
about stones as first-order problems, from the original rules.

    rule 4            each rule, as an implication
    only rule 4       the converse, where it is the only rule of its predicate
    learned 2         each lemma and claim that stands above
    hypothesis 1      the claim for each atom of the frozen body whose derivation is shorter
    fact 3            the frozen body and the rest of the claim's body, about constants of unknown value
    goal              the claim's head for the frozen head; `false` for a claim without a head

**Least element.** One schema of induction is used, for lemmas only: where some value satisfies p(..,L,..), a least one
does. It holds on every board: only finitely many atoms are true of a position, and gringo's order of terms is total.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from hexlogic.games import PLAYERS
from hexlogic.language import Atom, Comparison, Literal, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.names import internal_name
from hexlogic.language.walk import predicates, variables
from hexlogic.proofs.all_boards import Refuted
from hexlogic.proofs.bounded import LARGEST
from hexlogic.proofs.bridges import Statement
from hexlogic.proofs.induction import Obligation
from hexlogic.proofs.joint import at_rule
from hexlogic.proofs.smt.board import about_the_board, lemma_problems, opaque_predicates, refute_board_lemma
from hexlogic.proofs.smt.formulas import Named, Not, Problem, conjunction, implication, quantified, smtlib
from hexlogic.proofs.smt.provers import PROVERS, ask, available
from hexlogic.proofs.smt.translate import LESS, Sorts, Translator, with_signature

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
    cases: bool = False,
) -> tuple[list[Named], Sorts]:
    """The axioms of rules, `complete` predicates and learned statements; `others` are rules that need sorts too. The
    rules of the board only tell which places hold integers: nothing is assumed about the board itself."""
    program, learned = Program(tuple(rules)), tuple(learned)
    sizes = [Symbol(name) for name, _ in board.constants]
    sorts = Sorts([*board.rules, *program.rules, *learned, *others], sizes, constants)
    translator = Translator(sorts)
    axioms = []
    for number, rule in enumerate(program.rules, 1):
        axioms.append(Named(f"rule {number}", str(rule), translator.rule(rule)))
        reasons = program.defining(rule.conclusion.predicate)
        if rule.conclusion.predicate in complete and rule == reasons[0] and (cases or len(reasons) == 1):
            atom, typed, meaning = translator.only_rules(reasons)
            whole = quantified("forall", typed, implication(atom, meaning))
            axioms.append(Named(f"only rule {number}", str(rule), whole))
    axioms += [Named(f"learned {number}", str(rule), translator.rule(rule)) for number, rule in enumerate(learned, 1)]
    return axioms, sorts


def step_problem(obligation: Obligation, board: Program, *, cases: bool = False) -> Problem:
    """The obligation as a problem; `board` is the game's board. With `cases` an atom of a complete predicate holds by
    one of its rules, however many there are. Raises HexlogicError where no prover can read it."""
    given = Rule(obligation.goal, obligation.facts)
    axioms, sorts = _theory_axioms(
        obligation.axioms,
        obligation.complete,
        obligation.learned,
        others=(*obligation.hypotheses, given),
        board=board,
        constants=obligation.constants,
        cases=cases,
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
    return with_signature(Problem("step", sizes, tuple(axioms), goal, constants), sorts)


def stone_lemma_problem(lemma: Rule, rules: Program, board: Program) -> Problem:
    """A lemma about what rules derive, from the rules and the least elements of what occurs in them."""
    axioms, sorts = _theory_axioms(rules.rules, rules.heads, (), others=(lemma,), board=board)
    goal = Named("lemma", str(lemma), Translator(sorts).rule(lemma))
    sizes = tuple(Symbol(name) for name, _ in board.constants)
    return with_signature(Problem("lemma", sizes, (*axioms, *_least_elements(lemma, rules, sorts)), goal), sorts)


def _least_elements(lemma: Rule, rules: Program, sorts: Sorts) -> Iterator[Named]:
    """The schema for each place of an atom that an existential variable of the lemma takes in the head's own rules."""
    if lemma.head is None:
        return
    bound = variables(*lemma.body)
    chosen = [place for place, term in enumerate(lemma.head.arguments) if term not in bound]
    places: dict[tuple[Predicate, int], None] = {}
    for rule in rules.defining(lemma.head.predicate):
        wanted = {rule.conclusion.arguments[place] for place in chosen}
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


_EACH_S: Final = 8.0
_FEWER_S: Final = 3.0
"""Seconds for a lemma without the definitions that multiply."""
LEMMAS_S: Final = 40.0
"""Seconds for all lemmas, unless said otherwise."""
_STONES: Final = Predicate("owns", 2)

_Question: TypeAlias = tuple[Rule, tuple[Statement, ...], Variable | None, Program]


class LemmaProver:
    """Proves lemmas by SMT solvers, and keeps the problems by which each was proved.

    A lemma about the board alone is arithmetic with unknown sizes (`board.py`), one about the stones' players and
    places too; any other follows from the rules and the least elements of what they define.
    """

    def __init__(self, provers: Sequence[str] = PROVERS, each_s: float = _EACH_S, total_s: float = LEMMAS_S) -> None:
        """`total_s` wall seconds are for all lemmas together: each may use half of what is left, and each question to a
        prover `each_s`. Provers that are not installed are left out; without any nothing is proved."""
        self._provers = tuple(prover for prover in provers if available(prover))
        self._each_s, self._total_s, self._left_s = each_s, total_s, total_s
        self._known: dict[_Question, tuple[str | Refuted | None, tuple[Problem, ...]]] = {}
        self.problems: dict[str, tuple[Problem, ...]] = {}
        """The problems that prove a lemma, by the text of the lemma."""
        self.rules: dict[str, Program] = {}
        """The rules beside the board's that these problems are about, by the text of the lemma."""

    @property
    def budget(self) -> str:
        """The seconds that all lemmas have, in words; empty without a prover."""
        share = f"some lemmas are not proved within the {self._total_s:g} s of the provers that all lemmas share"
        return share if self._provers else ""

    def __call__(self, statement: Statement, rules: Program, board: Program) -> str | Refuted | None:
        """How the lemma was proved, the board on which it fails, or None. Raises HexlogicError for a lemma about stones
        that has sources or an induction, or is a source."""
        lemma = statement.rule
        wide, wide_board = _of_any_stones(lemma, board)
        about_board = about_the_board(wide, wide_board)
        for stated in (statement, *statement.sources) if statement.sources or statement.induction is not None else ():
            if not about_the_board(stated.rule, board):
                message = f"`from` and `by induction` are for lemmas about the board, not for {stated.name}"
                raise at_rule(stated.rule, message, "its predicates are defined without stones and without recursion")
        # What is not proved here is no axiom, whoever stated it.
        if not all(isinstance(self(source, rules, board), str) for source in statement.sources):
            return None
        key = (lemma, statement.sources, statement.induction, board if about_board else rules)
        if key not in self._known:
            begin = time.monotonic()
            if about_board:
                known = [source.rule for source in statement.sources]
                ways = [
                    lemma_problems(wide, wide_board, known, statement.induction, opaque)
                    for opaque in dict.fromkeys((opaque_predicates(wide_board), frozenset[Predicate]()))
                ]
                how = f", by induction on {statement.induction}" if statement.induction is not None else ""
                how += f", from {', '.join(source.name for source in statement.sources)}" if known else ""
            else:
                ways = [[stone_lemma_problem(lemma, rules, board)]]
                schema = any(axiom.name.startswith(LEAST_ELEMENT) for axiom in ways[0][0].axioms)
                how = f", with the schema of {LEAST_ELEMENT}s" if schema else ""
            refutable = (lemma, board) if about_board and wide == lemma else None
            outcome: str | Refuted | None = None
            end = begin + self._left_s / 2
            for problems in ways:  # with fewer axioms first, where provers give up soon
                last = problems is ways[-1]
                until = end if last else min(end, begin + _FEWER_S)
                outcome = self._decided(problems, how, refutable if last else None, until)
                if outcome is not None:
                    break
            self._known[key] = outcome, tuple(problems) if isinstance(outcome, str) else ()
            self._left_s = max(0.0, self._left_s - (time.monotonic() - begin))
        outcome, proved = self._known[key]
        if proved:
            self.problems[str(lemma)] = proved
            beside = tuple(rule for rule in wide_board.rules if rule not in board.rules)
            self.rules[str(lemma)] = Program(beside) if about_board else rules
        return outcome

    def _decided(
        self, problems: Sequence[Problem], how: str, refutable: tuple[Rule, Program] | None, deadline: float
    ) -> str | Refuted | None:
        """Each prover in turn; after the first a board is looked for on which the `refutable` lemma fails."""
        for number, prover in enumerate(self._provers):
            if self._proves(prover, problems, deadline):
                return f"proved by {prover}{how}"
            left = deadline - time.monotonic()
            if number == 0 and refutable is not None and left > 0:
                # Smaller boards were tried by clingo, before a solver was asked.
                sizes = refute_board_lemma(
                    *refutable, self._provers[-1], min(self._each_s, left / 2), left / 2, LARGEST["board"] + 1
                )
                if sizes:
                    where = ", ".join(f"{name} = {value}" for name, value in sizes.items())
                    return Refuted(f"it does not hold with {where}")
        return None

    def _proves(self, prover: str, problems: Sequence[Problem], deadline: float) -> bool:
        """Whether the prover proves all before the deadline; it stops at the first that it does not prove."""
        scripts, left = list(map(smtlib, problems)), deadline - time.monotonic()
        answers = ask(prover, scripts, each_s=self._each_s, total_s=left, all_or_none=True)
        return [answer.verdict for answer in answers] == ["proved"] * len(scripts)


def _of_any_stones(lemma: Rule, board: Program) -> tuple[Rule, Program]:
    """The lemma with any player and any cell for each stone in its body, and the board with a predicate for these. That
    says more than the lemma: stones are red or blue and lie on cells."""
    stones = [literal for literal in lemma.literals if literal.positive and literal.atom.predicate == _STONES]
    if not stones or _STONES not in board.inputs or Predicate("cell", 1) not in predicates(board):
        return lemma, board
    name = internal_name("stone")
    body = tuple(
        Literal(Atom(name, item.atom.arguments)) if isinstance(item, Literal) and item in stones else item
        for item in lemma.body
    )
    cell = Variable("X")
    anywhere = tuple(Rule(Atom(name, (Symbol(player), cell)), (Literal(Atom("cell", (cell,))),)) for player in PLAYERS)
    return lemma.with_body(body), board.with_rules((*board.rules, *anywhere))
