"""A place in a line with names, from which phrases are taken: names and lists of them, lengths, angles, points."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache

from redraft.english.names import NAME, NET, NamedLine, earlier_pad
from redraft.english.tokens import NUMBER, UNIT, VALUE, length_in, number, phrase, value_key
from redraft.errors import BriefError

__all__ = ["Context", "Cursor", "Named"]

_EXACTLY = r"(?:(?:exactly|precisely|just) )?"
_INCHES = r"in(?= (?:right|left|above|below|over|under|to the|up|down|apart|between|away|from|of|clear)\b| ?$| [,.;)])"
_LENGTH = phrase(rf"{_EXACTLY}(?P<value>-?{NUMBER})(?: (?P<unit>{UNIT}|{_INCHES}))?(?! (?:°|deg|degrees?|pins?|pads?))")
_COMMA = phrase(rf"{_EXACTLY}(?P<whole>-?\d+) , (?P<part>\d+) (?P<unit>{UNIT})")
_PART_OF = phrase(rf"(?P<half>half )?an? (?P<unit>{UNIT})")
_THE = phrase(r"(?:the|all|every|each|both|these|those)(?: of)?(?: the)?")
_EVERYTHING = phrase(r"(?:everything|all (?:the )?(?:parts|components|footprints)|the whole board)(?: else)?")
_EXCEPT = phrase(r",? ?(?:except(?: for)?|but not|other than|apart from|excluding|besides|without)")
_MANY = phrase(r"(?:them|these|those|they|both|both of them|all of them)")
_SINGLE = phrase(r"(?:it|that one|this one|that part)")
_THAT_PIN = phrase(r"(?:that|this|the same|the said) (?:very )?(?:pin|pad|terminal|lead)(?! \d)")
_AND = phrase(r", and|and also|and|&|plus|,")
_OR = phrase(r", or|or|nor")
_TO = phrase(r"(?:to|through|thru|till|~)")
_PIN = phrase(r"(?:' ?s )?(?:pin|pad|terminal|lead)(?: (?:number|no|nr))?(?! to )")
_PIN_OF = phrase(r"(?:the )?(?:pin|pad|terminal|lead)(?: (?:number|no|nr))?")
_OF = phrase(r"(?:of|on|at)(?: the)?")
_ON_NET = phrase(r"(?:that (?:is|are) )?(?:on|connected to|tied to|of)(?: the)?(?: net)?")
_GENERIC = phrase(r"(?:parts?|components?|footprints?|devices?|references?|refs?)")
_DECOUPLING = phrase(r"(?:decoupling|bypass|by-pass)")
_FINITE = frozenset({"should", "must", "shall", "goes", "go", "is", "are", "stays", "stay", "has", "needs"})
_POWER = re.compile(
    r"/?(?:\+.*|V(?:CC|DD|BUS|IN|BAT|REF|A|IO|PP|MEM|CORE).*|\d+V\d*.*|P?\d+V\d*|AVDD.*|AVCC.*)", re.IGNORECASE
)
_VALUE = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")


@dataclass(frozen=True)
class Named:
    """Items by name. `port` is a pad of the only one; not certain where a guess was needed."""

    refs: tuple[str, ...]
    port: str = ""
    certain: bool = True

    @property
    def target(self) -> str:
        """As actions name it: "U1" or "U1.4"."""
        return f"{self.refs[0]}.{self.port}" if self.port else self.refs[0]


@dataclass(frozen=True)
class Context:
    """What was spoken of before: for "it" and "them"."""

    subjects: tuple[str, ...] = ()
    target: Named | None = None
    axis: str = ""
    """Of the row or column that was last spoken of: "x" or "y"."""
    placing: bool = False
    """The last clause put something somewhere: the verb may be left out of the next."""


@dataclass
class Cursor:
    """A place in a line. What is taken moves it on; what does not fit leaves it where it is."""

    line: NamedLine
    i: int = 0
    context: Context = field(default_factory=Context)

    def fork(self) -> Cursor:
        """Another one at the same place."""
        return replace(self)

    def eat(self, words: str) -> re.Match[str] | None:
        """Take words that a pattern matches."""
        return self.take(_compiled(words))

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = self.line.match(pattern, self.i) if self.i < len(self.line) else None
        if found is None:
            return None
        self.i = found[1]
        return found[0]

    def sees(self, words: str) -> bool:
        """Whether a pattern would match here; nothing is taken."""
        return self.i < len(self.line) and self.line.match(_compiled(words), self.i) is not None

    @property
    def word(self) -> str:
        return self.line.word(self.i)

    def length(self, *, comma: bool = True) -> float | None:
        """A length in the layout's unit: "0.5 mm", "20 mil", "0.1 in", "half a millimetre", a bare number.

        `comma`: "0,5 mm" too.
        """
        start, of = self.i, self.line.names.layout.frame.unit
        if found := self.take(_PART_OF):
            return self._or_back(length_in(0.5 if found["half"] else 1.0, found["unit"], of), start)
        if comma and (found := self._with_comma()) is not None:
            value = _signed(f"{found['whole']}.{found['part']}")
            return self._or_back(None if value is None else length_in(value, found["unit"], of), start)
        found = self.take(_LENGTH)
        value = _signed(found["value"]) if found else None
        if found is None or value is None:
            return self._or_back(None, start)
        return self._or_back(length_in(value, found["unit"] or "", of), start)

    def _with_comma(self) -> re.Match[str] | None:
        """ "0,5 mm": digits on both sides and a unit behind. Not "1,000 mm", which may be a thousand."""
        start, found = self.i, self.take(_COMMA)
        if found is None:
            return None
        thousands = len(found["part"]) == 3 and found["whole"].lstrip("-") != "0"
        if thousands or f"{found['whole'].lstrip('-')},{found['part']}" not in self.line.source(start, self.i):
            self.i = start
            return None
        return found

    def number(self) -> float | None:
        """A bare number, with a sign."""
        if _VALUE.fullmatch(self.word) is None:
            return None
        value = _signed(self.word)
        self.i += 1
        return value

    def _or_back(self, value: float | None, start: int) -> float | None:
        if value is None:
            self.i = start
        return value

    def many(self, *, final: bool = False, either: bool = False) -> Named | None:
        """A list of names, each once: "R1, R2 and C3-C5". `final`: it ends before what begins a sentence of its own.

        `either`: joined by *or* too, as after "do not move".
        """
        found = self._several()
        if found is None:
            return None
        refs, certain = list(found.refs), found.certain
        if found.port:
            return found
        while True:
            start = self.i
            joined = self.take(_AND) or (self.take(_OR) if either else None)
            more = self._several(back=False) if joined else None
            if more is None or more.port or (final and self.word in _FINITE):
                self.i = start
                break
            refs.extend(more.refs)
            certain = certain and more.certain
        self._without(refs)
        return Named(tuple(dict.fromkeys(refs)), certain=certain) if refs else None

    def _without(self, refs: list[str]) -> None:
        """Take "except R3 and R5" off a list, where that was said."""
        start = self.i
        if self.take(_EXCEPT) is None:
            return
        fewer = self.many()
        if fewer is None or not set(fewer.refs) & set(refs):
            self.i = start
            return
        refs[:] = [ref for ref in refs if ref not in fewer.refs]

    def one(self) -> Named | None:
        """One item, perhaps a pad of it: "U1", "U1.4", "U1 pin 4", "pad 4 of U1", "the crystal", "it"."""
        start = self.i
        found = self._that_pin() or self._pin_first() or self._single()
        if found is None or len(found.refs) != 1:
            self.i = start
            return None
        if found.port:
            return found
        return self._with_pin(found)

    def _single(self) -> Named | None:
        if self.take(_SINGLE):
            before = self.context.subjects
            return self.context.target or (Named(before) if len(before) == 1 else None)
        return self._several(back=False)

    def _that_pin(self) -> Named | None:
        """ "that pin": the pad named last."""
        start = self.i
        pad = earlier_pad(self.line, start) if self.take(_THAT_PIN) else None
        if pad is None:
            self.i = start
            return None
        return Named((pad[0],), pad[1])

    def _pin_first(self) -> Named | None:
        """ "pin 4 of U1"."""
        start = self.i
        if self.take(_PIN_OF) is None:
            return None
        pin, at = self._token(), self.i - 1
        whose = self._single() if self.take(_OF) else None
        if pin and whose is not None and len(whose.refs) == 1 and not whose.port:
            return self._ported(whose, pin, at)
        self.i = start
        return None

    def _with_pin(self, found: Named) -> Named:
        """ "U1 pin 4", "U1's pad 4"."""
        start = self.i
        if self.take(_PIN) is None:
            return found
        pin, at = self._token(), self.i - 1
        if not pin or pin in {",", ".", ";"}:
            self.i = start
            return found
        return self._ported(found, pin, at)

    def _token(self) -> str:
        if self.i >= len(self.line):
            return ""
        self.i += 1
        return self.line.tokens[self.i - 1].text

    def _ported(self, found: Named, pin: str, at: int) -> Named:
        item = self.line.names.layout[found.refs[0]]
        if not item.ports_named(pin):
            known = list(dict.fromkeys(port.name for port in item.ports if port.name))
            there = f"it has {', '.join(known[:12])}{' …' if len(known) > 12 else ''}" if known else "it has no pads"
            raise BriefError(
                f"{item.name} has no pad {pin!r} (character {self.line.tokens[at].start + 1} of the instruction); "
                f"{there}"
            )
        return replace(found, port=pin)

    def _several(self, *, back: bool = True) -> Named | None:
        """One name, a range of them, or all of a kind."""
        start = self.i
        found = (self._back() if back else None) or self._all() or self._name() or self._kind()
        if found is None:
            self.i = start
        return found

    def _back(self) -> Named | None:
        before = self.context.subjects
        start = self.i
        if self.take(_SINGLE) and len(before) == 1:
            return Named(before)
        self.i = start
        if len(before) > 1 and self.line.match(_THE, self.i) is None and self.take(_MANY):
            return Named(before)
        if len(before) > 1 and self.word in {"these", "those", "both"} and self.take(_compiled("these|those|both")):
            if self.word not in {NAME, "of"} and self._noun() is None:
                return Named(before)
            self.i = start
        return None

    def _all(self) -> Named | None:
        if self.take(_EVERYTHING) is None:
            return None
        return Named(tuple(item.name for item in self.line.names.layout.roots))

    def _name(self) -> Named | None:
        """ "U1", "the capacitor C1", "R1 to R4"."""
        start = self.i
        if self.word != NAME:
            self.take(_THE)
            self.take(_DECOUPLING)
            if self._noun() is None:
                self.take(_GENERIC)
        if self.word != NAME:
            self.i = start
            return None
        at, refs = self.i, self.line.refs(self.i)
        port = self.line.port(at)
        self.i += 1
        if len(refs) == 1 and not port and self.line.word(self.i + 1) == NAME and self.line.match(_TO, self.i):
            last = self.line.refs(self.i + 1)
            between = self.line.names.between(refs[0], last[0]) if len(last) == 1 else None
            if between:
                self.i += 2
                return Named(between)
        return Named(refs, port)

    def _noun(self) -> tuple[str, bool] | None:
        """A noun that names a kind of item, the longest that fits, and whether it is a plural."""
        for words in (3, 2, 1):
            tokens = self.line.tokens[self.i : self.i + words]
            kind = self.line.names.kind(" ".join(t.word for t in tokens)) if len(tokens) == words else None
            if kind is not None:
                self.i += words
                return kind
        return None

    def _kind(self) -> Named | None:
        """ "the connectors", "the crystal" where there is one, "the capacitor on +3V3", "the 10k resistors"."""
        the, valued = self.take(_THE), self._valued()
        decoupling = self.take(_DECOUPLING)
        noun = self._noun()
        if the is None or noun is None:
            return None
        refs, plural = self.line.names.kinds[noun[0]], noun[1]
        if valued is not None:
            refs = tuple(ref for ref in refs if ref in valued)
        if decoupling:
            return self._decoupling(refs)
        refs = self._on_net(refs)
        return Named(refs) if refs and (plural or len(refs) == 1) else None

    def _valued(self) -> frozenset[str] | None:
        """The items of a value: "100nF", "4.7 kΩ"; None where no value of this layout is written."""
        if self.i >= len(self.line):
            return None
        found = VALUE.match(self.line.text, self.line.tokens[self.i].start)
        refs = self.line.names.values.get(value_key(found[0])) if found else None
        if found is None or refs is None:
            return None
        while self.i < len(self.line) and self.line.tokens[self.i].start < found.end():
            self.i += 1
        return frozenset(refs)

    def _on_net(self, refs: tuple[str, ...]) -> tuple[str, ...]:
        start = self.i
        if self.take(_ON_NET) is None or self.word != NET:
            self.i = start
            return refs
        on = {item.name for item in self.line.names.nets[self.line.net(self.i)]}
        self.i += 1
        return tuple(ref for ref in refs if ref in on)

    def _decoupling(self, refs: tuple[str, ...]) -> Named | None:
        """Those that share a supply with a part, as far as the names of nets tell: a guess."""
        whose = self._name() if self.eat("of|for|at|around") else None
        if whose is None or len(whose.refs) != 1:
            return None
        nets, layout = _supplies(self, whose.refs[0]), self.line.names.layout
        near = tuple(ref for ref in refs if nets & {port.net for port in layout[ref].ports})
        return Named(near, certain=False) if near else None


def _supplies(cursor: Cursor, ref: str) -> set[str]:
    return {port.net for port in cursor.line.names.layout[ref].ports if _POWER.fullmatch(port.net)}


def _signed(text: str) -> float | None:
    value = number(text.removeprefix("-"))
    return None if value is None else -value if text.startswith("-") else value


@cache
def _compiled(words: str) -> re.Pattern[str]:
    return phrase(words)
