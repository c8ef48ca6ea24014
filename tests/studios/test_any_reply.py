"""Whatever a model answers, a studio reads it or refuses it in its own words, and soon."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sketches import house

from redraft.errors import RedraftError
from redraft.studios.board import spec as board
from redraft.studios.image import parse as image
from redraft.studios.scene import parse as scene
from redraft.studios.shader import parse as shader
from redraft.studios.sketch import parse as sketch
from redraft.studios.sketch.patch import draw

MILLION = 1_000_000


def _drawn(kind: Any, text: str, *, strict: bool = False) -> object:
    base = None if kind == "draft" else house()
    return draw(sketch.parse(kind, text, base, strict=strict), base)


PARSERS: dict[str, Callable[[str], object]] = {
    "sketch draft": lambda text: _drawn("draft", text),
    "sketch edit": lambda text: _drawn("edit", text),
    "sketch repair": lambda text: _drawn("repair", text, strict=True),
    "board": board.parse,
    "image": image.parse,
    "shader": shader.parse,
    "shader edit": lambda text: shader.parse(text, "void main() {}\n"),
    "scene": scene.parse,
    "scene edit": lambda text: scene.parse(text, "import bpy\n"),
}
studios = pytest.mark.parametrize("name", PARSERS)


def read(name: str, text: str) -> None:
    """A result or an error of redraft's own, of bounded length and within seconds of processor time."""
    began, said = time.process_time(), "a result"
    try:
        assert PARSERS[name](text) is not None
    except RedraftError as error:
        said = str(error)
    assert 0 < len(said) < 3_000
    assert time.process_time() - began < 4


NUMBERS = st.sampled_from(
    ["NaN", "Infinity", "-Infinity", "1e308", "-1e308", "1e400", "5e-324", "-0.0", "9" * 5_000, "1" + "0" * 400, "null"]
) | st.floats().map(json.dumps)
TEMPLATES = st.sampled_from(
    [
        *(
            '{"plan": [{"name": "sun", "label": "sun", "parent": null}], "strokes": [{"part": "sun", "kind": "rect", '
            f'"x": 0.1, "y": 0.1, "w": 0.2, "h": 0.2, "fill": "#ffffff", "{field}": @}}]}}'
            for field in ("x", "w", "width", "layer", "fill", "points", "d", "part", "rotation")
        ),
        '{"move": [{"part": "tree", "dx": @, "dy": @}]}',
        '{"scale": [{"part": "tree", "factor": @}]}',
        '{"actions": [{"action": "place_relative", "ref": "C1", "target": "U1", "side": "right", "clearance": @}]}',
        '{"actions": [{"action": "place_component", "ref": "C1", "x": @, "y": @}]}',
        '{"actions": [{"action": "distribute", "refs": ["R1", "R2"], "spacing": @}]}',
        '{"requirements": [{"kind": "count", "parts": ["sun"], "number": @}], "mismatches": [{"id": @}], "changes": @}',
    ]
)
PROGRAM = "\n```python\nimport bpy\n```\n```glsl\nvoid main() {}\n```"


@studios
@settings(max_examples=40, deadline=None)
@given(template=TEMPLATES, number=NUMBERS, beside=st.sampled_from(["", PROGRAM]))
def test_any_number_in_any_place(name: str, template: str, number: str, beside: str) -> None:
    read(name, f"```json\n{template.replace('@', number)}\n```{beside}")


@studios
@settings(max_examples=40, deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(
            ["```", "```json\n", "```glsl\n", "```python\n", "```edit\n", "\n", '{"strokes": [', '{"actions": [', "{",
             "]", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "APPROACH: ", "void main() {", "import bpy\n",
             "#", "//", '"mismatches"', "\ud800", "\x00", "\u202e"]
        )
        | st.text(max_size=20),
        max_size=25,
    )
)  # fmt: skip
def test_any_pieces_of_replies(name: str, pieces: list[str]) -> None:
    read(name, "".join(pieces))


DEEP = {
    "brackets": "[" * MILLION,
    "lists": '{"plan":' + "[" * 100_000 + "]" * 100_000 + "}",
    "objects": '{"plan":' * 100_000 + "1" + "}" * 100_000,
    "a script": "```python\nimport bpy\nx = " + "(" * 100_000 + ")" * 100_000 + "\n```",
    "a shader": "```glsl\nvoid main() {" + "{" * 100_000 + "}" * 100_000 + "}\n```",
}
LONG = {repr(piece): piece * (MILLION // len(piece)) for piece in
        ("a", " ", "\n", "`", "\"", "\\", "😀", "-\n", "//\n", "#\n", "/*", "<<<<<<< ", "```json\n", "```\n",
         "the cat, ", "APPROACH:\n", "<<<<<<< SEARCH\n", "=======\n")}  # fmt: skip
LONG["an edit"] = "<<<<<<< SEARCH\n" + "=======\n" * 125_000


@pytest.mark.slow
@studios
@pytest.mark.parametrize("text", [*DEEP.values(), *LONG.values()], ids=[*DEEP, *LONG])
def test_deep_and_long_replies(name: str, text: str) -> None:
    read(name, text)
