"""Keep state: from a relation that is an equivalence, the rules for the labels of its classes after a move.

    same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).

    beside(P,Y) :- plays(P,X), adjacent(X,Y).
    renamed(P,L) :- beside(P,Y), cluster(P,Y,L).
    merged(P,Y) :- renamed(P,L), cluster(P,Y,L).
    next_cluster(P,X,X) :- plays(P,X).
    next_cluster(P,Y,X) :- plays(P,X), merged(P,Y).
    next_cluster(P,Y,L) :- cluster(P,Y,L), not renamed(P,L).

The new element names a class of its own, and each class that it touches takes its name. Proved by induction on moves:
four sentences on labels and the relation (`before 1` to `before 4` of `rules/kept/step.lp.j2`) hold of no elements; if
they hold before a move they hold after it, of the relation over one element more; and then both programs have the same
answers (`rules/kept/answers.lp.j2`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet
from hexlogic.language import Atom, BodyLiteral, Literal, Program, Rule, Variable
from hexlogic.language.parser import parse
from hexlogic.language.walk import general_atom, rename_rule
from hexlogic.proofs.all_boards import ASSUMED, ProofSection, Refuted, sections_of
from hexlogic.proofs.bridges import Statement, read_bridge
from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge
from hexlogic.proofs.finding.moves.label import Equivalence, equivalences, spelled_body, with_labels, written
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import written_in_place
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.joint import joint_program

_X, _Y = Variable("X"), Variable("Y")
_MOVE: Final = "plays"
_UNFOLD_S: Final = 20.0
"""Seconds to prove that the rules written in place mean the same."""


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
    program = written_in_place(given)
    if program != given:
        plain = world.read(f"{source.name}-unfolded", program)
        bridge = find_bridge(source, plain, world, limit_s=_UNFOLD_S)
        if isinstance(bridge, NoBridge) or not world.prove(source, plain, bridge).proved:
            return
    samples = Samples(program, world)
    for relation, domains, steps in equivalences(program, samples):
        for domain in domains[:1]:
            (owns,) = domain if len(domain) == 1 else (None,)
            if isinstance(owns, Literal) and owns.atom.predicate in world.board.inputs:
                yield _Keeping(source, world, program, relation, owns.atom).kept(steps)


@dataclass(frozen=True)
class _Keeping:
    source: RuleSet
    world: BoardWorld
    program: Program
    relation: Equivalence
    owns: Atom
    """An element X that is there."""

    def _written(self, template: str, steps: Iterable[tuple[BodyLiteral, ...]]) -> str:
        """A template of `rules/kept/` in the words of the program; a link leads from X to Y."""

        def there(name: str) -> Callable[..., str]:
            return spelled_body([Literal(replace(self.owns, name=name))], _X)

        here = {str(there(self.owns.name)(end)) for end in "XY"}
        apart = dict.fromkeys(tuple(item for item in step if str(item) not in here) for step in steps)
        links = [spelled_body(items, _X, _Y) for items in apart]
        names = ("cluster", "next_cluster", "beside", "renamed", "merged", "labelled")
        return written(template, self.relation, {
            **{name: self.relation.labels(name) for name in names},
            "owns": there(self.owns.name), "owns_after": there(f"{self.owns.name}_after"), "plays": there(_MOVE),
            "pair_after": self.relation.spelling(f"{self.relation.predicate.name}_after"),
            "links": links, "step": links[0], "name": self.source.name, "query": str(self.source.query),
            "games": ", ".join(self.source.games), "arity": self.owns.predicate.arity,
            "classes": self.relation.predicate.arity,
        })  # fmt: skip

    def kept(self, steps: Sequence[tuple[BodyLiteral, ...]]) -> Kept:
        """The rules with their proof."""
        text, *bridges = (self._written(template, steps) for template in ("rules", "step", "answers"))
        rules = parse(text)
        others = (rule for rule in self.program.rules if rule.conclusion.predicate != self.relation.predicate)
        reading = list(map(self._reading, others))
        text = "\n".join([text, *map(str, reading), "", f"#show {self.source.query}.", ""])
        try:
            sections = tuple(self._sections(rules, reading, bridges))
        except HexlogicError as error:
            return Kept(text, "\n".join(bridges), (), str(error))
        failed = [section.statement for section in sections if not section.ok or section.justification == ASSUMED]
        return Kept(text, "\n".join(bridges), sections, "; ".join(failed))

    def _reading(self, rule: Rule) -> Rule:
        """A rule of the program that reads labels, and elements where they have one."""
        labelled = with_labels(rule, self.relation, "cluster")
        named = {item.atom.arguments[:-1] for item in labelled.literals if item.atom.name == "cluster"}
        others = tuple(self.relation.others.values())
        body = []
        for number, item in enumerate(labelled.body):
            if isinstance(item, Literal) and item.atom.predicate == self.owns.predicate:
                binding = dict(zip(self.owns.arguments, item.atom.arguments, strict=True))
                element = tuple(binding[variable] for variable in (*others, _X))
                item = Literal(Atom("cluster", (*element, Variable(f"K{number}"))))
                if element in named:
                    continue
            body.append(item)
        return labelled.with_body(tuple(body))

    def _sections(self, rules: Program, reading: Sequence[Rule], bridges: Sequence[str]) -> Iterator[ProofSection]:
        """The step from one state to the next, and the answers in one state."""
        inputs, board = (*sorted(self.world.given), *rules.inputs), self.world.board
        related, owns = self.program.defining(self.relation.predicate), general_atom(self.owns.predicate)
        later = {head: f"{head.name}_after" for head in (self.relation.predicate, self.owns.predicate)}
        taken = [Rule(owns, (Literal(replace(owns, name=name)),)) for name in (owns.name, _MOVE)]
        owned = [replace(rule, head=rename_rule(rule, later).head) for rule in taken]
        after = (*owned, *(rename_rule(rule, later) for rule in related))
        sides = [(after, (*related, *rules.rules)), (self.program.rules, tuple(reading))]
        known = {str(statement.rule): statement for statement in self.world.lemmas()}

        def justify(lemma: Statement, lemma_rules: Program, lemma_board: Program) -> str | Refuted | None:
            if lemma.name.startswith("before"):
                return "holds before the move, or of a move"
            return self.world.justify_lemma(known.get(str(lemma.rule), lemma), lemma_rules, lemma_board)

        for (left, right), bridge in zip(sides, bridges, strict=True):
            joint = joint_program(Program(left, (), inputs), Program(right, (), inputs)).spelled()
            given = replace(board, inputs=(*board.inputs, *rules.inputs))
            sections = sections_of(read_bridge(bridge, "found.lp"), joint, given, self.source.query, justify=justify)
            yield from (section for section in sections if left is not after or section.kind != "conclusion")
