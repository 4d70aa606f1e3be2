"""Stored predictions by protocol: sets made alike with other seeds belong together, and so do models trained alike."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexlogic.laboratory.records.grouping import grouped
from hexlogic.players.predict.prediction_file import Peer, Score, StoredModel, StoredPredictions

_RECIPE = ("size", "first", "before", "exact", "balanced", "players", "opening", "most_empty", "source")


@dataclass(frozen=True)
class Variant:
    """Models that differ in seeds only, each with the set that it was trained and scored on."""

    models: tuple[tuple[StoredPredictions, StoredModel], ...]

    @property
    def card(self) -> dict[str, Any]:
        """The card of the first."""
        return self.models[0][1].card

    @property
    def validation(self) -> float:
        """The mean accuracy on the validation splits, by which models are chosen."""
        return sum(float(model.card["validation_accuracy"]) for _, model in self.models) / len(self.models)

    @cached_property
    def _by_set(self) -> list[list[tuple[StoredPredictions, StoredModel]]]:
        return list(grouped(self.models, lambda pair: int(pair[0].data["seed"])).values())

    @property
    def score(self) -> Score:
        """On the test splits of all sets together; of several models on one set, their mean."""
        right = sum(round(sum(model.right for _, model in own) / len(own)) for own in self._by_set)
        return Score(right, sum(own[0][0].positions for own in self._by_set))

    def by_empties(self) -> dict[int, Score]:
        """The same by number of empty cells, of the first model of each set."""
        return _added([(stored, model.by_empties) for (stored, model), *_ in self._by_set])

    def apart(self, name: str) -> tuple[int, int]:
        """How many positions only the model and only a baseline names right, of the first model of each set."""
        pairs = [model.apart[name] for (_, model), *_ in self._by_set if name in model.apart]
        return sum(one for one, _ in pairs), sum(other for _, other in pairs)

    @property
    def positions(self) -> int:
        """How many test positions the sets of its models have together."""
        return sum({id(stored): stored.positions for stored, _ in self.models}.values())

    @property
    def repeat(self) -> str:
        """The commands that train the first model again."""
        stored, model = self.models[0]
        return f"{generate_command(stored)} && {train_command(stored, model)}"


@dataclass(frozen=True)
class Protocol:
    """Sets of positions made alike."""

    sets: tuple[StoredPredictions, ...]

    @property
    def card(self) -> dict[str, Any]:
        """The card of the first set."""
        return self.sets[0].data

    @property
    def size(self) -> int:
        """The side of the board."""
        return int(self.card["size"])

    @property
    def before(self) -> int | None:
        """Moves before the end; None where labels are by perfect play."""
        return None if self.is_exact else int(self.card.get("before") or 0)

    @property
    def is_exact(self) -> bool:
        """Whether the label is the winner with perfect play."""
        return bool(self.card.get("exact"))

    @property
    def is_balanced(self) -> bool:
        """Whether the number of stones says nothing of the winner."""
        return bool(self.card.get("balanced"))

    @property
    def is_of_players(self) -> bool:
        """Whether players made the games, not chance."""
        return bool(self.card.get("players"))

    @property
    def title(self) -> str:
        """In words."""
        moves = self.before
        if self.is_exact:
            what = "perfect play"
        else:
            what = "finished" if not moves else f"{moves} move{'s' if moves > 1 else ''} before the end"
        whose = "games of players" if self.is_of_players else "random games"
        return f"{self.size}x{self.size}, {what}, {whose}{', balanced' if self.is_balanced else ''}"

    @property
    def short_title(self) -> str:
        """The same for a legend, which has room for some forty letters."""
        return self.title.replace(" moves before", " before").replace("games of players", "players")

    @property
    def positions(self) -> int:
        """Of the test splits."""
        return sum(one.positions for one in self.sets)

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """Models by what they were trained with, as they come first."""
        pairs = [(stored, model) for stored in self.sets for model in stored.models]
        keys = ("symbols", "view", "clauses", "s", "threshold", "literals", "epochs")
        found = grouped(pairs, lambda pair: tuple(pair[1].card[key] for key in keys))
        return tuple(Variant(tuple(own)) for own in found.values())

    def best(self, symbols: str | None = None) -> Variant | None:
        """The variant on most sets that is best on the validation splits, among those with these symbols."""
        own = [variant for variant in self.variants if symbols is None or variant.card["symbols"] == symbols]
        return max(own, key=lambda one: (len({id(s) for s, _ in one.models}), one.validation), default=None)

    def best_by_symbols(self) -> list[Variant]:
        """Of each symbol set the variant that is best on the validation splits."""
        symbol_sets = dict.fromkeys(str(variant.card["symbols"]) for variant in self.variants)
        return [variant for symbols in symbol_sets if (variant := self.best(symbols)) is not None]

    def peers(self, like: Variant | None = None) -> dict[str, list[tuple[StoredPredictions, Peer]]]:
        """The baselines by name; learners only those with the symbols and the view of a variant."""
        found: dict[str, list[tuple[StoredPredictions, Peer]]] = {}
        for stored in self.sets:
            for peer in stored.peers:
                if not peer.symbols or (
                    like and (peer.symbols, peer.view) == (like.card["symbols"], like.card["view"])
                ):
                    found.setdefault(peer.name, []).append((stored, peer))
        return found

    def peer_scores(self, like: Variant | None = None) -> dict[str, Score]:
        """What each baseline names right on all sets that have it."""
        return {
            name: Score(sum(peer.right for _, peer in own), sum(stored.positions for stored, _ in own))
            for name, own in self.peers(like).items()
        }

    def peer_empties(self, name: str, like: Variant | None = None) -> dict[int, Score]:
        """The same by number of empty cells."""
        return _added([(stored, peer.by_empties) for stored, peer in self.peers(like).get(name, [])])

    @property
    def solver(self) -> Score | None:
        """The upper bound."""
        found = [one.solver for one in self.sets if one.solver is not None]
        return Score(sum(one.right for one in found), sum(one.positions for one in found)) if found else None

    @property
    def near_duplicates(self) -> float:
        """The share of test positions that differ from a train position in at most two cells."""
        return sum(one.near_duplicates * one.positions for one in self.sets) / self.positions


def protocols(sets: Sequence[StoredPredictions]) -> list[Protocol]:
    """The sets by how they were made: small boards first, finished games before others."""
    found = grouped(sets, lambda stored: repr([stored.data.get(name) for name in _RECIPE]))
    made = [Protocol(tuple(own)) for own in found.values()]
    return sorted(made, key=lambda one: (one.size, one.is_exact, one.before or 0, one.is_balanced, one.title))


def _added(parts: Sequence[tuple[StoredPredictions, dict[int, int]]]) -> dict[int, Score]:
    right: dict[int, int] = {}
    whole: dict[int, int] = {}
    for stored, own in parts:
        for empties, count in stored.by_empties.items():
            right[empties] = right.get(empties, 0) + own.get(empties, 0)
            whole[empties] = whole.get(empties, 0) + count
    return {empties: Score(right[empties], whole[empties]) for empties in sorted(whole)}


def generate_command(stored: StoredPredictions) -> str:
    """The command that makes the set of a card again; of a file what it was read from."""
    card = stored.data
    if "games_played" not in card:
        return f"hexlogic predict generate --csv FILE --seed {card['seed']} --out {shlex.quote(stored.name)}"
    values = {"size": "size", "games": "games_played", "seed": "seed", "first": "first", "before": "before"}
    parts = [f"--{option} {card[key]}" for option, key in values.items() if card.get(key) is not None]
    parts += ["--label exact"] if card["exact"] else []
    parts += [f"--max-empty {card['most_empty']}"] if card["most_empty"] is not None else []
    parts += ["--balanced"] if card["balanced"] else []
    parts += [f"--players {shlex.quote(','.join(card['players']))}"] if card["players"] else []
    parts += [f"--opening {card['opening']}"] if card["players"] else []
    return f"hexlogic predict generate {' '.join(parts)} --out {shlex.quote(stored.name)}"


def train_command(stored: StoredPredictions, model: StoredModel) -> str:
    """The command that trains a model again."""
    names = ("clauses", "symbols", "view", "s", "threshold", "literals", "epochs", "seed")
    parts = [f"--{name} {model.card[name]}" for name in names if model.card.get(name) is not None]
    name = shlex.quote(stored.name)
    return f"hexlogic predict train {name} {' '.join(parts)} --out {name}.model"
