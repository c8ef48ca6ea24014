"""Design rules of a board: distances, net classes and severities, from its project or the board itself.

KiCad 6 and later keep them in the `.kicad_pro` beside the board, earlier ones in the board. Custom rules
(`.kicad_dru`) and clearances of single zones are not read: only KiCad evaluates them.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
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
MAX_PATTERN = 200
"""Characters of a pattern that is tried as a regular expression, and of a name that it is tried on."""

_REPEATED = re.compile(r"[*+{]")
_COSTLY = re.compile(r"\)[*+{?]|\\[1-9]|\[\[|\(\?")


class NetClass(NamedTuple):
    """A class of nets. Where a net is in several, the one of lowest priority that states a clearance (mm) decides."""

    name: str
    clearance: float | None = None
    priority: int = LAST


class Pattern(NamedTuple):
    """A pattern that puts nets in a class: those whose whole name it fits as wildcards or as a regular expression.

    KiCad tries both, and distinguishes upper and lower case.
    """

    text: str
    netclass: str

    def matcher(self) -> Callable[[str], bool]:
        """Return a test for net names. A costly expression is tried as wildcards only, so that no name takes long."""
        wild = re.compile(fnmatch.translate(self.text.replace("[", "[[]")))
        regular = None if is_costly(self.text) else _compiled(self.text)
        return lambda net: bool(wild.match(net) or (regular and len(net) <= MAX_PATTERN and regular.search(net)))


def is_costly(text: str) -> bool:
    """Return whether a pattern is an expression that could take very long on some name: only KiCad evaluates those."""
    if _compiled(text) is None:
        return False
    return len(text) > MAX_PATTERN or len(_REPEATED.findall(text)) > 3 or bool(_COSTLY.search(text))


def _compiled(text: str) -> re.Pattern[str] | None:
    """Compile a pattern, anchored as in KiCad; None if it is not an expression, such as `*clk`."""
    if len(text) > 10 * MAX_PATTERN or "[[" in text:
        return None
    try:
        return re.compile(f"^{text}$")
    except (re.error, OverflowError):
        return None


CLEARANCE = 0.2
"""Millimeters, of the class `Default` in a new project of KiCad 9; the other defaults stand in `DesignRules`."""
MAX_CLEARANCE = 1000.0
"""Millimeters. A larger clearance is taken for damage."""

Table = Mapping[str, Any]


@dataclass(frozen=True)
class DesignRules:
    """The distances to keep, in millimeters. The defaults are those of a new board in KiCad 9."""

    source: str = "KiCad's defaults"
    """The source of the rules: a file's name, `the board`, or KiCad's defaults."""
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
    """KiCad's kind of violation → `error`, `warning` or `ignore`; for others KiCad's default applies."""
    warnings: tuple[str, ...] = ()

    def clearance(self, net_a: str, net_b: str) -> float:
        """Return how far copper of two nets must be apart. Nets without a name are in the class `Default`."""
        return max(self.min_clearance, self.class_clearance(net_a), self.class_clearance(net_b))

    def class_clearance(self, net: str) -> float:
        """Return the clearance of the net's own class."""
        if net not in self._known:
            names = {DEFAULT, *self.assigned.get(net, ())}
            if net:
                names |= {name for fits, name in self._matchers if fits(net)}
            ranked = sorted((c for c in self.classes if c.name in names), key=lambda c: (c.name == DEFAULT, c.priority))
            self._known[net] = next((c.clearance for c in ranked if c.clearance is not None), CLEARANCE)
        return self._known[net]

    @cached_property
    def _known(self) -> dict[str, float]:
        return {}

    @cached_property
    def _matchers(self) -> list[tuple[Callable[[str], bool], str]]:
        return [(pattern.matcher(), pattern.netclass) for pattern in self.patterns]


def rules_of(file: BoardFile) -> DesignRules:
    """Return the rules of a board. Never fails: `warnings` lists what cannot be read, and KiCad's default applies."""
    project = file.path.with_suffix(".kicad_pro")
    warnings: list[str] = []
    settings = _settings(project, warnings)
    if settings is not None:
        rules = _project_rules(settings, project, warnings)
    elif classes := tuple(_old_classes(file, warnings)):
        assigned = {
            _first_word(file, row): (_first_word(file, i),)
            for i in file.sections.get(b"net_class", ())
            for row in file.index.by_head(i).get(b"add_net", ())
        }
        rules = DesignRules("the board", classes=classes, assigned=assigned)
    else:
        rules = DesignRules()
    if file.path.with_suffix(".kicad_dru").is_file():
        name = file.path.with_suffix(".kicad_dru").name
        warnings.append(f"{name} has custom rules, which only KiCad evaluates: run its design rule check")
    return replace(rules, warnings=tuple(warnings))


def _settings(project: Path, warnings: list[str]) -> Table | None:
    """Return the project's JSON; None where there is no project, or one that cannot be read."""
    if not project.exists():
        return None
    try:
        settings: object = json.loads(read_file(project, PROJECT))
    except OSError as error:
        warnings.append(f"{project.name} cannot be read ({error.strerror or error}): KiCad's default rules are used")
        return None
    except (ValueError, RecursionError) as error:
        warnings.append(
            f"{project.name} is not valid JSON ({error}): KiCad's default rules are used; save it again in KiCad"
        )
        return None
    if not isinstance(settings, dict):
        warnings.append(f"{project.name} should hold one JSON object: KiCad's default rules are used")
        return None
    return cast("Table", settings)


def _project_rules(settings: Table, project: Path, warnings: list[str]) -> DesignRules:
    board = _table(_table(settings, "board"), "design_settings")
    nets = _table(settings, "net_settings")
    patterns: list[Pattern] = []
    for row in _tables(nets, "netclass_patterns"):
        text, name = row.get("pattern"), row.get("netclass")
        if isinstance(text, str) and isinstance(name, str) and text:
            patterns.append(Pattern(text, name))
            if is_costly(text):
                warnings.append(
                    f"{project.name}: whether a net fits the pattern {text[:80]!r} of class {name!r} is left "
                    "to KiCad, for it could take very long"
                )

    # KiCad 6 lists the nets with their class, 7 and 8 give a net one class, KiCad 9 several.
    assigned: dict[str, tuple[str, ...]] = {}
    for row in _tables(nets, "classes"):
        assigned.update({net: (str(row.get("name")),) for net in _list(row, "nets") if isinstance(net, str)})
    for net, names in _table(nets, "netclass_assignments").items():
        listed: Sequence[object] = cast("list[object]", names) if isinstance(names, list) else [names]
        assigned[net] = tuple(name for name in listed if isinstance(name, str))

    lengths = _Lengths(project.name, _table(board, "rules"), warnings)
    default = DesignRules()
    severities = _table(board, "rule_severities")
    return DesignRules(
        source=project.name,
        min_clearance=lengths.length("min_clearance", default.min_clearance),
        edge_clearance=lengths.length("min_copper_edge_clearance", default.edge_clearance),
        hole_clearance=lengths.length("min_hole_clearance", default.hole_clearance),
        hole_to_hole=lengths.length("min_hole_to_hole", default.hole_to_hole),
        classes=tuple(_classes(nets, project.name, warnings)),
        patterns=tuple(patterns),
        assigned=assigned,
        severities={key: value for key, value in severities.items() if isinstance(value, str)},
    )


def _classes(nets: Table, file: str, warnings: list[str]) -> Iterator[NetClass]:
    for place, row in enumerate(_tables(nets, "classes")):
        name, rank = row.get("name"), row.get("priority")
        if isinstance(name, str):
            clearance = _Lengths(f"{file}, net class {name!r}", row, warnings).stated("clearance")
            yield NetClass(name, clearance, rank if isinstance(rank, int) else place)


@dataclass(frozen=True)
class _Lengths:
    """The lengths in one table of a project."""

    file: str
    table: Table
    warnings: list[str]

    def length(self, key: str, default: float) -> float:
        return value if (value := self.stated(key)) is not None else default

    def stated(self, key: str) -> float | None:
        """Return a length; None where it is missing, or makes no sense, which is a warning."""
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MAX_CLEARANCE:
            return max(0.0, float(value))  # KiCad 5 wrote −0.01 for none
        self.warnings.append(f"{self.file}: {key} should be a length in mm, not {str(value)[:40]!r}; left out")
        return None


def _table(parent: Table, key: str) -> Table:
    value = parent.get(key)
    return cast("Table", value) if isinstance(value, dict) else {}


def _list(parent: Table, key: str) -> list[Any]:
    value = parent.get(key)
    return cast("list[Any]", value) if isinstance(value, list) else []


def _tables(parent: Table, key: str) -> Iterator[Table]:
    return (cast("Table", row) for row in _list(parent, key) if isinstance(row, dict))


def _old_classes(file: BoardFile, warnings: list[str]) -> Iterator[NetClass]:
    """Yield the `(net_class "Default" "" (clearance 0.2) …)` lists of KiCad 4 and 5."""
    for place, i in enumerate(file.sections.get(b"net_class", ())):
        name = _first_word(file, i)
        row = file.index.child(i, b"clearance")
        value: object = None if row is None else _first_word(file, row)
        with suppress(ValueError):  # the warning shows the text that stands in place of a number
            value = float(value) if isinstance(value, str) else value
        lengths = _Lengths(f"{file.path.name}, net class {name!r}", {"clearance": value}, warnings)
        yield NetClass(name, lengths.stated("clearance"), LAST if name == DEFAULT else place)


def _first_word(file: BoardFile, i: int) -> str:
    """Return the first word after the head; empty where there is none."""
    return "".join(text_of(atom) for atom in file.index.atoms(i)[1:2])
