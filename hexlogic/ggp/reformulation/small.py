"""Small instances of a game: the same rules with fewer facts, so that all its states can be visited.

A board is given by chains: `nextcol(1,2). nextcol(2,3).` and so on, of what moves name. From the middle of each chain
elements are taken, with all facts about them; its ends, which rules may name, stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexlogic.errors import EngineError
from hexlogic.ggp.language.types import Type, Types
from hexlogic.ggp.reformulation.flat_game import FlatGame
from hexlogic.language import Atom, Predicate, Rule, Term


def smaller(game: FlatGame, size: int) -> FlatGame | None:
    """The game with chains of `size` elements; None where no chain is longer, or a rule names what would go."""
    facts = tuple(map(Rule, sorted(game.initial, key=str)))
    pairs = [*game.state.items(), *((does, legal) for does, legal in _moves(game))]
    joined = [((left, place), (right, place)) for left, right in pairs for place in range(left.arity)]
    try:
        types = Types((*game.program.rules, *facts), joined)
        named = {types.of((does, place)) for does, _ in _moves(game) for place in range(1, does.arity)}
        kinds = {
            atom.predicate: _kinds(types, atom.predicate)
            for rule in (*game.program.rules, *facts)
            for atom in rule.atoms
        }
    except EngineError:
        return None
    gone, bridges = set[tuple[Type, Term]](), list[Rule]()
    for predicate in sorted(game.program.heads - game.moving):
        chain = _chain(game, predicate) if predicate.arity == 2 else []
        kind = kinds[predicate][0] if chain else None
        if kind in named and kind is kinds[predicate][1] and len(chain) > size:
            gone |= {(kind, term) for term in chain[size - 1 : -1]}
            bridges.append(Rule(Atom(predicate.name, (chain[size - 2], chain[-1]))))
    if not gone:
        return None

    def stays(atom: Atom) -> bool:
        return not any(pair in gone for pair in zip(kinds[atom.predicate], atom.arguments, strict=True))

    if any(not all(map(stays, rule.atoms)) for rule in game.program.rules if rule.body):
        return None
    rules = [rule for rule in game.program.rules if rule.body or stays(rule.conclusion)]
    return replace(game, initial=frozenset(filter(stays, game.initial))).with_rules([*rules, *bridges])


def _moves(game: FlatGame) -> list[tuple[Predicate, Predicate]]:
    names = game.flat.names
    return [(name, names["legal", shape]) for (word, shape), name in names.items() if word == "does"]


def _kinds(types: Types, predicate: Predicate) -> list[Type]:
    return [types.of((predicate, place)) for place in range(predicate.arity)]


def _chain(game: FlatGame, predicate: Predicate) -> Sequence[Term]:
    """The elements of a relation that is one chain, in order; none for any other."""
    rules = game.defining(predicate)
    following = {rule.conclusion.arguments[0]: rule.conclusion.arguments[1] for rule in rules if not rule.body}
    begins = set(following) - set(following.values())
    if len(following) < len(rules) or len(begins) != 1 or len(set(following.values())) < len(following):
        return []
    chain = list(begins)
    while chain[-1] in following:
        chain.append(following[chain[-1]])
    return chain if len(chain) == len(following) + 1 else []
