"""Installation of Blender's module into an environment of its own, and writing of the add-on for the user's Blender.

Blender is a separate program under the GPL; it is fetched from the package index when the user asks for it, and redraft
talks to it as to any other program, over pipes.

So that an unfinished environment is never taken for a complete one, each is marked by a file. A failed attempt leaves
nothing, unless everything was fetched and only a library of the system was missing: the next one goes on from there.
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
from redraft.studios.scene.blender import (
    MAKING,
    READY,
    Blender,
    blender_in,
    homes,
    python_for_bpy,
    python_in,
    uv_program,
)

PINNED = Path(__file__).parent / "pinned"
"""The packages of each version of `bpy`, with their exact versions and hashes."""
ADDON = Path(__file__).parent / "addon"
"""redraft's add-on for the user's own Blender; it never runs in redraft."""
MANIFEST = "blender_manifest.toml"
FETCHED = ".blender-fetched"
"""File in an environment in which everything is in place but was not yet started."""
MIN_FREE = 1_500_000_000
"""Bytes that must be free; what is fetched lies there twice for a moment."""
TRIAL = """
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
import io_scene_gltf2.blender.exp.export
"""
"""Program that loads what every worker loads, so that its byte code is written now: a jail cannot be written to."""
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
"""Debian's and Ubuntu's packages for the libraries that the module needs."""
ALL_PACKAGES = "libegl1 libgl1 libxrender1 libxi6 libxkbcommon0 libsm6"
NO_NETWORK = re.compile(
    r"network was disabled|Failed to fetch|error sending request|dns error|NewConnectionError|NameResolutionError|"
    r"ConnectTimeout|ProxyError|Temporary failure in name resolution|Connection (?:refused|reset|aborted)",
    re.IGNORECASE,
)
ALTERED = re.compile(r"DO NOT MATCH THE HASHES|Hash mismatch", re.IGNORECASE)
NO_WHEEL = re.compile(r"no wheels with a matching|No matching distribution found", re.IGNORECASE)
ELSEWHERE = "Choose another place: redraft setup blender --into DIR"
ALTERNATIVE = "or install Blender yourself and name it in redraft.yaml: studios.scene.blender"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Installed:
    """A Blender in an environment of its own."""

    blender: Blender
    folder: Path
    size: int
    """Bytes on disk."""
    already: bool
    """True where it was installed before."""


def install_blender(into: Path | None = None, python: Path | None = None, *, say: Say) -> Installed:
    """Make an environment with the `bpy` that fits a Python of this machine; `say` is called as each step begins.

    Without `into` it goes where redraft looks for it. A second call returns the installed one.

    Raises:
        ConfigError: the given folder or Python cannot be used.
        MissingPartError: a Python, the network, disk space or a system library is missing.
    """
    places = [into.expanduser().absolute()] if into is not None else homes()
    for place in places:
        if blender := blender_in(place):
            return Installed(blender, place, _size(place), already=True)
    existing = ((place, next(path for path in (place, *place.parents) if path.exists())) for place in places)
    folder = next((place for place, path in existing if os.access(path, os.W_OK)), places[0])
    base, version = python_for_bpy(python)
    with _marked(folder):
        _install(folder, base, f"bpy=={version}", say)
        say(f"trying it: Blender {version} imports its own parts")
        _start_once(folder)
        write_atomic(folder / READY, f"bpy=={version}\n")
    blender = blender_in(folder)
    if blender is None:
        raise MissingPartError(f"What was installed into {folder} holds no bpy. Remove that folder and try again.")
    return Installed(blender, folder, _size(folder), already=False)


@contextmanager
def _marked(folder: Path) -> Generator[None]:
    """Make a folder and lock it, marked as not finished; leave a complete environment in it, or one to go on from."""
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
        complete, fetched = (folder / READY).is_file(), (folder / FETCHED).is_file()
        if not complete and not fetched:
            _empty(folder)
        if complete or not fetched:
            (folder / FETCHED).unlink(missing_ok=True)
            (folder / MAKING).unlink(missing_ok=True)
        if new and not complete and not fetched:
            folder.rmdir()


def _refuse_a_full_disk(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < MIN_FREE:
        raise MissingPartError(
            f"Blender needs {MIN_FREE / 1e9:.1f} GB of free space, but the disk of {folder} has {free / 1e9:.1f} GB. "
            f"{ELSEWHERE}"
        )


def _install(folder: Path, base: Path, requirement: str, say: Say) -> None:
    """Fetch everything into an environment, unless an earlier attempt came that far."""
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
    python = python_in(folder)
    pinned = PINNED / f"{requirement.replace('==', '-')}.txt"
    exactly = ["--only-binary", ":all:", "--require-hashes", "-r", pinned]
    say(f"fetching {requirement}, about 400 MB, by {'uv' if uv else 'pip'}")
    if uv:
        _run([uv, "pip", "install", *exactly, "--python", python], requirement)
    else:
        pip = [python, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--retries", "2"]
        _run([*pip, *exactly], requirement)
    write_atomic(fetched, f"{requirement} {base}\n")


def _empty(folder: Path) -> None:
    """Remove what a failed attempt left; only called for a folder that was empty or is marked as ours."""
    for path in folder.iterdir():
        if path.name == MAKING:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _run(command: list[Path | str], requirement: str) -> None:
    """Run one step of the installation.

    Raises:
        MissingPartError: it failed, with the reason in words.
    """
    process = subprocess.run(  # noqa: S603 - our own words and paths; a list, no shell
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=_environment(),
    )
    if process.returncode:
        raise MissingPartError(_reason(process.stdout + process.stderr, requirement))


def _environment() -> dict[str, str]:
    """Return our variables without those that make an installer or a Python look into other environments."""
    others = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_USER", "PIP_PREFIX", "UV_SYSTEM_PYTHON"}
    return {name: value for name, value in os.environ.items() if name not in others}


def _reason(output: str, requirement: str) -> str:
    """Return the reason for which an installer failed."""
    if "No space left" in output or "disk quota" in output.lower():
        return f"The disk became full while {requirement} was installed. Free 1.5 GB and try again."
    if "ensurepip is not available" in output or "No module named venv" in output:
        return (
            "Python's venv module is not complete here. Install it (apt-get install python3-venv), or uv "
            "(https://docs.astral.sh/uv), and try again."
        )
    if NO_NETWORK.search(output):
        problem = f"{requirement} cannot be fetched: the package index is out of reach"
        return f"{problem}. Try again with a network, {ALTERNATIVE}"
    if ALTERED.search(output):
        return (
            f"A package that {requirement} needs is not the one that redraft was tested with: its SHA-256 differs from "
            f"the pinned one, so nothing was installed. Use another index, {ALTERNATIVE}"
        )
    if NO_WHEEL.search(output):
        here = f"{platform.system()} on {platform.machine()}"
        return f"The package index has no {requirement} for {here}. Use another index, {ALTERNATIVE}"
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it printed nothing"]
    errors = [line for line in lines if line.lower().startswith(("error: ", "cause: "))] or lines
    return f"{requirement} could not be installed: {errors[-1].partition(': ')[2] or errors[-1]}"


def _start_once(folder: Path) -> None:
    """Start the installed Blender once.

    Raises:
        MissingPartError: it does not start, mostly for a library of the system that is missing.
    """
    process = subprocess.run(  # noqa: S603 - the Python that was just made; a list, no shell
        [python_in(folder), "-I", "-c", TRIAL],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=_environment(),
    )
    if process.returncode == 0:
        return
    again = "and run redraft setup blender again: nothing is fetched twice"
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file", process.stderr)
    if missing is None:
        last = (process.stderr.strip().splitlines() or [f"it ended with {process.returncode}"])[-1]
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
    version = re.search(r'^version = "([\d.]+)"$', (ADDON / MANIFEST).read_text("utf-8"), re.MULTILINE)
    assert version
    name = f"redraft_addon-{version[1]}"
    legacy = _zipped("redraft_addon/", without=MANIFEST)  # with a manifest Blender would take it for an extension
    return write_atomic(folder / f"{name}.zip", _zipped()), write_atomic(folder / f"{name}-legacy.zip", legacy)


def _zipped(prefix: str = "", without: str = "") -> bytes:
    """Return the add-on's files as an archive, the same bytes each time."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted([*ADDON.glob("*.py"), ADDON / MANIFEST]):
            if path.name != without:
                entry = zipfile.ZipInfo(prefix + path.name)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
