"""Whether something that somebody dislikes stands in a prompt, and is not there to be left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.english.words import vocabulary
from redraft.scoring.abstraction import is_broad
from redraft.scoring.words import is_stop, words
from redraft.studios.image.prose import Prose, Sentence, same

__all__ = ["found_disliked"]

_GENERAL = frozenset(
    {
        "aesthetic", "art", "artwork", "composition", "compositions", "element", "elements", "image", "imagery",
        "images", "look", "looks", "painting", "paintings", "photo", "photography", "photos", "picture", "pictures",
        "scene", "scenes", "stuff", "style", "styles", "theme", "themes", "vibe", "vibes",
    }
)  # fmt: skip
"""What a dislike may be of: "horror imagery" is horror."""
_NOT = frozenset(
    {
        "absent", "avoid", "avoiding", "avoids", "excluding", "free", "instead", "lacking", "neither", "never", "no",
        "none", "nor", "not", "nothing", "rather", "without",
    }
)  # fmt: skip
_AGAIN = frozenset({"but", "yet", "though", "although", "while", "whereas", "with", "except"})
"""Words after which a negation no longer counts."""
_EITHER = re.compile(r"[,;/]|\bor\b", re.IGNORECASE)


def found_disliked(disliked: Sequence[str], prose: Prose, concepts: Sequence[str]) -> list[tuple[str, str]]:
    """Each dislike that stands in the prompt, with the words it stands in. What was asked for is never one."""
    wanted = [word for concept in concepts for word in words(concept)]
    found: list[tuple[str, str]] = []
    for entry in disliked:
        hits = (hit for way in _ways(entry) for s in prose.sentences for hit in [_stands(way, s, wanted)] if hit)
        hit = next(hits, "")
        if hit:
            found.append((entry, hit))
    return found


def _ways(entry: str) -> list[list[str]]:
    """What to look for: "neon, or clowns" is either of two; what is too general to be looked for is left out."""
    ways = [[word for word in words(part) if not is_stop(word)] for part in _EITHER.split(entry)]
    trimmed = [_trimmed(way) for way in ways]
    return [way for way in trimmed if way]


def _trimmed(way: list[str]) -> list[str]:
    """Without what it is of. A broad adjective of a general noun ("dark scenes") cannot be looked for."""
    kept = list(way)
    while len(kept) > 1 and kept[-1] in _GENERAL:
        kept.pop()
    return [] if len(kept) < len(way) and len(kept) == 1 and is_broad(kept[0]) else kept


def _stands(way: Sequence[str], sentence: Sentence, wanted: Sequence[str]) -> str:
    """The words in which it stands, one after the other with no word of content between; empty when it does not."""
    content = [at for at, word in enumerate(sentence.words) if not is_stop(word)]
    for k in range(len(content) - len(way) + 1):
        places = content[k : k + len(way)]
        hit = all(_alike(word, sentence.words[at]) for word, at in zip(way, places, strict=True))
        if hit and not (
            _excluded(sentence, places[0]) or _is_shade(sentence, places) or _asked(sentence, places, wanted)
        ):
            return " ".join(sentence.words[places[0] : places[-1] + 1])
    return ""


def _alike(a: str, b: str) -> bool:
    """Forms of one word; but what is spidery has no spiders."""
    return same(a, b) and (a.endswith("y") == b.endswith("y") or a.endswith("ies") or b.endswith("ies"))


def _excluded(sentence: Sentence, at: int) -> bool:
    """Behind a negation in the same sentence, or before "free"."""
    if sentence.words[at + 1 : at + 2] == ("free",):
        return True
    for word in reversed(sentence.words[:at]):
        if word in _AGAIN:
            return False
        if word in _NOT:
            return True
    return False


def _is_shade(sentence: Sentence, places: Sequence[int]) -> bool:
    """The "dark" of "dark blue" says nothing of the picture."""
    after = sentence.words[places[-1] + 1 : places[-1] + 2]
    return (
        len(places) == 1
        and vocabulary().has(sentence.words[places[0]], "colour_modifiers")
        and bool(after and vocabulary().has(after[0], "colours"))
    )


def _asked(sentence: Sentence, places: Sequence[int], wanted: Sequence[str]) -> bool:
    return all(any(same(word, sentence.words[at]) for word in wanted) for at in places)
