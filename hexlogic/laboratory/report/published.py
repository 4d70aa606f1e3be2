"""The published figures that ours are compared with.

Of logic programs: Guru and Weng 2019, section 4, Tables 1 and 2, measured with the `grindem` query of EpilogJS, on a
9x9 board with 17 stones and no winning path. Of prediction: Said and Borgenvik 2024, chapter 3 (a Tsetlin machine on
pairs and stones), and later public course work with other machines on 7x7 and 11x11.
"""

from dataclasses import dataclass

PAPER_CAP_MS = 900_000.0
"""The paper's "maximum tolerable runtime": 15 minutes."""

PAPER_ENGINE = "epilog"
"""The engine that the paper measured on."""

PAPER_STATE = ("clusters-merging", "clusters-as-printed")
"""The readings of Table 2 that ask about clusters that a state keeps: one name a stone, and the printed rules."""

PAPER_SIZE = 9
"""The side of the paper's board, in cells."""


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """One row of the paper: milliseconds (None: it "does not run" within the cap) and the printed savings factor."""

    time_ms: float | None
    rsf: str


_CLUSTERS: dict[str, PaperFigure] = {
    "none": PaperFigure(41.0, "1"),
    "ground": PaperFigure(6.0, "~10"),
    "reorder": PaperFigure(5.0, "~10"),
    "ground,reorder": PaperFigure(1.0, "~50"),
}
"""Table 2, beside three readings of it: clusters found anew, and the verifier of clusters that a state keeps."""

# The factors are as printed, and the paper rounded freely: 41/6 is 7 and 41/5 is 8 (printed ~10), 41/1 is 41 (printed
# ~50), 900000/368 is 2446 and 900000/51 is 17647 (printed ~2500 and ~20,000; with the cap above the line both are
# lower bounds). Pruning it describes and does not measure.
PAPER: dict[str, dict[str, PaperFigure]] = {
    "power-set": {
        "none": PaperFigure(None, "1"),
        "ground": PaperFigure(None, "1"),
        "reorder": PaperFigure(368.0, "~2,500"),
        "ground,reorder": PaperFigure(51.0, "~20,000"),
    },
    "clusters": _CLUSTERS,
    "clusters-merging": _CLUSTERS,
    "clusters-as-printed": _CLUSTERS,
}


PREDICTION_STUDY: dict[int, tuple[float, int]] = {0: (0.984, 20_000), 2: (0.9875, 18_000), 5: (0.951, 10_000)}
"""Accuracies and numbers of clauses by moves before the end (Said and Borgenvik 2024). Finished games are 7x7; others
come from games of two programs, on a board that is not named (its clauses have columns and rows up to 8, from 0)."""

STUDY_SWEEP: dict[int, float] = {100: 0.88, 20_000: 0.984}
"""The numbers of clauses for which the text of the study gives the accuracy on finished games (section 3.1)."""

COURSE_WORK: dict[tuple[int, int], float] = {
    (7, 0): 0.9989,
    (7, 2): 0.952,
    (7, 5): 0.834,
    (11, 0): 0.9946,
    (11, 2): 0.931,
    (11, 5): 0.906,
}
"""Later public course work, by side and moves before the end."""
