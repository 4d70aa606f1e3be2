"""Where the checkout and its folders are."""

from __future__ import annotations

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
DOCS = CHECKOUT / "docs"
GAMES = CHECKOUT / "tests" / "ggp" / "games"
BROKEN = CHECKOUT / "tests" / "ggp" / "broken"
