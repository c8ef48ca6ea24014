"""What a text says of how a picture is made: medium, palette, light, viewpoint, mood. It names nothing to draw.

A sentence is passed over when it begins with such a label or subject ("Palette: …", "The mood is …"), and a part of
one between marks when it holds such a word and no thing: "a fox in the snow, muted tones, oil on canvas".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import cast

from redraft.english.heads import in_lexicon
from redraft.english.numbers import number
from redraft.english.tokens import Line, phrase
from redraft.english.words import is_adjective, is_noun, is_verb, singular, vocabulary
from redraft.spatial.yamldata import read_yaml

__all__ = ["style_spans"]

_STOPS = frozenset({".", "!", "?"})
_MARKS = frozenset({",", ";", ":", "(", ")"})
_BREAK = re.compile(r"\n|\s-+\s|[|•]")
"""Between two words: a new line, or a sign that parts what is said."""
_LEAVE_OUT = phrase(r"(?:please )?(?:avoid|exclude|do not (?:include|show|add|draw)|don't (?:include|show|add|draw))")
_KIND_OF_LIGHT = (
    r"(?:soft|low|warm|cool|cold|golden|early|late|morning|evening|afternoon|winter|summer|autumn|pale|harsh|hard|flat|diffuse|"
    r"even|dim|dappled|natural|faint|slanting|raking|silvery|grey|gray|overcast|quiet|clear|thin|strong|gentle|moody|dramatic)"
)
_LIGHT = phrase(
    rf"(?:the |a |all )?(?:{_KIND_OF_LIGHT} )*light (?:comes|falls|pours|spills|streams|filters|rakes|enters|washes|"
    rf"is (?:very |quite |always )?{_KIND_OF_LIGHT})"
)
_MADE = phrase(
    r"(?:rendered|painted|drawn|illustrated|shot|photographed|depicted|executed|done|printed|filmed|styled|inspired|"
    r"seen|viewed|framed|composed|lit) (?:in|on|with|as|from|by|like|through|at)"
)
_MANNER = phrase(
    r"(?:and )?(?:in|after|reminiscent of|evoking|echoing) (?:the|an?) (?:\w+ )?(?:style|manner|spirit|tradition) of"
)
_SUPPORTED = phrase(
    r"(?:oils?|acrylics?|ink|charcoal|pastels?|pencil|graphite|chalk|crayon|pen and ink|mixed media|paint) on "
    r"(?:\w+ ){0,2}(?:canvas|paper|panel|board|linen|vellum|parchment|wood|cardboard|copper|silk)"
)
_SUBJECT = r"(?:the |its |an? |overall )*(?:[\w-]+ ){{0,3}}?(?:{0})(?: and (?:\w+ )?(?:{0}))?"


@dataclass(frozen=True)
class _Styles:
    """The lists of `style.yaml`, as patterns over whole words."""

    strong: re.Pattern[str]
    label: re.Pattern[str]
    head: re.Pattern[str]
    soft: re.Pattern[str]
    anywhere: re.Pattern[str]
    words: frozenset[str]


@cache
def _styles() -> _Styles:
    lists = cast("dict[str, list[str]]", read_yaml(files("redraft.english").joinpath("style.yaml").read_text("utf-8")))
    either = {
        name: "|".join(map(re.escape, sorted(map(str, found), key=len, reverse=True))) for name, found in lists.items()
    }
    return _Styles(
        strong=phrase(either["strong"]),
        label=phrase(rf"(?:{either['labels']})(?: and (?:{either['labels']}))? :"),
        head=phrase(_SUBJECT.format(either["heads"])),
        soft=phrase(_SUBJECT.format(f"{either['heads']}|{either['labels']}|{either['soft']}")),
        anywhere=phrase(either["anywhere"]),
        words=frozenset(word for name in ("strong", "weak") for found in lists[name] for word in str(found).split()),
    )


def style_spans(line: Line) -> dict[int, int]:
    """First word and the word after the last of each such passage. Linear in the text's length."""
    found: dict[int, int] = {}
    for start, end in _parts(line, _STOPS):
        if _is_sentence(line, start, end):
            found[start] = end
        else:
            found.update(_style_parts(line, start, end))
    inside = {k for i, j in found.items() for k in range(i, j)}
    anywhere = (
        (k, match) for k in range(len(line)) if (match := line.match(_styles().anywhere, k)) and k not in inside
    )
    return found | {k: match[1] for k, match in anywhere}


def _style_parts(line: Line, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Those parts of a sentence; after "a palette of slate blue" further colours are of the palette."""
    before = False
    for i, j in _parts(line, _MARKS, start, end):
        coloured = before and vocabulary().has(line.word(j - 1), "colours") and not _determined(line, i, j)
        before = coloured or _is_part(line, i, j)
        if before:
            yield i, j


def _determined(line: Line, i: int, j: int) -> bool:
    return any(line.word(k) in {"a", "an", "the"} or number(line.word(k)) is not None for k in range(i, j))


def _parts(line: Line, marks: frozenset[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Runs of words between marks, or between line breaks and dashes, which are no words."""
    end = len(line) if end is None else end
    at = start
    for i in range(start, end):
        if line.word(i) in marks:
            if at < i:
                yield at, i
            at = i + 1
        elif at < i and _BREAK.search(line.text[line.tokens[i - 1].end : line.tokens[i].start]):
            yield at, i
            at = i
    if at < end:
        yield at, end


def _is_sentence(line: Line, i: int, j: int) -> bool:
    """Whether its subject or label is of style. "The colours of the house are …" speaks of a house."""
    styles = _styles()
    if line.match(styles.label, i) or line.match(_LEAVE_OUT, i) or line.match(_LIGHT, i):
        return True
    firm = line.match(styles.head, i)
    if firm is not None and _goes_on(line, firm[1], j) and not _drawable(line, i, firm[1]):
        return True
    soft = line.match(styles.soft, i)
    return soft is not None and _leads(line, soft[1], j) and not (_drawable(line, i, j) or _unknown(line, soft[1], j))


def _goes_on(line: Line, k: int, j: int) -> bool:
    """Whether a subject has ended before the k-th word: the verb follows."""
    return k == j or is_verb(line.word(k)) or vocabulary().has(line.word(k), "auxiliaries")


def _leads(line: Line, k: int, j: int) -> bool:
    after = line.word(k)
    return _goes_on(line, k, j) or after in _MARKS or vocabulary().has(after, "prepositions", "adverbs")


def _is_part(line: Line, i: int, j: int) -> bool:
    """Whether it holds a word of style and no thing, as far as the words tell."""
    if line.match(_MANNER, i) or _within(line, _SUPPORTED, i, j) or _is_light(line, i, j) or _is_colours(line, i, j):
        return True
    strong = {k for start, end in _strong(line, i, j) for k in range(start, end)}
    return bool(strong or line.match(_MADE, i)) and not _things(line, i, j, strong)


def _within(line: Line, pattern: re.Pattern[str], i: int, j: int) -> bool:
    found = line.match(pattern, i)
    return found is not None and found[1] == j


def _is_light(line: Line, i: int, j: int) -> bool:
    """ "soft golden light": no lamp, for nobody says "a"."""
    bare = line.word(j - 1) == "light" and j - i > 1
    return bare and all(_describes(line.word(k)) for k in range(i, j - 1))


def _is_colours(line: Line, i: int, j: int) -> bool:
    """ "warm ochres and muted greens": several colours, and nothing that has them."""
    said = [line.word(k) for k in range(i, j)]
    several = [word for word in said if word.endswith("s") and vocabulary().has(word[:-1], "colours")]
    return bool(several) and all(word in several or word == "and" or _describes(word) for word in said)


def _describes(word: str) -> bool:
    v = vocabulary()
    return is_adjective(word) or v.has(word, "colours", "colour_modifiers", "adverbs") or word in _styles().words


def _strong(line: Line, i: int, j: int) -> Iterator[tuple[int, int]]:
    k = i
    while k < j:
        found = line.match(_styles().strong, k)
        if found is not None and found[1] <= j:
            yield k, found[1]
        k = found[1] if found is not None else k + 1


def _drawable(line: Line, i: int, j: int) -> bool:
    return any(_is_thing(line.word(k)) for k in range(i, j))


def _unknown(line: Line, i: int, j: int) -> bool:
    """Whether an article or a number stands before a word that is not known: "a view of a capybara"."""
    return any(
        (line.word(k) in {"a", "an", "the"} or number(line.word(k)) is not None)
        and not (_known(line.word(k + 1)) or line.word(k + 1) in _styles().words)
        for k in range(i, j - 1)
    )


def _things(line: Line, i: int, j: int, strong: set[int]) -> bool:
    """Whether something in it may be a thing: a noun that is known, or an unknown word that describes nothing."""
    for k in range(i, j):
        word = line.word(k)
        if k in strong or word in _styles().words or k + 1 in strong:  # "earth tones"
            continue
        if _is_thing(word) or not (_known(word) or _leads_on(line, k, j, strong)):
            return True
    return False


def _is_thing(word: str) -> bool:
    v, one = vocabulary(), singular(word)[0]
    if word in _styles().words or v.has(word, "adjectives", "colours", "abstract"):
        return False
    return is_noun(one) or in_lexicon(one)


def _known(word: str) -> bool:
    """A word that cannot be a thing."""
    v = vocabulary()
    closed = v.has(
        word, "prepositions", "pronouns", "auxiliaries", "adverbs", "colours", "colour_modifiers", "abstract"
    )
    small = (
        word in {"a", "an", "the", "and", "or", "but", "yet", "of", "no", "not", "'s", "with"} or not word[:1].isalpha()
    )
    return closed or small or is_adjective(word) or word.endswith(("ly", "ing")) or word in v.sizes


def _leads_on(line: Line, k: int, j: int, strong: set[int]) -> bool:
    """Whether an unknown word stands before a word of style: "melancholic yet hopeful mood"."""
    for n in range(k + 1, j):
        word = line.word(n)
        if n in strong or word in _styles().words - {"and"}:
            return True
        if vocabulary().has(word, "prepositions", "auxiliaries") or word in {"a", "an", "the", "with", "of"}:
            return False
    return False
