"""What is said of medium, palette, light and mood names nothing to draw; what is said of things still does."""

from __future__ import annotations

import time

import pytest

from redraft.offline.english.grammar import read
from redraft.offline.english.reading import Relate
from redraft.offline.lexicon import find
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline import planner
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.rules.validator import SemanticValidator
from redraft.studios.sketch.spec import Draft


def things(text: str) -> list[str]:
    """The nouns that a text names, in order."""
    return [m.noun for m in read(text).mentions]


@pytest.mark.parametrize(
    "text",
    [
        "Palette: slate blue, ochre and bone white.",
        "Medium: gouache on rough paper.",
        "Mood: quiet and a little melancholy.",
        "Lighting: a low lamp from the left.",
        "Style and mood: quiet, painterly.",
        "Theme: clockwork.",
        "The palette is limited to greys with one warm accent.",
        "The composition is symmetrical and centred.",
        "The mood is quiet.",
        "A muted colour palette sets the tone.",
        "Oil on canvas, textured impasto brushwork, a palette of slate blue.",
        "Soft golden light, shallow depth of field, cinematic wide shot.",
        "Painted in loose watercolour with ink outlines.",
        "In the style of an old travel poster.",
        "Avoid people and text.",
        "Do not draw any birds.",
        "Melancholic yet hopeful mood.",
    ],
)
def test_a_sentence_of_style_names_nothing(text: str) -> None:
    assert things(f"A cat on a chair. {text}") == ["cat", "chair"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a red house, watercolour on paper", ["house"]),
        ("a fox in the snow, muted tones, soft light, highly detailed", ["fox", "snow"]),
        ("a tree\nMedium: pencil on paper\nPalette: greens", ["tree"]),
        ("a boat on the sea — oil on canvas, dramatic lighting", ["boat", "sea"]),
        ("a cat and a dog in soft golden light", ["cat", "dog"]),
        ("a bicycle in a storm at dusk", ["bicycle"]),
        ("a boat in Venice", ["boat"]),
    ],
)
def test_what_is_said_of_style_after_a_thing_is_passed_over(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a lamp above a table", ["lamp", "table"]),
        ("a light above a table", ["light", "table"]),
        ("The traffic light is broken, and a car is beside it", ["traffic light", "car"]),
        ("Painted in red, a barn on a hill", ["barn"]),
        ("a pencil on paper", ["pencil", "paper"]),
        ("a brush to the left of a canvas", ["brush", "canvas"]),
        ("an extreme close-up view of a capybara sitting in a field", ["capybara", "field"]),
        ("the colours of the house are red and blue", ["house"]),
        ("a camera to the left of a laptop. The camera is black", ["camera", "laptop"]),
        ("a poodle with a black beret", ["poodle", "beret"]),
        ("a pile of cash on a wooden table", ["cash", "table"]),
        ("a picture frame above a couch", ["picture frame", "couch"]),
    ],
)
def test_a_thing_that_only_sounds_like_style_stays_a_thing(text: str, expected: list[str]) -> None:
    found = things(text)
    assert [n for n in expected if not any(n in one for one in found)] == []


def test_what_is_passed_over_is_unchecked_and_not_lost() -> None:
    reading = read("A cat on a chair. The mood is quiet. Medium: gouache.")

    assert any("mood is quiet" in words for words in reading.unchecked)
    assert any("gouache" in words for words in reading.unchecked)


def test_relations_on_both_sides_of_a_remark_on_style_hold() -> None:
    reading = read("A cat on a chair, soft light, oil on canvas. A lamp to the right of the chair.")

    found = {
        (c.relation, c.subjects.mention, c.objects[0].mention) for c in reading.constraints if isinstance(c, Relate)
    }

    assert found == {("on", "cat", "chair"), ("right_of", "lamp", "chair")}


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("The roof of a house is dark blue.", "dark blue"),
        ("A house. The sky is pale pink.", "pale pink"),
        ("A house under a dark blue sky.", "dark blue"),
    ],
)
def test_a_shaded_colour_is_read_whole(text: str, colour: str) -> None:
    assert colour in [m.colour for m in read(text).mentions]


@pytest.mark.parametrize(
    "text",
    [
        "a house under a blue sky",
        "a house and a tree under the sky",
        "a dark blue sky above a lighthouse",
        "a lighthouse on dark green grass, under a pale orange sky",
        "three red apples in a bowl on a table",
    ],
)
def test_what_stands_before_a_backdrop_or_in_a_vessel_on_a_table_has_its_place(text: str) -> None:
    reading = read(text)
    scene = planner.plan(reading, seed=1)
    plan, strokes = planner.paint(scene)
    drawing = draw(Draft.model_validate({"approach": "-", "plan": plan, "strokes": strokes}, strict=False), None)

    report = SemanticValidator().validate(layout_of(drawing), reading=reading)

    assert not report.errors
    assert max(o.box[3] - o.box[1] for o in scene.objects if o.noun not in {"sky", "blue sky"}) > 0.15


def test_a_page_of_prose_is_read_in_no_time() -> None:
    prose = "The palette of the old colour scheme, a view of the mood and the light, oil on canvas, " * 400

    started = time.process_time()
    read(prose)

    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A robot waters a flower.", ["robot", "flower"]),
        ("To its left stands a car.", ["car"]),
        ("Two cats and a dog.", ["cat", "dog"]),
        ("A glass bowl, the apples in it.", ["bowl", "apple"]),
    ],
)
def test_a_verb_that_could_be_a_plural_is_told_by_what_follows(text: str, expected: list[str]) -> None:
    assert [n for n in things(text) if n != "hill"] == expected


@pytest.mark.parametrize("text", ["A fox. Warm ochres and muted greens.", "A fox, early winter dusk."])
def test_colours_views_and_hours_are_no_things(text: str) -> None:
    assert things(text) == ["fox"]


PROMPTS = {
    "A weathered lighthouse stands on a rocky cliff as a violent storm rages around it, its beam a shaft of golden "
    "light cutting through sheets of rain; enormous clockwork gears, brass and verdigris, turn slowly inside the "
    "tower, while gulls wheel above churning teal waves. Cinematic wide shot, dramatic chiaroscuro lighting, oil on "
    "canvas, palette of slate blue, ochre and bone white, melancholic yet hopeful mood.": {
        "lighthouse", "tower", "gull",
    },
    "In a sunlit kitchen, a ginger cat sleeps on a wooden chair beside a round table set with a white teapot and two "
    "blue cups; dust hangs in the slanting morning light, and a single red apple has rolled to the edge of the table. "
    "Seen from low down, with the window as a pale square behind. Soft gouache on toned paper, warm ochres and muted "
    "greens, quiet and unhurried.": {"cat", "chair", "table", "teapot", "cup", "apple"},
    "A tall stack of old suitcases, tied with rope, forms the trunk of a tree whose leaves are letters and envelopes; "
    "at its foot a small brown dog waits, looking up. Early winter dusk, snow beginning to fall, one street lamp "
    "glowing to the right. Linocut with carved texture, deep blues and a single warm yellow. The mood is patient, "
    "slightly surreal.": {"suitcase", "tree", "dog", "street lamp"},
    "A blue whale drifts through a grand library at night, passing slowly between towering bookshelves while a girl "
    "on a ladder holds out a lantern to it. Viewed from the far end of the hall at eye level, the whale fills the "
    "upper half of the picture. Moonlight falls from a round window on the left. Ink and watercolour, indigo and pale "
    "gold, hushed and full of wonder.": {"whale", "bookshelf", "girl", "ladder", "lantern", "window"},
    "A robot waters a single sunflower in the middle of a cracked parking lot, under a wide pale green sky. To its "
    "left stands a rusted car with a bird on its roof; to its right, a fence with a torn poster. Flat vector shapes, "
    "clean edges, high contrast, a palette of rust, mint and charcoal. Wry, tender mood. No people, no text.": {
        "robot", "sunflower", "car", "bird", "fence", "sky",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "shown"), PROMPTS.items(), ids=["storm", "kitchen", "suitcases", "library", "robot"]
)
def test_a_prompt_of_a_capable_model_is_read_as_its_things_and_few_others(prompt: str, shown: set[str]) -> None:
    drawn = [m for m in read(prompt).mentions if m.count != 0]
    names = {m.noun for m in drawn}
    unknown = [m.noun for m in drawn if find(m.noun) is None and m.whole is None]

    assert {noun for noun in shown if not any(noun in name for name in names)} == set()
    assert len(unknown) <= 5, unknown
