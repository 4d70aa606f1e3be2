"""`hexlogic doctor`: what is installed here, what is missing, and how to get it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hexlogic.language.engines import Engine
    from hexlogic.process.meter import Meter


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
) -> None:
    """Say what is installed and what is missing.

    Versions, engines and meters and how to get a missing one, rule sets, boards and data folders.
    """
    report = _examine()
    if as_json:
        typer.echo(json.dumps(report, indent=2))
        return
    typer.echo(f"hexlogic   {report['hexlogic']}")
    typer.echo(f"python     {report['python']} on {report['platform']}, {report['cpus']} CPUs")
    for kind in ("engines", "meters"):
        typer.echo(kind)
        for one in report[kind]:
            state = one["version"] if one["missing"] is None else f"missing: {one['missing']}"
            typer.echo(f"  {one['name']:<10} {state}")
    typer.echo("extras")
    for extra in report["extras"]:
        typer.echo(f"  {extra['name']:<10} {extra['versions'] or 'missing: ' + extra['missing']}")
    typer.echo(f"rule sets  {len(report['rule_sets'])}: {', '.join(report['rule_sets'])}")
    typer.echo(f"boards     {len(report['boards'])}: {', '.join(report['boards'])}")
    for name, folder in report["folders"].items():
        typer.echo(f"{name:<10} {folder['path']}{'' if folder['found'] else ' (missing: install hexlogic again)'}")


def _examine() -> dict[str, Any]:
    import os
    import platform

    import hexlogic
    from hexlogic.games import board_names
    from hexlogic.games.rulesets import rule_set_names
    from hexlogic.language.engines import engine_names, load_engine
    from hexlogic.process.extras import EXTRAS, installing, missing_modules
    from hexlogic.process.files import rules_folder, suites_folder
    from hexlogic.process.meter import METERS

    extras = []
    for name, modules in EXTRAS.items():
        absent = missing_modules(name)
        why = f"{', '.join(absent)}; {installing(name)}" if absent else None
        extras.append({"name": name, "versions": None if absent else ", ".join(map(_version, modules)), "missing": why})
    folders = {"rules": rules_folder(), "suites": suites_folder()}
    return {
        "hexlogic": hexlogic.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "engines": [_tool(load_engine(name)) for name in engine_names()],
        "meters": [_tool(meter) for meter in METERS],
        "extras": extras,
        "rule_sets": list(rule_set_names()),
        "boards": list(board_names()),
        "folders": {name: {"path": str(path), "found": path.is_dir()} for name, path in folders.items()},
    }


def _tool(tool: Engine | Meter) -> dict[str, str | None]:
    missing = tool.missing()
    return {"name": tool.name, "version": None if missing else tool.version(), "missing": missing}


def _version(module: str) -> str:
    """A module with the version of its distribution; nothing is imported."""
    from importlib.metadata import packages_distributions, version

    return f"{module} {version(packages_distributions()[module][0])}"
