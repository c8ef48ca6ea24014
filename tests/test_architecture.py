"""The arrows of the house: which parts of redraft import which, counting lazy and type-only imports."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "redraft"


def part_of(module: str) -> str:
    """A package, a studio, or a module at the root."""
    names = module.split(".")[1:]
    if not names:
        return "redraft"
    inner = names[0] == "studios" and len(names) > 1 and (SOURCE / "studios" / names[1]).is_dir()
    return ".".join(names[:2]) if inner else names[0]


def modules() -> dict[str, Path]:
    """Every module with its file."""
    found: dict[str, Path] = {}
    for path in SOURCE.rglob("*.py"):
        names = ("redraft", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(names[:-1] if names[-1] == "__init__" else names)] = path
    return found


def imports() -> dict[str, set[str]]:
    """The modules that each module imports, wherever the import stands."""
    known = modules()
    found: dict[str, set[str]] = defaultdict(set)
    for module, path in known.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "redraft":
                for name in node.names:
                    inner = f"{node.module}.{name.name}"
                    found[module].add(inner if inner in known else node.module)
    return found


def cycles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of more than one member."""

    def reach(start: str) -> set[str]:
        seen, left = set[str](), [start]
        while left:
            for each in edges.get(left.pop(), ()):
                if each not in seen:
                    seen.add(each)
                    left.append(each)
        return seen

    reached = {name: reach(name) for name in edges}
    found: list[set[str]] = []
    for name in edges:
        component = {other for other in reached[name] if name in reached.get(other, ())} | {name}
        if len(component) > 1 and component not in found:
            found.append(component)
    return found


def test_no_part_imports_itself_in_a_circle() -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    for module, targets in imports().items():
        edges[part_of(module)] |= {part_of(target) for target in targets} - {part_of(module)}
    assert cycles(edges) == []


def users_of(part: str) -> set[str]:
    """The parts that import a part."""
    return {part_of(m) for m, targets in imports().items() for t in targets if part_of(t) == part} - {part}


def test_nobody_imports_the_offline_model_or_the_surfaces() -> None:
    assert users_of("offline") == set()
    assert users_of("mcp") <= {"cli"}
    assert users_of("cli") <= {"__main__"}


def test_only_the_offline_model_reads_english() -> None:
    assert users_of("english") <= {"offline", "redraft", "studios.sketch", "studios.scene"}


def test_studios_do_not_import_each_other() -> None:
    studios = {"studios.sketch", "studios.scene", "studios.board", "studios.image", "studios.shader"}
    for studio in studios:
        assert users_of(studio) & studios == set()
