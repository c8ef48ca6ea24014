"""Names of a board's parts, pads and nets in a text of any language: references, ranges, lists, wildcards, kinds.

Names are those that the board has. A word that looks like a reference and is none is unknown, and refused before a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property

from redraft.errors import BriefError
from redraft.layout.items import Item, Layout
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.solve.arguments import block_of, named_block

_NOUNS = {
    "ANT AE": "antenna",
    "BT BAT": "battery",
    "C": "capacitor",
    "D LED CR": "diode",
    "F": "fuse",
    "FB": "ferrite bead",
    "FID": "fiducial",
    "FL": "filter",
    "H MH MTG HOLE": "mounting hole",
    "J P CN CON CONN HDR": "connector",
    "JP SB": "jumper",
    "K RL RLY": "relay",
    "L": "inductor",
    "LS SP": "loudspeaker",
    "M": "motor",
    "MIC": "microphone",
    "Q T": "transistor",
    "R RN RP": "resistor",
    "RV VR POT": "potentiometer",
    "S SW BTN": "switch",
    "TP": "test point",
    "TR": "transformer",
    "U IC": "IC",
    "X Y XTAL": "crystal",
}
_DRAWN = (
    (r"mounting_?hole(?!s)|^mtg\d", "mounting hole"),
    (r"fiducial", "fiducial"),
    (r"test_?(?:point|pad)", "test point"),
    (r"(?:solder)?jumper", "jumper"),
    (
        r"conn(?:ector)?(?:_|\d|$)|pin_?(?:header|socket)|terminal_?block|\brj45|\bhdmi|\bd-?sub|\bbus_?(?:pc|pci)(?:_|$)"
        r"|^usb[-_ ]?(?:[abc]|micro|mini|pcb)(?:[-_ ]|$)|barrel_?jack|sd_?card|card_?edge",
        "connector",
    ),
    (r"^(?:r|r_.*)_\d{4}_", "resistor"),
    (r"^cp?_\d{4}_", "capacitor"),
    (r"^led_", "diode"),
    (r"^crystal_", "crystal"),
)
_BY_DRAWING = tuple((re.compile(words, re.IGNORECASE), noun) for words, noun in _DRAWN)
"""Words in the name of a footprint, where the letters of a reference say nothing."""
_CONNECTORS = re.compile(r"conn(?:ector)?s?(?![a-z])", re.IGNORECASE)
"""In the name of a library: `Connector_USB`, `OLIMEX_Connectors-FP`."""
_BY_LETTERS = {letters: noun for many, noun in _NOUNS.items() for letters in many.split()}
_OTHER_NOUNS = {
    "cap": "capacitor", "chip": "IC", "ic": "IC", "led": "LED", "conn": "connector", "xtal": "crystal",
    "hole": "mounting hole", "testpoint": "test point", "test pad": "test point",
    "push button": "switch", "button": "switch", "coil": "inductor", "regulator": "IC",
}  # fmt: skip
NOUNS = frozenset(_NOUNS.values()) | {*_OTHER_NOUNS}
"""Words for kinds of part."""
_BEFORE_A_PAD = frozenset({"pin", "pad", "terminal", "lead", "number"})
PIN_WORDS = frozenset({"pin", "pins", "pad", "pads", "ball", "terminal", "lead"})

_RUN = re.compile(r'"[^"\n]{0,200}"|“[^”\n]{0,200}”|[^\s,;()"“”]+')
_SIGNED = re.compile(r"(?<![\w.)\-−])[-−](?=\d|\.\d)(\d+(?:\.\d+)?|\.\d+)")
_DASH = frozenset({"-", "–", "—", "..", "...", "…", "~"})
_RANGE = re.compile(r"(.+?)(?:-|–|—|\.{2,3}|…|~)(.+)")
_SERIES = re.compile(r"([A-Za-z_]+)(\d{1,9})")
_LOOKS_NAMED = re.compile(r"[A-Za-z]{1,3}[1-9]\d{0,3}[A-Za-z]?")
_USUAL = frozenset({
    "R", "C", "L", "D", "U", "IC", "J", "Q", "SW", "TP", "LED", "FB", "Y", "F", "BT", "RV", "CN", "CON", "JP",
    "K", "RN", "TR",
})  # fmt: skip
"""Letters that references begin with on any board."""
_SMALL_WORDS = frozenset({
    "a", "an", "as", "at", "be", "by", "do", "go", "in", "is", "it", "no", "of", "on", "or", "so", "to", "up",
    "us", "we", "i", "am", "if", "my", "off", "out", "the", "and", "put", "set", "pin", "pad", "top", "all",
    "row",
})  # fmt: skip
_TOKEN = re.compile(
    r"""
    (?P<quote> "[^"\n]{0,200}" | “[^”\n]{0,200}” )
  | (?P<product> \d+[x×]\d+ \b )
  | \d{1,2}:\d{2} (?!\d)
  | \d+(?:\.\d+)? (?=(?:mm|cm|m|ft|in|x|mils?|thou|[uµμn]m|deg|°|th|st|nd|rd)\b|\s*%|°)
  | \d+(?:\.\d+)? (?!\w|\.\d) | \.\d+
  | [^\W\d_]+\d+\w*
  | (?P<word> [^\W\d_]+ (?: [-'’] [^\W\d_]+ )* | \w+ )
  | [.,;:!?()%°×/&"'’—] | (?<=\s)–(?=\s)
    """,
    re.VERBOSE,
)
_POSSESSIVE = re.compile(r"(?P<owner>.+)(?P<mark>['’]s|(?<=s)['’])", re.IGNORECASE)


def noun_of(reference: str, library: str = "") -> str:
    """Return the kind of a part by the letters of its reference, else by its footprint (`lib:MountingHole_3.2mm`).

    A footprint of a library of connectors is one, unless its own name says something else; the last resort is "part".
    """
    match = re.match("[A-Za-z]+", reference)
    if match and (noun := _BY_LETTERS.get(match[0].upper())):
        return noun
    folder, _, footprint = library.rpartition(":")
    default = "connector" if _CONNECTORS.search(folder) else "part"
    return next((noun for words, noun in _BY_DRAWING if words.search(footprint)), default)


@dataclass(frozen=True)
class Names:
    """The names on a board: parts, their pads, nets, and kinds of part."""

    layout: Layout

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for item in self.layout.roots:
            names.setdefault(item.name.casefold(), []).append(item.name)
        return names

    @cached_property
    def series(self) -> dict[str, dict[int, str]]:
        """Names of letters and a number, by both."""
        numbered: dict[str, dict[int, str]] = {}
        for item in self.layout.roots:
            if match := _SERIES.fullmatch(item.name):
                numbered.setdefault(match[1], {})[int(match[2])] = item.name
        return numbered

    @cached_property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Names by kind, lower-case, in the layout's order: by noun, else by the letters that they begin with."""
        kinds: dict[str, list[str]] = {}
        for item in self.layout.roots:
            kinds.setdefault(item.label.casefold(), []).append(item.name)
        for letters, numbered in self.series.items():
            if len(letters) > 1 and letters.casefold() not in kinds:
                kinds[letters.casefold()] = list(numbered.values())
        return {kind: tuple(names) for kind, names in kinds.items() if kind}

    @cached_property
    def _nets(self) -> frozenset[str]:
        return frozenset(port.net for item in self.layout.roots for port in item.ports if port.net)

    def name(self, text: str) -> str | None:
        """Return the part of that name: as written, else in other capitals where only one fits."""
        if text in self.layout and self.layout[text].parent is None:
            return text if text not in _SMALL_WORDS else None
        same = self._folded.get(text.casefold(), [])
        return same[0] if len(same) == 1 and any(c.isdigit() for c in text) else None

    def net(self, text: str) -> str | None:
        """Return the net of that name, with or without its leading slash; never a plain small word."""
        if not any(c.isupper() or not c.isalpha() for c in text):
            return None
        return next((net for net in (text, f"/{text}") if net in self._nets), None)

    def kind(self, word: str) -> str | None:
        """Return the kind that a noun means: "capacitor" for "caps"."""
        endings = (("", ""), ("es", ""), ("ies", "y"), ("s", ""))
        for stem in [word.removesuffix(many) + one for many, one in endings if word.endswith(many)]:
            kind = _OTHER_NOUNS.get(stem, stem).casefold()
            if kind in self.kinds:
                return kind
        return None

    def between(self, first: str, last: str) -> tuple[str, ...]:
        """Return all names from one of a series to another, in that order; none if they are of different series."""
        a, b = _SERIES.fullmatch(first), _SERIES.fullmatch(last)
        if a is None or b is None or a[1] != b[1]:
            return ()
        low, high = sorted((int(a[2]), int(b[2])))
        inside = [name for n, name in sorted(self.series[a[1]].items()) if low <= n <= high]
        return tuple(inside if int(a[2]) <= int(b[2]) else reversed(inside))

    def closest(self, text: str) -> list[str]:
        """Return up to three names of parts that are written like a text."""
        return get_close_matches(text.upper(), [item.name for item in self.layout.roots], n=3, cutoff=0.4)

    def looks_named(self, text: str) -> bool:
        """Return whether it is a number after letters that references begin with, on this board or on any."""
        series = _SERIES.match(text.upper())
        if series is None or _LOOKS_NAMED.fullmatch(text) is None:
            return False
        return series[1] in self.series or series[1] in _USUAL


@dataclass(frozen=True)
class Token:
    """A word, number or mark of a text, and what it names. `word` is lower case; that of a dash is "~"."""

    text: str
    start: int
    refs: tuple[str, ...] = ()
    """Parts."""
    port: str = ""
    """The pad of the part that it names as well: "U1.4"."""
    net: str = ""
    unknown: str = ""
    """Text that looks like the name of a part, or of a pad of `owner`, and is none."""
    owner: str = ""

    @property
    def word(self) -> str:
        return "~" if self.text in _DASH else self.text.lower().replace("’", "'")

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class NamedText:
    """A text cut into tokens."""

    text: str
    tokens: tuple[Token, ...]
    names: Names

    def __len__(self) -> int:
        return len(self.tokens)

    def refs(self, i: int) -> tuple[str, ...]:
        """Return the parts that the i-th token names; none beyond the ends."""
        return self.tokens[i].refs if 0 <= i < len(self.tokens) else ()

    def word(self, i: int) -> str:
        """Return the i-th word; empty beyond the ends, and for a name."""
        if not 0 <= i < len(self.tokens) or self.tokens[i].refs or self.tokens[i].net:
            return ""
        return self.tokens[i].word


def named_text(text: str, layout: Layout) -> NamedText:
    """Cut a text into words and names. Linear in the text's length."""
    names = Names(layout)
    tokens = list(_names_in(text, names))
    rest = list(text)
    for token in tokens:
        rest[token.start : token.end] = " " * (token.end - token.start)
    for match in _TOKEN.finditer("".join(rest)):
        word, start = match.group(), match.start()
        owned = _POSSESSIVE.fullmatch(word) if match.lastgroup == "word" else None
        if match.lastgroup == "product":  # "3x4" is three tokens
            tokens += [Token(m.group(), start + m.start()) for m in re.finditer(r"\d+|\D", word)]
        elif owned and word.lower().replace("’", "'") not in {"it's", "that's", "there's"}:
            tokens += [Token(owned["owner"], start), Token(owned["mark"], start + owned.start("mark"))]
        else:
            tokens.append(Token(word, start))
    return NamedText(text, tuple(sorted(tokens, key=lambda token: token.start)), names)


def refuse_unknown(text: str, layout: Layout) -> None:
    """Refuse names that the board does not have, unless they are pads: "pin A1".

    Raises:
        BriefError: with the closest names, or the pads that the part has.
    """
    named = named_text(text, layout)
    for i, token in enumerate(named.tokens):
        if not token.unknown or (not token.owner and named.word(i - 1) in _BEFORE_A_PAD):
            continue
        around = text[max(0, token.start - 20) : token.start + 20].strip()
        where = f"(character {token.start + 1} of the instruction: {around!r})"
        if token.owner:
            pads = dict.fromkeys(port.name for port in layout[token.owner].ports if port.name)
            raise BriefError(
                f"{token.owner} has no pad {token.unknown!r} {where}; it has {', '.join([*pads][:12]) or 'none'}"
            )
        close = named.names.closest(token.unknown)
        hint = f"did you mean {', '.join(close)}?" if close else "name a part that is on the board"
        raise BriefError(f"There is no part {token.unknown!r} {where}; {hint}")


def _names_in(text: str, names: Names) -> Iterator[Token]:
    """Yield the names, nets, dashes between words, and signed numbers of a text."""
    for run in _RUN.finditer(text):
        word = run.group()
        if word[0] in '"“':
            continue
        if word in _DASH:
            yield Token(word, run.start())
            continue
        # Marks around a word are cut off, unless they are part of a name.
        start, core = 0, word
        if word not in names.layout:
            start = len(word) - len(word.lstrip("'‘[{"))
            core = re.sub(r"(?:['’]s|['’\]}.:!?])+$", "", word[start:])
        if core and (token := _token(core, run.start() + start, names)) is not None:
            yield token
        elif signed := _SIGNED.match(word):
            yield Token(signed.group(), run.start())


def _token(core: str, start: int, names: Names) -> Token | None:
    """Return the token of a run of letters that names something, or looks like it; None for any other."""
    if (name := names.name(core)) is not None:
        return Token(core, start, (name,))
    owner, dot, port = core.rpartition(".")
    part = names.name(owner) if dot and not owner.endswith(".") else None
    if part is not None:
        has = names.layout[part].ports_named(port)
        return Token(core, start, (part,), port) if has else Token(core, start, unknown=port, owner=part)
    return _range(core, start, names) or _other_names(core, start, names)


def _range(core: str, start: int, names: Names) -> Token | None:
    """Return the token of a range: "R1-R4", "R1..4"."""
    split = _RANGE.fullmatch(core)
    first = names.name(split[1]) if split else None
    series = _SERIES.fullmatch(first or split[1]) if split else None
    if split is None or series is None:
        return None
    last = series[1] + split[2] if split[2].isdigit() else split[2]
    end = names.name(last)
    if first is None or end is None:
        odd = next((w for w in (split[1], last) if names.name(w) is None and names.looks_named(w)), "")
        return Token(core, start, unknown=odd) if odd else None
    refs = names.between(first, end)
    return Token(core, start, refs) if refs else None


def _other_names(core: str, start: int, names: Names) -> Token | None:
    """Return the token of a pattern, several parts, a net, or text that only looks like a name."""
    if core.endswith("*") and core.rstrip("*") and core[0].isalpha():  # "R*"
        prefix = re.sub(r"([\[\]?])", r"[\1]", core.rstrip("*"))
        refs = tuple(item.name for item in names.layout.roots if fnmatchcase(item.name, f"{prefix}*"))
        if refs:
            return Token(core, start, refs)
    slashed = [names.name(part) for part in core.split("/")]  # "R1/R2"
    if len(slashed) > 1 and all(slashed):
        return Token(core, start, tuple(name for name in slashed if name))
    if (net := names.net(core)) is not None:
        return Token(core, start, net=net)
    return Token(core, start, unknown=core) if names.looks_named(core) else None


_WHOLE = re.compile(
    r"\b(?:all|everything|every|whole|entire|rest|remaining|unplaced|placement|board|again|closer|shorter|short(?:en)?|"
    r"wires?|wiring|connections?|ratsnest|sheet|block|group)\b",
    re.IGNORECASE,
)
"""Without one of these a text is about single components."""
_CAMEL = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+|\d+")
_DECOUPLES = frozenset({"decoupling", "bypass", "supply"})
_MEANINGLESS = frozenset({
    "the", "and", "all", "at", "in", "on", "of", "to", "mm", "top", "left", "right", "bottom", "edge", "corner",
    "place", "parts", "components", "board", "free", "compact", "around", "near", "from", "keep", "again", "by", "it",
    "them",
})  # fmt: skip
"""Words of a request that mean no component."""
MAX_SERVED_PADS = 5
"""Pads of a net whose small components serve the part that it is on; nets of more are shared by too many."""


def meanings(text: str, layout: Layout) -> dict[str, tuple[str, ...]]:
    """Return what words of a text about a whole board mean, where that is unique.

    They mean references, pads, sheets and groups, and components by their value, kind or net. A plural means all of a
    kind: "resistors", "usb connectors", "decoupling capacitors"; `U1+capacitors` are those that serve U1, and `C1@` the
    pin that C1 serves. Empty for other texts.
    """
    if not _WHOLE.search(text):
        return {}
    known: dict[str, tuple[str, ...]] = {}
    named = named_text(text, layout)
    for token in named.tokens:
        if token.refs:
            known[token.text.casefold()] = (f"{token.refs[0]}.{token.port}",) if token.port else token.refs
    for i, token in enumerate(named.tokens):
        if token.word in PIN_WORDS and i + 1 < len(named):
            number = named.tokens[i + 1].text
            for k, first, last in ((i + 3, i, i + 3), (i - 1, i - 1, i + 1)):  # "pin 4 of U1", "U1 pin 4"
                if len(refs := named.refs(k)) == 1 and layout[refs[0]].ports_named(number):
                    start, end = named.tokens[first].start, named.tokens[last].end
                    known[text[start:end].casefold()] = (f"{refs[0]}.{number}",)

    words = re.findall(r"\w[\w+-]*", text.casefold())
    phrases = {" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    for phrase in sorted(phrases - known.keys()):
        blocks = (block_of(layout, phrase.replace(" ", joint)) for joint in (" ", "_", "-", ""))
        block = next(filter(None, blocks), ())
        members = tuple(name for name in block if name in layout.rows) or _thing(layout, phrase)
        if members:
            known[phrase] = members
    single = [refs[0] for refs in known.values() if len(refs) == 1 and refs[0] in layout]
    wiring = circuit_of(layout)
    serving = {ref: _serving(layout, wiring, ref) for ref in single}
    return known | _kinds(layout, wiring, phrases - known.keys(), serving)


def _kinds(
    layout: Layout, wiring: Circuit, phrases: set[str], serving: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return what plurals mean: all components of a kind, and those of them that serve a single one."""
    names, plurals = Names(layout), dict[str, tuple[str, ...]]()
    serves = {one.capacitor: one for one in wiring.decoupling}
    for phrase in sorted(phrases):
        words = phrase.split()
        for n in (1, 2):
            noun = " ".join(words[-n:])
            kind = names.kind(noun) if noun.endswith("s") and len(noun) > 2 else None
            if kind is None and noun in {"leds", "regulators"}:
                words, kind = [*words[:-1], "led"], "diode"
            members = [name for name in names.kinds.get(kind or "", ()) if layout[name].claims]
            for word in words[:-n] if kind != "diode" or words[-1] != "led" else words:
                members = [m for m in members if _has_word(layout[m], word) or (word in _DECOUPLES and m in serves)]
            if members and len(words) >= n:
                plurals[phrase] = tuple(members)
    of_one = {ref: {*more, *(c for c, one in serves.items() if one.owner == ref)} for ref, more in serving.items()}
    own = {
        f"{ref}+{phrase}": some
        for ref, around in of_one.items()
        for phrase, members in plurals.items()
        if (some := tuple(member for member in members if member in around))
    }
    pins = {f"{c}@": (one.pin if "." in one.pin else f"{one.owner}.{one.pin}",) for c, one in serves.items()}
    return plurals | own | pins


def _has_word(item: Item, word: str) -> bool:
    """Return whether a word is in a component's value, or in a net of a connector."""
    nets = [port.net.rpartition("/")[2] for port in item.ports] if item.label == "connector" else []
    return word in item.value.casefold().split() or any(word in _parts_of(text) for text in (item.value, *nets))


def blocks_in(text: str, layout: Layout) -> dict[str, str]:
    """Return the sheets and groups that a text names by a word that only one of them has, by that word."""
    words = dict.fromkeys(re.findall(r'(?<![\w/"])[^\W\d][\w-]*(?![\w/"])', text))
    blocks = {word: named_block(layout, word) for word in words if word not in layout}
    return {word: block for word, block in blocks.items() if block is not None}


def _thing(layout: Layout, word: str) -> tuple[str, ...]:
    """Return the one component that a word means by its value, its kind, or the nets of a connector."""
    if " " in word or len(word) < 2 or word in _MEANINGLESS:
        return ()
    roots = [item for item in layout.roots if item.claims]
    kind = Names(layout).kind(word)
    by_value = [item for item in roots if word in _parts_of(item.value)]
    by_kind = [item for item in roots if item.label.casefold() in {kind, word}]
    by_net = [
        item for item in roots
        if item.label == "connector" and any(word in _parts_of(port.net.rpartition("/")[2]) for port in item.ports)
    ]  # fmt: skip
    tiers = (by_value, [i for i in by_value if i.label == "connector"], by_kind, [] if by_value else by_net)
    for some in tiers:
        if len(some) == 1:
            return (some[0].name,)
    return ()


def _parts_of(text: str) -> set[str]:
    """Return the words in a value or net (`USB_B_Micro`, `AntennaChip`), and what precedes their digits."""
    words = {word for word in re.split(r"[^a-z0-9]+", text.casefold()) if word}
    return words | {part.casefold() for part in _CAMEL.findall(text)} | {re.split(r"\d", word)[0] for word in words}


def _serving(layout: Layout, wiring: Circuit, ref: str) -> tuple[str, ...]:
    """Return the components of two pads, without connectors, that share a net of few pads with a component."""
    count: dict[str, int] = {}
    for item in layout.roots:
        for port in item.ports:
            count[port.net] = count.get(port.net, 0) + 1
    nets = {port.net for port in layout[ref].ports if port.net and count[port.net] <= MAX_SERVED_PADS}
    others = {ref, *wiring.connectors}
    return tuple(
        item.name
        for item in layout.roots
        if item.name not in others and len(item.ports) <= 2 and any(port.net in nets for port in item.ports)
    )
