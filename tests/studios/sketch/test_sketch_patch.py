"""Edits and moves: what they name changes exactly, and nothing else does."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry
from sketches import drawing_of, house, kinds

from redraft.errors import ExecutionError
from redraft.layout.items import Matrix, Move
from redraft.result import Mismatch
from redraft.studios.sketch.geometry import layout_of, nonzero, painted, subpaths_of
from redraft.studios.sketch.patch import Patch, PatchError, amended, apply, draw
from redraft.studios.sketch.spec import Draft, Drawing, Stroke
from redraft.studios.sketch.strokes import Ellipse, Rect, Text
from redraft.studios.sketch.transform import transformed


def patched(base: Drawing | None = None, **fields: Any) -> Drawing:
    return apply(base or house(), Patch.model_validate_json(json.dumps(fields)))


def strokes_of(drawing: Drawing) -> dict[str, list[Stroke]]:
    found: dict[str, list[Stroke]] = {}
    for stroke in drawing.strokes:
        found.setdefault(stroke.part, []).append(stroke)
    return found


def untouched(before: Drawing, after: Drawing, *but: str) -> None:
    """All strokes of other parts are the same objects, in the same order."""
    old = [s for s in before.strokes if s.part not in but]
    new = [s for s in after.strokes if s.part not in but]
    assert len(old) == len(new)
    assert all(a is b for a, b in zip(old, new, strict=True))


def test_restyle_colours_what_is_filled_and_nothing_else() -> None:
    base = house()
    red = patched(base, restyle=[{"part": "roof", "fill": "red"}])
    assert strokes_of(red)["roof"][0].fill == "#ff0000"
    untouched(base, red, "roof")
    lines = patched(base, restyle=[{"part": "tree", "stroke": "black", "width": 0.01, "children": True}])
    assert (strokes_of(lines)["tree"][0].stroke, strokes_of(lines)["tree"][0].width) == ("#000000", 0.01)
    untouched(base, lines, "tree")  # the crown has no pen to change


def test_restyle_of_a_whole_takes_its_parts_along() -> None:
    grey = strokes_of(patched(restyle=[{"part": "house", "fill": "gray", "children": True}]))
    assert {grey[name][0].fill for name in ("house", "roof", "door", "knob")} == {"#808080"}
    assert grey["ground"][0].fill != "#808080"


def test_restyle_that_would_hide_a_part_or_change_nothing_is_refused() -> None:
    with pytest.raises(PatchError, match="paints nothing"):
        patched(restyle=[{"part": "roof", "fill": "none"}])
    with pytest.raises(PatchError, match="painted so already"):
        patched(restyle=[{"part": "roof", "fill": "#B5432E"}])


def test_move_takes_parts_along_exactly() -> None:
    base = house()
    after = patched(base, move=[{"part": "house", "dx": -0.1, "dy": 0.05}])
    old, new = layout_of(base), layout_of(after)
    for name in ("house", "roof", "door", "knob"):
        wanted = [v + d for v, d in zip(old[name].shape.bounds, (-0.1, 0.05, -0.1, 0.05), strict=True)]
        assert new[name].shape.bounds == pytest.approx(wanted, abs=1e-9)
    untouched(base, after, "house", "roof", "door", "knob")


def test_scale_is_about_an_anchor_of_the_whole_and_keeps_pens() -> None:
    base = house()
    after = patched(base, scale=[{"part": "house", "factor": 2, "about": "bottom"}])
    old, new = layout_of(base).bounds("house"), layout_of(after).bounds("house")
    assert (new[0] + new[2]) / 2 == pytest.approx((old[0] + old[2]) / 2, abs=1e-6)
    assert new[2] - new[0] == pytest.approx(2 * (old[2] - old[0]), abs=1e-6)
    assert strokes_of(after)["house"][0].width == strokes_of(base)["house"][0].width


def test_remove_takes_parts_along_and_empty_groups_with_them() -> None:
    after = patched(remove=["house"])
    assert [p.name for p in after.plan] == ["ground", "tree", "crown"]
    grouped = drawing_of(
        {
            "plan": [{"name": "g", "label": "g"}, {"name": "a", "label": "a", "parent": "g"}],
            "strokes": [{"part": "a", "kind": "rect", "x": 0, "y": 0, "w": 1, "h": 1, "fill": "red"}],
        }
    )
    assert patched(grouped, remove=["a"]) == Drawing()


def test_redraw_keeps_the_place_in_the_painting_order() -> None:
    base = house()
    new = {"part": "roof", "kind": "polyline", "points": [[0.5, 0.5], [0.6, 0.3], [0.8, 0.5]], "fill": "black"}
    after = patched(base, redraw=["roof"], strokes=[new, {**new, "fill": "red"}])
    assert [s.part for s in after.strokes] == ["ground", "house", "roof", "roof", "door", "knob", "tree", "crown"]
    untouched(base, after, "roof")


def test_new_parts_are_painted_on_top() -> None:
    after = patched(
        plan=[{"name": "sun", "label": "sun"}],
        strokes=[{"part": "sun", "kind": "ellipse", "cx": 0.8, "cy": 0.1, "rx": 0.05, "ry": 0.05, "fill": "gold"}],
    )
    assert after.strokes[-1].part == "sun"
    untouched(house(), drawing_of(json.loads(house().source)), *[p.name for p in house().plan])


def test_a_new_part_may_take_a_removed_name() -> None:
    after = patched(
        remove=["tree"],
        plan=[{"name": "tree", "label": "tree"}],
        strokes=[{"part": "tree", "kind": "rect", "x": 0.1, "y": 0.5, "w": 0.1, "h": 0.3, "fill": "green"}],
    )
    assert [p.name for p in after.plan][-1] == "tree"


MATRICES: list[Matrix] = [
    (1, 0, 0, 1, 0.1, -0.05),
    (0.5, 0, 0, 0.5, 0.2, 0.2),
    (0.5, 0, 0, 0.8, 0.1, 0.1),
    (-1, 0, 0, 1, 1, 0),
    (1, 0, 0, -0.5, 0, 0.9),
    (0.6, 0.3, -0.3, 0.6, 0.3, 0.1),
]


def fill_of(stroke: Stroke) -> BaseGeometry:
    assert not isinstance(stroke, Text)
    return nonzero([run.points for run in subpaths_of(stroke)])


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("index", range(11))
def test_a_transformed_stroke_encloses_the_transformed_area(index: int, matrix: Matrix) -> None:
    stroke = kinds().strokes[index]
    a, b, c, d, e, f = matrix
    wanted = affine_transform(fill_of(stroke), [a, c, b, d, e, f])
    found = fill_of(transformed(stroke, matrix))
    assert found.symmetric_difference(wanted).area < 4e-4
    assert found.bounds == pytest.approx(wanted.bounds, abs=3e-4) or wanted.is_empty
    assert transformed(stroke, matrix).width == stroke.width


def test_boxes_and_ellipses_stay_what_they_are_on_the_axes() -> None:
    for matrix in MATRICES[:5]:
        assert isinstance(transformed(kinds().strokes[5], matrix), Rect)
        assert isinstance(transformed(kinds().strokes[7], matrix), Ellipse)


def test_text_keeps_upright() -> None:
    text = kinds().strokes[11]
    assert isinstance(text, Text)
    turned = transformed(text, MATRICES[5])
    assert isinstance(turned, Text)
    assert turned.size == pytest.approx(text.size * math.sqrt(0.45), abs=1e-6)


@given(
    st.integers(0, 11),
    st.floats(-0.5, 0.5).map(lambda v: round(v, 6)),
    st.floats(-0.5, 0.5).map(lambda v: round(v, 6)),
)
@settings(max_examples=80, deadline=None)
def test_a_shift_and_its_opposite_are_the_identity_on_the_quantum(index: int, dx: float, dy: float) -> None:
    base = kinds()
    name = f"part_{index}"
    there = amended(base, [Move.shift(name, dx, dy)])
    back = amended(there, [Move.shift(name, -dx, -dy)])
    untouched(base, back, name)
    assert painted(back.strokes[index]).bounds == pytest.approx(painted(base.strokes[index]).bounds, abs=3e-6)
    moved = [v + d for v, d in zip(painted(base.strokes[index]).bounds, (dx, dy, dx, dy), strict=True)]
    assert painted(there.strokes[index]).bounds == pytest.approx(moved, abs=3e-6)


def test_moves_follow_one_another_and_agree_with_the_layout() -> None:
    base = house()
    moves = [Move.shift("house", -0.1, 0), Move.scale("door", 1.5, 1.5, (0.55, 0.8)), Move.shift("house", 0, 0.02)]
    wanted, found = layout_of(base).moved(tuple(moves)), layout_of(amended(base, moves))
    for name in ("roof", "door", "knob", "tree"):
        assert found[name].shape.bounds == pytest.approx(wanted[name].shape.bounds, abs=2e-5)


def test_a_move_off_the_paper_is_refused() -> None:
    with pytest.raises(PatchError, match=r"strokes\[1\] \(rect, part 'house'\)"):
        amended(house(), [Move.shift("house", 5, 0)])
    with pytest.raises(PatchError, match="there is no part 'castle'"):
        amended(house(), [Move.shift("castle", 0.1, 0)])


def test_a_part_whose_strokes_enclose_nothing_is_an_execution_error() -> None:
    flat = {"part": "a", "kind": "polyline", "points": [[0.1, 0.1], [0.5, 0.5], [0.3, 0.3]], "fill": "red"}
    draft = Draft.model_validate_json(json.dumps({"plan": [{"name": "a", "label": "a"}], "strokes": [flat]}))
    with pytest.raises(ExecutionError, match="Part 'a' paints nothing"):
        draw(draft, None)


def test_a_draft_replaces_everything_and_a_patch_needs_its_base() -> None:
    draft = Draft(approach="", plan=house().plan, strokes=house().strokes)
    assert draw(draft, kinds()) == house()
    with pytest.raises(ExecutionError, match=r"its parts are \(none\)"):
        draw(Patch(remove=("roof",)), None)


def test_limits_hold_for_patches_too() -> None:
    with pytest.raises(ValidationError):
        Patch.model_validate_json(json.dumps({"move": [{"part": "roof", "dx": 3, "dy": 0}]}))


def test_a_patch_withdraws_a_statement_and_no_patch_upholds_one() -> None:
    two: JsonValue = {"id": "r1", "kind": "count", "parts": ["door"], "number": 2}
    inn: JsonValue = {"id": "r2", "kind": "text", "text": "Inn"}
    base = house().model_copy(update={"requirements": (two, inn)})
    answers = (
        Mismatch(id="r1", wrong="statement", reason="one door"),
        Mismatch(id="r2", wrong="drawing"),
        Mismatch(id="r9", wrong="statement"),
    )
    after = draw(Patch(mismatches=answers), base)
    assert after.requirements == ({**two, "judged": "withdrawn", "reason": "one door"}, inn)
    assert after.strokes == base.strokes
