"""Instructions for a whole board in plain English: "place all parts, USB at the left edge" as one `place_all`.

A text that says to place everything is cut into pieces, and each piece that fits a sentence of the table adds a wish.
Things are named by reference, or by words that the request's `meant` resolves: a value, a kind, a net or a sheet.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from redraft.spatial.actions import PlaceAll
from redraft.studios.board.spec import LONGEST, Stated

__all__ = ["is_wish", "read_whole", "wishes_about"]

Meant = Mapping[str, Sequence[str]]
"""What words of the instruction mean on the board; `*` are the components that are not placed yet."""
Said = Mapping[str, str]

_FREE = 3.0
"""Millimeters around a component that is to lie free, where no number is stated."""
_FAR = 10.0
"""Millimeters of "far from", where no number is stated."""

FEW = 3
"""Most components that one may be near to at once."""

CROWD = 12
"""Most components that get an anchor each."""

_PARTS = r"(?:parts?|components?|footprints?|modules?|symbols?|elements?|things?)"
_BOARD = r"(?: (?:on|onto|of) (?:the|this|my) (?:board|pcb))?"
_MACROS = {
    "put": r"(?:please )?(?:put|place|move|position|bring|set|locate|arrange|mount)",
    "must": r"(?: (?:must|should|has to|have to|needs? to|ought to|shall|to|be|is|are|goe?s?|sits?|lies?|stays?"
    r"|belongs?|placed|put|located|positioned))*",
    "thing": r"(?:the )?(?P<thing>[^,;:]+?(?:(?:,? and |, )[a-z]+\d+)*)",
    "other": r"(?:the )?(?P<other>[^,;:]+?)",
    "far": r"(?P<far>\d+(?:[.,]\d+)?) ?(?P<unit>mm|millimet(?:er|re)s?|cm|mils?|in(?:ch(?:es)?)?)?",
    "far2": r"(?P<far2>\d+(?:[.,]\d+)?) ?(?P<unit2>mm|millimet(?:er|re)s?|cm|mils?|in(?:ch(?:es)?)?)?",
    "free": r"(?P<free>(?: and|,)? (?:free|clear|kept (?:free|clear)))?",
    "edge": r"(?:the )?(?P<edge>left|right|top|bottom|upper|lower)(?:[- ]hand)?"
    r"(?: (?:board )?(?:edge|(?P<half>side)|border))",
    "edge1": r"(?:the )?(?P<edge>left|right|top|bottom|upper|lower)(?:[- ]hand)?"
    r"(?: (?:board )?(?:edge|side|border))?",
    "any_edge": r"(?:the |an |a |its )?(?:(?:board|outer|nearest|pcb)(?:'s)? )?"
    r"(?:edges?|borders?|perimeter|periphery|outline)"
    r"(?: of (?:the|this|my) (?:board|pcb))?",
    "center": r"(?:the )?(?:center|centre|middle)(?: of (?:the|this|my) (?:board|pcb))?",
    "edge2": r"(?:the )?(?P<edge2>left|right|top|bottom|upper|lower)(?:[- ]hand)?"
    r"(?: (?:board )?(?:edges?|sides?|borders?))?",
    "corner": r"(?:the )?(?P<y>top|upper|bottom|lower)[- ](?P<x>left|right)(?:[- ]hand)?(?: corner)?",
    "beside": r"(?:(?:as )?(?:close|near) as possible to|(?:very |right )?(?:near|close)(?: to)?|next to|beside|by"
    r"|around|nearby|adjacent to|right (?:at|next to|beside)|tight(?:ly)? to|at)",
}
_UNITS = {"cm": 10.0, "mi": 1.0, "in": 25.4}
_SIDES = {"upper": "top", "lower": "bottom"}
_ASKS = r"(?:(?:can|could|would) you )?(?:please )?"
_WIRES = r"(?:connections?|wires?|wiring|traces?|tracks?|nets?|airwires?|ratsnest)"
_ALL = re.compile(
    rf"{_ASKS}(?:(?P<re>re-?)?(?:place|arrange|position|auto-?place|lay ?out|put|distribute)|redo|do"
    r"|(?:i want|i'd like|i would like)(?: to have)?)"
    r" (?:(?:all|everything|every|(?:the )?(?:whole|entire|complete|full)(?: circuit| design)?"
    r"|the (?:rest|board|pcb|placement)"
    r"|the remaining|the unplaced|the missing|unplaced|remaining|my|this)\b(?: (?:of )?(?:the|those|these))*"
    rf"(?: (?:remaining|unplaced|other|rest|missing|loose|placement|layout|of|the))*(?: {_PARTS}| board| pcb)?"
    r"(?: (?:that|which) (?:are|is) (?:not placed(?: yet)?|unplaced|beside the board|outside))?"
    r"(?: (?:to be )?(?:placed|arranged|laid out))?)"
    rf"(?: for me)?{_BOARD}(?P<again> again| anew| afresh| from scratch| newly| once more)*(?: please)?",
    re.IGNORECASE,
)
_BUT = re.compile(
    r",? ?(?:except|but|excluding|other than|apart from)(?: for)? (?:the )?(?P<refs>[^;:]+)", re.IGNORECASE
)
_HERE = re.compile(
    rf"{_ASKS}(?:(?:use|give me|get|make|i want|i'd like|i would like|aim for) )?(?:the |all |for )?(?:shorter {_WIRES}"
    rf"|short(?:en)? (?:all )?(?:the )?{_WIRES}(?: as far as possible)?|{_WIRES} (?:shorter|as short as possible)"
    r"|(?:reduce|minimi[sz]e|cut|lower) (?:the )?(?:total )?"
    r"(?:wire ?length|wiring|ratsnest|airwires|length of (?:the )?wires)"
    rf"|(?:bring |move |put |place |pull )?(?:everything |(?:all )?(?:the )?(?:{_PARTS} )?)?closer"
    r"(?: together| to (?:each other|one another))?"
    r"|(?:improve|optimi[sz]e|refine|polish) (?:the )?(?:placement|layout|wiring))"
    rf"{_BOARD}(?: without (?:starting over|placing (?:it|everything) anew))?",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"(?:with|so that|such that|for) (?:the )?(?:short(?:er|est)?(?: possible)? {_WIRES}"
    rf"|{_WIRES} (?:are|is|get|stay) (?:as )?short(?: as possible)?)",
    re.IGNORECASE,
)
_GENERIC = frozenset({
    "the", "a", "an", "connector", "connectors", "chip", "ic", "module", "port", "header", "jack", "plug", "socket",
    "component", "components", "part", "parts", "section", "block", "sheet", "circuit", "all", "of", "my", "its",
    "group", "stage", "supply",
})  # fmt: skip


_RELATION = frozenset({
    "of", "to", "from", "near", "at", "on", "in", "under", "with", "by", "around", "not", "except", "but", "without",
    "between",
})  # fmt: skip
"""Words that do not stand between a kind and the name behind it."""


@dataclass
class _Wishes:
    """The fields of a `place_all`, as pieces add to them."""

    meant: Meant
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    subjects: tuple[str, ...] = ()

    def add(self, name: str, *values: Any) -> bool:
        self.fields.setdefault(name, []).extend(values)
        return True

    @property
    def wished(self) -> list[dict[str, Any]]:
        """The wishes for single components."""
        return [*self.fields.get("anchors", ()), *self.fields.get("overhang", ())]

    def refs(self, words: str) -> tuple[str, ...]:
        """The components that words name; none where they are not understood."""
        text = " ".join(words.split()).strip(" .")
        if re.fullmatch(r"(?:it|them|they|these|those)(?: all)?", text, re.IGNORECASE):
            return self.subjects or tuple(self.meant.get("*", ()))
        if re.fullmatch(rf"(?:all|everything|all (?:the )?(?:unplaced )?{_PARTS}|the rest)", text, re.IGNORECASE):
            return tuple(self.meant.get("*", ()))
        found: list[str] = []
        for piece in re.split(r",? and |, | & ", text):
            own = re.fullmatch(r"(?:its|their) (?P<kind>.+)", piece.strip(), re.IGNORECASE)
            owner = next(iter(found or self.subjects), "")
            some = self.meant.get(f"{owner}+{own['kind'].casefold()}", ()) if own else self._one(piece.strip())
            if not some:
                return ()
            found += some
        return tuple(dict.fromkeys(found))

    def _one(self, words: str) -> Sequence[str]:
        folded = re.sub(r"^(?:(?:all|the|of|my|any|these|those) )+", "", words.casefold())
        if folded in self.meant:
            return self.meant[folded]
        if served := re.fullmatch(r"(?P<kind>.+?) (?:of|for|serving|belonging to) (?P<owner>.+)", folded):
            (*owner,) = self._one(served["owner"])
            return self.meant.get(f"{owner[0]}+{served['kind']}", ()) if len(owner) == 1 else ()
        *kind, last = folded.split() or [""]
        if re.fullmatch(r"[a-z]+\d+", last) and last in self.meant and _RELATION.isdisjoint(kind):
            return self.meant[last]  # "regulator U3"
        rest = [word for word in re.findall(r"[\w.+#/-]+", folded) if word not in _GENERIC]
        if " ".join(rest) in self.meant:
            return self.meant[" ".join(rest)]
        found = {tuple(self.meant.get(word, ())) for word in rest}
        return next(iter(found)) if len(found) == 1 else ()


def read_whole(text: str, meant: Meant) -> tuple[list[Stated], list[str]] | None:
    """The `place_all` of an instruction, and the words that are not understood; None where it places no whole board."""
    wishes, missed = _Wishes(meant), list[str]()
    spans: list[tuple[int, int]] = []
    for start, end in _sentences(text):
        understood, rest = _piece(wishes, text, start, end)
        spans += understood
        missed += rest
    fields = wishes.fields
    if not fields.pop("asked", None):
        return None
    if not fields.pop("anew", None) and fields.get("start"):
        fields["start"] = "here"
    else:
        fields.pop("start", None)
    first, last = min(a for a, _ in spans), max(b for _, b in spans)
    return [Stated.model_validate({"action": "place_all", **fields, "quote": text[first:last][:LONGEST]})], missed


def is_wish(words: str) -> bool:
    """Whether words are a wish for the placement of a whole board."""
    wishes = _Wishes({ref.casefold(): [ref] for ref in re.findall(r"[A-Za-z_]+\d+", words)})
    return _understood(wishes, words) and bool(wishes.fields)


def wishes_about(text: str, meant: Meant, named: Sequence[str]) -> list[str]:
    """The words of an instruction that wish something for some components, wish by wish."""
    wishes, found = _Wishes(meant), list[str]()
    for start, end in _sentences(text):
        for a, b in _piece(wishes, text, start, end)[0]:
            alone = _Wishes(meant, subjects=wishes.subjects)
            if _understood(alone, text[a:b]) and any(_about(wish, named) for wish in alone.wished):
                found.append(text[a:b])
    return found


def _about(wish: Mapping[str, Any], named: Sequence[str]) -> bool:
    """Whether a wish is for one of some components, or for a place beside one."""
    of = (str(wish.get(field, "")).partition(".")[0] for field in ("ref", "near", "apart"))
    return not {*named}.isdisjoint(of)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in re.finditer(r"[.!?](?=\s|$)|[;:](?=\s)|\n+", text):
        yield at, cut.start()
        at = cut.end()
    yield at, len(text)


def _piece(wishes: _Wishes, text: str, start: int, end: int) -> tuple[list[tuple[int, int]], list[str]]:
    """The spans of a sentence that are understood, the longest first, and the pieces that are not."""
    cuts = [(m.start(), m.end()) for m in re.finditer(_JOINS, text[start:end], re.IGNORECASE)]
    begins = [start, *(start + b for _, b in cuts)]
    ends = [*(start + a for a, _ in cuts), end]
    found, missed, i = list[tuple[int, int]](), list[str](), 0
    while i < len(begins):
        for j in range(len(ends) - 1, i - 1, -1):
            if _understood(wishes, text[begins[i] : ends[j]]):
                found.append((begins[i], ends[j]))
                i = j + 1
                break
        else:
            words = text[begins[i] : ends[i]].strip(" ,")
            if len(words.split()) > 1:
                missed.append(words)
            i += 1
    return [_trimmed(text, a, b) for a, b in found], missed


_JOINS = r",? (?:and|but|with|while|where|then|also)(?: then| also)? |, "


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    return start + len(words) - len(words.lstrip(" ,")), end - len(words) + len(words.rstrip(" ,"))


def _understood(wishes: _Wishes, words: str) -> bool:
    """Add what a piece wishes; whether it is understood from end to end."""
    plain = " ".join(_LEAD.sub("", words.strip(" ,")).split())
    if _whole(wishes, plain):
        return True
    if len(plain) <= LONGEST and _in_two(wishes, plain):
        return True
    if len(plain) > LONGEST or (wishes.subjects and _LOOSE.match(plain)):
        return len(plain) <= LONGEST and _wished(wishes, f"them {plain}")
    return _wished(wishes, plain)


def _in_two(wishes: _Wishes, plain: str) -> bool:
    """Two wishes for the same components without a word between: "U2 compact at the left edge"."""
    if _wished(wishes, plain):
        return True
    before, subjects = copy.deepcopy(wishes.fields), wishes.subjects
    for cut in re.finditer(r" (?=\S)", plain):
        if _LOOSE.match(plain, cut.end()) and _wished(wishes, plain[: cut.start()]):
            if _wished(wishes, f"them {plain[cut.end() :]}"):
                return True
            wishes.fields, wishes.subjects = before, subjects
            before = copy.deepcopy(before)
    return False


_LEAD = re.compile(r"^(?:and|but|also|then|please|with|so that|make sure(?: that)?|ensure(?: that)?),? ")


def _whole(wishes: _Wishes, plain: str) -> bool:
    """Whether a piece says that all are to be placed, or that wires are to get shorter; a wish for all may follow."""
    if _HERE.fullmatch(plain):
        wishes.fields |= {"asked": True, "start": "here"}
        return True
    match = _ALL.match(plain)
    if match is None:
        return False
    rest = plain[match.end() :].strip()
    but = _BUT.fullmatch(rest)
    kept = wishes.refs(but["refs"]) if but else ()
    if kept:
        rest = ""
    if rest and (plain[match.end()] != " " or not (_SHORT.fullmatch(rest) or _wished(wishes, f"all {rest}"))):
        return False
    again = match["again"] or match["re"] or plain.casefold().startswith("redo")
    wishes.fields |= {"asked": True, "anew": True} | ({"replace": True} if again else {})
    if kept:
        wishes.add("keep", *kept)
    return True


def _wished(wishes: _Wishes, plain: str) -> bool:
    """Whether a piece fits a sentence of the table; what it wishes is added."""
    for pattern, make in _SENTENCES:
        match = pattern.fullmatch(plain)
        if match is None:
            continue
        said = {k: v for k, v in match.groupdict().items() if v}
        refs = wishes.refs(said["thing"]) if "thing" in said else ()
        before = copy.deepcopy(wishes.fields)
        if ("thing" not in said or refs) and make(wishes, refs, said) and _valid(wishes.fields):
            wishes.subjects = refs or wishes.subjects
            return True
        wishes.fields = before
    return False


def _valid(fields: Mapping[str, Any]) -> bool:
    """Whether the fields are an action: a distance may be too large, or a list too long."""
    try:
        PlaceAll.model_validate({name: value for name, value in fields.items() if name not in {"asked", "anew"}})
    except ValueError:
        return False
    return True


_LOOSE = re.compile(r"(?:away|far|near|close|next|within|at|on|in|along|around|\d)\b", re.IGNORECASE)
"""How a piece begins that says more of the components before it."""


def _mm(said: Said, name: str = "far", unit: str = "unit") -> float | None:
    if name not in said:
        return None
    text = said.get(unit, "mm").casefold()
    factor = 0.0254 if text.startswith("mil") and not text.startswith("milli") else _UNITS.get(text[:2], 1.0)
    return round(float(said[name].replace(",", ".")) * factor, 9)


def _edge(said: Said, name: str = "edge") -> str:
    return _SIDES.get(said[name].casefold(), said[name].casefold())


def _distance(said: Said) -> dict[str, float]:
    """The field `distance` of a wish, where a number is stated."""
    far = _mm(said)
    return {} if far is None else {"distance": far}


def _at_edge(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    far, more = _mm(said), _mm(said, "far2", "unit2")
    if len(refs) > (FEW if "half" in said else CROWD):  # of many a side of the board is half of it
        return False
    for ref in refs:
        wishes.add("anchors", {"ref": ref, "edge": _edge(said), **_distance(said)})
        if "edge2" in said:
            both = far if more is None else more
            wishes.add("anchors", {"ref": ref, "edge": _edge(said, "edge2"), "distance": both or 0.0})
    return _also_free(wishes, refs, said)


def _at_any_edge(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    wishes.add("anchors", *({"ref": ref, "edge": "any", **_distance(said)} for ref in refs))
    return _also_free(wishes, refs, said)


def _centered(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    edge = {"edge": _edge(said)} if "edge" in said else {}
    return len(refs) <= CROWD and wishes.add("anchors", *({"ref": ref, **edge, "center": True} for ref in refs))


def _near_own(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    """Each near the pin that it serves."""
    pins = {ref: wishes.meant[f"{ref}@"][0] for ref in refs if f"{ref}@" in wishes.meant}
    anchors = [{"ref": ref, "near": pin, **_distance(said)} for ref, pin in pins.items()]
    return bool(pins) and wishes.add("anchors", *anchors)


def _free_strip(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    sides = [_edge(said)] if "edge" in said else ["left", "right", "top", "bottom"]
    return wishes.add("keepouts", *({"edge": side, "distance": _mm(said)} for side in sides))


def _free_box(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    return wishes.add("keepouts", {"box": [float(said[name]) for name in ("x0", "y0", "x1", "y1")]})


def _in_corner(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    if len(refs) > CROWD:
        return False
    corner = f"{_edge(said, 'y')} {said['x'].casefold()}"
    wishes.add("anchors", *({"ref": ref, "corner": corner, **_distance(said)} for ref in refs))
    return _also_free(wishes, refs, said)


def _also_free(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    if "free" in said:
        wishes.add("keepouts", *({"around": ref, "distance": _FREE} for ref in refs))
    return True


def _near(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    others, given = wishes.refs(said["other"]), _distance(said)
    if 1 < len(others) <= FEW:
        pairs = [(ref, other) for ref in refs for other in others if other.partition(".")[0] != ref]
        return len(pairs) <= CROWD and wishes.add("anchors", *({"ref": a, "near": b, **given} for a, b in pairs))
    if len(others) != 1 or refs == (others[0].partition(".")[0],):
        return False
    rest = [ref for ref in refs if ref != others[0]]
    if len(rest) > CROWD:  # many around one: a group, not a crowd of anchors
        return wishes.add("groups", {"name": f"around {others[0]}", "refs": [others[0].partition(".")[0], *rest]})
    return wishes.add("anchors", *({"ref": ref, "near": others[0], **given} for ref in rest))


def _apart(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    others, far = wishes.refs(said["other"]), _mm(said)
    pairs = [(ref, other) for ref in refs for other in others if ref != other]
    return bool(pairs) and wishes.add(
        "anchors", *({"ref": a, "apart": b, "distance": _FAR if far is None else far} for a, b in pairs)
    )


def _free(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    far = _mm(said)
    return wishes.add("keepouts", *({"around": ref, "distance": _FREE if far is None else far} for ref in refs))


def _overhang(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    edge = _edge(said) if "edge" in said else "any"
    return wishes.add("overhang", *({"ref": ref, "edge": edge, "distance": _mm(said) or 1.0} for ref in refs))


def _compact(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    members = refs if len(refs) > 1 else (*refs, *wishes.meant.get(f"{refs[0]}+", ()))
    return len(members) > 1 and wishes.add("groups", {"name": said["thing"][:60], "refs": list(members)})


def _loop(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    return len(refs) > 1 and wishes.add("loops", list(refs))


def _keep(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    return wishes.add("keep", *refs)


def _side(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    side = "back" if said["layer"].casefold().startswith(("back", "bottom")) else "front"
    wishes.fields.setdefault("sides", {}).update(dict.fromkeys(refs, side))
    return True


def _turn(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    wishes.fields.setdefault("turns", {}).update({ref: [float(said["degrees"])] for ref in refs})
    return True


def _only(wishes: _Wishes, refs: Sequence[str], said: Said) -> bool:
    if len(refs) < 2:
        return False
    wishes.fields |= {"asked": True, "anew": True}
    return wishes.add("refs", *refs)


_Maker = Callable[[_Wishes, Sequence[str], Said], bool]
_OVER = r"(?:overhang(?:s|ing)?|(?:stick|hang|protrud|reach|extend)(?:s|es?|ing)?(?: out)?(?: (?:of|over|beyond))?)"
_FORMS: tuple[tuple[str, _Maker], ...] = (
    (r"(?:keep|leave|reserve)(?: at least)?(?: (?:an? )?(?:strip|margin|band) of)? <far> "
     r"(?:(?:free|clear|empty) )?(?:at|along|from|on|inside) "
     r"(?:<edge>|(?:the |all |every )+edges?)(?: (?:free|clear|empty))?", _free_strip),
    (r"(?:with )?(?:no (?:parts?|components?)|nothing)(?: (?:may|should|must) be| is| are)? "
     r"(?:within|closer than|nearer than|less than) <far> (?:of|to|from) (?:<edge>|(?:the |all |every |any )+edges?)",
     _free_strip),
    (r"(?:keep|leave) (?:the )?(?:area|box|region|rectangle|zone|space|room) (?:from|between) "
     r"\(?(?P<x0>[\d.]+), ?(?P<y0>[\d.]+)\)? (?:to|and) \(?(?P<x1>[\d.]+), ?(?P<y1>[\d.]+)\)? (?:free|clear|empty)",
     _free_box),
    (r"(?:a )?(?:temporary )?keep-?outs?(?: area| zone)? (?:of )?<far> around <thing>", _free),
    (r"(?:with )?(?:no (?:parts?|components?)) within <far> (?:of|from|around) <thing>", _free),
    (rf"(?:let |have )?<thing><must> {_OVER}(?: (?:by )?<far>)? (?:over |beyond )?<edge>", _overhang),
    (rf"(?:let |have )?<thing><must> {_OVER}(?: (?:over )?<any_edge>)?(?: (?:by )?<far>)?(?: over <any_edge>)?",
     _overhang),
    (r"(?:<put> |keep )?<thing><must> (?:in|at|into|to|near|around) <center>", _centered),
    (r"(?:center|centre) <thing>(?: (?:on|in) the (?:board|pcb))?", _centered),
    (r"(?:<put> |keep )?<thing><must> (?:centered|centred|in the (?:middle|center) of|at the (?:middle|center) of)"
     r"(?: (?:on|at|along))? <edge>", _centered),
    (r"(?:<put> |keep |leave |let )?<thing><must> (?:at|on|to|along|against|near|by|close to) <any_edge><free>",
     _at_any_edge),
    (r"(?:<put> |keep )?<thing><must> (?:within <far> of|<beside>) (?:its|their|the)(?: own| respective)?"
     r"(?: (?:power|supply))? (?:pins?|pads?|ics?|chips?)", _near_own),
    (r"(?:<put> )?<thing><must> (?:at )?<far> (?:away )?from <edge1>,? and (?:at )?(?:<far2> (?:away )?from )?<edge2>",
     _at_edge),
    (r"(?:do not|don't|never) (?:move|touch|shift) <thing>", _keep),
    (r"(?:keep|leave) <thing> (?:where (?:it is|they are|it lies)|in place|fixed|untouched|put|as (?:it is|they are))",
     _keep),
    (r"<thing> (?:must|should|may|shall|can)(?: not|n't) (?:be )?(?:move|moved|touched)", _keep),
    (r"<thing> stays? (?:where (?:it is|they are)|in place|put|there)", _keep),
    (r"(?:lock|fix) <thing>(?: in place)?", _keep),
    (r"(?:keep|leave|reserve) (?:at least )?<far> (?:(?:free|clear|empty|of space|of room) )?(?:around|about) <thing>"
     r"(?: (?:free|clear|empty))?", _free),
    (r"(?:keep|leave) (?:the )?(?:area|space|room) (?:of <far> )?around <thing> (?:free|clear|empty)", _free),
    (r"(?:keep|leave) <thing> (?:free|clear)(?: by <far>)?", _free),
    (r"(?:with )?nothing (?:else )?within <far> (?:of|from|around) <thing>", _free),
    (r"(?:let|have) <thing> (?:overhang|stick out (?:of|over)|hang over|protrude over|reach over|extend over) <edge>"
     r"(?: by)?(?: <far>)?", _overhang),
    (r"<thing><must> (?:overhangs?|overhanging|sticks? out (?:of|over)|sticking out (?:of|over)|hang(?:s|ing)? over|"
     r"protrud(?:es?|ing) over) <edge>(?: by)?(?: <far>)?", _overhang),
    (r"(?:<put> )?<thing><must> (?:overhanging|over) <edge> by <far>", _overhang),
    (r"(?:<put> )?<thing><must> (?:at )?<far> (?:away )?(?:from|inside|off) <edge>", _at_edge),
    (r"(?:<put> |keep |leave |let )?<thing><must> (?:at|on|to|along|against|near|by|close to|flush with) <edge><free>",
     _at_edge),
    (r"(?:<put> |keep |leave |let )?<thing><must> (?:on|to|at) the (?P<edge>left|right)(?:[- ]hand side)?", _at_edge),
    (r"(?:<put> |keep |leave |let )?<thing><must> at the (?P<edge>top|bottom)", _at_edge),
    (r"(?:<put> )?<thing><must> (?:at )?<far> (?:away )?from <corner><free>", _in_corner),
    (r"(?:<put> |keep |leave |let )?<thing><must> (?:in|into|at|to|near|on|close to) <corner><free>", _in_corner),
    (r"(?:<put> )?<thing> (?:in |at )?<corner><free>", _in_corner),
    (r"(?:<put> |keep )?<thing><must> (?:on|to|onto) the (?P<layer>back|front|bottom|top)(?: (?:side|layer|copper))?"
     r"(?: of the board)?", _side),
    (r"(?:rotate|turn) <thing> (?:to |by )?(?P<degrees>-?\d+(?:\.\d+)?) ?(?:°|deg(?:rees?)?)?", _turn),
    (r"<thing><must> (?:rotated|turned|at) (?:to |by )?(?P<degrees>-?\d+(?:\.\d+)?) ?(?:°|deg(?:rees?)?)", _turn),
    (r"(?:<put> |keep )?<thing><must> (?:at least |a minimum of |min(?:imum)? |more than |no (?:closer|nearer) than )"
     r"<far> (?:away )?(?:from|to) <other>", _apart),
    (r"(?:<put> |keep )?<thing><must> <far> (?:away|apart) from <other>", _apart),
    (r"(?:<put> |keep )?<thing><must> (?:far(?: away)?|away|well away|apart|separate(?:d)?) from <other>", _apart),
    (r"(?:<put> |keep )?<thing><must> (?:within|at most|no (?:more|farther|further) than|less than) <far>"
     r" (?:of|from|away from) <other>", _near),
    (r"(?:<put> |keep )?<thing><must> <beside> <other>", _near),
    (r"(?:keep |make )?(?:the )?loop (?:of |through |between )?<thing> (?:tight|short|small|compact)", _loop),
    (r"(?:keep |make |place |put |arrange )?<thing><must> (?:very |as )?(?:compact|tight|tightly|together"
     r"|close together|close to each other|small)(?:ly)?(?: as possible)?(?: together)?", _compact),
    (r"(?:group|cluster|gather) <thing>(?: together)?", _compact),
    (r"(?:place|arrange|lay ?out|position) (?:only )?(?:all |the )*(?:parts |components )?(?:of |in )?"
     r"(?:sheet |group |block )?<thing>", _only),
)  # fmt: skip


def _compiled(form: str) -> re.Pattern[str]:
    while (filled := re.sub(r"(?<!\?P)<(\w+)>", lambda m: _MACROS.get(m[1], m[0]), form)) != form:
        form = filled
    return re.compile(form, re.IGNORECASE)


_SENTENCES = tuple((_compiled(form), make) for form, make in _FORMS)
