"""A closure that is only asked for circles becomes an acyclicity constraint of clasp.

Before:  path(X,Y) :- in(X,Y).   path(X,Z) :- path(X,Y), in(Y,Z).   :- path(X,X).
After:   #edge (X,Y) : in(X,Y).

The closure of n nodes has n^2 atoms and a ground rule for each edge of each of them. Made where `#show p/n.` lines say
what is seen and do not name the predicate, and all else that mentions it are its rules: bases, and the same bodies
behind or before it, or it twice. *Preserves* what is shown, the costs, and the answer sets over all other predicates.
*Leaves alone* programs with other parts.
"""

from collections.abc import Mapping, Sequence

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Atom, Literal, Predicate, Rule, Variable
from hexlogic.language.passes.merge import canonical
from hexlogic.language.walk import has_distinct_variables, variables


def _edges(predicate: Predicate, rules: Sequence[Rule]) -> list[Rule] | None:
    """The rules for single edges, when the others make the closure of these; None for anything else."""
    bases = [rule for rule in rules if all(atom.predicate != predicate for atom in rule.atoms[1:])]
    steps = [rule for rule in rules if rule not in bases]
    wanted = {canonical(base) for base in bases}
    double = canonical(Rule(*_closing(predicate)))
    if not all(has_distinct_variables(rule.conclusion) for rule in rules) or not bases:
        return None
    if [canonical(step) for step in steps] == [double]:
        return bases
    sides: list[set[Rule]] = [set(), set()]
    for step in steps:
        asked = [literal for literal in step.literals if literal.atom.predicate == predicate]
        rest = tuple(item for item in step.body if item not in asked)
        if len(asked) != 1 or not asked[0].positive or not has_distinct_variables(asked[0].atom):
            return None
        (first, last), (begin, end) = step.conclusion.arguments, asked[0].atom.arguments
        edges = ((end, last), begin == first, first), ((first, begin), end == last, last)
        for side, (edge, fits, kept) in zip(sides, edges, strict=True):
            if fits and isinstance(kept, Variable) and kept not in variables(*rest):
                side.add(canonical(Rule(Atom(predicate.name, edge), rest)))
    return bases if len(steps) == len(bases) and wanted in sides else None


def _closing(predicate: Predicate) -> tuple[Atom, tuple[Literal, Literal]]:
    """Head and body of `p(X,Z) :- p(X,Y), p(Y,Z).`"""
    x, y, z = (Variable(name) for name in "XYZ")
    return Atom(predicate.name, (x, z)), (
        Literal(Atom(predicate.name, (x, y))),
        Literal(Atom(predicate.name, (y, z))),
    )


class Acyclic(Step):
    """Ask clasp."""

    def dropped(self, analysis: Analysis) -> Mapping[int, Dropped]:
        """The rules of such closures, and their constraints with the new text."""
        statements = analysis.encoding.statements
        blocks = {block.statement: block for block in analysis.blocks if block.kind != "element"}
        changed: dict[int, Dropped] = {}
        if any(statement.part != BASE for statement in statements):
            return {}
        projected = {statement.signature for statement in statements if statement.kind == "ProjectSignature"}
        known = analysis.hidden & analysis.definitions.keys() & analysis.components.keys()
        for predicate in known - projected:
            edges = _edges(predicate, analysis.definitions[predicate]) if predicate.arity == 2 else None
            users = [number for number, each in enumerate(statements) if predicate in each.names.predicates]
            asking = [number for number in users if statements[number].heads != {predicate}]
            if edges is None or len(asking) != 1 or not all(number in blocks for number in users):
                continue
            if _is_circle(blocks[asking[0]], predicate):
                text = " ".join(
                    f"#edge ({','.join(map(str, edge.conclusion.arguments))}) : {', '.join(map(str, edge.body))}."
                    for edge in edges
                )
                why = f"no #show asks for {predicate}"
                changed |= {number: Dropped(blocks[number], "acyclic", why) for number in users}
                changed[asking[0]] = Dropped(blocks[asking[0]], "acyclic", "", text)
        return changed


def _is_circle(block: Block, predicate: Predicate) -> bool:
    """Whether a body is the constraint `:- p(X,X).`"""
    match block.rule.body:
        case (Literal(Atom(_, (Variable() as first, second)) as atom, True),):
            return block.kind == "constraint" and not block.kept and first == second and atom.predicate == predicate
        case _:
            return False


STEP = Acyclic("acyclic")
