"""What people ask of boards in English, and the actions that they mean by it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from commanded import bench
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.studios.board.actions.fields import Side
from redraft.studios.board.actions.registry import (
    Action,
    Align,
    ClusterAround,
    CopyBlock,
    Decouple,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBlock,
    MoveBy,
    MoveToEdge,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)
from redraft.studios.board.offline.grammar import Window, read
from redraft.studios.board.spec import Stated
from redraft.studios.board.views.microscope import inspect_components
from redraft.studios.board.words.find import mentioned
from redraft.studios.board.words.names import blocks_in

pytestmark = pytest.mark.slow

BOARD = bench()


def understood(text: str) -> tuple[list[Stated], list[str]]:
    """As the offline model reads it, with the window of the parts that it names."""
    refs = mentioned(text, BOARD)
    return read(text, Window.of(inspect_components(BOARD, refs, 5.0).text() if refs else ""))


def done(text: str) -> list[Action]:
    return [said.action for said in understood(text)[0] if not said.measure_only]


def beside(ref: str, target: str, side: Side, gap: float = 0.5, **more: object) -> PlaceRelative:
    fields: dict[str, object] = {"ref": ref, "target": target, "side": side, "clearance": gap, **more}
    if "." in target:
        fields.setdefault("measure", "pad")
    return PlaceRelative.model_validate(fields)


def edge(ref: str, side: Side, **more: object) -> MoveToEdge:
    return MoveToEdge.model_validate({"ref": ref, "edge": side, **more})


def around(refs: str, target: str, gap: float = 0.5, side: Side | None = None) -> ClusterAround:
    return ClusterAround(refs=tuple(refs.split()), target=target, clearance=gap, side=side)


def row(refs: str, axis: str = "x", along: str = "center") -> Align:
    return Align.model_validate({"refs": refs.split(), "axis": axis, "edge": along})


def spaced(refs: str, gap: float | None, axis: str | None = None) -> Distribute:
    return Distribute.model_validate({"refs": refs.split(), "spacing": gap, "axis": axis})


def stacked(refs: str, direction: str, gap: float = 0.5) -> Stack:
    return Stack.model_validate({"refs": refs.split(), "direction": direction, "spacing": gap})


def by(refs: str, dx: float, dy: float) -> MoveBy:
    return MoveBy(refs=tuple(refs.split()), dx=dx, dy=dy)


def turned(refs: str, **how: float) -> Rotate:
    return Rotate.model_validate({"refs": refs.split(), **how})


def held(refs: str, *, locked: bool = True) -> Lock:
    return Lock(refs=tuple(refs.split()), locked=locked)


def flipped(refs: str) -> Flip:
    return Flip(refs=tuple(refs.split()))


CAPS = "C1 C2 C3 C4 C5"


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("put C1 0,5 mm right of U1", [beside("C1", "U1", "right", 0.5)]),
        ("put C1 0,25mm right of U1 pin 4", [beside("C1", "U1.4", "right", 0.25)]),
        ("place C1 at 10,5 mm", [PlaceComponent(ref="C1", x=10, y=5)]),
        ("put C1 1,000 mm right of U1", []),
        ("put C1 about 0,5 mm right of U1", []),
        ("put C1 at least 0,5 mm right of U1", []),
    ],
)
def test_decimal_commas(text: str, actions: list[Action]) -> None:
    assert done(text) == actions
    assert bool(understood(text)[1]) == (not actions)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("copy the placement of amp_left onto amp_right", [CopyBlock(source="/amp_left/", onto=("/amp_right/",))]),
        ("copy the layout of sheet amp_left onto amp_right", [CopyBlock(source="/amp_left/", onto=("/amp_right/",))]),
        ("rotate amp_right by 90 degrees clockwise", [MoveBlock(block="/amp_right/", rotation=270)]),
        ("move amp_right 5 mm to the right", [MoveBy(refs=("/amp_right/",), dx=5)]),
        ("move sheet /amp_right/ 5 mm down", [MoveBy(refs=("/amp_right/",), dy=5)]),
        ("put amp_right at the left edge", [MoveBlock(block="/amp_right/", target="edge", side="left", clearance=0)]),
        ("move power 5 mm to the right", []),
    ],
)
def test_the_bare_name_of_a_block_is_enough(text: str, actions: list[Action]) -> None:
    blocks = {"/amp_left/": ("C1",), "/amp_right/": ("C2",), "/a/power/": ("C3",), "/b/power/": ("C4",)}
    window = Window(blocks=blocks_in(text, replace(BOARD, blocks=blocks)))
    assert [said.action for said in read(text, window)[0]] == actions


RS = "R1 R2 R3 R4 R5 R6 R7 R8"

# Expected by hand, before any of it was run.
SENTENCES: list[tuple[str, list[Action]]] = [
    # beside a part or a pad
    ("put C1 0.5 mm right of U1 pin 4", [beside("C1", "U1.4", "right")]),
    ("Place C1 0.5mm to the right of U1.4.", [beside("C1", "U1.4", "right")]),
    ("move C1 to the left of U1", [beside("C1", "U1", "left")]),
    ("Place C2 1 mm above U2", [beside("C2", "U2", "top", 1)]),
    ("place C2 1mm below U2", [beside("C2", "U2", "bottom", 1)]),
    ("put C1 20 mil right of U1", [beside("C1", "U1", "right", 0.508)]),
    ("put C1 20mil right of U1", [beside("C1", "U1", "right", 0.508)]),
    ("put C1 0.1 in right of U1", [beside("C1", "U1", "right", 2.54)]),
    ("put C1 0.1 inch to the left of U1", [beside("C1", "U1", "left", 2.54)]),
    ("put C1 250 µm left of U1", [beside("C1", "U1", "left", 0.25)]),
    ("put C1 250um left of U1", [beside("C1", "U1", "left", 0.25)]),
    ("Please put the capacitor C1 half a millimetre right of U1", [beside("C1", "U1", "right", 0.5)]),
    ("Could you move R8 2 mm north of U1?", [beside("R8", "U1", "top", 2)]),
    ("position LED1 1 mm east of D1", [beside("LED1", "D1", "right", 1)]),
    ("put C1 under U2, 0.3 mm away", [beside("C1", "U2", "bottom", 0.3)]),
    ("put C1 right of pin 8 of U1", [beside("C1", "U1.8", "right")]),
    ("put C1 0.4 mm left of pad 1 of U1", [beside("C1", "U1.1", "left", 0.4)]),
    ("put C1 0.4 mm left of U1's pin 2", [beside("C1", "U1.2", "left", 0.4)]),
    ("C1 should be 1 mm right of U1", [beside("C1", "U1", "right", 1)]),
    ("C1 must sit 1 mm below U1 pin 5", [beside("C1", "U1.5", "bottom", 1)]),
    ("C1 goes 0.25 mm above U1 pin 8", [beside("C1", "U1.8", "top", 0.25)]),
    ("make sure C1 is 1 mm right of U1", [beside("C1", "U1", "right", 1)]),
    ("put C1 0.5 mm right of U1, body to body", [beside("C1", "U1", "right", 0.5, measure="body")]),
    ("put C1 0.5 mm right of U1 pad to pad", [beside("C1", "U1", "right", 0.5, measure="pad")]),
    ("put C1 0.5 mm right of U1 (courtyard to courtyard)", [beside("C1", "U1", "right")]),
    ("put C1 flush with the right side of U1", [beside("C1", "U1", "right", 0)]),
    ("put C1 touching the left side of U1", [beside("C1", "U1", "left", 0)]),
    ("put C1 exactly 0.5 mm to the right of U1", [beside("C1", "U1", "right")]),
    ("put C1 0.5 mm right of U1 and C2 0.5 mm left of U1", [beside("C1", "U1", "right"), beside("C2", "U1", "left")]),
    ("put C1 right of U1, C2 left of it", [beside("C1", "U1", "right"), beside("C2", "U1", "left")]),
    ("Move c1 1 mm right of u1.", [beside("C1", "U1", "right", 1)]),
    ("put C1 1 mm right of U1 with their tops aligned", [beside("C1", "U1", "right", 1, align="start")]),
    ("put C1 1 mm right of U1 even if it overlaps", [beside("C1", "U1", "right", 1, allow_overlap=True)]),
    ("put C1 on the right of U1", [beside("C1", "U1", "right")]),
    ("put C1 at the left side of U2 with a gap of 0.3 mm", [beside("C1", "U2", "left", 0.3)]),
    # by their kind and their net
    # rows, columns, gaps
    ("align R1-R4", [row("R1 R2 R3 R4")]),
    ("align R5-R7", [row("R5 R6 R7", "y")]),
    ("align R1-R4 and space them 1 mm", [row("R1 R2 R3 R4"), spaced("R1 R2 R3 R4", 1)]),
    ("align R1 to R4 in a row", [row("R1 R2 R3 R4")]),
    ("align R1..R4 vertically", [row("R1 R2 R3 R4", "y")]),
    ("align C1–C3 horizontally", [row("C1 C2 C3")]),
    ("align C1, C2 and C4 in a column", [row("C1 C2 C4", "y")]),
    ("align R1, R2, and R3 along their tops", [row("R1 R2 R3", "x", "start")]),
    ("align the left edges of R5, R6 and R7", [row("R5 R6 R7", "y", "start")]),
    ("align R1-R4 by their bottom edges", [row("R1 R2 R3 R4", "x", "end")]),
    ("line up LED1 and LED2 horizontally", [row("LED1 LED2")]),
    ("align C1 with U1 vertically", [row("U1 C1", "y")]),
    ("align R1-R4 in a row, 1 mm apart", [row("R1 R2 R3 R4"), spaced("R1 R2 R3 R4", 1, "x")]),
    ("line R1-R4 up in a row with 0.5 mm between them", [row("R1 R2 R3 R4"), spaced("R1 R2 R3 R4", 0.5, "x")]),
    ("space R1-R4 2 mm apart", [spaced("R1 R2 R3 R4", 2)]),
    ("spread R1-R8 evenly", [spaced(RS, None)]),
    ("distribute R1-R4 evenly", [spaced("R1 R2 R3 R4", None)]),
    ("distribute C1, C2, C3 horizontally with 1.5 mm spacing", [spaced("C1 C2 C3", 1.5, "x")]),
    ("stack C1, C2, C3 downwards 0.3 mm apart", [stacked("C1 C2 C3", "down", 0.3)]),
    ("stack R1-R3 to the right", [stacked("R1 R2 R3", "right")]),
    ("stack C3, C1 and C2 upwards with 1 mm between them", [stacked("C3 C1 C2", "up", 1)]),
    ("stack R1-R4 downwards", [stacked("R1 R2 R3 R4", "down")]),
    ("stack R4-R1 down, 1 mm apart", [stacked("R4 R3 R2 R1", "down", 1)]),
    ("stack R1-4 down", [stacked("R1 R2 R3 R4", "down")]),
    # edges and corners
    ("keep J1 on the bottom edge", [edge("J1", "bottom")]),
    ("put J1 on the bottom edge", [edge("J1", "bottom")]),
    ("move J1 to the right edge of the board", [edge("J1", "right")]),
    ("put J1 at the bottom edge, centred", [edge("J1", "bottom", center=True)]),
    ("center J1 on the left edge", [edge("J1", "left", center=True)]),
    ("put J1 in the middle of the top edge", [edge("J1", "top", center=True)]),
    ("put J1 2 mm from the bottom edge", [edge("J1", "bottom", clearance=2)]),
    ("J1 must be flush with the bottom edge", [edge("J1", "bottom")]),
    ("keep J1 and J2 on the left edge", [edge("J1", "left"), edge("J2", "left")]),
    ("put H1 in the top left corner", [edge("H1", "top"), edge("H1", "left")]),
    ("move H2 to the bottom right corner", [edge("H2", "bottom"), edge("H2", "right")]),
    # locks
    ("lock U1", [held("U1")]),
    ("don't move U1", [held("U1")]),
    ("Do not move U1 or U2.", [held("U1 U2")]),
    ("keep U1 where it is", [held("U1")]),
    ("leave J1 and J2 where they are", [held("J1 J2")]),
    ("U1 must not move", [held("U1")]),
    ("U1 stays where it is", [held("U1")]),
    ("fix H1 in place", [held("H1")]),
    ("unlock U1", [held("U1", locked=False)]),
    ("put C1 1 mm right of U1; don't touch J1", [held("J1"), beside("C1", "U1", "right", 1)]),
    # turning and flipping
    ("rotate U2 by 90 degrees", [turned("U2", by=90)]),
    ("rotate U2 by 90 degrees clockwise", [turned("U2", by=-90)]),
    ("rotate U2 90° ccw", [turned("U2", by=90)]),
    ("turn U2 45 degrees counter-clockwise", [turned("U2", by=45)]),
    ("rotate U2 by -90", [turned("U2", by=-90)]),
    ("rotate U2 to 45°", [turned("U2", to=45)]),
    ("turn U2 to 180 degrees", [turned("U2", to=180)]),
    ("rotate C1 and C2 90 deg cw", [turned("C1 C2", by=-90)]),
    ("flip C1 to the back", [flipped("C1")]),
    ("flip C1 and C2 to the bottom side", [flipped("C1 C2")]),
    ("flip C1", [flipped("C1")]),
    ("move C1 to the bottom layer", [flipped("C1")]),
    ("move TP1 to the back of the board", []),
    ("flip TP1 to the front", [flipped("TP1")]),
    # swapping, shifting, coordinates
    ("swap R1 and R2", [Swap(ref="R1", other="R2")]),
    ("swap R1 with R2", [Swap(ref="R1", other="R2")]),
    ("exchange the positions of C1 and C2", [Swap(ref="C1", other="C2")]),
    ("move C1 2 mm left", [by("C1", -2, 0)]),
    ("move C1 2 mm to the right", [by("C1", 2, 0)]),
    ("shift C1 up by 1 mm", [by("C1", 0, -1)]),
    ("move R1-R3 2 mm left and 1 mm down", [by("R1 R2 R3", -2, 1)]),
    ("nudge C1 5 mil right", [by("C1", 0.127, 0)]),
    ("move C1 to (100.5, 42)", [PlaceComponent(ref="C1", x=100.5, y=42)]),
    ("put C1 at x=30, y=42.5", [PlaceComponent(ref="C1", x=30, y=42.5)]),
    ("place C1 at 30 mm, 42 mm", [PlaceComponent(ref="C1", x=30, y=42)]),
    # around and between
    ("cluster C1-C4 around U1", [around("C1 C2 C3 C4", "U1")]),
    ("group C1-C4 around U1 within 2 mm", [around("C1 C2 C3 C4", "U1")]),
    ("put C1 near pin 4 of U1", [around("C1", "U1.4")]),
    ("C4 and C5 around U1", [around("C4 C5", "U1")]),
    ("J2 at the left edge", [edge("J2", "left")]),
    ("cluster C1 around U1.4", [around("C1", "U1.4")]),
    ("put C1 close to U1.4", [around("C1", "U1.4")]),
    ("put C1 and C2 0.5 mm from U1 pin 4", [around("C1 C2", "U1.4")]),
    ("put C1 as close as possible to U1", [around("C1", "U1", 0)]),
    ("put C1 and C2 next to U2", [around("C1 C2", "U2")]),
    ("put C1 1 mm from U1", [beside("C1", "U1", "bottom", 1)]),
    ("place C1, C2 and C3 left of U1", [around("C1 C2 C3", "U1", side="left")]),
    # capacitors and blocks
    ("decouple U1", [Decouple(target="U1")]),
    ("decouple U1 and U2", [Decouple(target="U1"), Decouple(target="U2")]),
    ("decouple U1.4 with C1-C3", [Decouple(target="U1.4", refs=("C1", "C2", "C3"))]),
    ("put the decoupling capacitors of U1 at their pins", [Decouple(target="U1")]),
    ("move the block of sheet /power next to J1, keep its inner placement", [MoveBlock(block="/power", target="J1")]),
    ("place sheet /power left of U1", [MoveBlock(block="/power", target="U1", side="left")]),
    ("put group \"my led\" 2 mm above U1", [MoveBlock(block="my led", target="U1", side="top", clearance=2)]),
    ("put sheet /power in the top left corner", [
        MoveBlock(block="/power", target="edge", side="top left", clearance=0),
    ]),
    ("rotate block X by 90°", [MoveBlock(block="X", rotation=90)]),
    ("turn /power/ by 90 degrees clockwise", [MoveBlock(block="/power/", rotation=270)]),
    ("copy the placement of channel 1 onto channel 2 and 3", [
        CopyBlock(source="channel 1", onto=("channel 2", "channel 3")),
    ]),
    ("copy the layout of /ch1/ onto /ch2/, down, 2 mm apart", [
        CopyBlock(source="/ch1/", onto=("/ch2/",), direction="down", spacing=2),
    ]),
    # tidying
    ("remove overlaps", [Legalise()]),
    ("legalise the board", [Legalise()]),
    ("tidy up with 0.2 mm between parts", [Legalise(clearance=0.2)]),
    ("resolve the overlaps of R1-R4", [Legalise(refs=("R1", "R2", "R3", "R4"))]),
    # several at once, references back
    (
        "put C1 0.5 mm right of U1 pin 4, align R1-R4 and space them 1 mm, keep J1 on the bottom edge",
        [beside("C1", "U1.4", "right"), row("R1 R2 R3 R4"), spaced("R1 R2 R3 R4", 1), edge("J1", "bottom")],
    ),
    ("rotate U2 by 90 degrees and then move it 2 mm left", [turned("U2", by=90), by("U2", -2, 0)]),
    ("First lock U1. Then swap R1 and R2; finally, remove all overlaps.", [
        held("U1"), Swap(ref="R1", other="R2"), Legalise(),
    ]),
    # written after the first run
    ("put C1 within 2 mm of U1", [around("C1", "U1")]),
    ("put C1 1 mm from pin 8 of U1", [beside("C1", "U1.8", "right", 1)]),
    ("align R1-R4 in a column, 1 mm apart", [
        row("R1 R2 R3 R4", "y").model_copy(update={"allow_overlap": True}), spaced("R1 R2 R3 R4", 1, "y"),
    ]),
    ("lock U1 please", [held("U1")]),
    ("put the component C1 1 mm right of part U1", [beside("C1", "U1", "right", 1)]),
    ("place decoupling capacitor C1 0.4 mm left of U1.4", [beside("C1", "U1.4", "left", 0.4)]),
    ("move U1 10 mm right, then put C1 1 mm above it", [by("U1", 10, 0), beside("C1", "U1", "top", 1)]),
    ("1. Lock U1\n2. Align R1-R4 in a row\n3. Rotate U2 by 90°", [held("U1"), row("R1 R2 R3 R4"), turned("U2", by=90)]),
    ("put C1 0.5 mm\nright of U1", [beside("C1", "U1", "right")]),
    ("flip C1 to the back and rotate it by 90 degrees", [flipped("C1"), turned("C1", by=90)]),
]  # fmt: skip


def edges(ref: str, first: Side, second: Side, gaps: tuple[float, float]) -> list[Action]:
    return [
        edge(ref, first, clearance=gaps[0], allow_overlap=True),
        edge(ref, second, clearance=gaps[1]),
    ]


CLOSER: list[tuple[str, list[Action]]] = [
    ("Move C1 to exactly 0.5mm clearance from U1 pin 4", [beside("C1", "U1.4", "left")]),
    ("put C1 at a distance of 2 mm from U1", [beside("C1", "U1", "bottom", 2)]),
    ("move C1 to 2 mm from U1", [beside("C1", "U1", "bottom", 2)]),
    ("put C1 with a clearance of 20 mil to U1", [beside("C1", "U1", "bottom", 0.508)]),
    ("put C1 3 mm from the left edge and 3 mm from the top edge", edges("C1", "left", "top", (3, 3))),
    ("C1 must be 3 mm from the right edge and 5mm from the bottom edge", edges("C1", "right", "bottom", (3, 5))),
    ("put C1 3 mm from the left and top edge", edges("C1", "left", "top", (3, 3))),
    ("The capacitor C1 is too far from U1. Move it closer.", [around("C1", "U1")]),
    ("C1 is too far. Move it closer to U1.", [around("C1", "U1")]),
    ("The capacitors C1 and C2 are too far away from U1. Bring them closer.", [around("C1", "U1"), around("C2", "U1")]),
    ("move C1 nearer to U1 pin 4", [around("C1", "U1.4")]),
    ("put C1 and C2 next to their pins on U1", [around("C1 C2", "U1")]),
    ("put C3 near its power pins of U2", [around("C3", "U2")]),
    ("put C1 near the top left corner", [
        edge("C1", "top", clearance=1, allow_overlap=True), edge("C1", "left", clearance=1, allow_overlap=True),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "actions"), SENTENCES + CLOSER, ids=[text[:60] for text, _ in SENTENCES + CLOSER])
def test_what_people_say_is_done(text: str, actions: list[Action]) -> None:
    assert done(text) == actions


def test_closer_is_never_farther_and_a_corner_has_a_limit() -> None:
    (closer,), _ = understood("C1 is too far from U1. Move it closer.")
    assert closer.quote == "Move it closer"
    assert closer.at_most == 15.041609  # between their boxes: 4 and 14.5 mm
    corner, _ = understood("put C1 near the top left corner")
    assert [said.at_most for said in corner] == [10, 10]


def test_a_part_is_moved_closer_to_what_it_connects_to() -> None:
    view = inspect_components(BOARD, ("C1", "C2", "U1", "U2"), 5.0).text()
    for text in ("The capacitor C1 is too far. Move it closer.", "put C1 next to its pins"):
        stated, missed = read(text, Window.of(view))
        assert [said.action for said in stated] == [around("C1", "U1")]
        assert missed == []
    assert read("The capacitor C1 is too far. Move it closer.", Window())[0] == []


NOT_UNDERSTOOD = [
    "put C1 3 mm from the left edge and 3 mm from the right edge",
    "put C1 or C2 right of U1",
    "put C1 right of U1 or U2",
    "if there is room, put C1 right of U1",
    "put C1 right of U1 unless R1 is there",
    "put C1 not right of U1",
    "don't put C1 right of U1",
    "never align R1 and R2",
    "put C1 somewhere nice",
    "put C1 at least 1 mm right of U1",
    "put C1 far away from U1",
    "put C1 right of U1 and R1",
    "put pin 1 of C1 0.5 mm right of U1 pin 4",
    "turn U1 a bit",
    "rotate U1 so that pin 1 is up",
    "move C1",
    "move C1 left",
    "align",
    "swap R1, R2 and R3",
    "stack C1",
    "route the board",
    "the label says put it there",
    'the silkscreen reads "lock U1"',
    "Is C1 right of U1?",
    "Should I put C1 right of U1?",
    "put the capacitor right of U1",
    "put it right of U1",
    "put C1 in U1",
    "put C1 on top of U1",
    "I moved C1 2 mm left",
    "put the 100nF right of U1",
    "put C1 as far right as possible",
    "mets C1 à droite de U1",
    "put C1 right of U1. No, actually left of it",
    "put C1 1 mm right of itself",
    "put C1 1 mm right of C1",
    "put C1 -1 mm right of U1",
    "put C1 1 mm right of U1 and 2 mm above R1",
    "put C1 0.5 mm right of U1 at 45 degrees",
    "put C1 on the left edge of U1",
]


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_what_is_half_understood_is_not_done(text: str) -> None:
    assert understood(text)[0] == []


WORDS = st.sampled_from(
    [
        "put",
        "place",
        "move",
        "align",
        "space",
        "keep",
        "lock",
        "rotate",
        "swap",
        "stack",
        "flip",
        "cluster",
        "C1",
        "C2",
        "R1-R4",
        "U1",
        "U2",
        "U1.4",
        "J1",
        ",",
        ".",
        "and",
        "then",
        "right",
        "of",
        "left",
        "above",
        "the",
        "edge",
        "bottom",
        "0.5",
        "mm",
        "1",
        "2",
        "them",
        "it",
        "not",
        "don't",
        "if",
        "or",
        "pin",
        "4",
        "by",
        "90",
        "degrees",
        "to",
        "(",
        ")",
        "all",
        "capacitors",
        "between",
        "near",
        "with",
        "without",
        "around",
        "evenly",
        "row",
        "in",
        "a",
        "on",
        "back",
        "tidy",
        "up",
        "x=3",
        "y",
        "=",
        "-",
        ";",
        "\n",
        '"',
        "'",
        "LED*",
        "everything",
        "except",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=25))
def test_any_words_are_read_without_a_fall(words: list[str]) -> None:
    _reads_well(" ".join(words))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_without_a_fall(text: str) -> None:
    _reads_well(text)


def _reads_well(text: str) -> None:
    stated, missed = understood(text)
    assert all(said.quote in text for said in stated)
    assert all(words in text for words in missed)


def test_two_thousand_words_are_read_at_once() -> None:
    for text in ("put C1 " * 700, "C1, " * 2000, "put C1 right of U1 and " * 400, "R1-R4 align " * 700, "the " * 2000):
        start = time.process_time()
        read(text, Window())
        assert time.process_time() - start < 2, text[:20]
