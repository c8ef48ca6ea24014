"""Arrows between packages, read from the import statements of the sources: no cycles, and the order of the house.

All imports count, also those inside functions and those for the type checker alone. A package is a folder right under
`redraft`, or a wing, a folder for one medium in `redraft/studios`; the rest of `redraft/studios` is one package.
"""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src"
ADDON = SOURCES / "redraft" / "studios" / "scene" / "addon"
"""A package of its own, installed into Blender under a name that Blender gives it."""
STRICT = ("redraft.studios.sketch.check", "redraft.studios.sketch.rules.validator")
"""What reads the brief as English: under `validation.heuristics: strict`, and where a validator is given its words."""
EXTRAS = (
    "PIL",
    "flip_evaluator",
    "httpx2",
    "mcp",
    "moderngl",
    "numpy",
    "ortools",
    "resvg_py",
    "scipy",
    "shapely",
    "skimage",
)
MOST_MODULES = 158
"""Of redraft, for a drawing by the offline model."""


@dataclass(frozen=True)
class Import:
    """One imported module, by whom, and whether it is loaded with the module that names it."""

    by: str
    module: str
    line: int
    eager: bool

    def __str__(self) -> str:
        return f"{self.by}:{self.line} imports {self.module}"


MESSAGES = "redraft.models.base"
"""What passes between a run and a model; it stands below both, as the record holds it too."""
WINGS = ("board", "image", "scene", "shader", "sketch")


def package_of(module: str) -> str:
    """`redraft.studios.sketch.svg` → `studios.sketch`, a wing; the root itself is `redraft`."""
    names = module.split(".")[1:]
    if module == MESSAGES:
        return module
    return ".".join(names[: 2 if names[:1] == ["studios"] and names[1:2] and names[1] in WINGS else 1]) or "redraft"


def is_offline(module: str) -> bool:
    """Whether it is a part of the offline model, which is reached by name alone."""
    return "offline" in module.split(".") and not module.startswith("redraft.models.")


@cache
def modules() -> dict[str, Path]:
    found = dict[str, Path]()
    for path in (SOURCES / "redraft").rglob("*.py"):
        if path.is_relative_to(ADDON):
            continue
        names = path.relative_to(SOURCES).with_suffix("").parts
        found[".".join(names[:-1] if names[-1] == "__init__" else names)] = path
    return found


@cache
def imports() -> tuple[Import, ...]:
    """All imports of redraft's own modules."""
    return tuple(
        found
        for by, path in sorted(modules().items())
        for found in _imports(by, ast.parse(path.read_text("utf-8")), eager=True)
        if found.module.partition(".")[0] == "redraft"
    )


def _imports(by: str, node: ast.AST, *, eager: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):  # no statement is in one
            continue
        if isinstance(child, ast.Import):
            yield from (Import(by, alias.name, child.lineno, eager) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{by}:{child.lineno} has a relative import"
            for alias in child.names:
                name = f"{child.module}.{alias.name}"
                yield Import(by, name if name in modules() else str(child.module), child.lineno, eager)
        else:
            lazy = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or (
                isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            )
            yield from _imports(by, child, eager=eager and not lazy)


def test_the_core_imports_no_wing_and_no_wing_another() -> None:
    others = [
        found
        for found in imports()
        if package_of(found.module).startswith("studios.")
        and package_of(found.by) not in ("redraft", package_of(found.module))
    ]
    assert [str(found) for found in others] == []


def test_packages_form_no_cycle() -> None:
    arrows: dict[str, set[str]] = {}
    for found in imports():
        source, target = package_of(found.by), package_of(found.module)
        if source != target:
            arrows.setdefault(source, set()).add(target)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        pytest.fail(f"{' <- '.join(cycle)}: {_between(cycle)}")


def _between(cycle: list[str]) -> str:
    steps = {(source, target) for target, source in itertools.pairwise(cycle)}
    arrows = {step: found for found in imports() if (step := (package_of(found.by), package_of(found.module))) in steps}
    return "; ".join(map(str, arrows.values()))


def test_only_the_root_names_the_root() -> None:
    """`from redraft import Brief` would load the public API; within it every name has a module."""
    assert [str(found) for found in imports() if found.module == "redraft"] == []


def test_the_offline_model_is_reached_by_name_alone() -> None:
    """But for the English that the public API reads, and strict rules."""
    others = [f for f in imports() if is_offline(f.module) and not is_offline(f.by) and f.by != "redraft"]
    assert [str(found) for found in others if found.eager or found.by not in STRICT] == []


@pytest.mark.parametrize(
    ("surface", "besides", "module"),
    [("cli", {"redraft", "redraft.__main__"}, "commands"), ("mcp", {"redraft.cli.program"}, "tools")],
)
def test_nothing_needs_the_surfaces(surface: str, besides: set[str], module: str) -> None:
    """But for the module of a wing that is found by entry point: its commands, its tools."""
    besides = {*besides, *(f"redraft.studios.{wing}.{module}" for wing in WINGS)}
    others = [f for f in imports() if package_of(f.module) == surface != package_of(f.by) and f.by not in besides]
    assert [str(found) for found in others] == []


def test_the_core_loads_without_extras() -> None:
    """The modules that every studio shares need the base dependencies alone."""
    core = [name for name in modules() if package_of(name) in ("cli", "loop")]
    core += ["redraft.api", "redraft.loop.turns", "redraft.report.page", "redraft.loop.run", "redraft.options"]
    core += ["redraft.studios.base", "redraft.studios.defaults"]
    program = f"import importlib, sys\nfor name in {EXTRAS}: sys.modules[name] = None\n"
    program += f"for name in {sorted(core)}: importlib.import_module(name)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stderr == ""


@pytest.mark.slow
def test_a_drawing_loads_few_modules(tmp_path: Path) -> None:
    program = (
        "import sys, redraft\n"
        "drawn = redraft.sketch('a house with two windows and a door, a tree to its left', out=sys.argv[1])\n"
        "assert drawn.valid\n"
        "print(sum(name.partition('.')[0] == 'redraft' for name in sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "run")], capture_output=True, text=True, timeout=110, check=True
    )
    assert int(ran.stdout) <= MOST_MODULES
