"""A closure that is only asked about from some nodes starts there alone: magic sets, for programs with choices too.

Before:  reach(X,Y) :- in(X,Y).            reach(X,Z) :- reach(X,Y), in(Y,Z).   :- node(Y), start(S), not reach(S,Y).
After:   reach(X,Y) :- in(X,Y), start(X).  reach(X,Z) :- reach(X,Y), in(Y,Z).   :- node(Y), start(S), not reach(S,Y).

Made where `#show p/n.` lines hide the predicate, each recursive rule passes one argument on unchanged, and every other
body asks with a constant there, or with a variable of the same predicate of facts. Atoms for other values support and
decide nothing. *Preserves* what is shown, the costs, and the answer sets over all other predicates. *Leaves alone*
predicates that an instance, a choice, another part or anything but a body mentions.
"""

from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis, is_plain
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.passes.rule_pass import RuleContext


def _asked(predicate: Predicate, analysis: Analysis) -> Iterator[tuple[int, Predicate | Term]]:
    """Each argument that recursion passes on, with the constant or the predicate of facts that asks for it."""
    encoding = analysis.encoding
    rules = analysis.definitions.get(predicate, ())
    if predicate not in analysis.hidden or not rules or predicate not in analysis.components:
        return
    uses: list[tuple[Atom, tuple[BodyLiteral, ...]]] = []
    for statement in encoding.statements:
        if predicate not in statement.names.predicates or statement.heads == {predicate}:
            continue
        literals = tuple(literal for item in statement.body for literal in item.literals or ())
        found = [each.atom for each in literals if isinstance(each, Literal) and each.atom.predicate == predicate]
        inside = sum(predicate in item.names.predicates for item in statement.body)
        others = statement.head.names.predicates if statement.head is not None else frozenset[Predicate]()
        is_body = statement.is_rule or statement.kind in ("minimize", "weak", "show")
        if statement.part != BASE or inside != len(found) or not is_body or predicate in others:
            return
        uses += ((atom, literals) for atom in found)
    for place in range(predicate.arity):
        recursive = [(rule, [each for each in rule.literals if each.atom.predicate == predicate]) for rule in rules]
        passed = all(
            isinstance(value := rule.conclusion.arguments[place], Variable)
            and all(each.positive and each.atom.arguments[place] == value for each in literals)
            for rule, literals in recursive
        )
        askers = [_askers(atom.arguments[place], body, analysis) for atom, body in uses]
        for asker in sorted(set.intersection(*askers), key=str) if passed and askers else ():
            yield place, asker


def _askers(term: Term, body: tuple[BodyLiteral, ...], analysis: Analysis) -> set[Predicate | Term]:
    """The term where it is a constant, or the predicates of facts about it in a body."""
    if is_plain(term):
        return {term}
    atoms = [each.atom for each in body if isinstance(each, Literal) and each.positive]
    return {atom.predicate for atom in atoms if atom.arguments == (term,) and atom.predicate in analysis.facts}


class Asked(Step):
    """Start where it is asked."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> list[Change]:
        """A rule that begins the recursion, with what asks for it."""
        head = rule.head
        if block.kind != "rule" or block.part != BASE or head is None:
            return []
        if rule == block.rule and all(each.atom.predicate != head.predicate for each in rule.literals):
            for place, asker in _asked(head.predicate, analysis):
                value = head.arguments[place]
                item = (
                    Literal(Atom(asker.name, (value,)))
                    if isinstance(asker, Predicate)
                    else Comparison("=", value, asker)
                )
                return [Change((rule.with_body((*rule.body, item)),), "asked")]
        return []


STEP = Asked("asked", kinds=("rule",))
