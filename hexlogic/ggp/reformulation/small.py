"""Small instances of a game: the same rules with fewer facts, so that all its states can be visited.

A board is given by chains: `nextcol(1,2). nextcol(2,3).` and so on, of what moves name. From the middle of each chain
elements are taken, with all facts about them; its ends, which rules may name, stay. Or it is given by a graph of cells,
`adjacent(a1,b1)`: connected regions become one cell each, with the facts about all cells of the region.
"""

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hexlogic.errors import EngineError
from hexlogic.ggp.language.types import Type
from hexlogic.ggp.reformulation.flat_game import ROLE, FlatGame, chain_of
from hexlogic.language import Atom, Predicate, Rule, Term
from hexlogic.language.analysis.dependence import rules_below


def smaller(game: FlatGame, size: int) -> FlatGame | None:
    """The game with chains of `size` elements, or graphs of `size` times `size`; None where nothing is larger, or a
    rule names what would go."""
    # The sheet is there for the roles alone: a relation that gets empty is not to be filled from it.
    game = replace(game, sheet=rules_below(game.sheet, [ROLE]))
    try:
        named = {kind for does in game.moves for kind in game.kinds(does)[1:]}
        spoken = (*game.initial, *(atom for rule in game.program.rules for atom in rule.atoms))
        kinds = {predicate: game.kinds(predicate) for predicate in {atom.predicate for atom in spoken}}
    except EngineError:
        return None
    gone, bridges = set[tuple[Type, Term]](), list[Rule]()
    for predicate in sorted(game.program.heads - game.moving):
        defining = game.program.defining(predicate)
        chain = [] if any(rule.body for rule in defining) else chain_of([rule.conclusion for rule in defining])
        kind = kinds[predicate][0] if chain else None
        if kind in named and kind is kinds[predicate][1] and len(chain) > size:
            gone |= {(kind, term) for term in chain[size - 1 : -1]}
            bridges.append(Rule(Atom(predicate.name, (chain[size - 2], chain[-1]))))
    if not gone:
        return _contracted(game, named, kinds, size * size)

    def stays(atom: Atom) -> bool:
        return not any(pair in gone for pair in zip(kinds[atom.predicate], atom.arguments, strict=True))

    if any(not all(map(stays, rule.atoms)) for rule in game.program.rules if rule.body):
        return None
    rules = [rule for rule in game.program.rules if rule.body or stays(rule.conclusion)]
    return replace(game, initial=frozenset(filter(stays, game.initial))).with_rules([*rules, *bridges])


def _contracted(
    game: FlatGame, named: Collection[Type], kinds: Mapping[Predicate, Sequence[Type]], size: int
) -> FlatGame | None:
    """The game with connected regions of so many cells, each of them what is nearest to one of cells far apart."""
    static = [rule for rule in game.program.rules if not rule.body and rule.conclusion.predicate not in game.moving]
    regions: dict[tuple[Type, Term], Term] = {}
    for kind in named:
        beside = defaultdict[Term, list[Term]](list)
        for rule in static:
            atom = rule.conclusion
            cells = [term for term, other in zip(atom.arguments, kinds[atom.predicate], strict=True) if other is kind]
            for left, right in itertools.permutations(cells, 2):
                beside[left].append(right)
        written = {term for rule in game.program.rules if rule.body for atom in rule.atoms for term in atom.arguments}
        middles = sorted(written & {*beside}, key=str) or sorted(beside, key=str)[:1]
        if len(beside) <= size or len(beside) < len(kind.constants) or len(middles) > size:
            continue
        while len(middles) < size:
            middles.append(list(_nearest(beside, middles))[-1])
        regions |= {(kind, cell): middle for cell, middle in _nearest(beside, middles).items()}
    if not regions:
        return None

    def merged(atom: Atom) -> Atom:
        pairs = zip(kinds[atom.predicate], atom.arguments, strict=True)
        return Atom(atom.name, tuple(regions.get(pair, pair[1]) for pair in pairs))

    def between(atom: Atom) -> bool:
        return len({*merged(atom).arguments}) == len({*atom.arguments})

    rules = [rule for rule in game.program.rules if rule.body]
    facts = [rule.conclusion for rule in game.program.rules if not rule.body]
    rules += map(Rule, dict.fromkeys(map(merged, filter(between, facts))))
    return replace(game, initial=frozenset(map(merged, game.initial))).with_rules(rules)


def _nearest(beside: Mapping[Term, Sequence[Term]], middles: Iterable[Term]) -> dict[Term, Term]:
    """For each cell that is reached the middle that it is nearest to, the farthest cell last."""
    nearest = {middle: middle for middle in middles}
    for cell in (waiting := list(nearest)):
        new = [other for other in beside[cell] if other not in nearest]
        waiting += dict.fromkeys(new)
        nearest |= dict.fromkeys(new, nearest[cell])
    return nearest
