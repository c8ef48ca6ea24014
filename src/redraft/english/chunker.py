"""A line as a list of chunks, each the longest that begins where the one before it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal, cast

from redraft.english.chunks import Chunk, CountComparison, Glue, NounPhrase, Relator
from redraft.english.noun_phrases import acts_on, in_lexicon, noun_phrase
from redraft.english.patterns import (
    arranged,
    compared,
    either_side,
    gapped,
    gridded,
    is_idiom,
    mutual,
    placed,
    progressing,
    related,
    sided,
    timed,
)
from redraft.english.tokens import Line, number, phrase
from redraft.english.words import is_adjective, is_noun, is_verb, lemma, singular, vocabulary
from redraft.spatial.yamldata import read_yaml

__all__ = ["chunked", "is_english", "style_spans"]


_MEDIUM = (
    r"(?:photo|photograph|picture|image|drawing|sketch|painting|illustration|view|shot|"
    r"close ?-?up(?: (?:photo|view|shot|picture))?|scene|portrait|snapshot|cartoon|rendering|"
    r"diagram|doodle|icon|reflection)"
)
_FRAME = phrase(
    r"(?:(?:please |can you |could you |i want |i would like |now )*(?:draw|sketch|paint|"
    r"show|create|design|make|generate|illustrate|render|depict|give)(?: me)? (?=an? |some |"
    rf"the |one |two |three |\d))?(?:an? |the )?(?:\w+ ){{0,2}}?{_MEDIUM} (?:of|with|showing|"
    r"that shows|showing)(?! (?:the )?(?:it|them|water)\b)"
    r"|(?:please |can you |could you |i want(?: you to)? |i would like )*(?:draw|sketch|"
    r"paint|show|create|design|generate|illustrate|render|depict|give|make)(?: me| us)?(?= (?:an?|"
    r"some|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|many) )"
    rf"|an? (?:\w+ )?(?:{_MEDIUM}|plan) :"
    r"|(?:there|here) (?:is|are|was|were|stands?|sits?|lies?)|there's|(?:is |are |was |"
    rf"were |shown |seen |visible )*in (?:the|this|an?) (?:\w+ )?{_MEDIUM}|(?:in|with) (?:the|"
    r"a) background(?! of)|(?:in|on) the foreground"
)
_NUMBER_OF = phrase(r"(?:and |where |with )?the number of")
_THAN_THAT = phrase(
    r"(?:is|are) (?P<way>less|fewer|smaller|more|greater|larger|higher) than (?:that|those|"
    r"the number|the amount)? ?(?:of)?"
)
_TOPPED = phrase(r"(?:topped|covered|adorned|decorated|piled|loaded|stacked) (?:with|by|in)")
_FILLED = phrase(
    r"(?:(?:is |are )?(?:filled|stuffed|packed) with|full of|contain(?:s|ing)|holding(?= (?:water|fruit|flowers)))"
)
Function = Literal["and", "comma", "stop", "without", "that", "pronoun", "dropped"]

_MARKS: dict[str, Function] = {
    ",": "comma", ";": "comma", ":": "comma", "(": "comma", ")": "comma", ".": "stop",
    "!": "stop", "?": "stop", "and": "and", "&": "and",
    "plus": "and", "while": "and", "but": "and", "then": "and",
}  # fmt: skip
_TOGETHER = phrase(r"(?:together|along|combined) with|as well as|accompanied by|in addition to|with")
_FUNCTIONS: dict[str, Function] = {
    **_MARKS,
    "without": "without",
    **dict.fromkeys(("that", "which", "who"), "that"),
    **dict.fromkeys(("it", "he", "she", "they"), "pronoun"),
    **dict.fromkeys(("for", "during", "about", "like", "than", "until", "since", "per", "resembling"), "dropped"),
}
_IMPLIED = frozenset({"above", "below", "behind", "beside", "in_front_of", "near"})


def chunked(line: Line) -> list[Chunk]:
    """The chunks of a line, in order, without gaps."""
    found: list[Chunk] = []
    style = style_spans(line)
    i = 0
    while i < len(line):
        chunk = Glue(i, style[i], kind="unknown") if i in style else _next(line, i, found[-1] if found else None)
        found.append(chunk)
        i = chunk.j
    return found


def _next(line: Line, i: int, before: Chunk | None) -> Chunk:
    idiom = is_idiom(line, i)
    if idiom is not None:
        return Glue(i, idiom, kind="unknown")
    frame = line.match(_FRAME, i)
    if frame is not None:
        return Glue(i, frame[1], kind="frame")
    return (
        _compared_counts(line, i)
        or _fixed(line, i)
        or _relator(line, i)
        or _glue(line, i, before)
        or _noun(line, i, before)
        or _verb(line, i)
        or Glue(i, i + 1, kind="unknown", word=line.word(i))
    )


def _fixed(line: Line, i: int) -> Chunk | None:
    for matcher in (placed, timed, gridded, arranged, progressing, gapped, compared):
        found = matcher(line, i)
        if found is not None:
            return found
    return None


def _relator(line: Line, i: int) -> Chunk | None:
    whole = mutual(line, i) or either_side(line, i) or sided(line, i)
    if whole is not None:
        return whole
    found = related(line, i)
    return _with_object(line, found) if isinstance(found, Relator) else None


def _with_object(line: Line, relator: Relator) -> Chunk | None:
    """What the relation word is followed by: a phrase, a pronoun, or nothing ("the sun above")."""
    after = line.word(relator.j)
    if after in {"it", "them", "him", "her"} and noun_phrase(line, relator.j) is None:
        return replace(relator, j=relator.j + 1, object="pronoun")
    if noun_phrase(line, relator.j, after_relation=True) is not None:
        return relator
    words = line.source(relator.i, relator.j).lower()
    if (
        relator.relation in _IMPLIED and words not in {"by", "at", "over", "before", "against", "around"}
    ) or words.endswith("top"):
        return replace(relator, object="implied")
    return None


def _glue(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    return _holding(line, i, before) or _with(line, i) or _function_word(line, i, before) or _being(line, i, before)


def _holding(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """ "topped with", "full of": what follows is on or in what came before."""
    for pattern, relation in ((_TOPPED, "topped"), (_FILLED, "filled")):
        found = line.match(pattern, i)
        if found is not None and isinstance(before, NounPhrase | Glue):
            return Glue(i, found[1], kind="verb", word=line.word(i), relation=relation)
    return None


def _with(line: Line, i: int) -> Chunk | None:
    """ "with", "along with", "as well as"."""
    along, word = line.match(_TOGETHER, i), line.word(i)
    return Glue(i, along[1], kind="with" if word == "with" else "and", word=word) if along is not None else None


def _function_word(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    word = line.word(i)
    kind = _FUNCTIONS.get(word)
    if kind is None or (kind == "that" and isinstance(before, Relator)):
        return None
    return Glue(i, i + 1, kind=kind, word=word)


def _being(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """Forms of *be*, an adjective after one, and a verb right after a noun."""
    word, v = line.word(i), vocabulary()
    if v.has(word, "auxiliaries"):
        return Glue(i, i + 1, kind="be", word=word)
    if isinstance(before, Glue) and before.kind == "be" and (quality := _quality(line, i)):
        ends = line.word(i + quality) in {"", ",", ".", "and", ";"}
        words = " ".join(line.word(k) for k in range(i, i + quality))
        return Glue(i, i + quality, kind="quality", word=words) if ends else None
    clause = isinstance(before, NounPhrase) or (isinstance(before, Glue) and before.kind in {"that", "pronoun"})
    if clause and is_verb(word):
        return _verb(line, i)
    if isinstance(before, NounPhrase) and not before.plural and acts_on(line, i):
        return Glue(i, i + 1, kind="verb", word=word)
    return None


def _quality(line: Line, i: int) -> int:
    """How many words a colour or size takes: "red", "dark blue"; 0 where there is none."""
    v, word = vocabulary(), line.word(i)
    if v.has(word, "colour_modifiers") and v.has(line.word(i + 1), "colours"):
        return 2
    return 1 if v.has(word, "colours") or word in v.sizes else 0


def _noun(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    must = isinstance(before, Relator) or (isinstance(before, Glue) and before.kind in {"with", "and", "comma"})
    found = noun_phrase(line, i, after_relation=must)
    if found is None or found.more is None or line.word(found.j) != "than":
        return found
    other = noun_phrase(line, found.j + 1, after_relation=True)
    if other is None:
        return found
    return CountComparison(
        i, other.j, subject=found, reference=other, more=1 if found.more > 0 else -1, by=abs(found.more)
    )


def _verb(line: Line, i: int) -> Chunk | None:
    word = line.word(i)
    if not is_verb(word):
        return None
    relation = vocabulary().verb_relations.get(lemma(word), "")
    return Glue(i, i + 1, kind="verb", word=word, relation=relation)


def _compared_counts(line: Line, i: int) -> Chunk | None:
    """ "the number of cars is more than that of buses"."""
    found = line.match(_NUMBER_OF, i)
    subject = noun_phrase(line, found[1], after_relation=True) if found else None
    than = line.match(_THAN_THAT, subject.j) if subject is not None and subject.j < len(line) else None
    reference = noun_phrase(line, than[1], after_relation=True) if than else None
    if subject is None or than is None or reference is None:
        return None
    more = -1 if than[0].group("way") in {"less", "fewer", "smaller"} else 1
    return CountComparison(i, reference.j, subject=subject, reference=reference, more=more)


def is_english(line: Line) -> bool:
    """Whether enough of the words are known: else nothing of it is read."""
    words = [t.word for t in line.tokens if t.word[:1].isalpha()]
    known = sum(1 for w in words if _known(w))
    return not words or known >= max(1, 0.4 * len(words))


def _known(word: str) -> bool:
    v = vocabulary()
    closed = v.has(word, "prepositions", "pronouns", "auxiliaries", "adverbs", "colours", "adjectives", "abstract")
    return (
        closed
        or word in {"a", "an", "the", "and", "one", "two", "three", "no", "some"}
        or is_noun(singular(word)[0])
        or word in v.verb_forms
        or is_adjective(word)
    )


_STOPS = frozenset({".", "!", "?"})
_BREAKS = frozenset({",", ";", ":", "(", ")"})
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
_MADE_WITH = phrase(
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
    for i, j in _parts(line, _BREAKS, start, end):
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
    return _goes_on(line, k, j) or after in _BREAKS or vocabulary().has(after, "prepositions", "adverbs")


def _is_part(line: Line, i: int, j: int) -> bool:
    """Whether it holds a word of style and no thing, as far as the words tell."""
    if line.match(_MANNER, i) or _within(line, _SUPPORTED, i, j) or _is_light(line, i, j) or _is_colours(line, i, j):
        return True
    strong = {k for start, end in _strong(line, i, j) for k in range(start, end)}
    return bool(strong or line.match(_MADE_WITH, i)) and not _has_thing(line, i, j, strong)


def _within(line: Line, pattern: re.Pattern[str], i: int, j: int) -> bool:
    found = line.match(pattern, i)
    return found is not None and found[1] == j


def _is_light(line: Line, i: int, j: int) -> bool:
    """ "soft golden light": no lamp, for nobody says "a"."""
    bare = line.word(j - 1) == "light" and j - i > 1
    return bare and all(_is_descriptive(line.word(k)) for k in range(i, j - 1))


def _is_colours(line: Line, i: int, j: int) -> bool:
    """ "warm ochres and muted greens": several colours, and nothing that has them."""
    said = [line.word(k) for k in range(i, j)]
    several = [word for word in said if word.endswith("s") and vocabulary().has(word[:-1], "colours")]
    return bool(several) and all(word in several or word == "and" or _is_descriptive(word) for word in said)


def _is_descriptive(word: str) -> bool:
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
        and not (_no_thing(line.word(k + 1)) or line.word(k + 1) in _styles().words)
        for k in range(i, j - 1)
    )


def _has_thing(line: Line, i: int, j: int, strong: set[int]) -> bool:
    """Whether something in it may be a thing: a noun that is known, or an unknown word that describes nothing."""
    for k in range(i, j):
        word = line.word(k)
        if k in strong or word in _styles().words or k + 1 in strong:  # "earth tones"
            continue
        if _is_thing(word) or not (_no_thing(word) or _leads_on(line, k, j, strong)):
            return True
    return False


def _is_thing(word: str) -> bool:
    v, one = vocabulary(), singular(word)[0]
    if word in _styles().words or v.has(word, "adjectives", "colours", "abstract"):
        return False
    return is_noun(one) or in_lexicon(one)


def _no_thing(word: str) -> bool:
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
