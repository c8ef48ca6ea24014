"""Replies: what is taken, and what E2 says of the rest."""

from __future__ import annotations

import json
import math
import time
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sketches import HOUSE, drawing_of, house, reply_of

from redraft.errors import FormatError
from redraft.models.replies import MAX_REPLY
from redraft.studios.sketch.memory import as_json
from redraft.studios.sketch.parse import drawing_from, parse
from redraft.studios.sketch.patch import Patch, draw
from redraft.studios.sketch.spec import Draft, Drawing

TEXT = json.dumps(HOUSE)


def refused(text: str, kind: Any = "draft", base: Drawing | None = None, *, strict: bool = False) -> str:
    with pytest.raises(FormatError) as caught:
        parse(kind, text, base, strict=strict)
    message = str(caught.value)
    assert len(message) < 4000
    return message


def other(**fields: Any) -> str:
    """A different house: its fourth stroke with other fields."""
    data = deepcopy(HOUSE)
    data["strokes"][3].update(fields)
    return json.dumps(data)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "\ufeff" + TEXT,
        f"  \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"~~~json\n{TEXT}\n~~~",
        f"\ufeffI drew it.\r\n\r\n```json\r\n{TEXT}\r\n```\r\nEnjoy!",
        f"```json\n{TEXT}\n```\nAgain:\n```json\n{TEXT}\n```",
        f"First a note:\n```\nsky: 0 to 0.8\n```\n```json\n{TEXT}\n```\n```python\nprint(1)\n```",
        reply_of(HOUSE),
    ],
    ids=["bare", "bom", "space", "fence", "plain-fence", "tildes", "prose-crlf", "twice", "other-fences", "pretty"],
)
def test_one_drawing_is_found(text: str) -> None:
    draft = parse("draft", text, None)
    assert isinstance(draft, Draft)
    assert draft.drawing == house()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("   \n", "is empty"),
        ("I am sorry, I cannot draw.", "holds no JSON: it begins 'I am sorry"),
        (f"```json\n{TEXT}", "never closes it"),
        (f"```json\n{TEXT[:200]}", "never closes it"),
        (f"Look:\n{TEXT}", "no ```json block"),
        ("```json\n```", "JSON is broken"),
        ("```json\n[1, 2]\n```", "is not an object"),
        ("{'plan': []}", "line 1, column 2"),
        (TEXT[:-3], "is broken"),
        (TEXT + "\n{}", "Extra data"),
        ('{"plan": [], "plan": []}', "the field 'plan' twice"),
        ('{"plan": [], "strokes": [{"x": NaN}]}', "holds NaN"),
        ('{"plan": [], "strokes": [{"x": -Infinity}]}', "holds -Infinity"),
        ('{"plan": [], "strokes": [{"x": 1e999}]}', "1e999, which is too large"),
        ('{"plan": [], "strokes": [{"x": ' + "9" * 5000 + "}]}", "too large"),
        ('{"a":' * 50_000, "nested more than"),
        ('{"a": ' + "[" * 50_000, "nested more than"),
        ('{"plan": "\\ud800", "strokes": []}', "surrogate"),
    ],
)
def test_broken_replies_say_what_is_wrong(text: str, words: str) -> None:
    assert words in refused(text)


def test_five_different_fences_are_counted() -> None:
    five = "\n".join(f"```json\n{other(x=0.6 + i / 100)}\n```" for i in range(5))
    assert "5 fenced blocks, and 5 of them are different drawings" in refused(five)
    none = "\n".join(f"```\n{i}\n```" for i in range(5))
    assert "5 fenced blocks, and none of them is a drawing" in refused(none)


def test_ten_megabytes_are_refused_unread_and_at_once() -> None:
    text = '{"plan":[' + '"x",' * 2_500_000
    start = time.process_time()
    assert f"10,000,009 bytes; at most {MAX_REPLY:,}" in refused(text)
    assert time.process_time() - start < 0.5


@pytest.mark.slow
def test_two_megabytes_of_nonsense_take_seconds_at_most() -> None:
    start = time.process_time()
    refused('{"plan":[], "strokes":[' + "[]," * 600_000 + "[]]}")
    refused('"' * 1_900_000)
    refused("```" * 600_000)
    refused("{" + '"' + "\\" * 1_900_000)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"w": "0.06"}, "strokes[3] (rect, part 'door'), field w: found the text '0.06'; allowed is a number"),
        ({"w": 7}, "strokes[3] (rect, part 'door'), field w: found 7; allowed is above 0 to 3"),
        ({"x": 5}, "field x: found 5; allowed is from -1 to 2"),
        ({"x": None}, "field x: found null"),
        ({"color": "red"}, "field color: there is no such field (found the text 'red'); perhaps stroke is meant"),
        ({"fill": "brwon"}, "field fill: 'brwon' is not a color (perhaps brown"),
        ({"kind": "circle"}, "its kind is 'circle'; allowed are line, polyline, path, rect, ellipse, arc, text"),
        ({"kind": "ellipse"}, "field cx: it is missing; needed are part, kind, cx, cy, rx, ry"),
        ({"kind": "line", "points": [[0, 0], [1, 9]]}, "field points[1][1]: found 9; allowed is -1 to 2"),
        ({"part": "gate"}, "strokes[3] (rect): part 'gate' is not in the plan; its parts are ground, house"),
        ({"fill": "none"}, "it paints nothing: fill is none and the pen is none"),
    ],
)
def test_a_bad_stroke_is_named_with_its_field_and_what_is_allowed(fields: dict[str, Any], words: str) -> None:
    assert words in refused(other(**fields))


def test_bad_path_data_is_named_with_its_place() -> None:
    data = deepcopy(HOUSE)
    data["strokes"][2]["d"] = "M 0 0 L x"
    message = refused(json.dumps(data))
    assert "strokes[2] (path, part 'roof')" in message
    assert "found 'x'; expected number 1 of the 2 that L takes" in message


def test_other_faults_of_the_schema() -> None:
    assert "strokes: it is missing; needed are plan, strokes" in refused('{"plan": []}')
    assert "found an object; allowed is a list" in refused('{"plan": [], "strokes": {}}')
    assert "strokes[0]: found the text 'x'; allowed is an object" in refused(
        '{"plan": [{"name": "a", "label": "a"}], "strokes": ["x"]}'
    )
    assert "plan[0] ('my sky'), field name: found the text 'my sky'; allowed are letters" in refused(
        '{"plan": [{"name": "my sky", "label": "sky"}], "strokes": []}'
    )


def test_many_faults_are_counted_and_a_few_are_shown() -> None:
    data = deepcopy(HOUSE)
    data["strokes"] = [{**s, "layer": "top"} for s in data["strokes"] * 3]
    message = refused(json.dumps(data))
    assert message.startswith("The JSON is not a drawing: 21 errors.")
    assert message.endswith("… and 13 more of the kind.")
    assert len(message.splitlines()) == 10


EAR = {"kind": "ellipse", "cx": 0.5, "rx": 0.06, "ry": 0.1, "fill": "tan"}


def test_strokes_alone_are_a_drawing_from_the_parts_they_name() -> None:
    drawing = drawing_from([{"part": "tall_ear_1", "cy": 0.3, **EAR}, {"part": "left", "cy": 0.6, **EAR}])
    assert [(p.name, p.label, p.parent) for p in drawing.plan] == [
        ("tall_ear_1", "tall ear", None),
        ("left", "left", None),
    ]
    assert drawing_from({"strokes": drawing.strokes}) == drawing_from(drawing.strokes) == drawing
    assert drawing_from(drawing) is drawing
    assert drawing_from([]) == Drawing()


def test_the_file_of_a_drawing_is_a_drawing() -> None:
    plan = [{"name": "cat", "label": "cat"}, {"name": "ear", "label": "ear", "parent": "cat"}]
    drawing = drawing_from({"plan": plan, "strokes": [{"part": "ear", "cy": 0.3, **EAR}]})
    assert drawing.plan[1].parent == "cat"
    assert drawing_from(json.loads(as_json(drawing))) == drawing


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (3, r"The drawing is 3; expected is a list of strokes, or an object with plan and strokes\."),
        (None, "The drawing is null; expected"),
        ("strokes", "The drawing is the text 'strokes'; expected"),
        ([3], r"strokes\[0\]: found 3; allowed is an object"),
        ([{"cy": 0.3, **EAR}], r"strokes\[0\] \(ellipse\), field part: it is missing"),
        ([{"part": "ear", "cy": "0.3", **EAR}], r"field cy: found the text '0\.3'; allowed is a number"),
        ([{"part": "ear", "cy": math.nan, **EAR}], "field cy: found nan; allowed is a finite number"),
        ([{"part": "ear", "cy": object(), **EAR}], "The strokes are not plain data"),
        ({"stroke": []}, "stroke: there is no such field"),
        ({"strokes": 3}, "strokes: found 3; allowed is a list"),
    ],
)
def test_what_is_not_a_drawing_says_where(data: object, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        drawing_from(data)


def test_too_many_strokes_are_counted_before_they_are_read() -> None:
    data = {**HOUSE, "strokes": HOUSE["strokes"] * 300}
    assert "strokes: there are 2,100; at most 2,000" in refused(json.dumps(data))


def test_an_edit_is_a_patch_and_a_draft_on_a_blank_canvas() -> None:
    patch = parse("edit", '{"approach": "red", "restyle": [{"part": "roof", "fill": "red"}]}', house())
    assert isinstance(patch, Patch)
    assert isinstance(parse("edit", TEXT, None), Draft)
    assert isinstance(parse("edit", TEXT, Drawing()), Draft)


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (HOUSE, "part 'ground' is in the drawing already; plan lists new parts only"),
        ({"remove": ["rof"]}, "remove: there is no part 'rof'"),
        ({"restyle": [{"part": "gate", "fill": "red"}]}, "restyle[0]: there is no part 'gate'"),
        ({"restyle": [{"part": "roof", "fill": "rd"}]}, "restyle[0] (part 'roof'), field fill: 'rd' is not a color"),
        ({"move": [{"part": "roof", "dx": 2, "dy": 2}]}, "strokes[2] (path, part 'roof')"),
        ({"scale": [{"part": "roof", "factor": 0}]}, "field factor: found 0; allowed is from 0.02 to 50"),
        ({"scale": [{"part": "roof", "factor": 2, "about": "middle"}]}, "allowed is 'center'"),
        ({"strokes": HOUSE["strokes"][:1]}, "part 'ground' is neither new (in plan) nor in redraw"),
        ({"redraw": ["roof"], "move": [{"part": "roof", "dx": 0.1, "dy": 0}]}, "part 'roof' has no new stroke"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(patch: dict[str, Any], words: str) -> None:
    assert words in refused(json.dumps(patch), "edit", house())


def test_an_edit_or_a_repair_may_change_nothing() -> None:
    answer = json.dumps({"mismatches": [{"id": "r1", "wrong": "statement"}]})
    for kind in ("edit", "repair"):
        patch = parse(kind, answer, house())
        assert [mismatch.id for mismatch in patch.mismatches] == ["r1"]
        assert draw(patch, house()) == house()


def test_a_strict_repair_keeps_the_plan() -> None:
    moved = deepcopy(HOUSE)
    moved["strokes"][3]["x"] = 0.6
    moved["plan"].reverse()
    draft = parse("repair", json.dumps(moved), house(), strict=True)
    assert isinstance(draft, Draft)
    assert draft.plan == house().plan


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("label", "hat", "part 'roof' has the label 'hat', which was 'roof'"),
        ("parent", None, "part 'roof' has the parent None, which was 'house'"),
    ],
)
def test_a_strict_repair_that_changes_the_plan_is_refused(field: str, value: str | None, words: str) -> None:
    data = deepcopy(HOUSE)
    data["plan"][2][field] = value
    assert words in refused(json.dumps(data), "repair", house(), strict=True)
    assert isinstance(parse("repair", json.dumps(data), house()), Draft)


def test_a_strict_repair_that_drops_or_adds_parts_is_refused() -> None:
    data = deepcopy(HOUSE)
    data["plan"] = [{**p, "name": "lawn"} if p["name"] == "ground" else p for p in data["plan"]]
    data["strokes"][0]["part"] = "lawn"
    message = refused(json.dumps(data), "repair", house(), strict=True)
    assert "part 'ground' is missing; part 'lawn' is new" in message


def test_a_repair_may_add_and_remove_parts() -> None:
    hill = {"part": "hill", "kind": "ellipse", "cx": 0.5, "cy": 0.8, "rx": 0.5, "ry": 0.3, "fill": "#8bc34a"}
    plan = [{"name": "hill", "label": "hill", "parent": None}]
    change = json.dumps({"remove": ["tree"], "plan": plan, "strokes": [hill]})
    assert isinstance(parse("repair", change, house()), Patch)
    assert "it removes 'tree'" in refused(change, "repair", house(), strict=True)
    assert "it adds 'hill'" in refused(json.dumps({"plan": plan, "strokes": [hill]}), "repair", house(), strict=True)


@pytest.mark.parametrize("garbage", [None, 7, "three books", {"kind": "count"}, [[]], ["\ud800"], [{"kind": 3}] * 1000])
@pytest.mark.parametrize("field", ["requirements", "mismatches", "changes"])
def test_faulty_statements_and_answers_cost_no_drawing(field: str, garbage: Any) -> None:
    drawn = draw(parse("draft", json.dumps({**HOUSE, "requirements": garbage}), None), None)
    assert drawn.strokes == house().strokes
    assert len(drawn.requirements) <= 200
    assert json.dumps([*drawn.requirements], ensure_ascii=False).encode()
    moved = {"move": [{"part": "tree", "dx": 0.1, "dy": 0}], field: garbage}
    assert draw(parse("edit", json.dumps(moved), house()), house()).strokes != house().strokes


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from([*HOUSE["strokes"]]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["plan", "strokes", "part", "kind", "points", "d", "x", "name", "label", "parent", "move"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)
kinds_of_request = st.sampled_from(["draft", "edit", "repair"])


def outcome(kind: Any, text: str) -> Draft | Patch | str:
    """The draft, or what E2 says; any other exception fails the test."""
    try:
        return parse(kind, text, house())
    except FormatError as error:
        return str(error)


@given(kinds_of_request, st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_or_refused(kind: Any, text: str) -> None:
    assert outcome(kind, text)


@pytest.mark.slow
@given(kinds_of_request, st.dictionaries(st.sampled_from([*Patch.model_fields]), json_values))
@example("repair", {"plan": [{"name": []}]})
@settings(max_examples=100, deadline=None)
def test_any_json_is_read_or_refused(kind: Any, data: dict[str, Any]) -> None:
    assert outcome(kind, f"```json\n{json.dumps(data)}\n```")


@pytest.mark.slow
@given(st.integers(0, 6), st.sampled_from(["kind", "x", "fill", "points", "d", "width", "layer", "part"]), json_values)
@settings(max_examples=100, deadline=None)
def test_any_value_in_any_field_is_read_or_refused(index: int, field: str, value: Any) -> None:
    data = deepcopy(HOUSE)
    data["strokes"][index][field] = value
    draft = outcome("draft", json.dumps(data))
    if isinstance(draft, Draft):
        assert drawing_of(json.loads(draft.drawing.source)) == draft.drawing
