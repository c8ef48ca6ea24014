"""Pictures by their pixels: black ground, white parts, the grid where it belongs, labels that keep clear."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from crowds import SEED_BOARD, crowd
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from parts import board, chip, round_part, two_pads
from PIL import Image
from shapely.geometry import box

from redraft.layout.items import Bounds, Fixture, Frame, Item, Keepout, Layout
from redraft.studios.board.views.canvas import PLOT, canvas_of, grid_step
from redraft.studios.board.views.labels import Label, dimensions_of, place
from redraft.studios.board.views.microscope import get_visual_context, render_png_view, view_of
from redraft.studios.board.views.picture import labels_of, picture_of, svg_of
from redraft.studios.board.views.window import Window, around, region

Pixels = NDArray[np.uint8]


def pixels(png: bytes) -> Pixels:
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def at(image: Pixels, window: Window, x: float, y: float) -> tuple[int, int, int]:
    """The colour at a point of the layout."""
    px, py = canvas_of(window.bounds, window.layout.frame).at(x, y)
    r, g, b = image[int(py), int(px)].tolist()
    return (r, g, b)


def shot(layout: Layout, *refs: str, padding: float = 3.0) -> tuple[Pixels, Window]:
    window = around(layout, refs, padding)
    return pixels(picture_of(window, view_of(window))), window


def meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_a_pad_on_the_other_side_of_its_part_is_no_more_than_an_outline() -> None:
    card = two_pads("J1", 20, 20)
    image, window = shot(board(replace(card, ports=(card.ports[0], replace(card.ports[1], layer=0)))), "J1")
    near, far = (at(image, window, x, 20.2) for x in (19.2, 20.8))
    assert near == (154, 162, 172)
    assert max(far) < 60


class TestPixels:
    image, window = shot(SEED_BOARD, "U1", "C1", padding=1.5)

    def test_512_by_512(self) -> None:
        assert self.image.shape == (512, 512, 3)

    def test_the_ground_is_black_and_parts_are_white_outlines(self) -> None:
        assert at(self.image, self.window, 108.25, 52.25) == (0, 0, 0)
        image, window = shot(board(chip("U1", 20, 20, 4, 4), chip("X9", 25, 20, 2, 2)), "U1")
        assert min(at(image, window, 24.01, 20.25)) > 150
        assert max(at(image, window, 25.25, 20.55)) < 100

    def test_the_grid_is_one_millimetre(self) -> None:
        """Along a line over bare board, what is not black lies at whole millimetres, and at each of them."""
        canvas = canvas_of(self.window.bounds, self.window.layout.frame)
        y = int(canvas.at(0, 54.3)[1])
        lit = np.flatnonzero(self.image[y].max(axis=1) > 40)
        lit = lit[(lit > PLOT[0] + 3) & (lit < PLOT[2] - 3)]
        millimetres = canvas.view[0] + (lit + 0.5 - PLOT[0]) / canvas.scale
        assert np.abs(millimetres - millimetres.round()).max() * canvas.scale <= 1.5
        assert set(millimetres.round().tolist()) == {102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0}

    def test_a_gap_has_an_arrow_and_its_length(self) -> None:
        r, g, b = at(self.image, self.window, 108.25, 50.0)
        assert (g > 150, b > 180, r < 90) == (True, True, True)
        assert "1 mm" in svg_of(self.window, view_of(self.window))

    def test_named_parts_have_an_amber_frame(self) -> None:
        assert at(self.image, self.window, 105.0, 47.5) == (255, 197, 61)

    def test_pin_one_is_marked(self) -> None:
        assert at(self.image, self.window, 103.0, 48.0) == (255, 90, 54)
        assert at(self.image, self.window, 107.0, 52.0) == (154, 162, 172)

    def test_the_back_is_told_from_the_front(self) -> None:
        layout = board(chip("U1", 20, 20, 6, 6), chip("U2", 30, 20, 6, 6, side=0))
        image, window = shot(layout, "U1")
        assert min(at(image, window, 17.01, 21.3)) > 150
        back, front = shot(layout, "U1", "U2")[0], around(layout, ["U1", "U2"], 3.0)
        r, g, b = at(back, front, 28.4, 21.4)
        assert b > r
        assert max(r, g, b) < 90

    def test_outside_the_board_is_not_black(self) -> None:
        image, window = shot(board(chip("U1", 3, 20, 2, 2)), "U1", padding=5)
        assert at(image, window, -1.5, 20.5) == (32, 36, 42)

    def test_keep_outs_are_red(self) -> None:
        image, window = shot(board(chip("U1", 20, 20, 2, 2), keepouts=[Keepout("k", box(22, 18, 23, 22))]), "U1")
        x0, y0 = canvas_of(window.bounds, window.layout.frame).at(22.1, 18.1)
        x1, y1 = canvas_of(window.bounds, window.layout.frame).at(22.9, 21.9)
        inside = image[int(y0) : int(y1), int(x0) : int(x1)].reshape(-1, 3).astype(int)
        assert (inside[:, 0] > inside[:, 1] + 60).any()

    def test_the_same_bytes_each_time(self) -> None:
        assert render_png_view(crowd(40), (100, 50, 130, 80)) == render_png_view(crowd(40), (100, 50, 130, 80))

    def test_base64_of_a_png(self) -> None:
        assert pixels(base64.b64decode(render_png_view(SEED_BOARD, (100, 45, 110, 55)))).shape == (512, 512, 3)

    def test_a_context_has_the_view_and_the_picture(self) -> None:
        found = get_visual_context(SEED_BOARD, ["U1", "C1"], padding=1.5)
        assert found.view.gaps[0].distance == 1.0
        assert (pixels(found.png) == self.image).all()

    def test_drawings(self) -> None:
        layout = Layout((Item("sun", "sun", box(0.6, 0.1, 0.9, 0.4)), Item("hat", "hat", box(0.1, 0.6, 0.3, 0.8))))
        window = region(layout, (0.0, 0.0, 1.0, 1.0))
        image = pixels(picture_of(window, view_of(window)))
        assert min(at(image, window, 0.65, 0.35)) > 20
        assert at(image, window, 0.45, 0.55) == (0, 0, 0)

    @pytest.mark.parametrize("side", [0.05, 0.5, 3.0, 40.0, 900.0])
    def test_windows_of_any_size(self, side: float) -> None:
        window = region(crowd(30), (110.0, 60.0, 110.0 + side, 60.0 + side / 3))
        assert pixels(picture_of(window, view_of(window))).shape == (512, 512, 3)

    def test_names_cannot_break_the_picture(self) -> None:
        image, _ = shot(board(chip('</text><script>&"\x00\ud800', 20, 20, 6, 6)), '</text><script>&"\x00\ud800')
        assert image.max() == 255


class TestGrid:
    @pytest.mark.parametrize(("side", "step"), [(2.0, 1.0), (30.0, 1.0), (60.0, 1.0), (100.0, 2.0), (300.0, 5.0)])
    def test_is_coarser_only_on_large_windows(self, side: float, step: float) -> None:
        frame = Frame(unit="mm")
        assert grid_step(canvas_of((0, 0, side, side), frame), frame) == step


class TestLabels:
    @pytest.mark.parametrize("count", [5, 30, 120])
    def test_no_two_meet_and_none_covers_an_arrow(self, count: int) -> None:
        layout = crowd(count)
        window = around(layout, [layout.items[0].name, layout.items[1].name], 2.0)
        canvas = canvas_of(window.bounds, layout.frame)
        gaps = dimensions_of(window, view_of(window), canvas)
        placed = labels_of(window, gaps, canvas)
        assert placed
        assert not [(a, b) for a, b in combinations(placed, 2) if meet(a.box, b.box)]
        names = placed[len([p for p in placed if p.label.text.endswith("mm")]) :]
        assert not [p for p in names for gap in gaps for b in gap.boxes if meet(p.box, b)]

    def test_none_covers_what_it_names(self) -> None:
        layout = board(two_pads("C1", 20, 20), round_part("H1", 30, 20, 3))
        window = around(layout, ["C1", "H1"], 3.0)
        canvas = canvas_of(window.bounds, layout.frame)
        for placed in labels_of(window, [], canvas):
            box_of = canvas.box(layout.bounds(placed.label.text))
            assert placed.inside or not meet(placed.box, box_of)
            assert not [hole for hole in placed.label.holes if meet(placed.box, hole)]

    @settings(max_examples=60)
    @given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 30)), max_size=25))
    def test_places_keep_clear_of_each_other_and_within_the_field(self, things: list[tuple[int, int, int]]) -> None:
        field = (0.0, 0.0, 100.0, 100.0)
        labels = [Label(f"L{i}", 12.0, 6.0, (x, y, x + s, y + s), must=i == 0) for i, (x, y, s) in enumerate(things)]
        boxes = [placed.box for placed in place(labels, field, [(40, 40, 60, 60)], [lab.named for lab in labels])]
        assert all(b[0] >= 0 and b[1] >= 0 and b[2] <= 100 and b[3] <= 100 for b in boxes)
        assert not any(meet(a, b) for a, b in combinations([*boxes, (40, 40, 60, 60)], 2))

    def test_a_label_without_room_is_left_out(self) -> None:
        assert place([Label("L", 50, 50, (0, 0, 10, 10))], (0, 0, 20, 20), [], []) == []

    def test_one_beside_its_thing_has_no_leader_and_one_further_away_has(self) -> None:
        wall = (0.0, 0.0, 100.0, 46.0), (0.0, 54.0, 100.0, 100.0), (38.0, 0.0, 46.0, 100.0), (54.0, 0.0, 62.0, 100.0)
        label = Label("L", 20, 4, (46, 46, 54, 54))
        (free,) = place([label], (0, 0, 100, 100), [], [])
        (led,) = place([label], (0, 0, 100, 100), wall, [])
        assert free.leader is None
        assert led.leader is not None


class TestWhatLiesUnderAPart:
    def test_a_drawing_does_not_paint_the_picture(self) -> None:
        logo = replace(chip("LOGO", 20, 20, 30, 30), claims=False)
        image, window = shot(board(logo, chip("U1", 20, 20, 4, 4)), "U1")
        assert max(at(image, window, 23.3, 23.3)) < 30

    @pytest.mark.parametrize(
        ("layer", "strong"), [("F.Cu", 0), ("B.Cu", 2)], ids=["red on the front", "blue on the back"]
    )
    def test_tracks_are_seen_in_the_color_of_their_layer(self, layer: str, strong: int) -> None:
        track = Fixture("track", box(15, 20.1, 25, 20.5), layer, "SDA", ((15, 20.3), (25, 20.3)))

        def within(window: Bounds) -> list[Fixture]:
            return [track]

        layout = replace(board(chip("U1", 20, 20, 4, 4)), fixtures=within)
        image, window = shot(layout, "U1")
        pixel = at(image, window, 20.55, 20.3)
        assert pixel[strong] == max(pixel) > 100
        assert layer in svg_of(window, view_of(window))  # the legend

    def test_airwires_locks_and_the_legend(self) -> None:
        parts = two_pads("C1", 20, 20, ("VCC", "GND")), two_pads("C2", 26, 22, ("VCC", ""))
        window = around(board(*parts, locked=["C2"]), ["C1"], 5.0)
        drawn = svg_of(window, view_of(window))
        assert 'stroke="#c792ea" stroke-width="0.8"' in drawn
        words = ("asked for", "front", "gap", "airwire", "locked", "pin 1", "1 square = 1 mm")
        assert [word for word in words if f">{word}<" not in drawn] == []
        assert ">keep-out<" not in drawn

    def test_a_narrow_gap_is_drawn_beside_small_parts(self) -> None:
        layout = board(two_pads("C1", 20, 20), two_pads("C2", 22.6, 20))
        window = around(layout, ["C1", "C2"], 5.0)
        canvas = canvas_of(window.bounds, layout.frame)
        (gap, *_) = dimensions_of(window, view_of(window), canvas)
        boxes = [canvas.box(layout.bounds(name)) for name in ("C1", "C2")]
        assert gap.extensions
        assert not [b for b in gap.boxes for thing in boxes if meet(b, thing)]
