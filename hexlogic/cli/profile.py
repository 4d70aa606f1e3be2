"""`hexlogic profile`: where the ground rules of a program come from."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, flag, value
from hexlogic.cli.output import put_text, sarif, say
from hexlogic.encodings.profile import Profile, StatementProfile, profile_files
from hexlogic.errors import HexlogicError
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits

_SHOWN = 10


def profile(
    files: Annotated[list[Path], argument("FILE.lp...", "A program that clingo reads.")],
    constants: Annotated[list[str] | None, value("NAME=TERM", "Ground with this constant.", "--const", "-c")] = None,
    limit: Annotated[float, value("S", "CPU seconds for all of it.", min=0.1)] = 30.0,
    as_json: options.Json = False,
    as_sarif: Annotated[bool, flag("--sarif", "As SARIF, for editors and code review.")] = False,
    html: Annotated[Path | None, value("FILE", "Write a page.", "--html")] = None,
    every: Annotated[bool, flag("--all", "All statements, not only the ten with the most.")] = False,
) -> None:
    """Say where the instances of a program come from: the largest statements first, and what could be done.

    A first look at an eighth of the facts goes to stderr. Instances are exact; matches tried and seconds of a statement
    are estimates. Growth is how many times more instances half as many facts more give.

    \b
    hexlogic profile encoding.lp instance.lp
    hexlogic profile encoding.lp instance.lp --html profile.html
    """
    best: list[Profile] = []

    def better(found: Profile) -> None:
        best.append(found)
        if found.part > 1 and len(best) == 1:
            say("\n".join([f"first look, at {1 / found.part:.0%} of the facts:", *_lines(found, 3)]))

    task = {"files": list(map(str, files)), "constants": constants or [], "limit_s": limit * 0.8}
    try:
        result = call_isolated(profile_files, task, Limits.of(cpu_s=limit, memory_mb=6_000), report=better)
    except (Stopped, KeyboardInterrupt) as stopped:
        if not best:
            raise HexlogicError(f"{files[0]}: {stopped}", hint="--limit S allows more time") from None
        result = replace(best[-1], note=f"{1 / best[-1].part:.0%} of the facts only: {stopped}")
    if html is not None:
        from jinja2 import Environment, PackageLoader

        pages = Environment(loader=PackageLoader("hexlogic.encodings", ""), autoescape=True)
        put_text(pages.get_template("profile.html.j2").render(profile=result, title=", ".join(map(str, files))), html)
    elif as_json:
        typer.echo(json.dumps(asdict(result), indent=2))
    elif as_sarif:
        rows = [row for row in result.statements if row.instances]
        found = ((row.file, row.line, row.column, "instances", _words(row)) for row in rows)
        typer.echo(json.dumps(sarif(found), indent=2))
    else:
        typer.echo("\n".join(_lines(result, len(result.statements) if every else _SHOWN)))


def _words(row: StatementProfile) -> str:
    growth = "" if row.growth is None else f", {row.growth:.1f} times as many with half as many facts more"
    return f"{row.instances:,} instances, {row.share:.0%} of all{growth}: {row.advice}"


def _lines(result: Profile, shown: int) -> list[str]:
    lines = [
        f"{result.rules:,} ground rules in {result.cpu_s:.3f} CPU s" + (f" ({result.note})" if result.note else "")
    ]
    for row in result.statements[:shown]:
        lines += [
            f"{row.share:4.0%} {row.instances:>11,}  {row.file}:{row.line}:{row.column}  {row.text[:160]}",
            f"      {_words(row).partition(', ')[2]}",
            f"      about {row.matches:,.0f} matches tried, {row.cpu_s:.3f} CPU s (estimated)",
        ]
    for name, counts in (("choices", result.choices), ("lemmas", result.lemmas)):
        if counts:
            most = ", ".join(f"{predicate} {count:,}" for predicate, count in list(counts.items())[:5])
            lines.append(f"clasp, {name} by predicate: {most}")
    return [*lines, f"clasp: {result.conflicts:,} conflicts"] if result.choices else lines
