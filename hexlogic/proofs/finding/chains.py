"""Bridges as texts: the one that a move proposes, and the one from the first to the last program of a chain.

A --bridge--> B --bridge--> C       means: the rules of B, under new names; claims of both bridges, and after
                                    each that both queries say the same
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hexlogic.language import Literal, Predicate, Rule
from hexlogic.language.analysis.dependence import sccs
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import general_atom, predicates, rename_rule
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.finding.bridge_text import lemma_blocks
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
            for sides in ((joint.left, joint.right), (joint.right, joint.left)):
                pairs = [[side.atom(general_atom(each)) for side in sides] for each in sorted(component)]
                yield "\n".join(["%% claim: unchanged", *(str(Rule(head, (Literal(body),))) for head, body in pairs)])


def chained_bridge(texts: Sequence[Text], bridges: Sequence[str], world: World) -> str:
    """The bridge from the first to the last of the texts, given one between each two. Raises HexlogicError."""
    first, last = texts[0], texts[-1]
    joint = world.joint(first, last)
    used = {predicate.name for predicate in predicates(joint.program)} | {
        predicate.name for text in texts for predicate in predicates(world.program(text))
    }
    names: list[Mapping[Predicate, str]] = [joint.left.names]
    blocks: list[str] = []
    for text in texts[1:-1]:
        program = world.program(text)
        new = {predicate: _fresh(predicate.name, used) for predicate in sorted(program.heads)}
        names.append(new)
        rules = "\n".join(str(rename_rule(rule, new)) for rule in program.rules)
        blocks.append(f"%% means: the rules of {text.name}\n{rules}")
    names.append(joint.right.names)
    for number, bridge in enumerate(bridges):
        step = world.joint(texts[number], texts[number + 1])
        renamed = {
            Predicate(there, predicate.arity): names[number + side][predicate]
            for side, copy in enumerate((step.left, step.right))
            for predicate, there in copy.names.items()
            if predicate in names[number + side]
        }
        meanings = [
            rule.head.predicate
            for statement in read_bridge(bridge, "step").statements
            for rule in statement.rules
            if rule.head is not None and statement.kind == "means"
        ]
        renamed |= {predicate: _fresh(predicate.name, used) for predicate in dict.fromkeys(meanings)}
        shared = world.program(texts[number]).heads & world.program(texts[number + 1]).heads - step.left.names.keys()
        for sides in (names[number : number + 2], names[number : number + 2][::-1]):
            pairs = [
                [general_atom(Predicate(side.get(each, each.name), each.arity)) for side in sides] for each in shared
            ]
            claims = sorted(str(Rule(head, (Literal(body),))) for head, body in pairs if head != body)
            blocks += ["\n".join(["%% claim: no input changes it", *claims])] if claims else []
        blocks += _blocks(bridge, renamed, world)
        queries = [
            general_atom(Predicate(each.get(world.query, world.query.name), world.query.arity))
            for each in names[number : number + 2]
        ]
        blocks += [f"%% claim: the same answers\n{Rule(a, (Literal(b),))}" for a, b in (queries, queries[::-1])]
    return _bridge(first, last, blocks)


def _fresh(name: str, used: set[str]) -> str:
    new = next(iter(fresh_names(f"{name}_between", used)))
    used.add(new)
    return new


def _blocks(text: str, names: Mapping[Predicate, str], world: World) -> Iterator[str]:
    """The blocks of a bridge with predicates renamed, and known lemmas with what they are proved from."""
    known = {str(statement.rule): statement for statement in world.lemmas()}
    heads = [line for line in text.splitlines() if line.startswith("%%")]
    begin = text.index(heads[0]) if heads else len(text)
    header = "% left:   left\n% right:  right\n% idea:   none\n\n"
    for head, statement in zip(heads, read_bridge(header + text[begin:], "blocks").statements, strict=True):
        if statement.kind == "lemma" and not statement.sources and str(statement.rule) in known:
            yield from lemma_blocks(known[str(statement.rule)])
        else:
            yield "\n".join([head, *(str(rename_rule(rule, names)) for rule in statement.rules)])


def _bridge(left: Text, right: Text, blocks: Iterable[str]) -> str:
    lines = (f"% left:   {left.name}", f"% right:  {right.name}", "% idea:   found by `hexlogic reformulate`", "")
    return "\n\n".join(itertools.chain(["\n".join(lines).rstrip()], dict.fromkeys(blocks))) + "\n"
