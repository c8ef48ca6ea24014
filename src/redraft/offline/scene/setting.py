"""What is around the things: which light and which ground the words ask for, or the things themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from redraft.english.words import normal, singulars
from redraft.spatial.yamldata import read_yaml

__all__ = ["Setting", "fills", "ground_of", "setting", "without_light"]

_MOODS = (
    "soft warm foggy misty rainy sunny bright dim cold cool low golden gentle dramatic clear early late dark starry"
)
_SOFT = f"(?:(?:{_MOODS.replace(' ', '|')}) )*"
_NOWHERE = frozenset({"sky", "ground", "background", "wall", "air", "horizon", "earth", "scene", "view", "backdrop"})
"""Words for what every scene has anyway."""


@dataclass(frozen=True)
class Setting:
    """One light and one ground, as the page of settings has them."""

    light: str
    ground: str
    lights: Mapping[str, Any]
    """The light's own entry."""
    grounds: Mapping[str, Any]
    """The ground's own entry; empty for none."""


@cache
def _page() -> dict[str, dict[str, Any]]:
    return read_yaml((files("redraft.offline.scene") / "solids" / "settings.yaml").read_text("utf-8"))


@cache
def _phrases() -> re.Pattern[str]:
    """Words of light where they say when or in what light: after a preposition, or as a clause of their own."""
    words = sorted((w for entry in _page()["lights"].values() for w in entry["words"]), key=lambda w: (-len(w), w))
    one = rf"(?P<{{}}>{'|'.join(map(re.escape, words))})(?: (?:light|lighting|sky|scene|time))?\b"
    lead = r"(?:in|at|by|under|during|with|on|make it|it is|turn it into|change it to)"
    after = rf"(?:,\s*)?\b{lead} (?:an? |the )?{_SOFT}{one.format('a')}"
    end = r"(?=\s*(?:[,;.!\n]|$|(?:over|above|behind|by|on|at|in)\b))"
    alone = rf"(?:^|[,;.\n]\s*)(?:an? |the )?{_SOFT}{one.format('b')}{end}"
    return re.compile(f"{after}|{alone}", re.IGNORECASE)


def without_light(text: str) -> str:
    """A text without what it says of light and hour, for the grammar that reads things."""
    return _phrases().sub("", text)


def _light(words: str) -> str | None:
    found = [(m.group("a") or m.group("b")).lower() for m in _phrases().finditer(words)]
    if not found:
        return None
    return next(name for name, entry in _page()["lights"].items() if found[-1] in entry["words"])


def ground_of(noun: str) -> str | None:
    """The kind of ground that a noun names; an empty word for what every scene has; None for a thing."""
    for one in singulars(normal(noun)):
        if one in _NOWHERE:
            return ""
        for name, entry in _page()["grounds"].items():
            if one in entry["words"]:
                return str(name)
    return None


def _ground_said(words: str) -> str | None:
    """A ground that the words name as where it all is: "in a garden"."""
    found: list[tuple[int, str]] = []
    for name, entry in _page()["grounds"].items():
        one = "|".join(map(re.escape, entry["words"]))
        found += [
            (m.end(), str(name))
            for m in re.finditer(rf"\b(?:in|on|at|by|across) (?:an? |the )?(?:\w+ )?(?:{one})\b", words, re.I)
        ]
    return max(found)[1] if found else None


def fills(words: str) -> tuple[str, int] | None:
    """What a place is full of, when the words name nothing else in it: a forest's trees, and how many."""
    page = _page()["fills"]
    found = [(m.end(), noun) for noun in page for m in re.finditer(rf"\b{noun}\b", words, re.IGNORECASE)]
    if not found:
        return None
    what, number = page[max(found)[1]]
    return str(what), int(number)


def setting(words: str, grounds: Sequence[str], places: Sequence[str], *, afloat: bool) -> Setting:
    """What is around things.

    `grounds` are those that nouns or stages stand for; of the things' `places` the first counts; `afloat`: all of them
    are at home in water.
    """
    page = _page()
    named = [g for g in grounds if g]
    ground = named[-1] if named else _ground_said(words)
    if ground is None:
        ground = str(cast("dict[str, str]", page["places"])[next(iter(places), "table")])
    if (ground == "sea" and not afloat) or (ground == "sea" and "sand" in named):
        ground = "sand"
    light = _light(words) or {"void": "space", "moon": "space", "mars": "evening", "sweep": "studio"}.get(ground, "day")
    return Setting(light, ground, page["lights"][light], page["grounds"].get(ground, {}))
