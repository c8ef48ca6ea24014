"""Shaders from words: what is read, what is written, and what it looks like when it is really rendered."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue
from real_parts import needs

from redraft.models.base import Reply, Request
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.gl import Rendered, View, render
from redraft.studios.shader.offline.answers import ANSWERS
from redraft.studios.shader.offline.compose import composed, resolved
from redraft.studios.shader.offline.palette import ROLES, TIMES, color_words, palette, palette_words, shaded, tinted
from redraft.studios.shader.offline.reading import (
    MAX_PHRASE,
    MAX_READ,
    Layer,
    Recipe,
    phrases,
    plain,
    read,
    with_manners,
)
from redraft.studios.shader.offline.sentences import Composition, edited, from_words
from redraft.studios.shader.offline.snippets import load, snippets

HEX = re.compile(r"#[0-9a-f]{6}\Z")
FIRST = "slow aurora over a dark lake"
LAYERS = sorted(name for name, s in snippets().items() if s.slot != "lib")


def made(sentence: str, *, seed: int = 3, loop: bool = False, seconds: float = 4.0) -> Composition:
    return from_words(sentence, seed=seed, loop=loop, seconds=seconds)


def asked(sentence: str) -> list[str]:
    return [layer.name for layer in read(sentence)[0].layers]


def constant(code: str, name: str) -> tuple[float, ...]:
    """A constant's numbers, read from the code."""
    line = next(x for x in code.splitlines() if re.match(rf"const \w+ {name} = ", x))
    return tuple(float(n) for n in re.findall(r"-?\d+\.\d+", line.partition("=")[2].partition("//")[0]))


# The shelves


@pytest.mark.parametrize("name", LAYERS)
def test_a_snippet_is_whole(name: str) -> None:
    snippet = snippets()[name]
    head = f"vec2 {name}(vec2 p)" if snippet.slot in ("warp", "lens") else f"vec3 {name}(vec2 p, vec3 below)"
    assert head in snippet.body
    assert snippet.comment.startswith(f"{name}: ")
    assert snippet.words
    constants = [c.name for c in (*snippet.colors, *snippet.numbers, *snippet.pairs)]
    assert [c for c in constants if c not in snippet.body] == []
    assert {c.role for c in snippet.colors} <= set(ROLES)
    assert set(snippet.brings) | set(snippet.needs) <= set(snippets())
    assert snippet.mood in {*palette_words().values(), ""}


def test_no_two_layers_answer_to_one_word() -> None:
    words = [word for s in snippets().values() for word in s.words]
    assert sorted({w for w in words if words.count(w) > 1}) == []
    assert [w for w in phrases() if len(w.split()) > MAX_PHRASE] == []


def test_a_line_that_a_composer_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="colours"):
        load("x", "// x: y\n//: colours A #ffffff pale\nvec3 x(vec2 p, vec3 below) { return A; }")


def test_palettes_go_from_dark_to_pale() -> None:
    for name in set(palette_words().values()):
        colours = palette(name)
        assert len(colours) == len(ROLES)
        assert all(HEX.match(c) for c in colours)
        assert _light(colours[0]) < _light(colours[4])
    assert set(palette_words().values()) >= TIMES
    assert all(HEX.match(value) for value in color_words().values())


def _light(colour: str) -> float:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.3 * r + 0.59 * g + 0.11 * b


def _luminance(colour: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2): of light itself, not of the values that encode it."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@given(st.from_regex(r"#[0-9a-f]{6}", fullmatch=True), st.floats(0.05, 1.0))
@example("#0000d0", 0.875)
def test_shades(colour: str, factor: float) -> None:
    darker = shaded(colour, factor)
    assert HEX.match(darker)
    assert _luminance(darker) <= _luminance(colour) + 0.008
    assert shaded(colour, 1.0) == colour or abs(_light(shaded(colour, 1.0)) - _light(colour)) < 2.0
    assert tinted(["#808080"], colour) == (colour,)


# Reading


@pytest.mark.parametrize(
    ("sentence", "layers", "unknown"),
    [
        (FIRST, ["lake", "aurora"], ()),
        ("Northern Lights above snow-covered mountains", ["snow", "aurora", "mountains"], ()),
        ("a red heart pulsing on blue and white stripes", ["stripes", "heart"], ()),
        ("three yellow stars over a purple gradient", ["gradient", "star"], ()),
        ("stars over the sea", ["sea", "stars"], ()),
        ("a portrait of my grandmother", [], ("portrait", "grandmother")),
        ("mountains without clouds", ["mountains"], ()),
        ("polka dots", ["dots"], ()),
        ("a wugly flibber near the lake", ["lake"], ("wugly", "flibber")),
        ("neon kaleidoscope", ["kaleidoscope"], ()),
        ("fire palette, metaballs", ["metaballs"], ()),
        ("tunnel of hexagons", ["tunnel", "hexagons"], ()),
        ("a Mandelbrot set", ["mandelbrot"], ()),
    ],
)
def test_what_is_read(sentence: str, layers: list[str], unknown: tuple[str, ...]) -> None:
    assert asked(sentence) == layers
    assert made(sentence).unknown == unknown
    assert all(word in made(sentence).approach for word in unknown)


def test_a_manner_is_of_the_thing_beside_it() -> None:
    recipe, _ = read("slow aurora over a dark lake, with clouds drifting left and a huge moon in the top left")
    found = {layer.name: layer.manner for layer in recipe.layers}
    assert found["aurora"].speed < 1
    assert found["lake"].shade < 1
    assert found["clouds"].heading == (-1.0, 0.0)
    assert found["moon"].size > 1.5
    assert found["moon"].place == (-0.55, 0.5)
    assert recipe.every.speed == recipe.light == found["lake"].speed == 1.0


def test_what_is_of_no_thing_is_of_all() -> None:
    recipe, _ = read("hexagons and rings, fast, dark and in pastel colours")
    assert recipe.every.speed > 1
    assert recipe.light < 1
    assert recipe.palette == "pastel"
    assert all(layer.manner.speed == 1 for layer in recipe.layers)


def test_colours_go_where_they_belong() -> None:
    code = made("a red heart on blue and white stripes").code
    red, blue = color_words()["red"], color_words()["blue"]
    assert f"// {red}" in next(x for x in code.splitlines() if "HEART_COLOR =" in x)
    assert f"// {blue}" in next(x for x in code.splitlines() if "STRIPES_COLOR =" in x)
    assert color_words()["white"] in next(x for x in code.splitlines() if "GRADIENT_LOW =" in x)
    assert "// #12ab34" in made("a #12ab34 circle").code


def test_a_dark_blue_is_a_colour_and_a_dark_lake_is_dark() -> None:
    plainly, darker = made("a lake").code, made("a dark lake").code
    assert constant(darker, "LAKE_LIGHT")[0] < constant(plainly, "LAKE_LIGHT")[0]
    recipe, _ = read("a deep red and dark blue spiral")
    assert len(recipe.layers[0].manner.colors) == 2
    assert recipe.layers[0].manner.shade == recipe.light == 1.0


def test_less_and_more() -> None:
    assert read("more stars")[0].layers[0].manner.density > 1
    assert read("less bright")[0].light < 1
    assert read("too dark")[0].light > 1
    assert (
        read("hexagons, not rotating")[0].every.spin == 0.0
        or read("hexagons, not rotating")[0].layers[0].manner.spin == 0.0
    )


def test_a_scene_gets_what_it_needs_and_nothing_unwanted() -> None:
    night = resolved(read(FIRST)[0], seed=0)
    assert {"sky", "stars", "shore", "aurora", "lake"} == {layer.name for layer in night.layers}
    bare = resolved(read("aurora over a lake without stars")[0], seed=0)
    assert bare.get("stars") is None
    assert resolved(read("a sunset over the sea")[0], seed=0).get("sun")
    assert not resolved(read("mountains by a lake")[0], seed=0).get("shore")
    assert resolved(read("hearts")[0], seed=0).get("gradient")


def test_an_idea_adds_colors_and_pace_that_the_brief_leaves_open() -> None:
    assert with_manners("plasma", ["navy and silver", "calm and slow"]) == "plasma. All in navy and silver, calm, slow."
    assert with_manners("fast red plasma", ["navy and silver", "calm and slow"]) == "fast red plasma"
    assert with_manners("a sunset over the sea", ["navy and silver"]) == "a sunset over the sea"
    assert with_manners("plasma", []) == "plasma"


# Writing


def test_the_same_words_and_seed_give_the_same_shader() -> None:
    assert made(FIRST) == made(FIRST)
    assert made("plasma", seed=1).code != made("plasma", seed=2).code


def test_it_can_be_read() -> None:
    code = made(FIRST).code
    lines = code.splitlines()
    assert lines[0] == "#version 330"
    assert f"// asked: {FIRST}" in lines
    assert "rule-based" in lines[2]
    assert "no language model" in lines[2]
    assert max(map(len, lines)) <= 120
    for name in ("sky", "stars", "aurora", "shore", "lake"):
        assert any(line.startswith(f"// {name}: ") for line in lines)
    assert lines.index("const float HORIZON = -0.28;") < min(i for i, x in enumerate(lines) if x.endswith(") {"))


def test_time_enters_a_loop_as_a_share_of_it_alone() -> None:
    for sentence in (FIRST, "clouds drifting left over the sea", "fire and bubbles", "rotating truchet, pulsing"):
        code = made(sentence, loop=True, seconds=7.5).code
        assert "const float SECONDS = 7.5;" in code
        uses = [line.strip() for line in code.splitlines() if "u_time" in line]
        assert uses == ["uniform float u_time;", "return fract(u_time / SECONDS);"]


@given(st.text(max_size=300))
def test_any_sentence_gives_a_shader_that_can_be_gone_on_from(sentence: str) -> None:
    words = made(sentence, seed=len(sentence))
    prepared(words.code)
    again = edited("brighter", words.code, seed=0, loop=False, seconds=4.0)
    assert again is not None
    assert "not kept" not in again.approach
    assert "\n" not in words.approach


WORDS = st.lists(st.sampled_from(sorted(phrases())), min_size=1, max_size=12).map(" ".join)


@given(WORDS)
def test_any_words_it_knows_give_a_shader(sentence: str) -> None:
    words = made(sentence, loop=len(sentence) % 2 == 0)
    prepared(words.code)
    assert words.code.count("{") == words.code.count("}")
    assert "Traceback" not in words.approach


def test_a_very_long_sentence_is_read_to_a_point() -> None:
    assert len(plain("stars " * 5_000)) <= MAX_READ
    words = made("a moon " + "over hills and far away " * 200)
    again = edited("make the moon red", words.code, seed=0, loop=False, seconds=4.0)
    assert again is not None
    assert "not kept" not in again.approach


# Later turns


def test_an_edit_changes_what_it_speaks_of() -> None:
    before = made(FIRST, seed=5)

    def after(change: str) -> str:
        words = edited(change, before.code, seed=99, loop=False, seconds=4.0)
        assert words is not None
        assert words.unknown == ()
        assert f"// then: {change}" in words.code
        return words.code

    speed = constant(before.code, "AURORA_SPEED")[0]
    assert constant(after("make it faster"), "AURORA_SPEED")[0] > speed
    assert constant(after("slow the aurora down: slower"), "AURORA_SPEED")[0] < speed
    assert color_words()["purple"] in after("make the aurora purple") or "AURORA" in after("make the aurora purple")
    assert constant(after("make the aurora red"), "AURORA_BODY")[0] > constant(before.code, "AURORA_BODY")[0]
    assert constant(after("the lake should be brighter"), "LAKE_LIGHT")[0] > constant(before.code, "LAKE_LIGHT")[0]
    assert "vec3 moon(" in after("add a full moon")
    assert "vec3 stars(" not in after("remove the stars")
    swapped = after("replace the lake with mountains")
    assert "vec3 mountains(" in swapped
    assert "vec3 lake(" not in swapped
    assert constant(after("make it brighter"), "SKY_TOP") == constant(before.code, "SKY_TOP")
    assert "// brighter" in after("make it brighter")
    assert constant(after("let it snow"), "SKY_TOP") == constant(before.code, "SKY_TOP")
    assert constant(after("use neon colours"), "SKY_TOP") != constant(before.code, "SKY_TOP")


def test_edits_add_up_and_what_is_not_understood_is_said() -> None:
    one = edited("add a moon", made(FIRST).code, seed=0, loop=False, seconds=4.0)
    assert one is not None
    two = edited("remove the aurora", one.code, seed=0, loop=True, seconds=6.0)
    assert two is not None
    assert "vec3 moon(" in two.code
    assert "vec3 aurora(" not in two.code
    assert "SECONDS = 6.0" in two.code
    none = edited("flibber the wug", one.code, seed=0, loop=False, seconds=4.0)
    assert none is not None
    assert "unchanged" in none.approach
    assert none.unknown == ("flibber", "wug")


def test_what_is_not_its_own_is_not_touched() -> None:
    assert edited("brighter", "void main() { f_color = vec4(1.0); }", seed=0, loop=False, seconds=4.0) is None
    assert edited("brighter", "", seed=0, loop=False, seconds=4.0) is None


def test_changes_by_other_hands_are_owned_up_to() -> None:
    code = made(FIRST).code.replace("AURORA_SPEED = 0.45", "AURORA_SPEED = 3.0")
    words = edited("brighter", code, seed=0, loop=False, seconds=4.0)
    assert words is not None
    assert "not kept" in words.approach


# Pictures


@pytest.fixture
async def box(tmp_path: Path) -> AsyncIterator[Sandbox]:
    needs("egl")
    async with Sandbox(tmp_path) as box:
        yield box


async def frames(code: str, box: Sandbox, *times: float, width: int = 64, height: int = 64) -> Rendered:
    return await render(code, View(width, height, times or (1.0,), seed=3), box)


async def picture(sentence: str, box: Sandbox, **size: int) -> Any:
    """Channel values of one frame, 0 to 1, the top row first."""
    return (await frames(made(sentence).code, box, 1.0, **size)).shots[0].pixels.astype(float) / 255


def alone(name: str, *, loop: bool) -> str:
    """A snippet with no more than it cannot do without."""
    slot = snippets()[name].slot
    ground = {"pattern": ("gradient",), "thing": ("gradient",), "warp": ("silk",), "lens": ("silk",)}
    under = ground.get(slot, () if slot in ("backdrop", "sky") else ("sky",))
    layers = tuple(Layer(n) for n in (*under, name))
    return composed(Recipe(layers, palette="~" + (snippets()[name].mood or "dusk")), ["x"], loop=loop, seconds=2.0)


@pytest.mark.anyio
@pytest.mark.real
async def test_the_first_picture_is_an_aurora_over_a_lake(box: Sandbox) -> None:
    shot = (await frames(made(FIRST).code, box, 1.0, width=96, height=96)).shots[0]
    pixels = shot.pixels.astype(float) / 255
    sky, water = pixels[:55], pixels[64:]
    green = sky[..., 1] - sky[..., 0]
    assert green.max() > 0.35
    assert sky.mean() > water.mean() > 0.01
    assert shot.broken == 0
    columns = np.corrcoef(sky[..., 1].max(axis=0), water[..., 1].max(axis=0))[0, 1]
    assert columns > 0.25, "the water mirrors the light above it"


@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.slow
async def test_a_loop_ends_as_it_began(box: Sandbox) -> None:
    code = made("aurora, clouds drifting left, rain and a spinning heart over the sea", loop=True, seconds=3.0).code
    shots = (await frames(code, box, 0.0, 3.0, 1.0)).shots
    assert (shots[0].pixels == shots[1].pixels).all()
    assert (shots[0].pixels != shots[2].pixels).mean() > 0.05


@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.slow
async def test_words_can_be_seen(box: Sandbox) -> None:
    heart = await picture("a red heart on white", box)
    assert heart[32, 32, 0] > 0.6 > 0.4 > heart[32, 32, 2]
    assert heart[2, 2].min() > 0.8
    left = await picture("a black circle on the left, on white", box)
    assert left[:, :32].mean() < left[:, 32:].mean() - 0.1
    wide = (await picture("a black circle on white", box, width=128, height=64)).mean(axis=2) < 0.4
    assert abs(wide.any(axis=0).sum() - wide.any(axis=1).sum()) <= 2, "round on a wide picture"
    assert (await picture("dark plasma", box)).mean() < (await picture("bright plasma", box)).mean()
    assert (await picture("mountains at night", box)).mean() < (await picture("mountains by day", box)).mean()
    rows = await picture("two white circles on black", box)
    assert _runs(rows[32, :, 0] > 0.6) == 2


def _runs(flags: Any) -> int:
    return int(np.diff(np.concatenate([[0], flags.astype(int)])).clip(0).sum())


@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.slow
async def test_motion_can_be_seen(box: Sandbox) -> None:
    async def moved(sentence: str) -> float:
        one, other = (await frames(made(sentence).code, box, 1.0, 1.1)).shots
        return float(np.abs(one.pixels.astype(float) - other.pixels.astype(float)).mean())

    assert await moved("stripes, still") == 0
    assert 0 < await moved("stripes, slow") < await moved("stripes, fast")
    assert await moved("rotating hexagons, slow") > 0
    assert await moved("a pulsing heart") > 0.05
    assert await moved("a flickering square") > 0.05


@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("loop", [False, True])
async def test_every_snippet_alone_is_a_picture(box: Sandbox, loop: bool) -> None:
    failed: list[str] = []
    for name in LAYERS:
        shots = (await frames(alone(name, loop=loop), box, 0.0, 0.7, 2.0)).shots
        deviation = shots[1].pixels.astype(float).std()
        if deviation < 2 or any(s.broken for s in shots):
            failed.append(f"{name}: deviation {deviation:.1f}, broken {shots[1].broken}")
        if loop and (shots[0].pixels != shots[2].pixels).any():
            failed.append(f"{name}: no loop")
    assert failed == []


@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
async def test_sentences_at_random_are_pictures(box: Sandbox, part: int) -> None:
    rng = random.Random(part)
    known = sorted(phrases())
    failed: list[str] = []
    for _ in range(12):
        sentence = " ".join(rng.choices(known, k=rng.randint(1, 7)))
        loop = rng.random() < 0.5
        code = from_words(sentence, seed=part, loop=loop, seconds=2.5).code
        shots = (await frames(code, box, 0.0, 2.5, 0.9, width=48, height=32)).shots
        if shots[2].pixels.astype(float).std() < 0.8 or any(s.broken for s in shots):
            failed.append(f"blank: {sentence}")
        if loop and (shots[0].pixels != shots[1].pixels).any():
            failed.append(f"no loop: {sentence}")
    assert failed == []


@pytest.mark.parametrize(
    ("instruction", "named"),
    [
        ("slow aurora over a dark lake", ()),
        ("a soft pulsing heart with a melancholic, hand-drawn look", ()),
        ("a dragon breathing fire over a village", ("dragon", "village")),
        ("le feu dans la nuit", ("“le feu dans la nuit” (only English is read)",)),
    ],
)
def test_things_that_no_snippet_paints_are_named(instruction: str, named: tuple[str, ...]) -> None:
    inputs: dict[str, JsonValue] = {"instruction": instruction}
    reply = ANSWERS["shader.draft"](Request(kind="shader.draft", path="x", inputs=inputs, messages=(), seed=1))
    assert isinstance(reply, Reply)
    assert reply.stand_ins == named
