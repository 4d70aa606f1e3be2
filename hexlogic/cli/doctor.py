"""`hexlogic doctor`: what is installed here, what is missing, and how to get it."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import packages_distributions, version
from typing import Annotated

import typer

import hexlogic
from hexlogic.cli import options
from hexlogic.cli.compiling import compile_all, compiled_kernels
from hexlogic.cli.output import is_quiet, say
from hexlogic.games import board_names
from hexlogic.games.rulesets import rule_set_names
from hexlogic.language.engines import Engine, engine_names, load_engine
from hexlogic.process.extras import EXTRAS, installing, missing_modules
from hexlogic.process.files import rules_folder, suites_folder
from hexlogic.process.meters import METERS, Meter


def doctor(
    compile_kernels: Annotated[
        bool, typer.Option("--compile", help="First compile all kernels, on all cores: about half a minute.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Say what is installed and what is missing.

    Versions, engines and meters and how to get a missing one, compiled kernels, rule sets, boards and data folders. A
    kernel is compiled at its first use otherwise, beside the work.
    """
    if compile_kernels:
        for part, cpu_s in compile_all():
            if not is_quiet():
                say(f"compiled {part} in {cpu_s:.0f} s of CPU time")
    kernels = compiled_kernels()
    host = {"hexlogic": hexlogic.__version__, "python": platform.python_version(), "platform": platform.platform()}
    engines = [_tool(load_engine(name)) for name in engine_names()]
    tools = {"engines": engines, "meters": [_tool(meter) for meter in METERS.values()]}
    extras = [_extra(name, modules) for name, modules in EXTRAS.items()]
    names = {"rule_sets": list(rule_set_names()), "boards": list(board_names())}
    folders = {"rules": rules_folder(), "suites": suites_folder()}
    if as_json:
        paths = {name: {"path": str(path), "found": path.is_dir()} for name, path in folders.items()}
        counts = {room: {"compiled": stored, "kernels": known} for room, (stored, known) in kernels.items()}
        data = {**host, "cpus": os.cpu_count(), **tools, "extras": extras, "kernels": counts, **names, "folders": paths}
        typer.echo(json.dumps(data, indent=2))
        return
    typer.echo(f"hexlogic   {host['hexlogic']}")
    typer.echo(f"python     {host['python']} on {host['platform']}, {os.cpu_count()} CPUs")
    for kind, installed in {**tools, "extras": extras}.items():
        typer.echo(kind)
        for tool in installed:
            version = tool.get("version", tool.get("versions"))
            typer.echo(f"  {tool['name']:<10} {version if tool['missing'] is None else 'missing: ' + tool['missing']}")
    missing = any(stored < known for stored, known in kernels.values())
    rooms = ", ".join(f"{room} {stored} of {known}" for room, (stored, known) in kernels.items())
    typer.echo(f"compiled   {rooms}{' (all: hexlogic doctor --compile)' if missing else ''}")
    for kind, known in names.items():
        typer.echo(f"{kind.replace('_', ' '):<10} {len(known)}: {', '.join(known)}")
    for name, path in folders.items():
        typer.echo(f"{name:<10} {path}{'' if path.is_dir() else ' (missing: install hexlogic again)'}")


def _tool(tool: Engine | Meter) -> dict[str, str | None]:
    missing = tool.missing()
    return {"name": tool.name, "version": None if missing else tool.version(), "missing": missing}


def _extra(name: str, modules: tuple[str, ...]) -> dict[str, str | None]:
    """The modules of an extra, each with the version of its distribution; nothing is imported."""
    if absent := missing_modules(name):
        return {"name": name, "versions": None, "missing": f"{', '.join(absent)}; {installing(name)}"}
    versions = (f"{module} {version(packages_distributions()[module][0])}" for module in modules)
    return {"name": name, "versions": ", ".join(versions), "missing": None}
