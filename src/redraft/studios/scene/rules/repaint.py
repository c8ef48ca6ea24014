"""Changes of colour in a brief: "make the bowl blue", "paint the door red". The grammar leaves them out."""

from __future__ import annotations

import re
from dataclasses import replace

from redraft.spatial.colours import known
from redraft.spatial.reading import Mention, Reading

__all__ = ["with_colours"]

_VERB = re.compile(r"\b(make|paint|turn|colou?r|change|dye)\s+$", re.IGNORECASE)
_COLOUR = re.compile(
    r"\s+(?:(?:in)?to\s+|in\s+)?((?:(?:dark|light|pale|bright|deep)\s+)?[a-z]+)(?=\s*(?:[.,;!]|$|\b(?:and|but|instead)\b))",
    re.IGNORECASE,
)
"""All that is said of the thing after it."""
_AND = re.compile(r"\s*(?:,|,?\s*and)\s+$", re.IGNORECASE)


def with_colours(reading: Reading) -> Reading:
    """The reading of a change, its things with the colours that they are to have from now on."""
    if not reading.edit:
        return reading
    changed: dict[str, Mention] = {}
    read: set[str] = set()
    end = -1
    for mention in sorted(reading.mentions, key=lambda m: m.span):
        verb, said = _VERB.search(reading.text[: mention.span[0]]), _COLOUR.match(reading.text, mention.span[1])
        follows = end >= 0 and _AND.fullmatch(reading.text[end : mention.span[0]]) is not None
        if mention.colour is None and (verb or follows) and said and known(said[1].lower()):
            changed[mention.id] = replace(mention, colour=said[1].lower())
            read |= {said[1], *([verb[1]] if verb else [])}
            end = said.end()
    mentions = tuple(changed.get(mention.id, mention) for mention in reading.mentions)
    left = tuple(phrase for phrase in reading.unchecked if phrase not in read)
    return replace(reading, mentions=mentions, unchecked=left)
