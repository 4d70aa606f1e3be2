"""Bridges as texts: the one that a move proposes, and the one from the first to the last program of a chain.

A --bridge--> B --bridge--> C       means: the rules of B, under new names; claims of both bridges, and after
                                    each that both queries say the same
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hexlogic.language import Literal, Predicate, Rule
from hexlogic.language.analysis.dependence import sccs
from hexlogic.language.names import taken_name
from hexlogic.language.walk import general_atom, predicates, rename_rule
from hexlogic.proofs.bridges import read_bridge, read_statements
from hexlogic.proofs.finding.bridge_text import lemma_blocks
from hexlogic.proofs.finding.moves import block
from hexlogic.proofs.finding.worlds import Text, World


def proposed_bridges(left: Text, right: Text, world: World, hints: str) -> Iterator[str]:
    """The statements of a move as a bridge, in the names of the joint program, and then also with what is above the
    change: that it is the same in both. Raises HexlogicError."""
    joint = world.joint(left, right)
    names = {**joint.right.names, **joint.left.names}
    blocks = (*unchanged(left, right, world), *_blocks(hints, names, world))
    yield _bridge(left, right, blocks)
    if above := [*unchanged(left, right, world, above=True)]:
        yield _bridge(left, right, (*blocks, *above))


def unchanged(left_text: Text, right_text: Text, world: World, *, above: bool = False) -> Iterator[str]:
    """Claims that what both programs define by the same rules is the same, from below; or, `above`, that what both
    define by other rules is, but for the query. Raises HexlogicError."""
    left, right, joint = world.program(left_text), world.program(right_text), world.joint(left_text, right_text)
    known = set(joint.inputs)
    for component in sccs(left):
        rules = [{rule for each in component for rule in program.defining(each)} for program in (left, right)]
        below = {literal.atom.predicate for rule in rules[0] for literal in rule.literals} & joint.left.names.keys()
        if not all(rules) or not component <= joint.left.names.keys():
            continue
        same = rules[0] == rules[1] and below <= known | component
        if same:
            known |= component
        if same != above and world.query not in component:
            for ways in ((joint.left.names, joint.right.names), (joint.right.names, joint.left.names)):
                yield block("claim", "unchanged", [_same(each, *ways) for each in sorted(component)])


def chained_bridge(texts: Sequence[Text], bridges: Sequence[str], world: World) -> str:
    """The bridge from the first to the last of the texts, given one between each two. Raises HexlogicError."""
    joint, programs = world.joint(texts[0], texts[-1]), list(map(world.program, texts))
    used = {predicate.name for program in (joint.program, *programs) for predicate in predicates(program)}
    names: list[Mapping[Predicate, str]] = [joint.left.names]
    blocks: list[str] = []
    for text, program in list(zip(texts, programs, strict=True))[1:-1]:
        new = {predicate: taken_name(f"{predicate.name}_between", used) for predicate in sorted(program.heads)}
        names.append(new)
        blocks.append(block("means", f"the rules of {text.name}", [rename_rule(rule, new) for rule in program.rules]))
    names.append(joint.right.names)
    for (left, right), sides, bridge in zip(itertools.pairwise(texts), itertools.pairwise(names), bridges, strict=True):
        step = world.joint(left, right)
        renamed = {
            Predicate(there, predicate.arity): side[predicate]
            for side, copy in zip(sides, (step.left, step.right), strict=True)
            for predicate, there in copy.names.items()
            if predicate in side
        }
        meanings = (each for each in read_bridge(bridge, "step").statements if each.kind == "means")
        new_words = dict.fromkeys(rule.conclusion.predicate for each in meanings for rule in each.rules)
        renamed |= {predicate: taken_name(f"{predicate.name}_between", used) for predicate in new_words}
        shared = world.program(left).heads & world.program(right).heads - step.left.names.keys()
        called = [each for each in shared if len({names_of.get(each, each.name) for names_of in sides}) > 1]
        for ways in (sides, sides[::-1]) if called else ():
            claims = sorted((_same(each, *ways) for each in called), key=str)
            blocks.append(block("claim", "no input changes it", claims))
        blocks += _blocks(bridge, renamed, world)
        blocks += [block("claim", "the same answers", [_same(world.query, *ways)]) for ways in (sides, sides[::-1])]
    return _bridge(texts[0], texts[-1], blocks)


def _same(predicate: Predicate, here: Mapping[Predicate, str], there: Mapping[Predicate, str]) -> Rule:
    """That a predicate holds under one name where it does under the other."""
    atom = general_atom(predicate)
    head, body = (replace(atom, name=names.get(predicate, predicate.name)) for names in (here, there))
    return Rule(head, (Literal(body),))


def _blocks(text: str, names: Mapping[Predicate, str], world: World) -> Iterator[str]:
    """The blocks of a bridge with predicates renamed, and known lemmas with what they are proved from."""
    known = {str(statement.rule): statement for statement in world.lemmas()}
    heads = [line for line in text.splitlines() if line.startswith("%%")]
    begin = text.index(heads[0]) if heads else len(text)
    for head, statement in zip(heads, read_statements(text[begin:]), strict=True):
        if statement.kind == "lemma" and not statement.sources and str(statement.rule) in known:
            yield from lemma_blocks(known[str(statement.rule)])
        else:
            yield "\n".join([head, *(str(rename_rule(rule, names)) for rule in statement.rules)])


def _bridge(left: Text, right: Text, blocks: Iterable[str]) -> str:
    header = f"% left:   {left.name}\n% right:  {right.name}\n% idea:   found by `hexlogic reformulate`"
    return "\n\n".join([header, *dict.fromkeys(blocks)]) + "\n"
