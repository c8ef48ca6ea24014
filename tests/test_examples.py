"""The example package as CI installs and uses it: a studio of a third party, found by its entry point alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_parts import needs
from typer.testing import CliRunner

import redraft
from redraft import extras
from redraft.cli.program import program
from redraft.errors import ConfigError, MissingPartError
from redraft.options import options_of
from redraft.studios import open_studio, studio_names

DIAGRAMS = Path(__file__).parent.parent / "examples" / "diagrams"
FLOW = "a flow from order to payment to delivery"
pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel would install it, without a build backend and without a network."""
    folder = tmp_path_factory.mktemp("site")
    written = tomllib.loads((DIAGRAMS / "pyproject.toml").read_text())
    project, (package,) = written["project"], written["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    shutil.copytree(DIAGRAMS / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items()) for group, points in groups
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return folder


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    needs("dot")
    monkeypatch.syspath_prepend(site)  # pyright: ignore[reportUnknownMemberType]
    monkeypatch.chdir(tmp_path)
    extras.installed.cache_clear()  # a process looks once at what is installed
    yield
    extras.installed.cache_clear()


def test_it_is_small() -> None:
    lines = [line for file in DIAGRAMS.glob("redraft_diagrams/**/*.py") for line in file.read_text().splitlines()]
    assert len(lines) < 100


@pytest.mark.usefixtures("installed")
def test_the_command_line() -> None:
    help_text = CliRunner().invoke(program, ["--help"]).stdout
    assert re.search(r"^ +diagrams ", help_text, re.MULTILINE)
    own = CliRunner().invoke(program, ["diagrams", "--help"]).stdout
    assert "Draw a diagram of boxes and arrows." in own
    assert "--rankdir TB|LR|BT|RL" in own
    done = CliRunner().invoke(program, ["diagrams", FLOW, "--rankdir", "LR", "--out", "run"])
    assert done.exit_code == 0, done.output
    assert "valid: 1 of 1 statement measured" in done.output
    again = CliRunner().invoke(program, ["run", "diagrams", "delivery -> invoice", "--on", "run", "--out", "again"])
    assert again.exit_code == 0, again.output
    assert sorted(path.name for path in Path("again").glob("diagrams.*")) == [
        "diagrams.dot", "diagrams.json", "diagrams.png", "diagrams.svg",
    ]  # fmt: skip


@pytest.mark.usefixtures("installed")
def test_the_python_api_and_the_report() -> None:
    result = redraft.run("diagrams", FLOW, layout="circo", out="run")
    assert result.outcome == "valid"
    assert [m.words for m in result.report.requirements] == ["edge:*: 2 expected"]
    page = result.files["report"].read_text()
    assert "<img" in page
    assert list(Path("run/pictures").glob("*-plain.svg"))
    with pytest.raises(ConfigError, match=r"studios\.diagrams\.rankdir.*up"):
        redraft.run("diagrams", FLOW, rankdir="up")
    assert {option.name for option in options_of(open_studio("diagrams"))} >= {"layout", "rankdir", "seed", "critic"}


@pytest.mark.usefixtures("installed")
def test_without_graphviz_no_model_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingPartError, match="apt-get install graphviz"):
        redraft.run("diagrams", FLOW, out="run")
    assert not Path("run").exists()


@pytest.mark.slow
def test_its_own_tests_pass(site: Path, tmp_path: Path) -> None:
    needs("dot")
    shutil.copytree(DIAGRAMS / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(DIAGRAMS / "pyproject.toml", tmp_path)
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


def test_it_is_not_installed_here() -> None:
    assert "diagrams" not in studio_names()
