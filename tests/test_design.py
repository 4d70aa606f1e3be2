"""The table of folders in docs/design.md is that of the package, in the order of its layers."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
TABLE = re.findall(r"^\| (`.*?) \|", (CHECKOUT / "docs" / "design.md").read_text(encoding="utf-8"), re.MULTILINE)


def rows() -> list[set[str]]:
    """The names in each row of the table, without folder and ending."""
    return [{name.split("/")[-1].removesuffix(".py") for name in re.findall(r"`([\w/.]+?)/?`", row)} for row in TABLE]


def test_the_table_names_each_part_of_the_package_once() -> None:
    named = [name for row in rows() for name in row if name != "rules"]
    parts = {
        path.stem
        for path in (CHECKOUT / "hexlogic").iterdir()
        if (path.is_dir() and any(path.glob("*.py"))) or path.suffix == ".py"
    }
    assert sorted(named) == sorted(parts - {"__init__", "__main__"})


def test_the_rows_stand_in_the_order_of_the_layers() -> None:
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    height = {name.strip(): floor for floor, layer in enumerate(reversed(layers)) for name in re.split(r"[:|]", layer)}
    floors = [height[name] for row in rows()[1:] for name in sorted(row, key=height.__getitem__)]
    assert floors == sorted(floors)


def test_no_file_passes_400_lines() -> None:
    files = (CHECKOUT / "hexlogic").rglob("*.py")
    assert not [path for path in files if path.read_text(encoding="utf-8").count("\n") > 400]
