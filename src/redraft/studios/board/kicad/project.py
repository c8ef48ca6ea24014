"""Design rules of a board: distances, net classes and severities, from its project or the board itself.

KiCad 6 and later keep them in the `.kicad_pro` beside the board, earlier ones in the board. Custom rules
(`.kicad_dru`) and clearances of single zones are not read: only KiCad evaluates them."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from redraft.limits import PROJECT, read_file
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.sexpr import text_of

DEFAULT = "Default"
LAST = 2**31 - 1
"""The priority of the class `Default`, and of one that states none."""
LONGEST = 200
"""Characters of a pattern that is taken as a regular expression, and of a name that it is tried on."""

_REPEATED = re.compile(r"[*+{]")
_COSTLY = re.compile(r"\)[*+{?]|\\[1-9]|\[\[|\(\?")


class NetClass(NamedTuple):
    """A class of nets; where a net is in several, the lowest priority that states a clearance (mm) decides."""

    name: str
    clearance: float | None = None
    priority: int = LAST


class Pattern(NamedTuple):
    """Nets that belong to a class: those whose whole name the text fits as wildcards or as a regular expression.

    KiCad tries both, and letters count as they are written.
    """

    text: str
    netclass: str

    def matcher(self) -> Callable[[str], bool]:
        """A test for net names. Of a costly expression only the wildcards are tried, so that no name takes long."""
        wild = re.compile(fnmatch.translate(self.text.replace("[", "[[]")))
        regular = None if is_costly(self.text) else _compiled(self.text)
        return lambda net: bool(wild.match(net) or (regular and len(net) <= LONGEST and regular.search(net)))


def is_costly(text: str) -> bool:
    """Whether a pattern is an expression that could take very long on some name: only KiCad evaluates such."""
    if _compiled(text) is None:
        return False
    return len(text) > LONGEST or len(_REPEATED.findall(text)) > 3 or bool(_COSTLY.search(text))


def _compiled(text: str) -> re.Pattern[str] | None:
    """As KiCad anchors it; None if it is not an expression, such as `*clk`."""
    if len(text) > 10 * LONGEST or "[[" in text:
        return None
    try:
        return re.compile(f"^{text}$")
    except (re.error, OverflowError):
        return None


CLEARANCE = 0.2
"""Of the class `Default` in a new project of KiCad 9, in millimeters; the other defaults stand in `DesignRules`."""
WIDEST = 1000.0
"""A clearance beyond a meter is damage."""

Table = Mapping[str, Any]


@dataclass(frozen=True)
class DesignRules:
    """What must be kept apart, in millimeters. The defaults are those of a new board in KiCad 9."""

    source: str = "KiCad's defaults"
    """Where they are from: a file's name, `the board`, or KiCad's defaults."""
    min_clearance: float = 0.0
    """Between copper of different nets, whatever their classes."""
    edge_clearance: float = 0.5
    """Between copper and the board's edge."""
    hole_clearance: float = 0.25
    """Between copper and a hole of another net."""
    hole_to_hole: float = 0.25
    classes: tuple[NetClass, ...] = (NetClass(DEFAULT, CLEARANCE),)
    patterns: tuple[Pattern, ...] = ()
    assigned: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Net → classes that it is put in by name."""
    severities: Mapping[str, str] = field(default_factory=dict[str, str])
    """KiCad's kind of violation → `error`, `warning` or `ignore`; what is missing is as KiCad has it."""
    warnings: tuple[str, ...] = ()

    def clearance(self, net_a: str, net_b: str) -> float:
        """How far copper of two nets must be apart. Nets without a name are in the class `Default`."""
        return max(self.min_clearance, self.class_clearance(net_a), self.class_clearance(net_b))

    def class_clearance(self, net: str) -> float:
        """What the net's own class asks for."""
        found = self._known.get(net)
        if found is None:
            found = self._known[net] = self._clearance_of(net)
        return found

    @cached_property
    def _known(self) -> dict[str, float]:
        return {}

    @cached_property
    def _matchers(self) -> list[tuple[Callable[[str], bool], str]]:
        return [(pattern.matcher(), pattern.netclass) for pattern in self.patterns]

    def _clearance_of(self, net: str) -> float:
        names = {DEFAULT, *self.assigned.get(net, ())}
        if net:
            names |= {name for fits, name in self._matchers if fits(net)}
        ranked = sorted((c for c in self.classes if c.name in names), key=lambda c: (c.name == DEFAULT, c.priority))
        return next((c.clearance for c in ranked if c.clearance is not None), CLEARANCE)


def rules_of(file: BoardFile) -> DesignRules:
    """The rules of a board. Never fails: what cannot be read is listed in `warnings`, and KiCad's default applies."""
    project = file.path.with_suffix(".kicad_pro")
    warnings: list[str] = []
    settings = _settings(project, warnings)
    rules = DesignRules() if settings is None else _of_project(settings, project, warnings)
    if settings is None and (classes := tuple(_old_classes(file, warnings))):
        rules = DesignRules("the board", classes=classes, assigned=_old_assigned(file))
    if file.path.with_suffix(".kicad_dru").is_file():
        name = file.path.with_suffix(".kicad_dru").name
        warnings.append(f"{name} has custom rules, which only KiCad evaluates: run its design rule check")
    return replace(rules, warnings=tuple(warnings))


def _settings(project: Path, warnings: list[str]) -> Table | None:
    """The project's JSON; None where there is none that can be read."""
    if not project.exists():
        return None
    try:
        found: object = json.loads(read_file(project, PROJECT))
    except OSError as wrong:
        warnings.append(f"{project.name} cannot be read ({wrong.strerror or wrong}): KiCad's default rules are used")
        return None
    except (ValueError, RecursionError) as wrong:
        warnings.append(
            f"{project.name} is not valid JSON ({wrong}): KiCad's default rules are used; save it again in KiCad"
        )
        return None
    if not isinstance(found, dict):
        warnings.append(f"{project.name} should hold one JSON object: KiCad's default rules are used")
        return None
    return cast("Table", found)


def _of_project(settings: Table, project: Path, warnings: list[str]) -> DesignRules:
    board = _table(_table(settings, "board"), "design_settings")
    nets = _table(settings, "net_settings")
    reader = _Reader(project.name, _table(board, "rules"), warnings)
    patterns = tuple(_patterns(nets))
    warnings.extend(
        f"{project.name}: whether a net fits the pattern {pattern.text[:80]!r} of class {pattern.netclass!r} is left "
        "to KiCad, for it could take very long"
        for pattern in patterns
        if is_costly(pattern.text)
    )
    plain = DesignRules()
    return DesignRules(
        source=project.name,
        min_clearance=reader.length("min_clearance", plain.min_clearance),
        edge_clearance=reader.length("min_copper_edge_clearance", plain.edge_clearance),
        hole_clearance=reader.length("min_hole_clearance", plain.hole_clearance),
        hole_to_hole=reader.length("min_hole_to_hole", plain.hole_to_hole),
        classes=tuple(_classes(nets, project.name, warnings)),
        patterns=patterns,
        assigned=_assigned(nets),
        severities=_strings(_table(board, "rule_severities")),
    )


@dataclass(frozen=True)
class _Reader:
    """Lengths of one table in a project."""

    file: str
    table: Table
    warnings: list[str]

    def length(self, key: str, default: float) -> float:
        return found if (found := self.stated(key)) is not None else default

    def stated(self, key: str) -> float | None:
        """The length; None where it is missing, or makes no sense, which is a warning."""
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= WIDEST:
            return max(0.0, float(value))  # KiCad 5 wrote −0.01 for none
        self.warnings.append(f"{self.file}: {key} should be a length in mm, not {str(value)[:40]!r}; left out")
        return None


def _classes(nets: Table, file: str, warnings: list[str]) -> Iterator[NetClass]:
    for place, row in enumerate(_tables(nets, "classes")):
        name, rank = row.get("name"), row.get("priority")
        if isinstance(name, str):
            clearance = _Reader(f"{file}, net class {name!r}", row, warnings).stated("clearance")
            yield NetClass(name, clearance, rank if isinstance(rank, int) else place)


def _patterns(nets: Table) -> Iterator[Pattern]:
    for row in _tables(nets, "netclass_patterns"):
        text, name = row.get("pattern"), row.get("netclass")
        if isinstance(text, str) and isinstance(name, str) and text:
            yield Pattern(text, name)


def _assigned(nets: Table) -> dict[str, tuple[str, ...]]:
    """KiCad 9 gives a net several classes, 7 and 8 one, and 6 lists the nets with the class."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _tables(nets, "classes"):
        found.update({net: (str(row.get("name")),) for net in _list(row, "nets") if isinstance(net, str)})
    for net, names in _table(nets, "netclass_assignments").items():
        given: Sequence[object] = cast("list[object]", names) if isinstance(names, list) else [names]
        found[net] = tuple(name for name in given if isinstance(name, str))
    return found


def _table(parent: Table, key: str) -> Table:
    found = parent.get(key)
    return cast("Table", found) if isinstance(found, dict) else {}


def _list(parent: Table, key: str) -> list[Any]:
    found = parent.get(key)
    return cast("list[Any]", found) if isinstance(found, list) else []


def _tables(parent: Table, key: str) -> Iterator[Table]:
    return (cast("Table", row) for row in _list(parent, key) if isinstance(row, dict))


def _strings(table: Table) -> dict[str, str]:
    return {key: value for key, value in table.items() if isinstance(value, str)}


def _old_classes(file: BoardFile, warnings: list[str]) -> Iterator[NetClass]:
    """The `(net_class "Default" "" (clearance 0.2) …)` lists of KiCad 4 and 5."""
    for place, i in enumerate(file.sections.get(b"net_class", ())):
        name = _first_word(file, i)
        row = file.index.child(i, b"clearance")
        reader = _Reader(f"{file.path.name}, net class {name!r}", {"clearance": _number(file, row)}, warnings)
        yield NetClass(name, reader.stated("clearance"), LAST if name == DEFAULT else place)


def _old_assigned(file: BoardFile) -> dict[str, tuple[str, ...]]:
    return {
        _first_word(file, row): (_first_word(file, i),)
        for i in file.sections.get(b"net_class", ())
        for row in file.index.by_head(i).get(b"add_net", ())
    }


def _first_word(file: BoardFile, i: int) -> str:
    """The first word after the head; empty where there is none."""
    return "".join(text_of(atom) for atom in file.index.atoms(i)[1:2])


def _number(file: BoardFile, i: int | None) -> object:
    """The number in a list such as `(clearance 0.2)`, or the text that stands in its place."""
    if i is None:
        return None
    word = _first_word(file, i)
    try:
        return float(word)
    except ValueError:
        return word
