"""What a user installs: the wheel and the sdist, built here and run away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
RULES = sorted(path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "rules").rglob("*.lp*"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the sdist, built with the hatchling that is installed: nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", str(folder)]
    done = subprocess.run([*command, str(CHECKOUT)], capture_output=True, text=True)
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
    done = subprocess.run([*pip, "--no-deps", "--no-index", str(built["wheel"])], capture_output=True, text=True)
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
    grammars = {"hexlogic/logic/grammar.lark", "hexlogic/gdl/language/kif.lark", "hexlogic/gdl/language/hrf.lark"}
    assert {"hexlogic/py.typed", "hexlogic/games/boards/snake.txt", *grammars} <= names
    assert {f"hexlogic/report/templates/page.{end}" for end in ("html.j2", "css", "js")} <= names
    assert "hexlogic/ggp/match.html.j2" in names
    assert {"hexlogic/engines/swipl/swipl_driver.pl", "hexlogic/engines/epilog/epilog_runner.js"} <= names
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

    assert {"Pipeline", "Position", "RuleSet"} <= set(hexlogic.__all__)
    for name in hexlogic.__all__:
        assert getattr(hexlogic, name).__name__ == name
    assert set(hexlogic.__all__) <= set(dir(hexlogic))
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        hexlogic.Nope  # noqa: B018
    assert len(Path(hexlogic.__file__).read_text().splitlines()) < 40
