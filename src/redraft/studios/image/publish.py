"""A picture's rows beside those of other runs: the generations CSV, and `titles_manifest.csv` next to it.

The manifest numbers pictures in the order they were made; each has a short title, made by code from an idea's hook or
else from the prompt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from redraft.brief import Brief
from redraft.errors import HistoryError
from redraft.scoring.history import Generation, append_generation, check_generations
from redraft.studios.base import Publication, Resources
from redraft.studios.image.spec import Painting
from redraft.tables import Table

__all__ = [
    "COLUMNS",
    "MOST_CHARACTERS",
    "MOST_WORDS",
    "UNTITLED",
    "Title",
    "append_title",
    "check_lists",
    "publish",
    "title_of",
]

MOST_WORDS = 6
MOST_CHARACTERS = 80
"""For scripts without spaces, and words without end."""
UNTITLED = "Untitled"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = _words("a an the")
_CONJUNCTIONS = _words("and but nor or so yet")
_PREPOSITIONS = _words(
    "about above across after against along amid amidst among around as at atop before behind below beneath beside "
    "between beyond by down during for from in inside into like near of off on onto out outside over past per than "
    "through to toward towards under until up upon via with within without"
)
_OPENERS = _words("although because if that though when where which while who whom whose")
_BREAKS = _CONJUNCTIONS | _PREPOSITIONS | _OPENERS
"""Words before which a phrase may end."""
_LEANING = (_ARTICLES | _BREAKS) | _words(
    "am are be been being had has have her his is its my no not our that their these this those very was were your "
    "every each some one two three four five six seven eight nine ten front middle midst next"
)
"""Words that lean on the next one: no title is cut off after them."""
_PARTICIPLES = _words("built caught drawn held hung kept left lit lost made seen set shown stood worn woven")
_NOUNS = _words(
    "bed building ceiling clothing darling drawing evening feed hundred king lightning morning painting railing reed "
    "ring seed shed sibling sled sling speed spring sting string swing thing weed wedding wing"
)
"""Which end as participles do."""
_SMALL = (_ARTICLES | _CONJUNCTIONS) | _words("as at by for from in into of off on onto over per to up via with")
"""Words that a title writes small, but for its first and last."""

_MEDIUM = re.compile(
    r"(?:(?:a|an|the)\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?:photo|photograph|picture|image|painting|drawing|illustration|rendering|render|sketch|print|view|depiction)\s+"
    r"(?:of|showing|depicting)\s+",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[.!?;:,]+(?=\s|$)|[\n\r—–…()\[\]{}|/\\。，、；：！？]+|\s-+\s")
_DROPPED = re.compile(r'["“”„«»*_#`<>]')
_EDGES = "'‘’~ \t.,;:!?-&+=@"


def title_of(prompt: str, hook: str) -> str:
    """At most six words in title case: the first clause where it is short enough, else as much as ends well.

    No article or punctuation stands at either end; `Untitled` where there is nothing to go by.
    """
    for text in (hook, prompt):
        if words := _chosen(_clauses(text)):
            return _cased(words)[:MOST_CHARACTERS].rstrip(_EDGES)
    return UNTITLED


def _clauses(text: str) -> list[list[str]]:
    """The words of each clause, without what says only that it is a picture."""
    visible = "".join(" " if unicodedata.category(c) == "Cc" and c not in "\n\r" else c for c in text)
    plain = _DROPPED.sub("", visible).strip()
    medium = _MEDIUM.match(plain)
    clauses = (part.split() for part in _STOPS.split(plain[medium.end() :] if medium else plain))
    return [words for words in map(_bare, clauses) if words]


def _bare(words: Sequence[str]) -> list[str]:
    """Without articles at either end, and without punctuation around words."""
    bare = [word for word in (word.strip(_EDGES) for word in words) if word]
    while bare and bare[0].lower() in _ARTICLES:
        del bare[0]
    while bare and bare[-1].lower() in _ARTICLES:
        del bare[-1]
    return bare


def _chosen(clauses: list[list[str]]) -> list[str]:
    """The first clause; words that stand alone, as in a list, are joined by commas as far as there is room."""
    if not clauses:
        return []
    chosen, *others = clauses
    if len(chosen) > 1 or not others:
        return _cut(chosen)
    if len(others[0]) >= MOST_WORDS:
        return _cut(others[0])
    for words in others:
        if len(chosen) + len(words) > MOST_WORDS or _leans(words[-1]):
            break
        chosen = [*chosen[:-1], chosen[-1] + ",", *words]
    return chosen


def _cut(words: list[str]) -> list[str]:
    """As many words as a title may have, ending where a phrase does if there is such a place."""
    if len(words) <= MOST_WORDS:
        return words
    ends = [n for n in range(2, MOST_WORDS + 1) if _opens(words[n]) and not _leans(words[n - 1])]
    ends = [n for n in ends if words[n].lower() != "of"] or ends
    kept = words[: ends[-1] if ends and words[0].lower() not in _OPENERS else MOST_WORDS]
    while len(kept) > 1 and _leans(kept[-1]):
        kept = kept[:-1]
    return kept


def _opens(word: str) -> bool:
    """Whether a phrase may end before a word."""
    return word.lower() in _BREAKS or _is_participle(word)


def _leans(word: str) -> bool:
    return word.lower() in _LEANING or _is_participle(word)


def _is_participle(word: str) -> bool:
    low = word.lower()
    return low in _PARTICIPLES or (len(low) > 3 and low.endswith(("ing", "ed")) and low not in _NOUNS)


def _cased(words: Sequence[str]) -> str:
    shouted = len(words) > 1 and all(word == word.upper() for word in words)
    plain = [word.lower() for word in words] if shouted else words
    last = len(plain) - 1
    return " ".join(_capital(word, edge=n in {0, last}) for n, word in enumerate(plain))


def _capital(word: str, *, edge: bool) -> str:
    """A word in a title; what has capitals of its own (`NASA`, `iPhone`) keeps them."""
    if word != word.lower():
        return word if word[0] != word[0].lower() or word[1:] != word[1:].lower() else word.capitalize()
    if not edge and word in _SMALL:
        return word
    return "-".join(
        part if n and part in _SMALL else part[:1].upper() + part[1:] for n, part in enumerate(word.split("-"))
    )


COLUMNS = ("seq", "title", "generation_id", "image_path", "created_at")


class Title(BaseModel):
    """One row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    """1, 2 …"""
    title: str
    generation_id: str
    image_path: str
    """As in the generations CSV."""
    created_at: str
    """ISO 8601, UTC."""


def append_title(path: Path, title: str, generation: Generation) -> int:
    """Number a picture, and say its number: one more than the last row's, or the one that it has already.

    Raises:
        HistoryError: as `append_generation`; or the last row has no number.
    """

    def make(last: Mapping[str, str] | None) -> Title:
        return Title(
            seq=_next(last),
            title=title,
            generation_id=generation.generation_id,
            image_path=generation.image_path,
            created_at=generation.created_at,
        )

    _TITLES.add(path, generation.generation_id, make)
    row = _TITLES.find(path, generation.generation_id)
    if row is None:
        raise HistoryError(
            f"{path.resolve()}: the row of {generation.generation_id!r} was taken out by another program."
        )
    return row.seq


def _next(last: Mapping[str, str] | None) -> int:
    """The number after that of the last row. Raises `ValueError`."""
    return _number(last["seq"]) + 1 if last else 1


def _number(text: str) -> int:
    """Raises `ValueError`."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValueError(f"seq is {text[:40]!r}; expected a whole number")
    return int(text)


def _fields(row: Title) -> dict[str, str]:
    return {**row.model_dump(), "seq": str(row.seq)}


def _title(fields: Mapping[str, str]) -> Title:
    """Raises `ValueError`."""
    texts = {name: fields[name] for name in COLUMNS[1:]}
    return Title.model_validate({"seq": _number(fields["seq"]), **texts})


_TITLES = Table("titles", COLUMNS, "generation_id", _title, _fields)


MANIFEST = "titles_manifest.csv"
"""Beside the generations CSV."""


def check_lists(generations: Path) -> None:
    """Check that a picture can be listed: both files are ours or new, and writable. Raises `HistoryError`."""
    check_generations(generations)
    _TITLES.check(generations.with_name(MANIFEST), _next)


def publish(artifact: Painting, brief: Brief, resources: Resources, where: Publication) -> dict[str, Path]:
    """List a painted picture, once. Paths of the two lists by role. Raises `HistoryError`."""
    if not artifact.picture:
        return {}
    row = Generation(
        generation_id=f"{resources.run}-{where.started:%Y%m%dT%H%M%S%f}",
        selected_concepts=brief.concepts or (brief.instruction,),
        final_image_prompt=artifact.prompt,
        image_path=_as_listed(where.folder / "image.png", where.generations.parent),
        created_at=where.started.isoformat(),
        seed=resources.seed,
    )
    titles = where.generations.with_name(MANIFEST)
    append_generation(where.generations, row)
    append_title(titles, title_of(artifact.prompt, where.hook), row)
    return {"generations": where.generations, "titles": titles}


def _as_listed(image: Path, folder: Path) -> str:
    """Relative where it lies below the list, so that both can be moved together."""
    image, folder = image.resolve(), folder.resolve()
    return image.relative_to(folder).as_posix() if image.is_relative_to(folder) else image.as_posix()
