"""How near names are to each other."""

from __future__ import annotations

import pytest

from redraft.studios.scene.inside.advice.names import near, respelt, words

NAMES = [
    "location",
    "rotation_euler",
    "scale",
    "radius1",
    "radius2",
    "resolution_percentage",
    "use_shadow",
    "display_type",
]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("cursor_location", ("cursor", "location")),
        ("ShaderNodeCombineRGB", ("shader", "node", "combine", "rgb")),
        ("RGBToBW", ("rgb", "to", "bw")),
        ("Specular IOR Level", ("specular", "ior", "level")),
        ("radius1", ("radius", "1")),
        ("", ()),
    ],
)
def test_names_are_words(name: str, parts: tuple[str, ...]) -> None:
    assert words(name) == parts


def test_the_nearest_come_first() -> None:
    assert near("shadow_type", NAMES)[0] in ("use_shadow", "display_type")
    assert near("banana", NAMES) == []
    assert near("radius", NAMES)[:2] == ["radius1", "radius2"]


def test_words_that_were_renamed() -> None:
    assert respelt("lamp_add") == ["light_add"]
    assert respelt("dupli_group") == ["dupli_collection", "instance_group", "instance_collection"]
    assert respelt("diameter2") == ["radius2"]
    assert respelt("clamp") == []
