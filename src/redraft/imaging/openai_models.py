"""What is known of OpenAI's image models before they are asked: sizes, qualities, fields that they do not take.

Only names are known that OpenAI documents; every other model is sent what the settings say, and answers for itself.
Retired models stay in the table, as other servers go on offering them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.errors import ConfigError

__all__ = ["RETIRED", "Known", "is_gpt_image", "known", "refuse_what_it_lacks"]

_SQUARE_AND_OBLONG = ((1024, 1024), (1536, 1024), (1024, 1536))
_LONGEST, _MOST_PIXELS, _STEP, _RATIO = 3840, 3840 * 2160, 16, 3
"""Of the models that take any size: pixels, and the longer side to the shorter."""

RETIRED = {
    "dall-e-2": "12 May 2026",
    "dall-e-3": "12 May 2026",
    "gpt-image-1": "23 October 2026",
    "chatgpt-image-latest": "1 December 2026",
    "gpt-image-1-mini": "1 December 2026",
    "gpt-image-1.5": "1 December 2026",
}
"""When OpenAI's own server stops, or stopped, serving them, as announced in 2026."""


@dataclass(frozen=True)
class Known:
    """One family of models."""

    names: str
    """A pattern for whole names."""
    sizes: tuple[tuple[int, int], ...]
    """Width and height; empty: any within the limits above."""
    qualities: tuple[str, ...]


_FAMILIES = (
    Known("dall-e-2", ((256, 256), (512, 512), (1024, 1024)), ("standard",)),
    Known("dall-e-3", ((1024, 1024), (1792, 1024), (1024, 1792)), ("standard", "hd")),
    Known(
        r"(gpt-image-1|gpt-image-1-mini|gpt-image-1\.5)(-\d{4}-\d\d-\d\d)?|chatgpt-image-latest",
        _SQUARE_AND_OBLONG,
        ("low", "medium", "high", "auto"),
    ),
    Known(r"gpt-image-2(-\d{4}-\d\d-\d\d)?", (), ("low", "medium", "high", "auto")),
    Known(r"gpt-image-2\.5-(sunburst|flare)(-\d{4}-\d\d-\d\d)?", (), ("low", "medium", "high", "xhigh", "max", "auto")),
)


def known(model: str) -> Known | None:
    """The family that a model belongs to."""
    return next((family for family in _FAMILIES if re.fullmatch(family.names, model)), None)


def is_gpt_image(model: str) -> bool:
    """Whether it is one of those that always answer with base64 and refuse to be asked for it; also under the names
    that gateways give them (`openai/gpt-image-2`)."""
    return re.search(r"(gpt|chatgpt)-image", model) is not None


def refuse_what_it_lacks(model: str, width: int, height: int, quality: str | None) -> None:
    """Nothing for a model that is not known.

    Raises:
        ConfigError: it paints no picture of this size, or knows no such quality. Another size is not taken in silence.
    """
    family = known(model)
    if family is None:
        return
    if wrong := _size_fault(family, width, height):
        raise ConfigError(f"images.width and images.height are {width} × {height}, and {model} {wrong}")
    if quality is not None and quality not in family.qualities:
        raise ConfigError(f"images.quality is {quality!r}, and {model} knows {_one_of(family.qualities)}.")


def _size_fault(family: Known, width: int, height: int) -> str:
    """What is wrong with a size, as the end of a sentence; empty when nothing is."""
    if family.sizes:
        if (width, height) in family.sizes:
            return ""
        return f"paints {_one_of([f'{w} × {h}' for w, h in family.sizes])} pixels."
    if width % _STEP or height % _STEP:
        near = " × ".join(str(max(_STEP, round(side / _STEP) * _STEP)) for side in (width, height))
        return f"wants both to be multiples of {_STEP}, as in {near}."
    if max(width, height) > _RATIO * min(width, height):
        return f"paints nothing longer than {_RATIO} to 1."
    if max(width, height) > _LONGEST or width * height > _MOST_PIXELS:
        return f"paints at most {_LONGEST} pixels a side and {_MOST_PIXELS:,} in all (3840 × 2160)."
    return ""


def _one_of(names: tuple[str, ...] | list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
