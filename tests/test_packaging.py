"""What a user installs: the wheel and the sdist, built here and run away from the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hexlogic.cli import run as run_command
from hexlogic.process import extras

CHECKOUT = Path(__file__).resolve().parents[1]
RULES = sorted(path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "rules").rglob("*.lp*"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the sdist, built with the hatchling that is installed: nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", str(folder)]
    done = subprocess.run([*command, str(CHECKOUT)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel. Its dependencies come from the environment that runs the tests."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "-q", "install"]
    done = subprocess.run(
        [*pip, "--no-deps", "--no-index", str(built["wheel"])], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    # Only the folder, not its .pth files: those would bring the editable checkout back.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(installed: Path, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    program, *arguments = command
    return subprocess.run(
        [str(installed / "bin" / program), *arguments], cwd=cwd, capture_output=True, text=True, env=environment
    )


def test_the_wheel_carries_rules_suites_and_boards(built):
    with zipfile.ZipFile(built["wheel"]) as wheel:
        names = set(wheel.namelist())
    assert {f"hexlogic/_data/{path}" for path in RULES} <= names
    suites = {f"hexlogic/_data/suites/{path.name}" for path in (CHECKOUT / "benchmarks" / "suites").glob("*.toml")}
    assert suites <= names
    grammars = {"hexlogic/language/grammar.lark", "hexlogic/ggp/language/kif.lark", "hexlogic/ggp/language/hrf.lark"}
    assert {"hexlogic/py.typed", "hexlogic/games/boards/snake.txt", *grammars} <= names
    assert {f"hexlogic/laboratory/report/templates/page.{end}" for end in ("html.j2", "css", "js")} <= names
    assert {
        "hexlogic/ggp/playing/match.html.j2",
        "hexlogic/web/templates/frame.html",
        "hexlogic/web/static/play.js",
    } <= names
    assert {
        "hexlogic/language/engines/swipl_driver.pl",
        "hexlogic/language/engines/epilog_runner.js",
    } <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_sdist_carries_rules_tests_and_documentation(built):
    with tarfile.open(built["sdist"]) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}
    assert set(RULES) <= names
    assert {"Makefile", "README.md", "CHANGELOG.md", "LICENSE", "mkdocs.yml", "docs/index.md"} <= names
    assert "tests/test_packaging.py" in names


def test_the_installed_package_is_not_the_checkout(installed, tmp_path):
    done = run(installed, "python", "-c", "import hexlogic; print(hexlogic.__file__)", cwd=tmp_path)
    assert Path(done.stdout.strip()).is_relative_to(installed), done


def test_installed_rules_are_found_from_anywhere(installed, tmp_path):
    done = run(installed, "hexlogic", "rules", "list", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for path in RULES:
        if path.count("/") == 1:
            assert Path(path).name.split(".")[0] in done.stdout
    done = run(installed, "hexlogic", "rules", "show", "power-set", "--size", "3", cwd=tmp_path)
    assert done.stdout.startswith("% power-set for 3x3 Hex")


def test_installed_win(installed, tmp_path):
    done = run(installed, "hexlogic", "win", "red a1", "--size", "1", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "red wins: a1")
    done = run(installed, "python", "-m", "hexlogic", "win", "snake", "--json", cwd=tmp_path)
    assert done.stdout.startswith('{"winner": "red", "chain": ["a2", ')


def test_installed_doctor_finds_its_folders(installed, tmp_path):
    done = run(installed, "hexlogic", "doctor", cwd=tmp_path)
    assert done.returncode == 0
    assert str(installed) in done.stdout
    assert "install hexlogic again" not in done.stdout


def test_the_front_door():
    import hexlogic

    assert len(hexlogic.__all__) == 12
    page = (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8").partition("\n## ")[0]
    for name in hexlogic.__all__:
        offered = getattr(hexlogic, name)
        assert offered.__name__ == name
        examples = [offered.__doc__ or "", *((method.__doc__ or "") for method in vars(offered).values())]
        assert any(">>> " in text for text in examples), f"{name} has no example"
        assert f"`{name}`" in page
    assert set(hexlogic.__all__) <= set(dir(hexlogic))
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        hexlogic.Nope  # noqa: B018
    assert len(Path(hexlogic.__file__).read_text().splitlines()) < 70


def project() -> dict[str, Any]:
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!;\[ ]", requirement)[0].lower() for requirement in requirements}


def test_the_extras_of_the_code_are_those_of_the_project():
    optional = project()["optional-dependencies"]
    assert set(extras.EXTRAS) == set(optional) - {"dev", "docs", "web"}
    other = {"vl_convert": "vl-convert-python", "z3": "z3-solver", "sklearn": "scikit-learn"}
    for extra, modules in extras.EXTRAS.items():
        assert {other.get(module, module.replace("_", "-")) for module in modules} == names(optional[extra])
        assert names(optional[extra]) <= names(optional["dev"])


def test_the_core_is_small():
    heavy = set().union(*map(names, (project()["optional-dependencies"][extra] for extra in extras.EXTRAS)))
    core = names(project()["dependencies"])
    assert not core & (heavy | {"networkx"})
    assert len(core) == 14


_QUICK = [
    "--rules",
    "clusters",
    "--boards",
    "small",
    "--engines",
    "clingo",
    "--repeats",
    "1",
    "--pipelines",
    "none",
    "--out",
    "OUT",
]

WITHOUT = """
import importlib.metadata as data, importlib.util as util, sys
from hexlogic.process.extras import EXTRAS

absent = {"networkx", *(module for modules in EXTRAS.values() for module in modules)}
find_spec, version = util.find_spec, data.version


class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def version_here(name):
    if name in absent:
        raise data.PackageNotFoundError(name)
    return version(name)


def spec_here(name, package=None):
    return None if name.partition(".")[0] in absent else find_spec(name, package)


sys.meta_path.insert(0, Blocked())
data.version, util.find_spec = version_here, spec_here
import hexlogic.process.extras
hexlogic.process.extras.find_spec = spec_here
from hexlogic.cli import run
sys.exit(run(sys.argv[1:]))
"""
"""A program that runs one command as if nothing of the extras were installed."""


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (["win", "small", "--engine", "compiled", "--json"], 0, '{"winner": "red"'),
        (["prove", "clusters", "power-set", "--size", "3"], 1, "clusters and power-set differ"),
        (["prove", "follow-line-tabled", "clusters", "--all-sizes"], 0, "proved for all boards"),
        (["optimise", "benchmarks/programs/paths.lp", "--aim", "ground", "--limit", "5"], 0, "path"),
        (
            [
                "bench",
                *["--rules", "clusters", "--boards", "small", "--engines", "clingo", "--repeats", "2", "--out", "OUT"],
            ],
            0,
            "records:",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_the_core_needs_no_extra(command, status, said, tmp_path):
    words = [str(tmp_path / "out") if word == "OUT" else word for word in command]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], cwd=CHECKOUT, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.takes_seconds(keep=3)
@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (["report", "docs/example-report/records", "--out", "OUT"], "report"),
        (["bench", "--suite", "quick", "--executor", "dask", "--out", "OUT"], "cluster"),
        (["prove", "clusters", "clusters-union", "--all-sizes", "--check", "z3"], "proofs"),
        (["win", "small", "--engine", "egglog"], "egglog"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_missing_extra_is_one_line_with_the_command(command, extra, tmp_path):
    words = [str(tmp_path / "out") if word == "OUT" else word for word in command]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], cwd=CHECKOUT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 2
    assert extras.installing(extra) in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.takes_seconds
def test_doctor_lists_the_extras(capsys):
    assert run_command(["doctor", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["extras"]
    assert [entry["name"] for entry in listed] == list(extras.EXTRAS)
    for entry in listed:
        assert (entry["versions"] is None) == bool(extras.missing_modules(entry["name"]))


README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


def test_the_links_of_the_readme_work_on_the_package_index():
    source = project()["urls"]["Source"]
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 10
    for link in links:
        raw = source.replace("github.com", "raw.githubusercontent.com") + "/main/"
        path = link.removeprefix(f"{source}/blob/main/").removeprefix(raw)
        assert path != link, link
        assert (CHECKOUT / path.partition("#")[0]).exists(), link


def test_the_three_rules_of_the_readme_are_those_of_the_rule_set():
    text = (CHECKOUT / "rules" / "follow-line-tabled.lp").read_text(encoding="utf-8")
    rules = re.findall(r"^\w+\(.*$", text, re.MULTILINE)
    assert len(rules) == 3
    assert re.findall(r"^\w+\(.*$", README, re.MULTILINE) == rules


def test_the_changelog_has_the_version_of_the_project():
    heading = re.findall(r"^## (\S+)", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading[0] == project()["version"]
