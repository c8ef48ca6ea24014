"""A taste in broad words, by rule: what likes are about, as how a picture may feel, and nothing of themselves.

Every line is put to the same check that its reply will be; what does not pass is said otherwise or not at all.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from redraft.offline.ideas.words import broad_of, listed
from redraft.scoring.abstraction import MAX_HINTS, leaks
from redraft.scoring.profile import TasteProfile
from redraft.scoring.words import forms, words

__all__ = ["summary_of"]

NOTHING = "Anything that comes to you."
"""Only words that say nothing, so that it passes whatever is liked."""
AVOIDED = 8
ROOM = 1_200
"""Characters of what is to be avoided."""


def summary_of(profile: TasteProfile, seed: int) -> str:
    """Two to five short lines that pass `check_hints` for this profile."""
    rng = random.Random(seed)  # noqa: S311  taste, not secrets
    feels = [word for word in _feels(profile, rng) if _passes(word, profile)]
    lines = [_line("Overall", feels[:3], profile), _line("In detail", feels[3:5], profile), _avoid(profile)]
    found: list[str] = []
    for line in lines:
        if line and _passes("\n".join([*found, line]), profile):
            found.append(line)
    return "\n".join(found) or NOTHING


def _feels(profile: TasteProfile, rng: random.Random) -> list[str]:
    """How what is liked feels, most often first, and then some of what suits anybody."""
    known = broad_of()
    said = [(word, 2) for like in profile.loves for word in words(like)]
    said += [(word, 1) for like in profile.likes for word in words(like)]
    counts: Counter[str] = Counter()
    for word, weight in said:
        for feel in {feel for form in sorted(forms(word)) for feel in known.get(form, ())}:
            counts[feel] += weight
    usual = list(listed("feels"))
    rng.shuffle(usual)
    ranked = sorted(counts, key=lambda feel: (-counts[feel], feel))
    further = [*ranked[3:6], *usual[:2]]
    rng.shuffle(further)
    return list(dict.fromkeys((*ranked[:3], *further, *usual)))


def _line(head: str, feels: Sequence[str], profile: TasteProfile) -> str:
    """ "Overall quiet, spacious and warm.", in an order in which no two words stand as they do in a like."""
    for size in range(len(feels), 0, -1):
        for chosen in permutations(feels[:size]):
            said = f"{head} {_joined(chosen)}."
            if _passes(said, profile):
                return said
    return next((f"{feel}." for feel in feels if _passes(feel, profile)), "")


def _joined(feels: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(feels[:-1]), *feels[-1:])))


def _avoid(profile: TasteProfile) -> str:
    """What is disliked, by its own words where they give nothing away."""
    found: list[str] = []
    for entry in _plain(profile.disliked):
        said = f"Avoid: {', '.join([*found, entry])}."
        if len(found) < AVOIDED and len(said) < ROOM and _passes(said, profile):
            found.append(entry)
    return f"Avoid: {', '.join(found)}." if found else ""


def _plain(disliked: Sequence[str]) -> Iterator[str]:
    """Dislikes on one line, without signs that would end the list."""
    for entry in disliked:
        said = " ".join("".join(c if c.isprintable() and c not in ".!?;,:" else " " for c in entry).split())
        if words(said):
            yield said


def _passes(text: str, profile: TasteProfile) -> bool:
    return len(text) <= MAX_HINTS and not leaks(text, profile)
