"""`hexlogic doctor`: what is installed here, what is missing, and how to get it."""

import importlib
import json
import os
import platform
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.metadata import packages_distributions, version
from time import process_time
from typing import Annotated, Final

import typer

import hexlogic
from hexlogic.cli import options
from hexlogic.cli.options import flag, say_progress
from hexlogic.games import Hex, Position, board_names
from hexlogic.games.game_state import GameState
from hexlogic.games.rulesets import rule_set_names
from hexlogic.language.engines import Engine, engine_names, load_engine
from hexlogic.process.call import call_isolated
from hexlogic.process.extras import EXTRAS, PACKAGE, installing, missing_modules
from hexlogic.process.files import rules_folder, suites_folder
from hexlogic.process.limits import Limits, cores
from hexlogic.process.meters import METERS, Meter


def doctor(
    compile_kernels: Annotated[
        bool, flag("--compile", "First compile all kernels, half a minute on two cores.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Say what is installed and what is missing.

    Versions, engines and meters and how to get a missing one, compiled kernels, rule sets, boards and data folders. A
    kernel is compiled at its first use otherwise, beside the work.
    """
    if compile_kernels:
        for part, cpu_s in compile_all():
            say_progress(f"compiled {part} in {cpu_s:.0f} s of CPU time")
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
    if absent := missing_modules(name):
        return {"name": name, "versions": None, "missing": f"{', '.join(absent)}; {installing(name)}"}
    versions = (f"{module} {version(packages_distributions()[module][0])}" for module in modules)
    return {"name": name, "versions": ", ".join(versions), "missing": None}


_LIMITS: Final = Limits.of(cpu_s=300, memory_mb=4000)


def compiled_kernels() -> dict[str, tuple[int, int]]:
    """By room: how many of its kernels are in numba's cache, and how many it has. Imports all modules with kernels."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "\n@kernel(" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    from hexlogic.process.kernels import KERNELS

    stored, known = Counter[str](), Counter[str]()
    for kernel in KERNELS.values():
        package, room, *_ = kernel.name[0].split(".")
        if not kernel.inline and package == PACKAGE.name:
            known[room] += 1
            stored[room] += bool(kernel.stored())
    return {room: (stored[room], known[room]) for room in sorted(known)}


def compile_all() -> Iterator[tuple[str, float]]:
    """Compile every kernel on all cores; the name and the CPU seconds of each part when it is done."""
    with ThreadPoolExecutor(cores()) as pool:
        waiting = {pool.submit(call_isolated, compile_part, {"part": part}, _LIMITS): part for part in _PARTS}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def compile_part(part: str) -> float:
    """Carry out a small calculation with every kernel of a part; its CPU seconds."""
    from hexlogic.process.kernels import compile_first

    compile_first()
    begin = process_time()
    _PARTS[part]()
    return process_time() - begin


def _solver() -> None:
    from hexlogic.players.connections import Connections
    from hexlogic.players.solver import Solver, make_certificate

    solver, position = Solver(_BOARD), Position.of(_BOARD, red=["a1"])
    solver.solve(position)
    make_certificate(solver, position, "blue")
    Connections(Hex(3, 3)).play(5, "red")


def _strategies() -> None:
    from hexlogic.players import Budget, load_strategy

    state = GameState(_BOARD)
    state.play("red", 1)
    for name in ("best:1", "bridge", "two-distance", "resistance", "alpha-beta", "mcts", "mcts-vc", "policy-vc"):
        load_strategy(name).choose(state, Budget(playouts=400))


def _engines() -> None:
    import numpy as np

    from hexlogic.games.detect.batch import Batch
    from hexlogic.games.detect.detector import Detector
    from hexlogic.language.ground.levels import longest_ways

    longest_ways(np.zeros(2, np.int32), np.zeros(0, np.int32))
    for rules in ("follow-line-tabled", "maker-breaker"):
        detector = Detector(rules, size=3)
        detector.play("red", 1)
        detector.undo()
    Batch("clusters", size=3).winners(np.zeros((1, 9), np.uint8))


def _sheets() -> None:
    from hexlogic.ggp.machines.state_machine import MANY, StateMachine
    from hexlogic.ggp.playing.search import MachineSearch, NumbaSearch
    from hexlogic.ggp.playing.strategy import Clock
    from hexlogic.laboratory.runs.kinds.playouts import SMALL_GAMES

    for text in SMALL_GAMES:
        with StateMachine.from_kif(text, reasoner="compiled") as machine:
            machine.playouts(1, 0, longest=100)
            machine.playouts(MANY, 0, longest=100)
            state = machine.initial_state
            NumbaSearch(machine, state, 0, 1).search(Clock(60), 10)
            MachineSearch(machine, state, 0).search(Clock(60), 10)
            later = machine.next_state(state, tuple(machine.legal_moves(state, role)[0] for role in machine.roles))
            machine.legal_moves(later, machine.roles[0])
            machine.playouts(1, 0, start=later, longest=100)


_BOARD: Final = Hex.square(3)
_PARTS: Final[dict[str, Callable[[], None]]] = {
    "sheets": _sheets,
    "solver": _solver,
    "strategies": _strategies,  # with kernels of the solver
    "engines": _engines,
}
