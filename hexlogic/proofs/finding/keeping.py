"""Keep state: from a relation that is an equivalence, the rules for the labels of its classes after a move.

    same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).

    touched(P,X,L) :- plays(P,X), adjacent(X,Y), cluster(P,Y,L).
    next_cluster(P,X,X) :- plays(P,X).
    next_cluster(P,Y,X) :- touched(P,X,L), cluster(P,Y,L).
    next_cluster(P,Y,L) :- cluster(P,Y,L), not renamed(P,L).

The new element names a class of its own, and each class that it touches takes its name. Proved by induction on moves:
four sentences on labels and the relation (`_invariants`) hold of no elements; if they hold before a move they hold
after it, of the relation over one element more; and then both programs have the same answers.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, load_game
from hexlogic.games.rulesets import RuleSet, sized
from hexlogic.language import Atom, BodyLiteral, Integer, Literal, Predicate, Program, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.walk import rename_rule, substitute
from hexlogic.proofs.all_boards import ProofSection, sections_of
from hexlogic.proofs.bridges import Statement, read_bridge
from hexlogic.proofs.finding.moves import blocks
from hexlogic.proofs.finding.moves.label import Equivalence, growth, is_equivalence, with_labels
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.joint import joint_program

_X, _Y = Variable("X"), Variable("Y")
_MOVE: Final = "plays"
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
    program = world.program(source)
    samples = Samples(program, world)
    for predicate in sorted(recursive_predicates(program)):
        for places in [(first, second) for first in range(predicate.arity) for second in range(first + 1, predicate.arity)]:
            relation = Equivalence(predicate, places)
            if is_equivalence(relation, samples):
                domains, steps = growth(relation, program)
                for domain in domains[:1]:
                    (owns,) = domain if len(domain) == 1 else (None,)
                    if isinstance(owns, Literal) and owns.atom.predicate in world.board.inputs and steps:
                        yield _Keeping(source, world, program, relation, owns.atom).kept(steps)


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

    def _invariants(self, after: bool) -> list[str]:
        """Who share a label are related; who are related share each label; all have one; a label has itself."""
        rules = ("@s(X,Y) :- @c(X,L), @c(Y,L).", "@c(Y,L) :- @s(X,Y), @c(X,L).", "@c(X,L) :- @o(X).", "@c(L,L) :- @c(X,L).")
        return [self._spelled(rule, after) for rule in rules]

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
        reading = [self._reading(rule) for rule in self.program.rules if rule.head.predicate != self.relation.predicate]
        query = self.source.query
        text = "\n".join([*rules, "", *map(str, reading), "", f"#show {query}.", ""])
        bridge = self._bridge([link for link in links if "," not in link.replace("(X,Y)", "")])
        try:
            sections = tuple(self._sections(rules, reading, bridge))
        except HexlogicError as error:
            return Kept(self._header() + text, bridge, (), str(error))
        failed = next((section.statement for section in sections if not section.ok), "")
        assumed = [section.statement for section in sections if section.justification == "assumed"]
        reason = failed or "; ".join(assumed) or self._played(parse(text))
        return Kept(self._header() + text, bridge, sections, reason)

    def _reading(self, rule: Rule) -> Rule:
        """A rule of the program that reads labels, and elements where they have one."""
        labelled = with_labels(rule, self.relation, "cluster")
        body = []
        for number, item in enumerate(labelled.body):
            if isinstance(item, Literal) and item.atom.predicate == self.owns.predicate:
                binding = dict(zip(self.owns.arguments, item.atom.arguments, strict=True))
                label = parse_rule(self._spelled("@c(X,L).")).conclusion
                item = Literal(substitute(Rule(label), {**binding, Variable("L"): Variable(f"K{number}")}).conclusion)
            body.append(item)
        return labelled.with_body(tuple(dict.fromkeys(body)))

    def _header(self) -> str:
        return (
            f"% name:     {self.source.name}-kept\n% idea:     each new element names its class, and the classes beside "
            f"it merge into that\n% source:   found by `hexlogic reformulate {self.source.name} --keep`\n"
            f"% state:    cluster\n% move:     {_MOVE}/{self.owns.predicate.arity}\n% query:    {self.source.query}\n"
            f"% games:    {', '.join(self.source.games)}\n% complete: yes\n"
            "% needs:    stratified negation; a state kept from move to move\n"
            "% cost:     a move writes each element once\n\n"
            f"#defined cluster/{self.relation.predicate.arity}.\n#defined {_MOVE}/{self.owns.predicate.arity}.\n\n"
        )

    def _bridge(self, links: Iterable[str]) -> str:
        swap = {"X": "Y", "Y": "X"}
        given = [(f"link {n}", parse_rule(f"{link.translate(str.maketrans(swap))} :- {link}.")) for n, link in enumerate(links)]
        given += [(f"apart {n}", parse_rule(f":- {link.replace('Y', 'X')}.")) for n, link in enumerate(links)]
        link = next(iter(links), "")
        before = [self._spelled(rule) for rule in (":- @p(X), @o(X).", "alike(X,Y) :- @p(X), @p(Y).")]
        claims = [
            *("@o(X) :- @s(X,Y).", "@o(Y) :- @s(X,Y).", "@q(X) :- @t(X,Y).", "@q(Y) :- @t(X,Y)."),
            *("@t(X,Z) :- @t(Y,Z), @t(X,Y).", "@t(Y,X) :- @t(X,Y).", "@t(X,Y) :- @s(X,Y)."),
            f":- alike(X,Y), {link}.",
            *("@n(Y,X) :- alike(X,Y), @p(X).", "@t(X,Y) :- @n(Y,X), @p(X)."),
            *("@t(X,Y) :- @n(Y,L), @c(X,L), not @renamed(L).", "@n(L,L) :- @n(X,L).", "@labelled(X) :- @renamed(L), @c(X,L)."),
            *("@t(X,Y) :- @n(X,L), @n(Y,L).", "@labelled(X) :- @q(X)."),
            *(f"@n(Y,L) :- @n(X,L), {link}, @o(Y).", f"@n(Y,L) :- @n(X,L), {link}, @p(Y)."),
            f"@n(Y,L) :- @q(Y), @n(X,L), {link}.",
        ]
        together = ["@n(Y,L) :- @t(X,Y), @n(X,L).", "@n(X,L) :- @t(X,Y), @n(Y,L)."]
        return "\n\n".join([
            f"% left:   {self.source.name}\n% right:  {self.source.name}-kept\n% idea:   what holds before a move holds after it",
            *blocks("lemma", given),
            f"%% means: one stone in a move\nalike(X,X) :- {self._spelled('@p(X)')}.",
            f"%% means: has a label\n{self._spelled('@labelled(X) :- @n(X,L).')}",
            *blocks("lemma", [(f"before {n}", parse_rule(rule)) for n, rule in enumerate((*before, *self._invariants(False)))], "by induction on moves"),
            *blocks("claim", [("", parse_rule(self._spelled(claim))) for claim in claims], "after the move"),
            "%% claim: after the move, at once\n" + "\n".join(map(self._spelled, together)),
            *blocks("claim", [("", parse_rule(rule)) for rule in self._invariants(True)], "so it holds after it"),
        ]) + "\n"  # fmt: skip

    def _sections(self, rules: Iterable[str], reading: Iterable[Rule], bridge: str) -> Iterator[ProofSection]:
        move, state = Predicate(_MOVE, self.owns.predicate.arity), Predicate("cluster", self.relation.predicate.arity)
        inputs = (*self.world.board.heads, *self.world.board.inputs, move, state)
        later = {head: f"{head.name}_after" for head in {*self.program.heads, self.owns.predicate} - {self.source.query}}
        owned = [self._spelled(rule) for rule in ("@q(X) :- @o(X).", "@q(X) :- @p(X).")]
        left = [*map(parse_rule, owned), *(rename_rule(rule, later) for rule in self.program.rules)]
        right = [*self.program.defining(self.relation.predicate), *map(parse_rule, rules)]
        right += [rename_rule(rule, {state: "next_cluster"}) for rule in reading]
        joint = joint_program(Program(tuple(left), (), inputs), Program(tuple(right), (), inputs)).spelled()
        board = self.world.board.with_rules(self.world.board.rules)
        given = Program(board.rules, board.constants, (*board.inputs, move, state))

        def justify(lemma: Statement, lemma_rules: Program, lemma_board: Program) -> object:
            if lemma.name.startswith("before"):
                return "holds before the move, or of a move"
            return self.world.justify_lemma(lemma, lemma_rules, lemma_board)

        yield from sections_of(read_bridge(bridge, "found.lp"), joint, given, self.source.query, justify=justify)  # type: ignore[arg-type]

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
                    said = [{str(a) for a in least_model(p, f, only=(self.source.query,))} for p, f in zip(both, (state, stones), strict=True)]
                    if said[0] != said[1]:
                        return f"on {board} {said[0]} and not {said[1]} after {' '.join(map(str, stones))}"
        return ""
