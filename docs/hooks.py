"""Hooks of mkdocs: the pages of the command line and of the notebook are generated when the site is built."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["GENERATED", "command_line", "notebook", "on_files"]

_EXAMPLES = re.compile(r"(?:^hexlogic .*\n)+", re.MULTILINE)
_HIDDEN = re.compile(r"^## `hexlogic optimize`\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_LISTED = "* `optimize`"


def command_line() -> str:
    """Every command with its arguments and options, as Markdown."""
    import typer
    from typer.cli import get_docs_for_click

    from hexlogic.cli import app

    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="hexlogic")
    text = get_docs_for_click(obj=command, ctx=context, name="hexlogic", title="Command line")
    text = _HIDDEN.sub("", text).replace("\b", "")  # another spelling of optimise; marks of lines that stay as they are
    text = "\n".join(line for line in text.split("\n") if not line.startswith(_LISTED))
    return _EXAMPLES.sub(lambda match: f"```text\n{match[0]}```\n", text)


def notebook() -> str:
    """The cells of `records.ipynb`, which a test executes."""
    cells = json.loads((Path(__file__).parent / "records.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = [("".join(cell["source"]), cell["cell_type"]) for cell in cells]
    parts = [text if kind == "markdown" else f"```python\n{text}\n```" for text, kind in sources]
    return "\n\n".join([*parts, "[Download the notebook](records.ipynb)"])


GENERATED = {"command-line.md": command_line, "notebook.md": notebook}
"""Pages that are in no file: their names, and what makes them."""


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the generated pages to the site."""
    from mkdocs.structure.files import File

    for name, make in GENERATED.items():
        files.append(File.generated(config, name, content=make()))
    return files
