"""Find the data that travels with the package: rule text and suite definitions.

A checkout keeps them at the top level (`rules/`, `benchmarks/suites/`); a wheel carries them in `hexlogic/_data/`.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def rules_folder() -> Path:
    """The folder of the rule text, from the installed wheel or from the checkout."""
    return _find("_data/rules", "rules")


def suites_folder() -> Path:
    """The folder of the suite definitions (TOML), from the installed wheel or from the checkout."""
    return _find("_data/suites", "benchmarks/suites")


def _find(in_wheel: str, in_checkout: str) -> Path:
    installed = _PACKAGE / in_wheel
    return installed if installed.is_dir() else _PACKAGE.parent / in_checkout
