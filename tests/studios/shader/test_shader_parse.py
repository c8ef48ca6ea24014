"""Replies that hold a shader, and those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shaders import RINGS, reply_of

from redraft.errors import FormatError
from redraft.studios.shader.parse import as_reply, parse
from redraft.studios.shader.spec import MAX_LINES, Draft


def test_approach_and_code() -> None:
    assert parse(reply_of()) == Draft(approach="rings of light", code=RINGS)


@pytest.mark.parametrize("word", ["", "glsl", "GLSL", "frag", "c", "glsl shader.frag", "{.glsl}", " glsl title=rings"])
def test_any_word_after_the_fence(word: str) -> None:
    assert parse(f"```{word}\n{RINGS}\n```").code == RINGS


@pytest.mark.parametrize(
    ("before", "approach"),
    [
        ("APPROACH: rings", "rings"),
        ("**Approach:** rings", "rings"),
        ("approach : rings", "rings"),
        ("Here are rings.\nMore of it.", "Here are rings."),
        ("", ""),
        ("Approach: " + "x" * 999, "x" * 299 + "…"),
    ],
)
def test_the_approach_is_the_replys_own_line(before: str, approach: str) -> None:
    assert parse(f"{before}\n```glsl\n{RINGS}\n```").approach == approach


def test_without_prose_a_comment_says_it() -> None:
    assert parse(f"```glsl\n// rings of light\n{RINGS}\n```").approach == "rings of light"


def test_the_first_line_of_code_is_line_1() -> None:
    assert parse(f"```glsl\n\n\n{RINGS}\n\n```").code.splitlines()[0] == "#version 330"


def test_the_same_shader_twice_is_one() -> None:
    assert parse(f"{reply_of()}\nAgain:\n```glsl\n{RINGS}\n```").code == RINGS


def test_a_snippet_beside_the_shader_is_no_shader() -> None:
    assert parse(f"```glsl\nfloat d = length(p);\n```\n{reply_of()}").code == RINGS


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("", "empty"),
        ("I would draw rings.", "no ```glsl block"),
        (RINGS, "no ```glsl block"),
        (f"```glsl\n{RINGS}", "never closes it"),
        (reply_of() + reply_of(RINGS.replace("20.0", "30.0")), "2 different shaders"),
        (reply_of("@fragment\nfn main() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }"), "WGSL"),
        (reply_of("float4 main(float2 uv : TEXCOORD0) : SV_Target { return float4(uv, 0, 1); }"), "HLSL"),
        (reply_of("#include <common>\n" + RINGS), "#include"),
        (reply_of(RINGS.replace("out vec4", "uniform sampler2D iChannel0;\nout vec4")), "texture"),
        (reply_of("float d = 1.0;"), "main"),
        (reply_of(RINGS + "\n// more" * 100_000), f"{MAX_LINES:,}"),
    ],
)
def test_what_is_no_shader_of_the_contract_is_said(reply: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(reply)
    message = str(caught.value)
    assert said.lower() in message.lower()
    assert len(message) < 1_000


def test_forty_thousand_blocks_are_told_apart_at_once() -> None:
    with pytest.raises(FormatError, match="main"):
        parse("```\nfloat a;\n```\n" * 40_000)


def test_mainimage_is_taken() -> None:
    code = "void mainImage(out vec4 c, in vec2 f) { c = vec4(f / iResolution.xy, 0.0, 1.0); }"
    assert parse(reply_of(code)).code == code


@given(st.text(max_size=300))
def test_any_text_is_a_shader_or_e2(text: str) -> None:
    for reply in (text, f"```glsl\n{text}\n```", reply_of(RINGS + text)):
        try:
            parse(reply)
        except FormatError:
            continue


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=60))
def test_a_draft_as_a_reply_comes_back(words: str) -> None:
    draft = Draft(approach=" ".join(words.split()).strip("*_`: ：\ufeff"), code=RINGS)
    assert parse(as_reply(draft)).code == draft.code


EDIT = """APPROACH: finer rings

```edit
<<<<<<< SEARCH
    float d = length(p);
=======
    float d = 2.0 * length(p);
>>>>>>> REPLACE
```
"""
BESIDE = '```json\n{"note": "a still was asked for"}\n```'


def test_a_shader_is_edited_in_places() -> None:
    draft = parse(EDIT, RINGS)
    assert draft == Draft(approach="finer rings", code=RINGS.replace("length(p);", "2.0 * length(p);", 1))
    assert parse(reply_of(), "void main() {}").code == RINGS, "or replaced"


@pytest.mark.parametrize(
    ("reply", "current", "said"),
    [
        (EDIT, None, "no shader to edit yet"),
        (EDIT.replace("length", "size"), RINGS, "fits nowhere"),
        (EDIT, f"{RINGS}\nvoid f(vec2 p) {{\n    float d = length(p);\n}}", "fits 2 times, at the lines 9, 14"),
        (EDIT.replace("=======\n", ""), RINGS, "not complete"),
        (EDIT + reply_of(), RINGS, "a whole shader and edits"),
        (EDIT.replace("2.0 * length", "texture(sampler, p) * length"), RINGS, "texture"),
        ("I cannot do that.", RINGS, "holds no shader"),
        (BESIDE, None, "holds no shader"),
    ],
)
def test_what_cannot_be_edited_says_why(reply: str, current: str | None, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(reply, current)
    assert said in str(caught.value)


@pytest.mark.parametrize("reply", ["APPROACH: it is right as it is", BESIDE, f"APPROACH: right\n\n{BESIDE}"])
def test_a_reply_may_change_nothing(reply: str) -> None:
    assert parse(reply, RINGS).code == RINGS


@pytest.mark.parametrize("said", ['{"note": "a still was asked for"}', '{"mismatches": "none"}', '{"mismatches": ['])
def test_json_beside_a_shader_costs_no_shader(said: str) -> None:
    assert parse(f"{reply_of()}\n```json\n{said}\n```").code == RINGS
