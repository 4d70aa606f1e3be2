"""Build the workbench as a folder of files for any web server, with Python and clingo in it.

Two packages of npm and one wheel of PyPI are fetched, each of one version and with its hash; what else Python needs is
copied from the modules that run here. Nothing in the folder asks another host.
"""

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from hexlogic.errors import HexlogicError
from hexlogic.process.files import named, rules_folder
from hexlogic.web.app import IN_PAGE, page

_HERE: Final = Path(__file__).parent
_PYTHON: Final = ("lark", "jinja2", "markupsafe")
"""Modules that hexlogic imports there, beside msgspec; their part in C is left out."""
_FETCH_S: Final = 300


class _Package(NamedTuple):
    """A package of npm: the hash of its archive as npm writes it, and the files that are taken."""

    name: str
    version: str
    integrity: str
    files: tuple[str, ...]


_PYODIDE: Final = _Package(
    "pyodide",
    "314.0.7",
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
)
_CLINGO: Final = _Package(
    "clingo-wasm",
    "0.6.0",
    "sha512-W9SeUtT726D/LMA/qwhsU/H0/f27QX7lTcUqGMgA8MSRZZYx97Y/B4D20ZS2wfgHwgvZPE8nbPgI0W8PEM6toQ==",
    ("dist/clingo.js", "dist/clingo.wasm", "LICENSE"),
)
_MSGSPEC: Final = "msgspec==0.22.0 --hash=sha256:a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022\n"


def build_workbench(folder: Path) -> None:
    """Write the page and all it needs into a folder, `index.html` first of all. Raises HexlogicError when a package
    cannot be fetched, and then the folder is as before."""
    with tempfile.TemporaryDirectory() as name:
        fetched = Path(name)
        for package in (_PYODIDE, _CLINGO):
            _fetch_npm(package, fetched / package.name)
        _fetch_wheel(fetched / "msgspec.whl")
        (fetched / "hexlogic.zip").write_bytes(_python_files())
        for name, place in IN_PAGE.items():
            (fetched / place.replace("./", "index.html")).write_text(page(name, in_page=True), encoding="utf-8")
        shutil.copytree(_HERE.parent / "static", fetched, dirs_exist_ok=True)
        for script in ("api.js", "worker.js"):
            shutil.copy(_HERE / "static" / script, fetched)
        for file in sorted(fetched.rglob("*")):
            if file.is_file():
                target = folder / file.relative_to(fetched)
                with named(target):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(file.read_bytes())


def _fetch_npm(package: _Package, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise HexlogicError("the workbench without a server needs npm", hint="apt-get install npm")
    with tempfile.TemporaryDirectory() as name:
        _run([npm, "pack", "--silent", f"{package.name}@{package.version}"], Path(name))
        (archive,) = (path.read_bytes() for path in Path(name).iterdir())
    integrity = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if f"sha512-{integrity}" != package.integrity:
        raise HexlogicError(f"npm's archive of {package.name} {package.version} is another one: sha512-{integrity}")
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for file in package.files:
            member = tar.extractfile(f"package/{file}")
            assert member is not None
            (folder / Path(file).name).write_bytes(member.read())


def _fetch_wheel(target: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "needed.txt").write_text(_MSGSPEC, encoding="utf-8")
        where = ["--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *where]
        _run([*command, "--require-hashes", "--requirement", "needed.txt", "--dest", "."], folder)
        (wheel,) = folder.glob("*.whl")
        shutil.copy(wheel, target)


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_FETCH_S, check=False)
    except subprocess.TimeoutExpired:
        raise HexlogicError(f"{' '.join(command)} has not ended in {_FETCH_S} s") from None
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
        raise HexlogicError(f"{Path(command[0]).name}: {words[-1]}", hint="this needs npm, pip and a network")


def _python_files() -> bytes:
    """An archive of hexlogic, its rules, and the modules that it imports in the page."""
    sources = [
        (_HERE.parents[1], "hexlogic", (".py", ".lark")),
        (rules_folder(), "hexlogic/_data/rules", (".lp", ".lp.j2")),
        *((Path(str(import_module(name).__file__)).parent, name, (".py", ".lark")) for name in _PYTHON),
    ]
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder, prefix, suffixes in sources:
            for file in sorted(folder.rglob("*")):
                if file.name.endswith(suffixes) and file.is_file():
                    # The same date each time: the same files make the same archive.
                    entry = zipfile.ZipInfo(f"{prefix}/{file.relative_to(folder).as_posix()}")
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return written.getvalue()
