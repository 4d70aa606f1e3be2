"""Keep the documentation true: run every command it shows and compare, or paste, the output.

In a page, a ```console block begins its commands with `$ `; what follows up to the next command is the output.
`...` alone on a line stands for output left out. Tables between marks are made from the example report (`tables.py`).
Pictures of named boards are drawn again too, and the schema of the records is written again.

    python docs/refresh.py            say which pages and pictures are out of date; exit status 1 when any is
    python docs/refresh.py --write    bring them up to date

Help texts are pasted and not compared: their layout belongs to the version of typer that is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
PICTURES = ["difficult-1", "difficult-2", "difficult-3", "difficult-4", "full-red", "small", "snake"]
GAMES = ["cube", "havannah", "y"]
_BLOCK = re.compile(r"(^ *```console\n)(.*?)(^ *```$)", re.DOTALL | re.MULTILINE)
_CUT = "..."


def refresh(page: str, *, helps: bool = True) -> str:
    """The page with its tables and the output of its commands as they are now; without `helps`, help texts stay."""
    sys.path.insert(0, str(DOCS))
    from tables import fill_tables

    return _BLOCK.sub(lambda match: match[1] + _rerun(match[2], helps) + match[3], fill_tables(page))


def _rerun(block: str, helps: bool) -> str:
    parts = re.split(r"^(\$ .*\n)", block, flags=re.MULTILINE)
    done = [parts[0]]
    for prompt, shown in zip(parts[1::2], parts[2::2], strict=True):
        keep = "--help" in prompt and not helps
        done += [prompt, shown if keep else _output(prompt[2:].strip(), shown)]
    return "".join(done)


def _output(command: str, shown: str) -> str:
    if "swipl" in command and shutil.which("swipl") is None:
        return shown
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    environment["HEXLOGIC_QUIET"] = "1"  # how often progress is told depends on the machine
    environment.pop("HEXLOGIC_EPILOG_JS", None)  # the pages show a machine without the user's own file
    # One stream: what a reader sees in a terminal, errors included.
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=DOCS.parent,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # A blank line before the next command belongs to the page.
    gap = "\n" if shown.endswith("\n\n") else ""
    return _cut(done.stdout, shown.splitlines()) + gap


def _cut(output: str, shown: list[str]) -> str:
    """The output with as many lines left out as the page leaves out: its head and tail keep their lengths."""
    if _CUT not in shown:
        return output
    while shown and not shown[-1]:
        shown = shown[:-1]
    head = shown.index(_CUT)
    tail = len(shown) - head - 1
    lines = output.splitlines()
    return "\n".join([*lines[:head], _CUT, *(lines[-tail:] if tail else [])]) + "\n"


def pictures() -> dict[Path, str]:
    """The picture files of the documentation and what they should hold."""
    from hexlogic.games import draw_svg, load_board, parse_position, winner, winning_chain

    found = {}
    for name in PICTURES:
        board = load_board(name)
        chain = winning_chain(board.position, board.expected) if board.expected else None
        found[DOCS / "images" / f"{name}.svg"] = draw_svg(board.position, chain)
    most = parse_position((DOCS / "examples" / "most-chains.txt").read_text(encoding="utf-8"))
    found[DOCS / "images" / "most-chains.svg"] = draw_svg(most)
    for name in GAMES:
        position = parse_position((DOCS / "examples" / f"{name}.txt").read_text(encoding="utf-8"))
        won = winner(position)
        found[DOCS / "images" / f"{name}.svg"] = draw_svg(position, winning_chain(position, won) if won else None)
    sys.path.insert(0, str(DOCS))
    from machine_pictures import draw_latches, draw_phases

    return found | {
        DOCS / "images" / "machine-phases.svg": draw_phases(),
        DOCS / "images" / "machine-latches.svg": draw_latches(),
    }


def schema() -> dict[Path, str]:
    """The schemas of the records and what they should hold."""
    sys.path.insert(0, str(DOCS))
    from schemas import described_schema, record_schema

    from hexlogic.ggp.playing import record

    match = described_schema(record.MatchRecord, f"A line of hexlogic match records, schema {record.SCHEMA}", record)
    return {DOCS / "records.schema.json": record_schema(), DOCS / "match.schema.json": match}


def main() -> int:
    """Compare or write everything."""
    write = "--write" in sys.argv[1:]
    wanted = pictures() | schema() | {page: refresh(page.read_text(encoding="utf-8"), helps=write) for page in PAGES}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{'wrote' if write else 'out of date:'} {path.relative_to(DOCS.parent)}")
        if write:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.exit(main())
