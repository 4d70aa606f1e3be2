"""The notebook of the documentation runs, cell by cell, and its last values are what it says they are."""

from __future__ import annotations

import ast
import json

import pytest

from tests.checkout import CHECKOUT

NOTEBOOK = CHECKOUT / "docs" / "records.ipynb"


def shown(source: str, names: dict[str, object]) -> object:
    """Run a cell; the value of its last expression, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


@pytest.mark.takes_seconds
def test_the_notebook_goes_from_records_to_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    values = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    version, count = values[0]
    assert version[0].isdigit()
    assert count == len(names["records"].runs)
    at_nine = {(row["rule_set"], row["pipeline"]): row["counters.inferences"] for row in values[2].to_dicts()}
    assert at_nine["clusters", "none"] > 10 * at_nine["clusters", "ground,reorder"]
    spec = values[3].to_dict()
    assert len(spec["data"]["values"]) == names["work"].height
    assert values[4]._repr_markdown_().startswith("# Who has won?")
