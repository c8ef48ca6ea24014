"""Instructions for a whole board, read offline: one `place_all` with the wishes of all pieces."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from shapely.geometry import Point, box

from redraft.layout import Frame, Item, Layout, Port
from redraft.models.base import Request
from redraft.offline.board.answers import ANSWERS
from redraft.offline.board.whole import read_whole
from redraft.replies import json_in
from redraft.studios.board.names import meanings
from redraft.studios.board.spec import ActionList


def part(name: str, label: str, value: str, *nets: str, at: float = 60.0) -> Item:
    ports = tuple(Port(str(n), (at, n), Point(at, n), 0.2, net) for n, net in enumerate(nets, start=1))
    return Item(name, label, box(at - 1, 0, at + 1, 1), layer=1, ports=ports, value=value)


BOARD = Layout(
    (
        part("U1", "IC", "STM32F103", "VCC", "SDA", "GND", at=15.0),
        part("J1", "connector", "USB_C_Receptacle", "VBUS", "USB_DP"),
        part("J3", "connector", "Barrel_Jack", "VIN", "GND"),
        part("AE1", "antenna", "Antenna_Chip", "RF"),
        replace(part("U2", "IC", "TPS5430", "VIN", "SW", "FB"), symbol="u"),
        part("L1", "inductor", "10u", "SW", "VCC"),
        part("C1", "capacitor", "100n", "VCC", "GND"),
        part("C2", "capacitor", "100n", "VCC", "GND"),
    ),
    Frame(unit="mm", solid=True, layers={1: "Top", 0: "Bottom"}, bounds=(0, 0, 30, 20)),
    box(0, 0, 30, 20),
    blocks={"/Buck Converter/": ("U2", "L1"), "/mcu/": ("U1", "C1", "C2")},
)


def read(text: str) -> tuple[dict[str, Any], list[str]] | None:
    found = read_whole(text, meanings(text, BOARD))
    if found is None:
        return None
    (stated,), missed = found
    assert stated.quote in text
    fields = stated.action.model_dump(mode="json", exclude_defaults=True)
    return fields, missed


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("place all parts", {}),
        ("Place all unplaced components", {}),
        ("place everything again", {"replace": True}),
        ("shorten the wires", {"start": "here"}),
        ("bring everything closer together", {"start": "here"}),
        (
            "place all unplaced components: USB at the left edge, the antenna top right and free, the buck converter "
            "compact",
            {
                "anchors": [{"ref": "J1", "edge": "left"}, {"ref": "AE1", "corner": "top right"}],
                "keepouts": [{"around": "AE1", "distance": 3.0}],
                "groups": [{"name": "buck converter", "refs": ["U2", "L1"]}],
            },
        ),
        (
            "place all parts, J3 5 mm from the left edge and 3 mm from the top edge",
            {
                "anchors": [
                    {"ref": "J3", "edge": "left", "distance": 5.0},
                    {"ref": "J3", "edge": "top", "distance": 3.0},
                ]
            },
        ),
        (
            "place everything, let J1 overhang the left edge by 1 mm and keep 2 mm around U1 free",
            {
                "overhang": [{"ref": "J1", "edge": "left", "distance": 1.0}],
                "keepouts": [{"around": "U1", "distance": 2.0}],
            },
        ),
        (
            "place all parts, C1 within 2 mm of U1 pin 1, AE1 at least 10 mm from U2, do not move J3",
            {
                "anchors": [
                    {"ref": "C1", "near": "U1.1", "distance": 2.0},
                    {"ref": "AE1", "apart": "U2", "distance": 10.0},
                ],
                "keep": ["J3"],
            },
        ),
        ("place all parts, C1 on the back and rotate J1 to 90°", {"sides": {"C1": "back"}, "turns": {"J1": [90.0]}}),
        ("place all parts of the buck converter", {"refs": ["U2", "L1"]}),
    ],
)
def test_wishes_in_one_text_are_one_action(text: str, fields: dict[str, Any]) -> None:
    assert read(text) == (fields, [])


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("place all, U1 in the center of the board", {"anchors": [{"ref": "U1", "center": True}]}),
        ("place all, J3 centered on the left edge", {"anchors": [{"ref": "J3", "edge": "left", "center": True}]}),
        (
            "place all parts with the connectors at the board edges",
            {"anchors": [{"ref": "J1", "edge": "any"}, {"ref": "J3", "edge": "any"}]},
        ),
        (
            "place all, J3 5 mm from the left and 3 mm from the top edge",
            {
                "anchors": [
                    {"ref": "J3", "edge": "left", "distance": 5.0},
                    {"ref": "J3", "edge": "top", "distance": 3.0},
                ]
            },
        ),
        ("place everything, no parts within 5 mm of the top edge", {"keepouts": [{"edge": "top", "distance": 5.0}]}),
        (
            "place everything, keep the area from (1, 2) to (3, 4) free",
            {"keepouts": [{"box": [1.0, 2.0, 3.0, 4.0]}]},
        ),
        ("place all parts, capacitors on the back", {"sides": {"C1": "back", "C2": "back"}}),
        ("place all parts except U1 and C1", {"keep": ["U1", "C1"]}),
        ("place all, J1 overhangs by 2 mm", {"overhang": [{"ref": "J1", "edge": "any", "distance": 2.0}]}),
        (
            "place all, USB connector J1 at the left edge, chip U2 compact at the top edge",
            {
                "anchors": [{"ref": "J1", "edge": "left"}, {"ref": "U2", "edge": "top"}],
                "groups": [{"name": "chip U2", "refs": ["U2", "L1"]}],
            },
        ),
        ("I'd like shorter connections", {"start": "here"}),
        ("bring the parts closer to each other", {"start": "here"}),
    ],
)
def test_classes_edges_and_room(text: str, fields: dict[str, Any]) -> None:
    assert read(text) == (fields, [])


def test_a_wish_that_no_action_can_have_costs_no_other() -> None:
    found = read("place all parts, J3 99999 mm from the left edge, J1 at the right edge")
    assert found == ({"anchors": [{"ref": "J1", "edge": "right"}]}, ["J3 99999 mm from the left edge"])


def test_a_wish_that_cannot_be_carried_out_is_left_out_alone() -> None:
    """Found by the components that the error carries, whatever its words name beside them."""
    anchors = [
        {"ref": "J1", "edge": "left"},
        {"ref": "C1", "near": "J1"},
        {"ref": "J3", "edge": "top"},
    ]
    actions = [{"action": "place_all", "anchors": anchors}]
    error = "Action 1 of 1 (place_all): place_all: there is no free place for J1 at the left edge"
    reply = json.dumps({"approach": "", "actions": actions, "waived": []})
    inputs: dict[str, Any] = {
        "instruction": "place all parts, USB at the left edge, C1 near J1; J3 at the top edge",
        "meant": {"usb": ["J1"], "j1": ["J1"], "c1": ["C1"], "j3": ["J3"]},
        "reply": reply,
        "error": f"{error}, where J3 lies",
        "subjects": ["J1"],
    }
    reply = json_in(
        str(ANSWERS["board.fix"](Request(kind="board.fix", path="x", inputs=inputs, messages=()))),
        ActionList.model_fields,
        "list of actions",
    )
    assert reply["actions"] == [{"action": "place_all", "anchors": [{"ref": "J3", "edge": "top"}]}]
    assert reply["waived"] == [
        {
            "quote": "USB at the left edge",
            "reason": "there is no free place for J1 at the left edge, where J3 lies",
        },
        {"quote": "C1 near J1", "reason": "for the same reason"},
    ]


def test_what_is_not_understood_is_named() -> None:
    found = read("place all parts, U1 in the exact center, J1 at the left edge")
    assert found is not None
    assert found[1] == ["U1 in the exact center"]
    assert found[0]["anchors"] == [{"ref": "J1", "edge": "left"}]


@pytest.mark.parametrize("text", ["put C1 2 mm right of U1 on the board", "move J1 to the left board edge", "tidy up"])
def test_other_instructions_are_left_to_the_grammar_of_single_components(text: str) -> None:
    assert read(text) is None


def test_words_mean_a_component_only_where_that_is_unique() -> None:
    twin = replace(BOARD, items=(*BOARD.items, part("J9", "connector", "USB_A", "VBUS")))
    assert meanings("place all, usb at the left edge", BOARD)["usb"] == ("J1",)
    assert "usb" not in meanings("place all, usb at the left edge", twin)
    assert meanings("put C1 right of U1", BOARD) == {}


@pytest.mark.slow
def test_a_long_text_takes_no_long_time() -> None:
    assert read("place all parts" + ", and a b c d e f g h near i j" * 60) is not None
