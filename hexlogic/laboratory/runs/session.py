"""The session header, with machine, code and engines; and how a session is resumed."""

import contextlib
import hashlib
import platform
import re
import socket
import subprocess
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import msgspec
import psutil

from hexlogic.errors import EngineError, SuiteError
from hexlogic.ggp.machines import engine_of
from hexlogic.laboratory.records.agreement import differences
from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.records.types import BASELINES, OPEN_SPIEL, SCHEMA, EngineInfo, Session
from hexlogic.laboratory.runs.plan import Plan
from hexlogic.language.engines import load_engine
from hexlogic.process.limits import Load, cores
from hexlogic.process.meters import DEFAULT_METER, load_meter


def iso(moment: datetime) -> str:
    """A moment in UTC, as in records.

    >>> iso(datetime(2019, 6, 10, 12, 30, 5))
    '2019-06-10T12:30:05Z'
    """
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def new_session(
    plan: Plan, *, jobs: int, warm_up_jobs: int, command: Sequence[str], started: datetime, meter: str = DEFAULT_METER
) -> Session:
    """The session header; asks every engine for its version. `meter` is the name of one (see `meters`)."""
    commit, dirty = _git_state()
    packages = sorted({package for configuration in plan.configurations for package in configuration.code})
    model = re.search(r"^model name\s*: (.*\S)", _system("/proc/cpuinfo"), re.MULTILINE)
    return Session(
        schema=SCHEMA,
        session=uuid.uuid4().hex,
        started=iso(started),
        host=socket.gethostname(),
        cpu_model=model[1] if model else platform.processor() or None,
        cores=cores(),
        memory_bytes=int(psutil.virtual_memory().total),
        kernel=f"{platform.system()} {platform.release()}",
        governor=_system("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None,
        load_1m=Load.now().load_1m,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        hexlogic=metadata.version("hexlogic"),
        code_hash=code_hash(*packages),
        engines={name: _engine_info(name, plan.missing.get(name)) for name in plan.engines},
        commit=commit,
        dirty=dirty,
        seed=plan.seed,
        limits=plan.limits,
        repeats=plan.repeats,
        warm_ups=plan.warm_ups,
        jobs=jobs,
        warm_up_jobs=warm_up_jobs,
        command=list(command),
        suite=plan.suite,
        meter=load_meter(meter).title,
    )


def session_folder(suite: str, resume: bool) -> Path:
    """Where the records of a session go by default: a new folder, or the newest one of this suite to resume. Raises
    SuiteError when there is none to resume."""
    if not resume:
        return Path("results") / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{suite}"
    # Of a cluster, each host has a folder in the session's.
    folders = sorted(Path("results").glob(f"*-{suite}"))
    folders = [folder for folder in folders if [*folder.glob(FILE_NAME), *folder.glob(f"*/{FILE_NAME}")]]
    if not folders:
        hint = "name its folder with --out DIR"
        raise SuiteError(f"no session of suite {suite} to resume", file="results", hint=hint)
    return folders[-1]


def folder_in(out: Path, resume: bool) -> Path:
    """The folder in which the records of a session on this machine are: `out`, or, to resume a session of a cluster,
    what it holds of this host. Raises SuiteError when it holds records of other hosts alone."""
    hosts = sorted(path.parent for path in out.glob(f"*/{FILE_NAME}"))
    if not resume or not hosts or (out / FILE_NAME).exists():
        return out
    if out / socket.gethostname() in hosts:
        return out / socket.gethostname()
    what = f"its records are of other machines: {', '.join(folder.name for folder in hosts)}"
    raise SuiteError(what, file=str(out), hint="--resume there, or with --executor dask:ADDRESS")


def resumed(before: Session, now: Session) -> Session:
    """The header of a session that goes on, under the name it has in its file.

    Raises SuiteError when something that decides what is measured has changed since `before`: the two halves of the
    session would not be comparable, and its tables would mix them.
    """
    if changed := differences(before, now):
        raise SuiteError(f"the session cannot be resumed: {'; '.join(changed)}", hint="start a new one")
    return msgspec.structs.replace(now, session=before.session)


def code_hash(*more: str) -> str:
    """A hash of the code that turns a rule set into a program and runs it, of `more` packages, and of nothing else.
    Records made with the same hash may stand side by side; the version number changes less often than the code."""
    top = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for package in (*MEASURED_CODE, *more):
        for path in sorted((top / package).rglob("*")):
            if path.is_file() and path.suffix in (".py", ".pl", ".js", ".lark"):
                digest.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


MEASURED_CODE = ("language", "games")
"""Packages that decide the text of a program and its run, whatever the kind of measurement."""


def _system(file: str) -> str:
    with contextlib.suppress(OSError):
        return Path(file).read_text(encoding="utf-8")
    return ""


def baseline_info(name: str) -> EngineInfo:
    """A baseline player, for a session's header."""
    package, module = ("open-spiel", "pyspiel") if name == OPEN_SPIEL else ("hexlogic", "hexlogic")
    missing = f"pip install {package}" if find_spec(module) is None else None
    version = metadata.version(package) if missing is None else None
    return EngineInfo(version=version, missing=missing, dialect="none", order_sensitive=False)


def _engine_info(name: str, missing: str | None) -> EngineInfo:
    if name in BASELINES:
        return baseline_info(name)
    engine, version = load_engine(engine_of(name)), None
    if missing is None:
        with contextlib.suppress(EngineError):
            version = engine.version()
    order_sensitive, options = engine.order_sensitive, list(engine.options)
    return EngineInfo(
        version=version, missing=missing, dialect=engine.dialect, order_sensitive=order_sensitive, options=options
    )


def _git_state() -> tuple[str | None, bool | None]:
    """The commit of the checkout that this code runs from, if any, and whether files differ from it."""
    top = Path(__file__).resolve().parents[3]

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(top), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout.strip()

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if (top / ".git").exists():
            return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--untracked-files=no"))
    return None, None
