"""Installing Blender's module into an environment of its own, so that nothing half made is ever taken for whole.

Blender is a separate program under the GPL; it is fetched from the package index when the user asks for it, and redraft
talks to it as to any other program, over pipes.

A folder under way holds a file that says so, a finished one another. A broken attempt leaves nothing, unless everything
was fetched and only a library of the system was missing: then the next one goes on from there.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from redraft.errors import ConfigError, MissingPartError
from redraft.files import write_atomic
from redraft.studios.scene.blender import MAKING, READY, Blender, homes, made, python_for_bpy, python_in, uv_program

PINNED = Path(__file__).parent / "pinned"
"""The packages of each version of `bpy`, with their exact versions and hashes."""
ADDON = Path(__file__).parent / "addon"
"""redraft's add-on for the user's own Blender; it never runs in redraft."""
MANIFEST = "blender_manifest.toml"
FETCHED = ".blender-fetched"
"""The file that says that everything is in place but was not yet tried."""
ROOM = 1_500_000_000
"""Bytes that must be free; what is fetched lies there twice for a moment."""
TRY = """
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
import io_scene_gltf2.blender.exp.export
"""
"""Loads what every worker loads, so that its byte code is written now: in a jail nothing can be written."""
LIBRARIES = {
    "libEGL": "libegl1",
    "libGL": "libgl1",
    "libXrender": "libxrender1",
    "libXi": "libxi6",
    "libxkbcommon": "libxkbcommon0",
    "libSM": "libsm6",
    "libICE": "libsm6",
    "libX11": "libx11-6",
    "libXfixes": "libxfixes3",
    "libXxf86vm": "libxxf86vm1",
    "libgomp": "libgomp1",
}
"""Debian's and Ubuntu's packages of what the module needs of the system."""
ALL_PACKAGES = "libegl1 libgl1 libxrender1 libxi6 libxkbcommon0 libsm6"
NO_NETWORK = re.compile(
    r"network was disabled|Failed to fetch|error sending request|dns error|NewConnectionError|NameResolutionError|"
    r"ConnectTimeout|ProxyError|Temporary failure in name resolution|Connection (?:refused|reset|aborted)",
    re.IGNORECASE,
)
ALTERED = re.compile(r"DO NOT MATCH THE HASHES|Hash mismatch", re.IGNORECASE)
NO_WHEEL = re.compile(r"no wheels with a matching|No matching distribution found", re.IGNORECASE)
ELSEWHERE = "Choose another place: redraft setup blender --into DIR"
OWN = "or install Blender yourself and name it in redraft.yaml: studios.scene.blender"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Installed:
    """A Blender in an environment of its own."""

    blender: Blender
    folder: Path
    size: int
    """Bytes on disk."""
    already: bool
    """It was there before."""


def install_blender(into: Path | None = None, python: Path | None = None, *, say: Say) -> Installed:
    """Make an environment with the `bpy` that fits a Python which is here; `say` is called with each step as it begins.

    Without `into` it goes where redraft looks for it. A second call finds that it is there.

    Raises:
        ConfigError: the given folder or Python cannot be used.
        MissingPartError: a Python, the network, disk space or a system library is missing.
    """
    places = [into.expanduser().absolute()] if into is not None else homes()
    for place in places:
        if found := made(place):
            return Installed(found, place, _size(place), already=True)
    folder = next((place for place in places if _writable(place)), places[0])
    base, version = python_for_bpy(python)
    with _site(folder):
        _fill(folder, base, f"bpy=={version}", say)
        say(f"trying it: Blender {version} imports its own parts")
        _try(folder)
        write_atomic(folder / READY, f"bpy=={version}\n")
    found = made(folder)
    if found is None:
        raise MissingPartError(f"What was installed into {folder} holds no bpy. Remove that folder and try again.")
    return Installed(found, folder, _size(folder), already=False)


@contextmanager
def _site(folder: Path) -> Generator[None]:
    """Return a folder of its own, marked as not finished."""
    import filelock

    if folder.is_file():
        raise ConfigError(f"{folder} is a file; Blender needs a folder of its own. {ELSEWHERE}")
    lock = filelock.FileLock(folder / MAKING, timeout=0)
    try:
        new = not folder.exists()
        if not new and any(folder.iterdir()) and not any((folder / name).is_file() for name in (MAKING, READY)):
            raise ConfigError(f"{folder} is not empty, and redraft does not overwrite files there. {ELSEWHERE}")
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except filelock.Timeout as error:
        raise ConfigError(f"Blender is being installed into {folder} by another process right now.") from error
    except OSError as error:
        raise ConfigError(f"Cannot make {folder}: {error.strerror or error}. {ELSEWHERE}") from error
    try:
        _refuse_a_full_disk(folder)
        yield
    finally:
        lock.release()
        _tidy(folder, new)


def _tidy(folder: Path, new: bool) -> None:
    """Leave what is whole, or what the next attempt can go on from, and nothing else."""
    whole, fetched = (folder / READY).is_file(), (folder / FETCHED).is_file()
    if not whole and not fetched:
        _empty(folder)
    if whole or not fetched:
        (folder / FETCHED).unlink(missing_ok=True)
        (folder / MAKING).unlink(missing_ok=True)
    if new and not whole and not fetched:
        folder.rmdir()


def _writable(place: Path) -> bool:
    there = next(path for path in (place, *place.parents) if path.exists())
    return os.access(there, os.W_OK)


def _refuse_a_full_disk(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < ROOM:
        raise MissingPartError(
            f"Blender needs {ROOM / 1e9:.1f} GB of free space, and where {folder} is there are {free / 1e9:.1f} GB. "
            f"{ELSEWHERE}"
        )


def _fill(folder: Path, base: Path, requirement: str, say: Say) -> None:
    """An environment with everything in it; as it is when an earlier attempt came that far."""
    fetched = folder / FETCHED
    if fetched.is_file() and fetched.read_text("utf-8").strip() == f"{requirement} {base}":
        say(f"{requirement} was fetched before")
        return
    _empty(folder)
    uv = uv_program()
    say(f"making an environment in {folder}, with {base}")
    if uv:
        _run([uv, "venv", "--quiet", "--allow-existing", "--no-project", "--python", base, folder], requirement)
    else:
        _run([base, "-I", "-m", "venv", folder], requirement)
    inside = python_in(folder)
    pinned = PINNED / f"{requirement.replace('==', '-')}.txt"
    exactly = ["--only-binary", ":all:", "--require-hashes", "-r", pinned]
    say(f"fetching {requirement}, about 400 MB, by {'uv' if uv else 'pip'}")
    if uv:
        _run([uv, "pip", "install", *exactly, "--python", inside], requirement)
    else:
        pip = [inside, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--retries", "2"]
        _run([*pip, *exactly], requirement)
    write_atomic(fetched, f"{requirement} {base}\n")


def _empty(folder: Path) -> None:
    """Away with what a broken attempt left; only called for a folder that was empty or is marked as ours."""
    for path in folder.iterdir():
        if path.name == MAKING:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _run(command: list[Path | str], requirement: str) -> None:
    """One step of the installation.

    Raises:
        MissingPartError: it failed, with the reason in words.
    """
    done = subprocess.run(  # noqa: S603 - our own words and paths; a list, no shell
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=_environment(),
    )
    if done.returncode:
        raise MissingPartError(_reason(done.stdout + done.stderr, requirement))


def _environment() -> dict[str, str]:
    """Without what makes an installer or a Python look into other environments."""
    away = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_USER", "PIP_PREFIX", "UV_SYSTEM_PYTHON"}
    return {name: value for name, value in os.environ.items() if name not in away}


def _reason(said: str, requirement: str) -> str:
    """Why an installer failed."""
    if "No space left" in said or "disk quota" in said.lower():
        return f"The disk became full while {requirement} was installed. Free 1.5 GB and try again."
    if "ensurepip is not available" in said or "No module named venv" in said:
        return (
            "Python's venv module is not complete here. Install it (apt-get install python3-venv), or uv "
            "(https://docs.astral.sh/uv), and try again."
        )
    if NO_NETWORK.search(said):
        return f"{requirement} cannot be fetched: the package index is out of reach. Try again with a network, {OWN}"
    if ALTERED.search(said):
        return (
            f"A package that {requirement} needs is not the one that redraft was tested with: its SHA-256 differs from "
            f"the pinned one, so nothing was installed. Use another index, {OWN}"
        )
    if NO_WHEEL.search(said):
        here = f"{platform.system()} on {platform.machine()}"
        return f"The package index has no {requirement} for {here}. Use another index, {OWN}"
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["nothing was said"]
    errors = [line for line in lines if line.lower().startswith(("error: ", "cause: "))] or lines
    return f"{requirement} could not be installed: {errors[-1].partition(': ')[2] or errors[-1]}"


def _try(folder: Path) -> None:
    """Start it once.

    Raises:
        MissingPartError: it does not start, mostly for a library of the system that is missing.
    """
    tried = subprocess.run(  # noqa: S603 - the Python that was just made; a list, no shell
        [python_in(folder), "-I", "-c", TRY],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=_environment(),
    )
    if tried.returncode == 0:
        return
    again = "and run redraft setup blender again: nothing is fetched twice"
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file", tried.stderr)
    if missing is None:
        last = (tried.stderr.strip().splitlines() or [f"it ended with {tried.returncode}"])[-1]
        raise MissingPartError(f"Blender was installed into {folder} but does not start: {last[:300]}")
    package = LIBRARIES.get(missing[1].partition(".so")[0].rstrip("-0123456789"))
    packages = ALL_PACKAGES if package is None or package in ALL_PACKAGES.split() else f"{ALL_PACKAGES} {package}"
    raise MissingPartError(
        f"Blender is installed but needs {missing[1]}, which this system lacks. On Debian and Ubuntu: "
        f"apt-get install {packages}; {again}"
    )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def write_addon(folder: Path) -> tuple[Path, Path]:
    """Write redraft's add-on as an extension (Blender 4.2 and later) and as a legacy add-on; return both paths.

    Raises:
        RunError: a file cannot be written.
    """
    found = re.search(r'^version = "([\d.]+)"$', (ADDON / MANIFEST).read_text("utf-8"), re.MULTILINE)
    assert found
    name = f"redraft_addon-{found[1]}"
    legacy = _zipped("redraft_addon/", without=MANIFEST)  # with a manifest Blender would take it for an extension
    return write_atomic(folder / f"{name}.zip", _zipped()), write_atomic(folder / f"{name}-legacy.zip", legacy)


def _zipped(prefix: str = "", without: str = "") -> bytes:
    """The add-on's files, the same bytes each time."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted([*ADDON.glob("*.py"), ADDON / MANIFEST]):
            if path.name != without:
                entry = zipfile.ZipInfo(prefix + path.name)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
