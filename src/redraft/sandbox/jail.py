"""The command that puts a worker in a jail: bubblewrap, with no network, no home, no key, and nothing to write to.

What is in there: the system's programs and libraries, the interpreter, redraft's own code, and what the program asks
for, all of it read-only; processes of its own; and one folder in memory, which is gone when the worker is.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import redraft
from redraft.errors import MissingPartError
from redraft.sandbox.nouns import Program

__all__ = ["JAIL_SCRATCH", "jailed", "refusal"]

BWRAP = "bwrap"
JAIL_SCRATCH = "/scratch"
INSTALL = "Install it: apt-get install bubblewrap"
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/glvnd",
    "/etc/localtime",
)
"""Of what is in /etc, what libraries need to be found and fonts to be drawn."""
NEEDED_OPTIONS = ("--disable-userns", "--size", "--clearenv")
NAMESPACES = (
    "In a container allow user namespaces (docker: --security-opt seccomp=unconfined); on Ubuntu 24.04: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0; on older Debian: sysctl kernel.unprivileged_userns_clone=1"
)


def jailed(program: Program, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The whole command.

    Raises:
        MissingPartError: there is no bubblewrap, or one before 0.8, or a path to bind is not there.
    """
    return (
        _bwrap(),
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--uid", "65534", "--gid", "65534", "--hostname", "jail", "--cap-drop", "ALL", "--clearenv"),
        *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        *_system(),
        *(word for path in _paths(program) for word in ("--ro-bind", str(path.resolve()), str(path))),
        *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev"),
        *("--size", str(program.scratch), "--tmpfs", JAIL_SCRATCH, "--chdir", JAIL_SCRATCH),
        *("--remount-ro", "/", "--", *program.command),
    )


def refusal(words: str) -> MissingPartError | None:
    """What it means when bubblewrap ends before the program began: mostly that it may not make namespaces here."""
    said = next((line for line in words.splitlines() if line.startswith("bwrap: ")), "")
    if not said or "execvp" in said:
        return None
    return MissingPartError(
        f"The jail for scripts cannot be made here: {said.removeprefix('bwrap: ')}. It needs user namespaces, which "
        f"this system refuses. {NAMESPACES}."
    )


@cache
def _options(path: str) -> str:
    asked = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - a list, no shell
    return asked.stdout + asked.stderr


def _bwrap() -> str:
    path = shutil.which(BWRAP)
    if path is None:
        raise MissingPartError(f"Scripts run in a jail, which needs bubblewrap; `{BWRAP}` is not here. {INSTALL}")
    lacking = [option for option in NEEDED_OPTIONS if option not in _options(path)]
    if lacking:
        raise MissingPartError(
            f"{path} is too old: it has no {', '.join(lacking)}. Bubblewrap 0.8 or later is needed (Debian 12, Ubuntu "
            f"24.04). {INSTALL}"
        )
    return path


def _system() -> Iterator[str]:
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for name in SYSTEM_FILES:
        yield from ("--ro-bind-try", name, name)


def _paths(program: Program) -> list[Path]:
    """What is bound besides the system, outermost first, each once."""
    missing = [path for path in program.binds if not path.exists()]
    if missing:
        raise MissingPartError(f"{program.name} needs {missing[0]}, which is not there.")
    paths = [*_interpreter(Path(program.command[0])), Path(redraft.__file__).parent, *program.binds]
    return _outermost(path.absolute() for path in paths)


def _interpreter(command: Path) -> list[Path]:
    """Where a command lives: for a Python its environment and the installation behind it."""
    real = command.resolve()
    if not command.name.startswith("python"):
        return [command.parent, real.parent]
    roots = [real.parent.parent]
    home = command.parent.parent
    if (home / "pyvenv.cfg").is_file():
        roots += [home, *_base(home)]
    return roots


def _base(environment: Path) -> list[Path]:
    """The installation that an environment names; its path may lead through a link that `python` there goes through."""
    lines = (environment / "pyvenv.cfg").read_text("utf-8").splitlines()
    pairs = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
    return [Path(pairs["home"]).parent] if pairs.get("home") else []


def _outermost(paths: Iterable[Path]) -> list[Path]:
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda p: len(p.parts)):
        covered = any(path.is_relative_to(name) for name in SYSTEM) or any(path.is_relative_to(k) for k in kept)
        if not covered:
            kept.append(path)
    return kept
