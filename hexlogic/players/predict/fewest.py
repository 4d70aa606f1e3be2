"""The fewest clauses with the same decisions on some positions, and the fewest that cover them, by integer programs.

    minimise sum of z_c  such that on every position   sum of z_c * weight_c  >= 1 where the machine says red,
                                                                            <= 0 where it says blue

Few positions bind: the program begins with some of them and takes in those that its answer gets wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

_FIRST_ROWS: Final = 64
_ROUNDS: Final = 60
_NODES: Final = 200


@dataclass(frozen=True, slots=True)
class Fewest:
    """The places of the clauses that were chosen, and a lower bound on how many are needed."""

    chosen: tuple[int, ...]
    at_least: int

    @property
    def is_minimum(self) -> bool:
        """Whether no smaller choice exists."""
        return len(self.chosen) == self.at_least


def fewest_deciding(fired: NDArray[np.uint8], weights: NDArray[np.int32], nodes: int = _NODES) -> Fewest:
    """The fewest clauses that give the same decisions with the same weights.

    `fired` is `[positions, clauses]`, `weights[clauses]`. At most `nodes` branch-and-bound nodes a round; where these
    do not suffice, clauses that can be spared are left out one by one, and the bound says what is open.
    """
    votes = np.unique(fired.astype(np.int64) * weights.astype(np.int64), axis=0)
    red = votes.sum(axis=1) > 0
    # One form for both: rows of `signed` have to be at least `bound` (votes are whole numbers).
    signed, bound = np.where(red[:, None], votes, -votes), np.where(red, 1, 0)
    return _fewest(signed, bound, np.abs(weights).astype(np.int64), _FIRST_ROWS, nodes)


def fewest_covering(fired: NDArray[np.uint8], nodes: int = _NODES) -> Fewest:
    """The fewest clauses of which one holds on every position where any holds. `fired` is `[positions, clauses]`."""
    rows = np.unique(fired[fired.any(axis=1)], axis=0).astype(np.int64)
    return (
        _fewest(rows, np.ones(len(rows), np.int64), rows.sum(axis=0), len(rows), nodes) if len(rows) else Fewest((), 0)
    )


def _fewest(
    signed: NDArray[np.int64], bound: NDArray[np.int64], weights: NDArray[np.int64], first_rows: int, nodes: int
) -> Fewest:
    """The fewest columns of `signed` whose sum is at least `bound` in every row."""
    rows: NDArray[np.int64] = np.arange(min(first_rows, len(signed)))
    at_least = 0
    for _ in range(_ROUNDS):
        answer = _solve(signed[rows], bound[rows], nodes)
        if answer is None:
            break
        chosen, lower, optimal = answer
        at_least = max(at_least, lower)
        slack = signed[:, chosen].sum(axis=1) - bound
        wrong = np.flatnonzero(slack < 0)
        if not len(wrong):
            return Fewest(tuple(int(place) for place in chosen), len(chosen) if optimal else at_least)
        rows = np.union1d(rows, wrong[np.argsort(slack[wrong], kind="stable")][:_FIRST_ROWS])
    return Fewest(_spared(signed, bound, weights), at_least)


def _spared(signed: NDArray[np.int64], bound: NDArray[np.int64], weights: NDArray[np.int64]) -> tuple[int, ...]:
    """What is left when clauses that can be spared are left out, those with light weights first."""
    total = signed.sum(axis=1)
    left = set(range(signed.shape[1]))
    for place in np.argsort(weights, kind="stable"):
        less = total - signed[:, place]
        if np.all(less >= bound):
            total = less
            left.discard(int(place))
    return tuple(sorted(left))


def _solve(rows: NDArray[np.int64], bound: NDArray[np.int64], nodes: int) -> tuple[NDArray[np.int64], int, bool] | None:
    """The places that are chosen, a lower bound on their number, and whether they are fewest; None without a choice."""
    count = rows.shape[1]
    constraint = LinearConstraint(csr_array(rows.astype(np.float64)), bound.astype(np.float64), np.inf)
    result: Any = milp(
        np.ones(count),
        integrality=np.ones(count),
        bounds=Bounds(0, 1),
        constraints=constraint,
        options={"node_limit": nodes, "presolve": True},
    )
    if result.x is None:
        return None
    lower = int(np.ceil(float(result.mip_dual_bound) - 1e-6)) if result.mip_dual_bound is not None else 0
    return np.flatnonzero(result.x > 0.5), lower, int(result.status) == 0
