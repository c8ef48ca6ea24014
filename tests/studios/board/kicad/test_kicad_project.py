"""Design rules: the project's where there is one, else the board's, else KiCad's; and nothing in them is fatal."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.limits import PROJECT
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.project import DesignRules, Pattern, rules_of

RULES = {"min_clearance": 0.1, "min_copper_edge_clearance": 0.3, "min_hole_clearance": 0.22, "min_hole_to_hole": 0.27}


def board(folder: Path, project: Any = None, *lists: str) -> BoardFile:
    path = folder / "a.kicad_pcb"
    path.write_text(f"(kicad_pcb (version 4) {' '.join(lists)})")
    if project is not None:
        text = project if isinstance(project, str) else json.dumps(project)
        (folder / "a.kicad_pro").write_text(text)
    return BoardFile.read(path)


def project(**nets: Any) -> dict[str, Any]:
    return {"board": {"design_settings": {"rules": RULES}}, "net_settings": nets}


def test_without_anything_the_defaults_of_kicad(tmp_path: Path) -> None:
    rules = rules_of(board(tmp_path))
    assert rules.source == "KiCad's defaults"
    assert (rules.clearance("A", "B"), rules.edge_clearance, rules.hole_clearance) == (0.2, 0.5, 0.25)
    assert rules.warnings == ()


def test_the_project_decides(tmp_path: Path) -> None:
    classes = [
        {"name": "Default", "clearance": 0.15, "priority": 2147483647},
        {"name": "wide", "clearance": 0.4, "priority": 1},
        {"name": "mains", "clearance": 3, "priority": 0},
        {"name": "coloured", "clearance": None, "priority": 0},
    ]
    patterns = [{"pattern": "pwr*", "netclass": "wide"}, {"pattern": "pwr*", "netclass": "coloured"}]
    given_names = {"L": ["wide", "mains"], "N": "mains"}
    settings_ = project(classes=classes, netclass_patterns=patterns, netclass_assignments=given_names)
    rules = rules_of(board(tmp_path, settings_, '(net_class Default "" (clearance 9))'))
    assert rules.source == "a.kicad_pro"
    assert (rules.min_clearance, rules.edge_clearance) == (0.1, 0.3)
    assert (rules.hole_clearance, rules.hole_to_hole) == (0.22, 0.27)
    assert rules.clearance("x", "y") == 0.15
    assert rules.clearance("x", "pwr1") == 0.4  # the class without a clearance says nothing
    assert rules.clearance("L", "pwr1") == 3  # of two classes the lower priority
    assert rules.clearance("N", "") == 3


def test_the_least_clearance_holds_for_all(tmp_path: Path) -> None:
    rules = rules_of(board(tmp_path, project(classes=[{"name": "Default", "clearance": 0.05}])))
    assert rules.clearance("x", "y") == 0.1


def test_kicad_6_lists_nets_with_the_class(tmp_path: Path) -> None:
    classes = [{"name": "Default", "clearance": 0.2}, {"name": "wide", "clearance": 0.6, "nets": ["GND", "+5V"]}]
    rules = rules_of(board(tmp_path, project(classes=classes)))
    assert (rules.class_clearance("GND"), rules.class_clearance("x")) == (0.6, 0.2)


def test_kicad_5_keeps_them_in_the_board(tmp_path: Path) -> None:
    old = ('(net_class Default "all" (clearance 0.3))', '(net_class "HV" "" (clearance 1.5) (add_net "Net (1)"))')
    rules = rules_of(board(tmp_path, None, *old))
    assert rules.source == "the board"
    assert (rules.clearance("a", "b"), rules.clearance("a", "Net (1)")) == (0.3, 1.5)


def test_a_project_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = board(tmp_path, {})
    with (tmp_path / "a.kicad_pro").open("wb") as raw:
        os.truncate(raw.fileno(), PROJECT.size + 1)
    (warning,) = rules_of(file).warnings
    assert "a.kicad_pro cannot be read (it has 16,777,217 bytes, and a file beside a board may have at most" in warning


def test_a_project_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.kicad_pro")
    assert (
        "a.kicad_pro cannot be read (it is not a regular file but a device, a pipe or"
        in rules_of(board(tmp_path)).warnings[0]
    )


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "\x00", "3", '{"board": 3, "net_settings": [1]}'])
def test_a_broken_project_is_told(tmp_path: Path, text: str) -> None:
    rules = rules_of(board(tmp_path, text))
    assert rules.clearance("a", "b") == 0.2
    assert "a.kicad_pro" in (*rules.warnings, rules.source)[0]


def test_values_that_are_no_lengths_are_told_and_left_out(tmp_path: Path) -> None:
    wrong = {"min_clearance": "0.3", "min_copper_edge_clearance": float("nan"), "min_hole_clearance": True}
    settings_ = {
        "board": {"design_settings": {"rules": wrong}},
        "net_settings": {"classes": [{"name": "Default", "clearance": 1e99}]},
    }
    rules = rules_of(board(tmp_path, settings_))
    assert (rules.min_clearance, rules.edge_clearance, rules.hole_clearance) == (0.0, 0.5, 0.25)
    assert rules.clearance("a", "b") == 0.2
    assert [any(key in warning for warning in rules.warnings) for key in (*wrong, "net class 'Default'")] == [True] * 4


def test_custom_rules_are_left_to_kicad(tmp_path: Path) -> None:
    file = board(tmp_path)
    (tmp_path / "a.kicad_dru").write_text("(version 1)")
    assert "only KiCad evaluates" in rules_of(file).warnings[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("classes", "netclass_patterns", "netclass_assignments")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.fixed_dictionaries({key: json_values | st.lists(json_values, max_size=2) for key in KEYS}), json_values)
def test_no_project_is_fatal(tmp_path: Path, nets: dict[str, Any], rules: Any) -> None:
    settings_ = {"board": {"design_settings": {"rules": rules, "rule_severities": rules}}, "net_settings": nets}
    found = rules_of(board(tmp_path, settings_))
    assert 0 <= found.clearance("GND", "") <= 1000


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [  # each asked of KiCad 9.0.8's own `GetEffectiveNetClass`
        ("gnd", ["gnd"], ["GND", "AGND"]),
        ("*clk", ["osc_clk"], ["osc_CLK", "clk2"]),
        (r"in\d+", ["in3"], ["in", "xin3", "in3x"]),
        ("D?", ["D1", "D"], ["D12"]),
        ("A|B", ["A", "B", "AB"], []),
        ("+3V3", ["+3V3"], ["33V3"]),
        ("/USB/D[0-9]", ["/USB/D1", "/USB/D[0-9]"], []),
        ("Net-(R1-Pad1)", ["Net-(R1-Pad1)", "Net-R1-Pad1"], []),
        ("a.*", ["abc", "a.c", "a"], ["xa"]),
    ],
)
def test_patterns_fit_as_in_kicad(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    matches = Pattern(pattern, "x").matcher()
    assert [net for net in fits + fits_not if matches(net)] == fits


def test_a_pattern_that_could_take_for_ever_is_left_to_kicad(tmp_path: Path) -> None:
    patterns = [{"pattern": "(a+)+b", "netclass": "wide"}]
    rules = rules_of(board(tmp_path, project(classes=[], netclass_patterns=patterns)))
    begun = time.process_time()
    rules.clearance("a" * 60, "a" * 61)
    assert time.process_time() - begun < 1
    assert "left to KiCad" in rules.warnings[0]


def test_rules_are_values() -> None:
    rules = DesignRules()
    rules.clearance("a", "b")
    assert rules == DesignRules()
