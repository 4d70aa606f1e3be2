"""Stored predictions by protocol, and the commands that make them again.

Sets made alike with other seeds belong together in a protocol, and so do models trained alike in a variant.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from msgspec import UnsetType, convert, structs

from hexlogic.laboratory.records.types import grouped
from hexlogic.players.evaluation.prediction_file import (
    ANY,
    DataCard,
    ModelCard,
    Peer,
    Recipe,
    Score,
    Settings,
    StoredModel,
    StoredPredictions,
)

P = TypeVar("P", StoredModel, Peer)


@dataclass(frozen=True)
class Pool(Generic[P]):
    """Models that differ in seeds only, or one baseline, each with the set that it was scored on."""

    scored: tuple[tuple[StoredPredictions, P], ...]

    @cached_property
    def by_set(self) -> list[list[tuple[StoredPredictions, P]]]:
        """Those of each set."""
        return list(grouped(self.scored, lambda pair: pair[0].data.seed).values())

    @property
    def positions(self) -> int:
        """The number of test positions of the sets together."""
        return sum(stored.positions for (stored, _), *_ in self.by_set)

    @property
    def score(self) -> Score:
        """On the test splits of all sets together; of several models on one set, their mean."""
        right = sum(round(sum(predictor.right for _, predictor in pairs) / len(pairs)) for pairs in self.by_set)
        return Score(right, self.positions)

    def by_empties(self) -> dict[int, Score]:
        """The scores by number of empty cells, of the first model of each set."""
        right, positions = Counter[int](), Counter[int]()
        for (stored, predictor), *_ in self.by_set:
            right.update(predictor.by_empties)
            positions.update(stored.by_empties)
        return {empties: Score(right[empties], positions[empties]) for empties in sorted(positions)}


@dataclass(frozen=True)
class Variant(Pool[StoredModel]):
    """Models that differ in seeds only, of one protocol."""

    protocol: Protocol

    @property
    def card(self) -> ModelCard:
        """The card of the first."""
        return self.scored[0][1].card

    def mean(self, of: Callable[[StoredModel], float]) -> float:
        """The mean of a figure over the models."""
        return sum(of(model) for _, model in self.scored) / len(self.scored)

    @property
    def validation(self) -> float:
        """The mean accuracy on the validation splits, by which models are chosen."""
        return self.mean(lambda model: model.card.validation_accuracy)

    def apart(self, name: str) -> tuple[int, int]:
        """Two counts of positions, of the first model of each set: only the model is right, only a baseline is."""
        counts = [model.apart.get(name, (0, 0)) for (_, model), *_ in self.by_set]
        return sum(model for model, _ in counts), sum(baseline for _, baseline in counts)

    @property
    def repeat(self) -> str:
        """The commands that train the first model again."""
        stored, model = self.scored[0]
        return f"{generate_command(stored)} && {train_command(stored, model)}"


@dataclass(frozen=True)
class Protocol:
    """Sets of positions made alike."""

    sets: tuple[StoredPredictions, ...]

    @property
    def card(self) -> DataCard:
        """The card of the first set."""
        return self.sets[0].data

    @property
    def before(self) -> int | None:
        """Moves before the end; None where labels are by perfect play."""
        return None if self.card.exact else self.card.before or 0

    @property
    def title(self) -> str:
        """In words."""
        card, moves = self.card, self.before
        what = "perfect play" if moves is None else "finished"
        if moves:
            what = f"{moves} move{'s' if moves > 1 else ''} before the end"
        whose = "games of players" if card.players else "random games"
        more = [", either player first"] * (card.first == ANY) + [", balanced"] * card.balanced
        more += [f", at least {card.open_share:.0%} of the cells empty"] * bool(card.open_share)
        return f"{card.size}x{card.size}, {what}, {whose}{''.join(more)}"

    @property
    def positions(self) -> int:
        """The number of positions of the test splits."""
        return sum(stored.positions for stored in self.sets)

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """Models by what they were trained with, as they come first."""
        pairs = [(stored, model) for stored in self.sets for model in stored.models]

        def settings(pair: tuple[StoredPredictions, StoredModel]) -> Settings:
            return structs.replace(convert(pair[1].card, Settings, from_attributes=True), seed=0)

        alike = grouped(pairs, settings)
        return tuple(Variant(tuple(models), self) for models in alike.values())

    def best(self, symbols: str | None = None) -> Variant | None:
        """The variant on most sets that is best on the validation splits, among those with these symbols."""
        variants = [variant for variant in self.variants if symbols in (None, variant.card.symbols)]
        return max(variants, key=lambda variant: (len(variant.by_set), variant.validation), default=None)

    def best_by_symbols(self) -> list[Variant]:
        """The variant of each symbol set that is best on the validation splits."""
        symbol_sets = dict.fromkeys(variant.card.symbols for variant in self.variants)
        return [variant for symbols in symbol_sets if (variant := self.best(symbols)) is not None]

    def baselines(self, like: Variant | None = None) -> dict[str, Pool[Peer]]:
        """The baselines by name; learners only those with the symbols and the view of a variant."""
        learned = ("", "") if like is None else (like.card.symbols, like.card.view)
        pairs = [(stored, peer) for stored in self.sets for peer in stored.peers]
        fitting = (pair for pair in pairs if (pair[1].symbols, pair[1].view) in (learned, ("", "")))
        return {name: Pool(tuple(scored)) for name, scored in grouped(fitting, lambda pair: pair[1].name).items()}

    @property
    def solver(self) -> Score | None:
        """The upper bound."""
        scores = [stored.solver for stored in self.sets if stored.solver is not None]
        return Score(sum(s.right for s in scores), sum(s.positions for s in scores)) if scores else None

    @property
    def near_duplicates(self) -> float:
        """The share of test positions that differ from a train position in at most two cells."""
        return sum(stored.near_duplicates * stored.positions for stored in self.sets) / self.positions


def protocols(sets: Sequence[StoredPredictions]) -> list[Protocol]:
    """The sets by how they were made: small boards first, finished games before others."""

    def recipe(stored: StoredPredictions) -> tuple[Recipe, str]:
        card = convert(stored.data, Recipe, from_attributes=True)
        return structs.replace(card, seed=0, games=1), stored.data.source

    made = [Protocol(tuple(alike)) for alike in grouped(sets, recipe).values()]
    return sorted(made, key=lambda p: (p.card.size, p.card.exact, p.before or 0, p.card.balanced, p.title))


def generate_command(stored: StoredPredictions) -> str:
    """The command that makes the set of a card again; of a file what it was read from."""
    card, name = stored.data, shlex.quote(stored.name)
    if isinstance(card.games_played, UnsetType):
        return f"hexlogic predict generate --csv FILE --seed {card.seed} --out {name}"
    options: dict[str, object] = {"size": card.size, "games": card.games_played, "seed": card.seed}
    options |= {"first": card.first, "before": card.before, "label": "exact" if card.exact else None}
    options |= {"balanced": "" if card.balanced else None, "open-share": card.open_share or None}
    if card.players:
        options |= {"players": shlex.quote(",".join(card.players)), "opening": card.opening}
    return f"hexlogic predict generate {_options(options)} --out {name}"


def train_command(stored: StoredPredictions, model: StoredModel) -> str:
    """The command that trains a model again."""
    name = shlex.quote(stored.name)
    options = _options({option: getattr(model.card, option) for option in Settings.__struct_fields__})
    return f"hexlogic predict train {name} {options} --out {name}.model"


def _options(values: dict[str, object]) -> str:
    return " ".join(f"--{name} {value}".rstrip() for name, value in values.items() if value is not None)
