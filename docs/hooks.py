"""Hooks of mkdocs: the pages of the command line and of the notebook are generated when the site is built, and the
workbench without a server is put beside them where it was built."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["GENERATED", "WORKBENCH", "command_line", "notebook", "on_files", "on_page_markdown"]

_EXAMPLES = re.compile(r"(?:^hexlogic .*\n)+", re.MULTILINE)


def command_line() -> str:
    """Every command with its arguments and options, as Markdown."""
    import typer
    from typer.cli import get_docs_for_click

    from hexlogic.cli import app

    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="hexlogic")
    text = get_docs_for_click(obj=command, ctx=context, name="hexlogic", title="Command line")
    text = text.replace("\b", "")  # marks of lines that stay as they are
    return _EXAMPLES.sub(lambda match: f"```text\n{match[0]}```\n", text)


def notebook() -> str:
    """The cells of `records.ipynb`, which a test executes."""
    cells = json.loads((Path(__file__).parent / "records.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = [("".join(cell["source"]), cell["cell_type"]) for cell in cells]
    parts = [text if kind == "markdown" else f"```python\n{text}\n```" for text, kind in sources]
    return "\n\n".join([*parts, "[Download the notebook](records.ipynb)"])


GENERATED = {"command-line.md": command_line, "notebook.md": notebook}
"""Pages that are in no file: their names, and what makes them."""


WORKBENCH = Path("build/workbench")
"""What `hexlogic play --static` wrote before the site is built, in the folder of `mkdocs.yml`."""
_PLACE = "<!-- the link to the workbench -->"
_LINK = "[Open the workbench](workbench/index.html)."


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the generated pages and the workbench to the site."""
    from mkdocs.structure.files import File

    for name, make in GENERATED.items():
        files.append(File.generated(config, name, content=make()))
    built = _workbench(config)
    for path in sorted(built.rglob("*")):
        if path.is_file():
            name = path.relative_to(built.parent).as_posix()
            files.append(File(name, str(built.parent), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Link to the workbench where it is part of the site."""
    return markdown.replace(_PLACE, _LINK if _workbench(config).is_dir() else "")


def _workbench(config: Any) -> Path:
    return Path(config.config_file_path).parent / WORKBENCH
