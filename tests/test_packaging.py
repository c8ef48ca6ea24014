"""The packages that a release publishes: what is in them, and that they work on each version of Python."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from packages import OUTSIDE, ROOT, install, locked, uv
from real_parts import PYTHONS, Part, needs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SOURCES = ROOT / "src" / "redraft"
HOME = "https://example.org/redraft"
RUNNING = f"python3.{sys.version_info[1]}"
EXTRAS = ("sketch", "board", "shader", "image")
TRIAL = """
import sys
from pathlib import Path
import redraft
from redraft.samples import write_samples

write_samples(Path())
made = [
    redraft.sketch("a house beside a tree", size=128),
    redraft.shader("slow aurora over a dark lake", size="64x64"),
    redraft.board("my.kicad_pcb", "put C1 0.5 mm right of U1 pin 4", drc="never"),
    redraft.image("lighthouse, sailboat", size="64x64"),
]
for result in made:
    assert result.valid and result.error is None, (result.studio, result.error, result.report)
    assert all(path.stat().st_size for path in result.files.values()), result.files
print(sys.version_info[:2], redraft.__version__, len(made))
"""
"""A result of each studio that needs no further program, through the API."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages; the wheel is made of the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--out-dir", folder, ROOT, REDRAFT_REPOSITORY=HOME)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(packed.read(name).decode("utf-8"))


def test_the_wheel_is_small_and_holds_every_file(wheel: Path) -> None:
    files = {path for path in SOURCES.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if name.startswith("redraft/")} == {
        path.relative_to(SOURCES.parent).as_posix() for path in files
    }
    assert wheel.stat().st_size < 2_000_000
    assert "redraft/py.typed" in names


def test_the_licenses_are_in_the_wheel(wheel: Path) -> None:
    named = metadata_of(wheel).get_all("License-File") or []
    fonts = {path.parent for path in SOURCES.rglob("*.otf")}
    assert set(named) == {"LICENSE", *((folder / "OFL.txt").relative_to(ROOT).as_posix() for folder in fonts)}
    with zipfile.ZipFile(wheel) as packed:
        for name in named:
            (inside,) = [each for each in packed.namelist() if each.endswith(f".dist-info/licenses/{name}")]
            assert packed.read(inside) == (ROOT / name).read_bytes()


def test_the_long_description_has_absolute_links(wheel: Path) -> None:
    said = metadata_of(wheel)
    text = str(said.get_payload())
    version = f"v{said['Version']}"
    assert all(line.partition(", ")[2].startswith(HOME) for line in said.get_all("Project-URL") or [""])
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert f"{HOME}/blob/{version}/docs/models.md" in links
    assert all(link.startswith(f"{HOME}/raw/{version}/docs/") for link in links if link.endswith(".png"))
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    for link in links:
        if link.startswith(HOME):
            path = re.sub(r"#.*", "", link.removeprefix(f"{HOME}/").partition("/")[2].partition("/")[2])
            assert (ROOT / path).exists(), link


def test_the_source_distribution_has_no_pictures_of_the_documentation(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = [name.partition("/")[2] for name in packed.getnames()]
    outside = {name for name in names if not name.startswith("src/redraft/")}
    wanted = {"CHANGELOG.md", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml"}
    assert outside == wanted | {"PKG-INFO", ".gitignore"}
    assert archive.stat().st_size < 2 * 2**20


def tried(place: Path, folder: Path) -> str:
    """Run the trial in an environment, where nothing but what is installed can be imported."""
    shown = subprocess.run(
        [place / "bin/redraft", "--version"], cwd=folder, env=OUTSIDE, capture_output=True, text=True, check=True
    )
    ran = subprocess.run(
        [place / "bin/python", "-W", "error::DeprecationWarning:redraft", "-c", TRIAL],
        cwd=folder,
        env=OUTSIDE | {"HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert shown.stdout.startswith("redraft ")
    return ran.stdout.splitlines()[-1]


@pytest.mark.real
@pytest.mark.parametrize("version", [version for version in PYTHONS if version != RUNNING])
def test_the_wheel_works_on_every_python(version: Part, wheel: Path, tmp_path: Path) -> None:
    """The running version is the one of `test_extras.py`."""
    needs("egl")
    place = tmp_path / "environment"
    locked(place, *EXTRAS, python=needs(version))
    install(wheel, place)
    minor = int(version.rpartition(".")[2])
    assert tried(place, tmp_path) == f"(3, {minor}) {metadata_of(wheel)['Version']} 4"


@pytest.mark.real
def test_the_wheel_works_with_the_lowest_versions(wheel: Path, tmp_path: Path) -> None:
    needs("egl")
    place = tmp_path / "environment"
    uv("venv", place, "--python", needs("python3.11"))
    chosen = [word for extra in EXTRAS for word in ("--extra", extra)]
    lowest = ["--resolution", "lowest-direct", "-r", "pyproject.toml", *chosen]
    uv("pip", "install", "--python", place / "bin/python", *lowest)
    install(wheel, place)
    assert tried(place, tmp_path).endswith(" 4")
