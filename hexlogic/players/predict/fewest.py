"""The fewest clauses with the same decisions on some positions, and the fewest that cover them, by integer programs.

    minimise sum of z_c  such that on every position   sum of z_c * weight_c  >= 1 where the machine says red,
                                                                            <= 0 where it says blue

Few positions bind: the program begins with some of them and takes in those that its answer gets wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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


def fewest_deciding(fired: NDArray[np.uint8], weights: NDArray[np.int32]) -> Fewest:
    """The fewest clauses that give the same decisions with the same weights.

    `fired` is `[positions, clauses]`, `weights[clauses]`. The branch-and-bound nodes of a round are limited; where they
    do not suffice, clauses that can be spared are left out one by one, and the bound says what is open.
    """
    votes = np.unique(fired.astype(np.int64) * weights.astype(np.int64), axis=0)
    red = votes.sum(axis=1) > 0
    # One form for both: rows of `signed` have to be at least `bound` (votes are whole numbers).
    signed, bound = np.where(red[:, None], votes, -votes), np.where(red, 1, 0)
    return _fewest(signed, bound, np.abs(weights).astype(np.int64), _FIRST_ROWS)


def fewest_covering(fired: NDArray[np.uint8]) -> Fewest:
    """The fewest clauses of which one holds on every position where any holds. `fired` is `[positions, clauses]`."""
    rows = np.unique(fired[fired.any(axis=1)], axis=0).astype(np.int64)
    return _fewest(rows, np.ones(len(rows), np.int64), rows.sum(axis=0), len(rows)) if len(rows) else Fewest((), 0)


def _fewest(signed: NDArray[np.int64], bound: NDArray[np.int64], weights: NDArray[np.int64], first_rows: int) -> Fewest:
    """The fewest columns of `signed` whose sum is at least `bound` in every row."""
    count = signed.shape[1]
    rows: NDArray[np.int64] = np.arange(min(first_rows, len(signed)))
    at_least = 0
    for _ in range(_ROUNDS):
        constraint = LinearConstraint(
            csr_array(signed[rows].astype(np.float64)), bound[rows].astype(np.float64), np.inf
        )
        options = {"node_limit": _NODES, "presolve": True}
        ones = np.ones(count)
        result = milp(ones, integrality=ones, bounds=Bounds(0, 1), constraints=constraint, options=options)
        if result.x is None:
            break
        chosen = np.flatnonzero(result.x > 0.5)
        at_least = max(at_least, int(np.ceil(float(result.mip_dual_bound or 0.0) - 1e-6)))
        slack = signed[:, chosen].sum(axis=1) - bound
        wrong = np.flatnonzero(slack < 0)
        if not len(wrong):
            return Fewest(tuple(chosen.tolist()), len(chosen) if int(result.status) == 0 else at_least)
        rows = np.union1d(rows, wrong[np.argsort(slack[wrong], kind="stable")][:_FIRST_ROWS])
    # Leave out clauses that can be spared, those with light weights first.
    total, left = signed.sum(axis=1), np.ones(count, np.bool_)
    for place in np.argsort(weights, kind="stable"):
        less = total - signed[:, place]
        if np.all(less >= bound):
            total, left[place] = less, False
    return Fewest(tuple(np.flatnonzero(left).tolist()), at_least)
