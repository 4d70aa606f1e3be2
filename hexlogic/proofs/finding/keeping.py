"""Keep state: from a relation that is an equivalence, the rules for the labels of its classes after a move.

    same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).

    touched(P,X,L) :- plays(P,X), adjacent(X,Y), cluster(P,Y,L).
    next_cluster(P,X,X) :- plays(P,X).
    next_cluster(P,Y,X) :- touched(P,X,L), cluster(P,Y,L).
    next_cluster(P,Y,L) :- cluster(P,Y,L), not renamed(P,L).

The new element names a class of its own, and each class that it touches takes its name. Proved by induction on moves:
four sentences on labels and the relation (`_INVARIANTS`) hold of no elements; if they hold before a move they hold
after it, of the relation over one element more; and then both programs have the same answers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, load_game
from hexlogic.games.rulesets import RuleSet, sized
from hexlogic.language import Atom, BodyLiteral, Integer, Literal, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.passes.unfold import unfold_call
from hexlogic.language.walk import rename_rule, substitute
from hexlogic.proofs.all_boards import ProofSection, Refuted, sections_of
from hexlogic.proofs.bridges import Statement, read_bridge
from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge
from hexlogic.proofs.finding.moves import blocks
from hexlogic.proofs.finding.moves.label import Equivalence, growth, is_equivalence, with_labels
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.joint import joint_program

_X, _Y = Variable("X"), Variable("Y")
_MOVE: Final = "plays"
_INVARIANTS: Final = (
    "@s(X,Y) :- @c(X,L), @c(Y,L).",
    "@c(Y,L) :- @s(X,Y), @c(X,L).",
    "@c(X,L) :- @o(X).",
    "@c(L,L) :- @c(X,L).",
)
"""Who share a label are related; who are related share each label; all have one; a label has itself."""
_UNFOLD_S: Final = 20.0
"""Seconds to prove that the rules written in place mean the same."""
_GAMES: Final = 6
"""Random games that are played on each of the smallest boards."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Transition rules, the bridge from the definition to them, and the sections of the proof; `reason` why it is
    none, empty where it is proved."""

    text: str
    bridge: str
    sections: tuple[ProofSection, ...]
    reason: str


def kept(source: RuleSet, world: BoardWorld) -> Iterator[Kept]:
    """Transition rules for each equivalence that the rules compute over stones."""
    given = world.program(source)
    program = _unfolded(given)
    if program != given:
        plain = world.read(f"{source.name}-unfolded", program)
        bridge = find_bridge(source, plain, world, limit_s=_UNFOLD_S)
        if isinstance(bridge, NoBridge) or not world.prove(source, plain, bridge).proved:
            return
    samples = Samples(program, world)
    for predicate in sorted(recursive_predicates(program)):
        for places in [
            (first, second) for first in range(predicate.arity) for second in range(first + 1, predicate.arity)
        ]:
            relation = Equivalence(predicate, places)
            if is_equivalence(relation, samples):
                domains, steps = growth(relation, program)
                for domain in domains[:1]:
                    (owns,) = domain if len(domain) == 1 else (None,)
                    if isinstance(owns, Literal) and owns.atom.predicate in world.board.inputs and steps:
                        yield _Keeping(source, world, program, relation, owns.atom).kept(steps)


def _unfolded(program: Program) -> Program:
    """The program with predicates of one rule written in place, so that what is read of a state is one join."""
    recursive = recursive_predicates(program)
    for predicate in sorted(program.heads - recursive - {*program.queries}):
        calls = [item for rule in program.rules for item in rule.literals if item.atom.predicate == predicate]
        if len(program.defining(predicate)) == 1 and all(item.positive for item in calls):
            (definition,) = program.defining(predicate)
            rules = [rule for rule in program.rules if rule != definition]
            for _ in calls:
                rules = [
                    (
                        (call := next((item for item in rule.literals if item.atom.predicate == predicate), None))
                        and unfold_call(rule, call, definition)
                    )
                    or rule
                    for rule in rules
                ]
            program = program.with_rules(tuple(rule.with_body(tuple(dict.fromkeys(rule.body))) for rule in rules))
    return program


@dataclass(frozen=True)
class _Keeping:
    source: RuleSet
    world: BoardWorld
    program: Program
    relation: Equivalence
    owns: Atom
    """An element X that is there."""

    def _spelled(self, text: str, after: bool = False) -> str:
        """Short names in the words of the program: o(X), c(X,L), s(X,Y), each for the other arguments P too."""
        others = "".join(f"{variable}," for variable in self.relation.others.values())
        owns, relation = self.owns.name, self.relation.predicate.name
        for short, name in {"c(": f"{'next_' * after}cluster({others}", "n(": f"next_cluster({others}"}.items():
            text = text.replace(f"@{short}", name)
        for name in ("touched", "renamed", "labelled"):
            text = text.replace(f"@{name}(", f"{name}({others}")
        for variables in ("X", "Y", "Z", "L"):
            atom = str(substitute(Rule(self.owns), {_X: Variable(variables)}).head)
            there = atom.replace(f"{owns}(", f"{owns}{'_after' * after}(", 1)
            text = text.replace(f"@o({variables})", there).replace(f"@p({variables})", atom.replace(owns, _MOVE, 1))
            text = text.replace(f"@q({variables})", atom.replace(f"{owns}(", f"{owns}_after(", 1))
        for one in "XYZL":
            for other in "XYZL":
                atom = str(self.relation.atom(Variable(one), Variable(other)))
                later = atom.replace(f"{relation}(", f"{relation}_after(", 1)
                text = text.replace(f"@s({one},{other})", later if after else atom).replace(f"@t({one},{other})", later)
        return text

    def kept(self, steps: Iterable[tuple[BodyLiteral, ...]]) -> Kept:
        """The rules with their proof."""
        here = {str(substitute(Rule(self.owns), {_X: end}).head) for end in (_X, _Y)}
        links = [", ".join(str(item) for item in step if str(item) not in here) for step in steps]
        rules = [self._spelled(f"@touched(X,L) :- @p(X), {link}, @c(Y,L).") for link in dict.fromkeys(links)]
        rules += map(self._spelled, (
            "@renamed(L) :- @touched(X,L).",
            "@n(X,X) :- @p(X).",
            "@n(Y,X) :- @touched(X,L), @c(Y,L).",
            "@n(Y,L) :- @c(Y,L), not @renamed(L).",
        ))  # fmt: skip
        related = self.program.defining(self.relation.predicate)
        reading = [self._reading(rule) for rule in self.program.rules if rule not in related]
        query = self.source.query
        text = "\n".join([*rules, "", *map(str, reading), "", f"#show {query}.", ""])
        alone = [link for link in links if "," not in link.replace("(X,Y)", "")]
        bridges = [self._bridge(alone, step) for step in (True, False)]
        bridge = "\n".join(bridges)
        try:
            sections = tuple(self._sections(rules, reading, bridges))
        except HexlogicError as error:
            return Kept(self._header() + text, bridge, (), str(error))
        failed = next((section.statement for section in sections if not section.ok), "")
        assumed = [section.statement for section in sections if section.justification == "assumed"]
        reason = failed or "; ".join(assumed) or self._played(parse(text))
        return Kept(self._header() + text, bridge, sections, reason)

    def _reading(self, rule: Rule) -> Rule:
        """A rule of the program that reads labels, and elements where they have one."""
        labelled = with_labels(rule, self.relation, "cluster")
        named = {item.atom.arguments[:-1] for item in labelled.literals if item.atom.name == "cluster"}
        label = parse_rule(self._spelled("@c(X,L).")).conclusion
        body = []
        for number, item in enumerate(labelled.body):
            if isinstance(item, Literal) and item.atom.predicate == self.owns.predicate:
                binding = dict(zip(self.owns.arguments, item.atom.arguments, strict=True))
                binding[Variable("L")] = Variable(f"K{number}")
                item = Literal(substitute(Rule(label), binding).conclusion)  # type: ignore[arg-type]
                if item.atom.arguments[:-1] in named:
                    continue
            body.append(item)
        return labelled.with_body(tuple(body))

    def _header(self) -> str:
        return (
            f"% name:     {self.source.name}-kept\n"
            "% idea:     each new element names its class, and the classes beside it merge into that\n"
            f"% source:   found by `hexlogic reformulate {self.source.name} --keep`\n"
            f"% state:    cluster\n% move:     {_MOVE}/{self.owns.predicate.arity}\n% query:    {self.source.query}\n"
            f"% games:    {', '.join(self.source.games)}\n% complete: yes\n"
            "% needs:    stratified negation; a state kept from move to move\n"
            "% cost:     a move writes each element once\n\n"
            f"#defined cluster/{self.relation.predicate.arity}.\n#defined {_MOVE}/{self.owns.predicate.arity}.\n\n"
        )

    def _bridge(self, links: Iterable[str], step: bool) -> str:
        """Of one `step` from before a move to after it; else of what the labels of one state say."""
        swap = str.maketrans("XY", "YX")
        given = [(f"link {n}", f"{link.translate(swap)} :- {link}.") for n, link in enumerate(links)]
        given += [(f"apart {n}", f":- {link.replace('Y', 'X')}.") for n, link in enumerate(links)]
        link = next(iter(links), "")
        moves = [":- @p(X), @o(X).", "alike(X,Y) :- @p(X), @p(Y)."]
        claims = [
            *("@q(X) :- @t(X,Y).", "@q(Y) :- @t(X,Y).", "@t(X,Z) :- @t(Y,Z), @t(X,Y).", "@t(Y,X) :- @t(X,Y)."),
            *("@t(X,Y) :- @s(X,Y).", f":- alike(X,Y), {link}.", "@n(Y,X) :- alike(X,Y), @p(X)."),
            *("@t(X,Y) :- @n(Y,X), @p(X).", "@t(X,Y) :- @n(Y,L), @c(X,L), not @renamed(L).", "@n(L,L) :- @n(X,L)."),
            *("@labelled(X) :- @renamed(L), @c(X,L).", "@t(X,Y) :- @n(X,L), @n(Y,L).", "@labelled(X) :- @q(X)."),
            *(f"@n(Y,L) :- @n(X,L), {link}, {there}(Y)." for there in ("@o", "@p")),
            *(f"@n(Y,L) :- @q(Y), @n(X,L), {link}.", "@n(Y,L) :- @t(X,Y), @n(X,L). @n(X,L) :- @t(X,Y), @n(Y,L)."),
        ]
        before = [(f"before {n}", rule) for n, rule in enumerate((*moves, *_INVARIANTS) if step else _INVARIANTS[:3])]
        parts = [("lemma", "what is given says so", given)] if step else []
        meant = [("", "alike(X,X) :- @p(X)."), ("", "@labelled(X) :- @n(X,L).")] if step else []
        parts += [("means", "one element in a move, and those with a label", meant)]
        parts += [("lemma", "by induction on moves", before)]
        parts += [("claim", "as each rule says", [("", rule) for rule in ("@o(X) :- @s(X,Y).", "@o(Y) :- @s(X,Y).")])]
        after = [self._spelled(rule, after=True) for rule in _INVARIANTS]
        parts += [("claim", "after the move", [("", rule) for rule in (*claims, *after)])] if step else []
        lines = "".join(f"% {key}:   {self.source.name}{end}\n" for key, end in (("left", ""), ("right", "-kept")))
        spelled = (
            blocks(kind, ((name, self._spelled(rule)) for name, rule in rules), words) for kind, words, rules in parts
        )
        return "\n\n".join([f"{lines}% idea:   by induction on moves", *itertools.chain(*spelled)]) + "\n"

    def _sections(
        self, rules: Iterable[str], reading: Iterable[Rule], bridges: Sequence[str]
    ) -> Iterator[ProofSection]:
        """The step from one state to the next, and the answers in one state."""
        move, state = Predicate(_MOVE, self.owns.predicate.arity), Predicate("cluster", self.relation.predicate.arity)
        inputs, board = (*sorted(self.world.given), move, state), self.world.board
        related = self.program.defining(self.relation.predicate)
        later = {head: f"{head.name}_after" for head in (self.relation.predicate, self.owns.predicate)}
        owned = [self._spelled(rule) for rule in ("@q(X) :- @o(X).", "@q(X) :- @p(X).")]
        after = [*map(parse_rule, owned), *(rename_rule(rule, later) for rule in related)]
        sides = [(after, (*related, *map(parse_rule, rules))), (self.program.rules, reading)]

        known = {str(statement.rule): statement for statement in self.world.lemmas()}

        def justify(lemma: Statement, lemma_rules: Program, lemma_board: Program) -> str | Refuted | None:
            if lemma.name.startswith("before"):
                return "holds before the move, or of a move"
            return self.world.justify_lemma(known.get(str(lemma.rule), lemma), lemma_rules, lemma_board)

        for (left, right), bridge in zip(sides, bridges, strict=True):
            joint = joint_program(Program(tuple(left), (), inputs), Program(tuple(right), (), inputs)).spelled()
            given = replace(board, inputs=(*board.inputs, move, state))
            sections = sections_of(read_bridge(bridge, "found.lp"), joint, given, self.source.query, justify=justify)
            yield from (section for section in sections if section.kind != "conclusion" or left != after)

    def _played(self, transitions: Program) -> str:
        """Random games on small boards: where the rules say something else than the program; empty where nowhere."""
        chance = random.Random(0)
        for size in (3, 4):
            board = load_game(self.world.game).of_size(size)
            both = sized(self.world.board + transitions, board), self.source.instantiate(board)
            for _ in range(_GAMES):
                cells, state, stones = list(board.cells), list[Atom](), list[Atom]()
                chance.shuffle(cells)
                for number, cell in enumerate(cells):
                    stone = (Symbol(PLAYERS[number % 2]), Integer(cell))
                    model = least_model(both[0], [*state, Atom(_MOVE, stone)])
                    state = [Atom("cluster", atom.arguments) for atom in model if atom.name == "next_cluster"]
                    stones.append(Atom(self.owns.name, stone))
                    asked = zip(both, (state, stones), strict=True)
                    said = [set(map(str, least_model(*each, only=(self.source.query,)))) for each in asked]
                    if said[0] != said[1]:
                        return f"on {board} {said[0]} and not {said[1]} after {stones}"
        return ""
