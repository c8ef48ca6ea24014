"""Noun phrases: determiner, number, measures, what describes it, the noun itself, and what follows with *of*."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from redraft.offline.english.chunks import Arrangement, Determiner, Kind, NounPhrase
from redraft.offline.english.reading import Measure
from redraft.offline.english.tokens import NUMBER, ORDINAL, UNIT, Line, number, ordinal, phrase, unit
from redraft.offline.english.words import (
    is_adjective,
    is_noun,
    is_part_of,
    is_thing,
    is_verb,
    singular,
    thing_of,
    vocabulary,
)

_SAME = phrase(r"(?:the|an) (?:same|equal) (?:number|amount) of|(?:just )?as many")
_VAGUE = phrase(
    r"(?:quite )?(?:a )?(?:few|several)(?: of)?|some|many|lots of|multiple|numerous|various|(?:a )?small group of"
    r"|a (?:lot|number|bunch|group|variety|series|cluster|collection|flock|herd) of"
    r"(?! (?:two|three|four|five|six|seven|eight|nine|ten|\d))"
)
_COUNTED = phrase(
    r"(?:the |these |those |all |both |only |just )*(?P<least>at least )?(?P<exactly>exactly )?"
    r"(?:a (?P<word>pair|couple|dozen)(?: of)?|(?P<pairs>two|three|four) pairs(?: of)?"
    rf"|(?P<n>{NUMBER})(?! ?(?:%|percent|{UNIT} )))(?: of the| different| other)?"
)
_THE = phrase(r"(?:all )?(?:of )?(?:the|this|that|these|those|both|your|my|our)")
_POSSESSIVE = phrase(r"its|his|her|their|someone 's|somebody 's|one 's|someone's|somebody's|the other")
_A = phrase(r"a|an|a single|one single|just a")
_MEASURES = phrase(
    rf"(?P<a>{NUMBER}) ?(?:(?P<ua>{UNIT})? ?(?:by|x|×) ?(?P<b>{NUMBER}) ?(?P<ub>{UNIT})"
    rf"|-?(?P<unit>{UNIT})(?:[ -](?:(?P<tall>tall|high)|wide|long))?)"
)
_OF_GRID = phrase(
    rf"(?P<rows>{NUMBER}) ?(?:by|x|×) ?(?P<columns>{NUMBER})(?: (?:grid|matrix|array) of)?(?= (?:\w+ )?\w+s\b)"
)
_ORDINAL = phrase(rf"(?P<o>{ORDINAL})(?: ?one)?")
MAX_NESTED = 6
"""How deep "the lid of the box of the …" is followed."""
_SETS = {"pair": 2, "couple": 2, "dozen": 12}


@dataclass
class _Draft:
    """A noun phrase in the making."""

    determiner: Determiner = ""
    number: int | None = None
    vague: bool = False
    at_least: bool = False
    exactly: bool = False
    pairs: bool = False
    same: bool = False
    ordinal: int | None = None
    width: Measure | None = None
    height: Measure | None = None
    grid: tuple[int, int] | None = None


def noun_phrase(line: Line, i: int, *, after_relation: bool = False, depth: int = 0) -> NounPhrase | None:
    """Return the noun phrase that begins at the i-th word. Bare unknown words count only where a noun must stand."""
    # A name of letters and digits: "C1", or "A" where it is not an article.
    text = line.tokens[i].text if i < len(line) else ""
    letter = re.fullmatch(r"[A-HJ-Z]", text) and not could_be_nominal(line, i + 1)
    if letter or re.fullmatch(r"[A-Z]{1,3}\d{1,4}", text):
        return NounPhrase(i, i + 1, noun=text, determiner="the", number=1)

    draft = _Draft()
    j = i
    for read in (_quantity, _determiner, _quantity, _ordinal, _measures, _grid):
        j = read(line, j, draft)
    if draft.grid is not None:
        inner = noun_phrase(line, j, after_relation=True, depth=depth + 1) if depth <= MAX_NESTED else None
        return _gridded(inner, draft.grid, i) if inner is not None else None

    one = draft.determiner in {"a", "each", "another"} or draft.number == 1
    head = read_head(line, j, singular_expected=one, determined=j > i)
    if head is None:
        # "the fourth": which one of what was spoken of.
        which = draft.ordinal if draft.determiner in {"the", "its"} else None
        if which is not None:
            return NounPhrase(i, j, noun="one", kind="abstract", determiner="the", ordinal=which)
        return None
    if head.noun == "light" and j == i and not head.plural:
        head = replace(head, kind="abstract")  # "in soft light": not a lamp
    bare = not head.known and draft.determiner == "" and draft.number is None and not draft.vague
    if bare and not (after_relation or head.plural):
        return None

    return _followed(line, _built(draft, head, i, bare=bare), depth)


def _gridded(np: NounPhrase, size: tuple[int, int], i: int) -> NounPhrase:
    """Return the cells of a grid as one phrase that begins at the i-th word."""
    rows, columns = size
    grid = Arrangement(i, np.i, kind="grid", rows=rows, columns=columns)
    return replace(np, i=i, number=rows * columns, determiner="a", arrangement=grid, exactly=True)


def _followed(line: Line, np: NounPhrase, depth: int) -> NounPhrase:
    """Take along what follows: 's and of-phrases, as far as `MAX_NESTED`."""
    if line.word(np.j) not in {"'s", "of"} or depth > MAX_NESTED:
        return np
    inner = noun_phrase(line, np.j + 1, after_relation=True, depth=depth + 1)
    if line.word(np.j) == "of":
        return _with_of(np, inner) if inner is not None else np
    return replace(inner, i=np.i, owner=np) if inner is not None else replace(np, j=np.j + 1)


# Each of these reads one piece before the noun into the draft, and returns the word after it.


def _quantity(line: Line, i: int, draft: _Draft) -> int:
    if i >= len(line) or draft.number is not None or line.match(_MEASURES, i) or line.match(_OF_GRID, i):
        return i
    if same := line.match(_SAME, i):
        draft.same = True
        return same[1]
    if counted := line.match(_COUNTED, i):
        match, j = counted
        group = match.groupdict()
        value = number(group["n"] or group["pairs"] or "")
        if value is not None and value != int(value):
            return j
        draft.pairs = bool(group["pairs"]) or group["word"] == "pair"
        draft.number = int(value) * (2 if group["pairs"] else 1) if value is not None else _SETS[group["word"]]
        draft.at_least, draft.exactly = bool(group["least"]), bool(group["exactly"])
        if match.group().startswith(("the ", "these ", "those ", "both ")):
            draft.determiner = "the"
        return j
    if vague := line.match(_VAGUE, i):
        draft.vague = True
        return vague[1]
    return i


_WORD_DETERMINERS: dict[str, Determiner] = {"another": "another", "each": "each", "every": "each", "no": "no"}
_DETERMINER_PATTERNS: tuple[tuple[re.Pattern[str], Determiner], ...] = ((_THE, "the"), (_POSSESSIVE, "its"), (_A, "a"))


def _determiner(line: Line, i: int, draft: _Draft) -> int:
    word = line.word(i)
    if draft.number is not None or not word:
        return i
    if word in _WORD_DETERMINERS:
        draft.determiner = _WORD_DETERMINERS[word]
        return i + 1
    for pattern, determiner in _DETERMINER_PATTERNS:
        if matched := line.match(pattern, i):
            draft.determiner = determiner
            return matched[1]
    return i


def _ordinal(line: Line, i: int, draft: _Draft) -> int:
    matched = line.match(_ORDINAL, i) if draft.determiner in {"the", "its"} and i < len(line) else None
    if matched is None:
        return i
    draft.ordinal = ordinal(matched[0].group("o"))
    return matched[1]


def _measures(line: Line, i: int, draft: _Draft) -> int:
    matched = line.match(_MEASURES, i) if i < len(line) else None
    if matched is None:
        return i
    group = matched[0].groupdict()
    first = Measure(number(group["a"]) or 0.0, unit(group["ua"] or group["ub"] or group["unit"]))
    second = Measure(number(group["b"]) or 0.0, unit(group["ub"])) if group["b"] else None
    draft.width, draft.height = (None, first) if group["tall"] else (first, second)
    return matched[1]


def _grid(line: Line, i: int, draft: _Draft) -> int:
    matched = line.match(_OF_GRID, i) if i < len(line) else None
    if matched is None:
        return i
    rows, columns = (number(matched[0].group(name)) for name in ("rows", "columns"))
    draft.grid = (int(rows or 0), int(columns or 0))
    return matched[1]


def _built(draft: _Draft, head: Head, i: int, *, bare: bool) -> NounPhrase:
    count = draft.number
    if draft.pairs and vocabulary().has(head.noun, "pair_nouns") and count is not None:
        count //= 2
    if count is None and draft.determiner == "no":
        count = 0
    plural = head.plural or (count or 0) > 1 or draft.vague
    if count is None and not plural and not draft.same:
        count = 1
    # The bicycle of "a bicycle tire", the cat of "a cats tail".
    owner = None if head.owner is None else NounPhrase(i, head.j, noun=head.owner, number=1, determiner="the")
    return NounPhrase(
        i, head.j, noun=head.noun, kind=head.kind, plural=plural, determiner=draft.determiner, number=count,
        at_least=draft.at_least, same_number=draft.same, exactly=draft.exactly, ordinal=draft.ordinal,
        colour=head.colour, size=head.size, adjectives=head.adjectives, loose=head.loose, width=draft.width,
        height=draft.height, owner=owner, bare=bare,
    )  # fmt: skip


def _with_of(np: NounPhrase, inner: NounPhrase) -> NounPhrase:
    """Join two phrases: "a herd of zebras" is the zebras, "a slice of pizza" a slice, "a cup of tea" the cup.

    What cannot be drawn gives way to what can: "the covers of a bed", "a statue of a horse".
    """
    v = vocabulary()
    if inner.kind == "abstract" and not v.has(np.noun, "groups"):
        whole = np
    elif np.noun in {"row", "line", "column", "stack"}:
        kind = "row" if np.noun in {"row", "line"} else "column"
        whole = replace(inner, i=np.i, arrangement=inner.arrangement or Arrangement(np.i, inner.i, kind=kind))
    elif v.has(np.noun, "groups") or np.noun in {"pair", "couple"}:
        whole = replace(inner, i=np.i, number=inner.number if inner.number != 1 or not inner.plural else None)
    elif v.has(np.noun, "servings"):
        whole = replace(np, j=inner.j, noun=f"{np.noun} of {inner.noun}", kind="thing")
    elif v.has(np.noun, "containers"):
        # Apples in a bowl are things; the tea in a cup is not drawn by itself.
        mass = inner.bare or v.has(inner.noun, "uncountable")
        countable = inner.kind == "thing" and (inner.plural or (inner.number or 0) > 1 or not mass)
        contents = inner if countable else None
        whole = replace(np, j=inner.j, contents=contents, loose=np.loose if contents else (*np.loose, inner.j - 1))
    elif v.has(np.noun, "regions", "frames", "abstract"):
        whole = replace(inner, i=np.i)
    elif v.has(np.noun, "parts"):
        whole = replace(np, j=inner.j, owner=inner)
    elif is_thing(inner.noun) and not is_thing(np.noun):
        whole = replace(inner, i=np.i, loose=(*range(np.i, np.j), *inner.loose))
    else:
        whole = replace(np, j=inner.j, loose=(*np.loose, *range(np.j + 1, inner.j)))
    return whole


_CLOSED = ("prepositions", "pronouns", "auxiliaries", "adverbs")
_DETERMINERS = frozenset(
    {"a", "an", "the", "this", "that", "its", "his", "her", "their", "another", "each", "every", "no", "some"}
)


@dataclass(frozen=True)
class Head:
    """The noun of a phrase and its adjectives; `j` is the word after it."""

    noun: str
    j: int
    kind: Kind
    plural: bool
    known: bool
    colour: str | None
    size: float
    adjectives: tuple[str, ...]
    loose: tuple[int, ...]
    owner: str | None = None


@dataclass
class _Words:
    """What has been read of a phrase so far: adjectives, then nouns."""

    adjectives: list[int] = field(default_factory=list[int])
    nouns: list[tuple[int, int, str, bool]] = field(default_factory=list[tuple[int, int, str, bool]])
    """First and last index, the singular, and whether the vocabulary knows it."""
    plural: bool = False
    owner: str | None = None
    determined: bool = False
    """After "a" or a number a word is a noun that elsewhere would be a verb: "a row"."""

    def take(self, i: int, j: int, noun: str, *, known: bool, plural: bool) -> int:
        """Add the words i to j as a noun; returns j."""
        self.nouns.append((i, j, noun, known))
        self.plural = plural
        return j


def read_head(line: Line, i: int, *, singular_expected: bool, determined: bool) -> Head | None:
    """Return the adjectives and nouns from the i-th word on; None when no noun stands there."""
    words = _Words(determined=determined)
    j: int | None = i
    while j is not None and j < len(line) and not words.plural:
        j = _read_word(line, j, words, singular_expected=singular_expected)
    return _head_of(line, words) if words.nouns else None


def _read_word(line: Line, j: int, words: _Words, *, singular_expected: bool) -> int | None:
    """Take the j-th word into the phrase; None when the phrase has ended before it."""
    word = line.word(j)
    if word in {"and", ",", "&"}:
        return j + 1 if _joins_adjectives(line, j, words) else None
    if not any(c.isalpha() or c == "#" for c in word) or _ends_phrase(line, j, words):
        return None
    compound = _compound(line, j)
    if compound is not None:
        noun, end, plural = compound
        return words.take(j, end, noun, known=True, plural=plural)
    if _describes(line, j, words):
        words.adjectives.append(j)
        return j + 1
    return None if _acts(line, j, words) else _read_noun(line, j, words, singular_expected=singular_expected)


def _ends_phrase(line: Line, j: int, words: _Words) -> bool:
    """Return whether a function word or adverb ends the phrase; "very" or "light" may stand before its noun."""
    v, word = vocabulary(), line.word(j)
    if word in _DETERMINERS or number(word) is not None or (v.has(word, "prepositions", "pronouns", "auxiliaries")):
        return True
    if v.has(word, "adjectives", "nouns", "colours") or (
        words.determined and not words.nouns and v.has(word, "regions")
    ):
        return False
    return v.has(word, "adverbs") or (word.endswith("ly") and len(word) > 4 and not is_noun(word))


def _joins_adjectives(line: Line, j: int, words: _Words) -> bool:
    """Return whether another adjective follows and no noun stands yet: "black and white dog", "a white, wired cage"."""
    if words.nouns or not words.adjectives or words.adjectives[-1] != j - 1:
        return False
    after = line.word(j + 1)
    nothing_after = not could_be_nominal(line, j + 2)
    return (is_adjective(after) or vocabulary().has(after, "colours", "colour_modifiers")) and not (
        nothing_after or after in _DETERMINERS
    )


def could_be_nominal(line: Line, j: int) -> bool:
    """Return whether the j-th word can stand inside a noun phrase."""
    word = line.word(j)
    v = vocabulary()
    if (
        not any(c.isalpha() or c == "#" for c in word)
        or word == "'s"
        or word in _DETERMINERS
        or word in {"and", "or", "but"}
    ):
        return False
    if number(word) is not None:
        return False
    if v.has(word, *_CLOSED) and not v.has(word, "adjectives", "colours", "nouns"):
        return False
    if is_adjective(word) or v.has(word, "colours") or is_noun(singular(word)[0]):
        return True
    return not (is_verb(word) or word.endswith("ly"))


def _compound(line: Line, j: int) -> tuple[str, int, bool] | None:
    """Return the longest known compound that begins at the j-th word: its singular, its end, whether it is plural."""
    v = vocabulary()
    if v.has(line.word(j), "colours") and v.has(line.word(j - 1), "colour_modifiers"):
        return None  # "a dark blue sky" has a color of its own
    for length in range(v.longest_compound, 1, -1):
        words = [line.word(k) for k in range(j, j + length)]
        if "" in words or any(v.has(w, "prepositions", "auxiliaries") or not w[:1].isalpha() for w in words):
            continue
        # Wine glasses are several, a pair of glasses is one.
        last, plural = ("glass", True) if words[-1] == "glasses" else singular(words[-1])
        name = " ".join([*words[:-1], last])
        if name in v.appositions:
            return v.appositions[name], j + length, plural
        if v.has(name, "compounds") or (length > 1 and is_thing(name)):
            return name, j + length, plural
    return None


def _describes(line: Line, j: int, words: _Words) -> bool:
    """Return whether a word is an adjective or color before a noun: some noun must still follow."""
    if words.nouns:
        return False
    v, word = vocabulary(), line.word(j)
    if not (
        is_adjective(word)
        or v.has(word, "colours", "colour_modifiers")
        or (is_verb(word) and word.endswith(("ed", "ing")))
    ):
        return v.has(word, "adverbs") and is_adjective(line.word(j + 1))
    if is_noun(singular(word)[0]) and not v.has(word, "adjectives", "colours") and word not in v.sizes:
        return False
    following = j + 1
    if line.word(following) in {"and", ",", "&"} and _joins_adjectives(line, following, _Words(adjectives=[j])):
        return True
    return could_be_nominal(line, following)


_ARTICLES = frozenset({"a", "an", "the", "its", "his", "her"})


def _acts(line: Line, j: int, words: _Words) -> bool:
    """Return whether a word is a verb rather than a noun: "a cat sits", "two dogs play", "the robot waters a plant"."""
    word, after = line.word(j), line.word(j + 1)
    stem, plural = singular(word)
    starts = not (words.determined or words.adjectives)
    if (words.nouns or starts) and plural and after in _ARTICLES:
        return True
    if not is_verb(word):
        return False
    if not words.nouns:
        return not (is_noun(stem) or (words.determined and not word.endswith("ing")))
    # What follows may be for a verb: "a cat stand next to …", "two dogs rest quietly".
    goes_on = after in _DETERMINERS or vocabulary().has(after, "adverbs", "prepositions")
    return not is_noun(stem) or plural or goes_on


def _read_noun(line: Line, j: int, words: _Words, *, singular_expected: bool) -> int | None:
    word, v = line.word(j), vocabulary()
    if words.nouns and v.has(word, "colour_modifiers") and v.has(line.word(j + 1), "colours"):
        return None  # "the door dark blue"
    noun, plural = singular(word)
    known = is_noun(noun) or is_thing(noun)
    if words.nouns and words.nouns[-1][3] and not known and (plural or word.endswith("s")):
        return None  # "the cat pounces": an unknown -s form after a known noun is its verb
    if (
        plural
        and singular_expected
        and known
        and not words.nouns
        and could_be_nominal(line, j + 1)
        and not is_verb(line.word(j + 1))
    ):
        words.owner = noun  # "a cats tail", "a cars side mirror"
        return j + 1
    # "the roof red": a color, a size or a listed adjective is not a noun.
    describes = v.has(word, "adjectives", "colours", "colour_modifiers") or word in v.sizes
    if not known and (describes or (words.nouns and v.has(noun, "abstract"))):
        return None
    return words.take(j, j + 1, noun, known=known, plural=plural)


def _head_of(line: Line, words: _Words) -> Head:
    """Choose the noun: the last known words together; unknown words before them describe."""
    v, nouns = vocabulary(), words.nouns
    extra: tuple[int, ...] = ()
    if len(nouns) > 1 and not nouns[-1][3] and nouns[-2][3] and is_thing(nouns[-2][2]):
        # An unknown word after a thing gives way to it: a "hot dog confection" is drawn as a hot dog.
        extra, nouns = (nouns[-1][0],), nouns[:-1]
    start = len(nouns) - 1
    while start > 0:
        _, _, noun, known = nouns[start - 1]
        material = v.has(noun, "uncountable", "adjectives") and not v.has(noun, "nouns")
        if material or not known:
            break
        start -= 1
    adjectives = [*words.adjectives, *(k for a, b, _, _ in nouns[:start] for k in range(a, b))]
    chosen, owner = [noun for _, _, noun, _ in nouns[start:]], words.owner
    if owner is None and len(chosen) > 1 and belongs(chosen[-1], chosen[-2]) and not v.has(chosen[-2], "settings"):
        owner, chosen = chosen[-2], chosen[-1:]  # "bicycle tire" is the tire of a bicycle; "dog bed" is a bed
    name = " ".join(chosen)
    name = v.appositions.get(name, name)
    colour, size, loose = _qualities(line, adjectives)
    return Head(
        noun=name, j=words.nouns[-1][1], kind=_kind(name, chosen[-1]), plural=words.plural, known=nouns[-1][3],
        colour=colour, size=size, adjectives=tuple(line.word(k) for k in loose if k not in extra),
        loose=(*loose, *extra), owner=owner,
    )  # fmt: skip


def belongs(noun: str, whole: str) -> bool:
    """Return whether a thing is a part of the whole: by the lexicon where it has the whole, else by nature."""
    v = vocabulary()
    if is_part_of(noun, whole):
        return True
    if v.has(noun, "shared_parts") and thing_of(whole) is not None:
        return False
    return v.has(noun, "parts")


def _kind(name: str, head: str) -> Kind:
    v = vocabulary()
    if v.has(name, "compounds") and not v.has(name, "settings"):
        return "thing"
    if v.has(name, "settings") or (v.has(head, "settings") and not is_thing(name)):
        return "setting"
    if v.has(head, "abstract", "regions", "frames", "groups") and not (v.has(name, "nouns") or is_thing(name)):
        return "abstract"
    return "thing"


def _qualities(line: Line, adjectives: list[int]) -> tuple[str | None, float, tuple[int, ...]]:
    """Return the color as written, the linear size, and the words that mean something else."""
    v = vocabulary()
    colour: str | None = None
    size = 1.0
    loose: list[int] = []
    for k in sorted(adjectives):
        word = line.word(k)
        if v.has(word, "colours"):
            before = line.word(k - 1)
            shade = f"{before} " if k - 1 in adjectives and v.has(before, "colour_modifiers") else ""
            colour = colour or shade + word
        elif word in v.sizes:
            size *= v.sizes[word]
        elif not (v.has(word, "colour_modifiers") and v.has(line.word(k + 1), "colours")):
            loose.append(k)
    return colour, size, tuple(loose)
