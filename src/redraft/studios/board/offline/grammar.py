"""Board instructions in plain English: a table of sentences, and the actions that each stands for.

A text is cut into clauses, and a clause counts only where it fits a sentence of the table from end to end; others are
left out and named. The grammar knows no more of the board than the windows that the request shows.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from redraft.studios.board.spec import MAX_QUOTE, Stated
from redraft.studios.board.words.names import NOUNS

Box = tuple[float, float, float, float]
Fields = dict[str, Any]
"""The fields of an action, with those of `Stated` beside it."""
Slots = Mapping[str, str]
"""The words of a sentence, by the names of their places in it."""

_REF = r"[a-z_]{1,8}\d+[a-z]?\b(?:#\d+)?"
_RANGE = rf"{_REF}(?: ?(?:-|–|\.\.|to|through) ?(?:{_REF}|\d+)\b)?"
_PIN = r"(?:pin|pad|terminal)"
_NOUN = "|".join(sorted(NOUNS, key=len, reverse=True))
_VERBS = (
    r"(?:put|place|move|position|bring|set|shift|nudge|keep|leave|make sure|ensure|lock|unlock|fix|freeze|don't|do not|"
    r"never|rotate|turn|flip|swap|exchange|align|line|space|distribute|spread|stack|cluster|group|gather|center|centre|"
    r"remove|resolve|legali[sz]e|tidy|copy|decouple)\b"
)
_LEAD = r"(?:(?:and|then|also|so|but|now|next|first|finally|please|kindly|\d+\.|(?:could|can|would|will) you),? )*"
_LENGTH = (
    r"(?:exactly |precisely )?(?P<{0}>half a|-?\d*[.,]?\d+) ?"
    r"(?P<{0}_unit>mm|millimet(?:er|re)s?|cm|mils?|thou|in(?:ch(?:es)?)?|[uµμ]m)?"
)
_WAY = r"(?:to the )?(?P<{0}>left|right|up|down)(?:wards?)?"
_BOARD = r"(?: of the (?:board|pcb))?"
_BLOCK = r'(?:sheet|block|group|channel) (?:"[^"]+"|[^\s,"]+)|/[^\s,]*'
_MACROS = {
    "put": r"(?:put|place|move|position|bring|set|shift|nudge)",
    "must": r"(?:(?:must|should|has to|have to|needs? to)(?: be| sit| go| stay| lie)?|goes)",
    "refs": rf"(?P<refs>(?:{_RANGE})(?:(?:,? and |, ?| ?& ?){_RANGE})*|it|they|them|both|selection)",
    "other": rf"(?P<other>{_REF})",
    "target": rf"(?P<target>{_REF}(?:\.\w+)?|it)",
    "far": _LENGTH.format("far"),
    "more": _LENGTH.format("more"),
    "way": _WAY.format("way"),
    "way2": _WAY.format("way2"),
    "side": r"(?:to |on |at )?(?:the )?(?P<side>(?:left|right)(?= (?:side )?of)|above|over|below|under"
    r"|(?:north|south|east|west)(?= of))(?: side)?(?: of)?",
    "near": r"(?:around|near(?: to)?|close to|next to|beside|(?P<close>as close as possible to))",
    "edge": rf"the (?P<edge>left|right|top|bottom|upper|lower) (?:board )?edge{_BOARD}",
    "edge2": rf"the (?P<edge2>left|right|top|bottom|upper|lower) (?:board )?edge{_BOARD}",
    "corner": r"the (?P<edge>top|upper|bottom|lower)[- ](?P<corner>left|right)(?:[- ]hand)? (?:board )?corner"
    rf"{_BOARD}",
    "layer": r"(?:to|on|onto) the (?P<layer>back|front|(?:other|opposite) side|(?:top|bottom) (?:side|layer))"
    rf"(?: (?:side|layer))?{_BOARD}",
    "gap": r"(?:,? (?:with |at |leaving |and )?(?:an? )?(?:(?:gap|clearance|spacing|distance)s? of )?<far>"
    r"(?: (?:apart|away|clearance|spacing|gaps?|between (?:them|parts)|from it))?)",
    "line": r"(?: up)?(?: (?:(?:in|into) a (?P<line>row|column)|(?P<lie>horizontally|vertically)))?",
    "by": r"(?: (?:along|by|at|with) (?:their|the) (?P<by>top|bottom|left|right)(?:s| edges?| sides?)?(?: aligned)?)?",
    "more_of": rf"(?:,? \(?(?P<measure>{_PIN}|body|courtyard)[- ]to[- ](?:{_PIN}|body|courtyard)\)?)?<by>"
    r"(?P<overlap>,? even if (?:it|they) overlaps?)?",
    "block": rf"(?:the )?(?:(?:block|{_NOUN}s?|components?|parts?) (?:of|in|from) )?(?:the )?(?P<block>{_BLOCK})",
    "still": r"(?:where (?:it is|they are)|in place|fixed|locked|as it is)",
}
"""Parts of sentences; the named groups are the slots that actions are made of."""
_SIDES = {
    "above": "top", "over": "top", "up": "top", "upper": "top", "north": "top", "below": "bottom", "under": "bottom",
    "down": "bottom", "lower": "bottom", "south": "bottom", "east": "right", "west": "left",
}  # fmt: skip
_LINES = {
    "top": ("x", "start"), "bottom": ("x", "end"), "left": ("y", "start"), "right": ("y", "end"),
    "row": ("x", "center"), "horizontally": ("x", "center"), "column": ("y", "center"), "vertically": ("y", "center"),
}  # fmt: skip
_UNITS = {"cm": 10.0, "mi": 0.0254, "th": 0.0254, "in": 25.4, "um": 1e-3, "µm": 1e-3, "μm": 1e-3}
"""Millimeters, by the first two letters of a unit; other units are millimeters."""
_VOID = re.compile(r"\b(?:if|unless|when|otherwise|or|instead|maybe|perhaps|except|not|never|don't)\b", re.IGNORECASE)
"""Words that make the rest of their sentence doubtful where they are in a clause that is not understood."""
_RETRACT = re.compile(r"\b(?:actually|scratch|cancel|forget|ignore|undo|rather|sorry)\b", re.IGNORECASE)
_CUT = re.compile(
    rf"(?P<end>[.!?](?=\s|$)|\n(?=\s*(?:[-*]\s|\d+[.)]\s)?{_LEAD}{_VERBS}))"
    rf"|[;:](?=\s)|,? (?:and )?then |,? (?:and|but) (?={_VERBS})|,\s*(?={_LEAD}{_VERBS})"
    rf"|,\s*(?={_REF} {_MACROS['must']})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Window:
    """The part of the board that a request shows closely: boxes in millimeters (y downwards), sides, places of pads."""

    boxes: Mapping[str, Box] = field(default_factory=dict[str, Box])
    backs: frozenset[str] = frozenset()
    pads: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    nets: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The nets of each part, as far as its pads are shown."""
    ics: frozenset[str] = frozenset()
    blocks: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sheets and groups of the whole board, by the words that name them."""

    @classmethod
    def of(cls, *views: str, blocks: Mapping[str, str] | None = None) -> Window:
        """Read the microscope's JSON."""
        windows: list[dict[str, Any]] = [json.loads(view) for view in views if view]
        parts: list[dict[str, Any]] = [part for window in windows for part in window.get("objects", ())]
        pins = {ref: sides for window in windows for ref, sides in window.get("pins", {}).items()}
        nets: dict[str, frozenset[str]] = {}
        for part in parts:  # a part with many pads has its pins as rows of text, by side
            sides: dict[str, list[str]] = pins.get(part["ref"], {})
            rows = [row for side, rows in sides.items() if side != "unconnected" for row in rows if " " in row]
            on_pads = {str(pad.get("net", "")) for pad in part.get("pads", ())} - {""}
            nets[part["ref"]] = frozenset(on_pads | {row.split(" ")[1] for row in rows})
        return cls(
            {part["ref"]: (*part["bbox"]["min"], *part["bbox"]["max"]) for part in parts},
            frozenset(part["ref"] for part in parts if part["layer"] == "Bottom"),
            {f"{part['ref']}.{pad['num']}": tuple(pad["pos"]) for part in parts for pad in part.get("pads", ())},
            nets,
            frozenset(part["ref"] for part in parts if part.get("type") == "IC"),
            blocks or {},
        )

    def partner(self, ref: str) -> str:
        """Return the part that a part belongs to: the one with the rarest nets in common, an IC first; "" for none."""
        count = Counter(net for nets in self.nets.values() for net in nets)
        shared = {other: self.nets.get(ref, frozenset[str]()) & nets for other, nets in self.nets.items()}
        others = [other for other in shared if other != ref and shared[other]]
        weight = {other: sum(1 / count[net] for net in sorted(shared[other])) for other in others}
        return min(others, key=lambda other: (other not in self.ics, -weight[other], other), default="")

    def gap(self, ref: str, other: str) -> float:
        """Return the gap between the boxes of two parts, in millimeters, to the nanometer."""
        (a0, b0, a1, b1), (c0, d0, c1, d1) = self.boxes[ref], self.boxes[other]
        return round(math.hypot(max(c0 - a1, a0 - c1, 0.0), max(d0 - b1, b0 - d1, 0.0)), 6)

    def name(self, written: str) -> str:
        """Return a reference as the board has it, in whatever capitals it is written."""
        return next((name for name in self.boxes if name.casefold() == written.casefold()), written)

    def with_blocks(self, words: str) -> str:
        """Return words in which the bare name of a block is written as `block "/power/"`."""
        for word, block in self.blocks.items():
            bare = rf'(?<![\w/"])(?:(?:sheet|block|group) )?{re.escape(word)}(?![\w/"])'
            words = re.sub(bare, lambda _, block=block: f'block "{block}"', words, flags=re.IGNORECASE)
        return words

    def axis(self, refs: Sequence[str]) -> str:
        """Return the axis along which parts lie further apart: "x" for a row, "y" for a column."""
        boxes = [self.boxes[ref] for ref in refs if ref in self.boxes] or [(0.0, 0.0, 0.0, 0.0)]
        wide, high = (max(b[k] + b[k + 2] for b in boxes) - min(b[k] + b[k + 2] for b in boxes) for k in (0, 1))
        return "y" if high > wide else "x"

    def side(self, ref: str, target: str) -> str:
        """Return the side of a target on which a part lies, or the target's pad; right where that is not shown."""
        owner, dot, _ = target.partition(".")
        here, there = self.boxes.get(ref), self.boxes.get(owner)
        if dot and target in self.pads:
            here = (*self.pads[target], *self.pads[target])
        if here is None or there is None or (dot and target not in self.pads):
            return "right"
        gaps = {
            "right": here[0] - there[2], "left": there[0] - here[2], "top": there[1] - here[3],
            "bottom": here[1] - there[3],
        }  # fmt: skip
        best = max(gaps, key=lambda side: gaps[side])
        return best if dot or gaps[best] >= 0 else "right"


@dataclass
class _Reader:
    """Reads clause after clause, and remembers the parts that "it" and "them" in the next one stand for."""

    window: Window
    subjects: tuple[str, ...] = ()
    target: str = ""
    selected: tuple[str, ...] = ()

    def clause(self, words: str) -> list[Fields]:
        """Return the actions of one clause; none where it is not understood."""
        if actions := self._sentence(words) or self._sentence(self.window.with_blocks(words)):
            return actions
        if self.selected and (actions := self._sentence(re.sub(_FIRST_VERB, r"\g<0> selection", words, count=1))):
            return actions
        # "C1 left of U1 and C2 right of it" are two sentences.
        for cut in re.finditer(rf",? and (?={_REF} )|, (?={_REF} )", words, re.IGNORECASE):
            first = self._sentence(words[: cut.start()])
            rest = self.clause(f"put {words[cut.end() :]}") if first else []
            if rest:
                return [*first, *rest]
        return []

    def remark(self, words: str) -> bool:
        """Return whether a clause asks for nothing and says what the next one is about: "C1 is too far from U1"."""
        match = _REMARK.fullmatch(_plain(words)) if len(words) <= MAX_QUOTE else None
        if match is None:
            return False
        self.subjects = self.refs(match["refs"])
        self.target = self.window.name(match["target"]) if match["target"] else ""
        return bool(self.subjects)

    def _sentence(self, words: str) -> list[Fields]:
        for pattern, make in _SENTENCES:
            match = pattern.fullmatch(words)
            if match and (actions := self._actions(make, {k: v for k, v in match.groupdict().items() if v})):
                return actions
        return []

    def _actions(self, make: _Maker, slots: dict[str, str]) -> list[Fields]:
        """Return the actions of a sentence, once its pronouns and names are resolved; none where they cannot be."""
        refs = self.refs(slots.get("refs", ""))
        owner, dot, pad = slots.get("target", "").partition(".")
        target = f"{self.window.name(owner)}{dot}{pad}"
        if target.casefold() == "it":
            target = self.target or (self.subjects[0] if len(self.subjects) == 1 else "")
        if ("refs" in slots and not refs) or ("target" in slots and target.partition(".")[0] in (*refs, "")):
            return []
        if "other" in slots:
            refs = tuple(dict.fromkeys((self.window.name(slots["other"]), *refs)))
        if len(refs) < 2 and make in _SEVERAL:
            return []
        if make is _closer and not target:
            target = self.target
        actions = make(self.window, refs, {**slots, "target": target})
        self.subjects, self.target = refs or self.subjects, target or self.target
        return actions

    def refs(self, words: str) -> tuple[str, ...]:
        """Return the components that words name, or that a pronoun stands for."""
        if words.casefold() == "selection":
            return self.selected
        if words.casefold() in {"it", "they", "them", "both"}:
            return self.subjects if (len(self.subjects) > 1) is (words.casefold() != "it") else ()
        names: list[str] = []
        for match in re.finditer(rf"({_REF})(?: ?(?:-|–|\.\.|to|through) ?({_REF}|\d+)\b)?", words, re.IGNORECASE):
            if not match[2]:
                names.append(self.window.name(match[1]))
                continue
            letters = match[1].rstrip("0123456789")
            low, high = (int(re.sub(r"\D", "", name)) for name in (match[1], match[2]))
            step = 1 if high >= low else -1
            last = low + step * min(abs(high - low), MAX_RANGE)
            names += [self.window.name(f"{letters}{n}") for n in range(low, last + step, step)]
        return tuple(dict.fromkeys(names))


_Maker = Callable[[Window, Sequence[str], Slots], list[Fields]]


def read(text: str, window: Window) -> tuple[list[Stated], list[str]]:
    """Return the actions of an instruction, and those of its words that ask for something and are not understood."""
    chosen = SELECTED.match(text)
    selected = _Reader(window).refs(chosen[1]) if chosen else ()
    reader, clauses, void = _Reader(window, selected, "", selected), list[tuple[int, str, list[Stated]]](), set[int]()
    sentence, text = 0, text[chosen.end() :] if chosen else text
    for words, end in _clauses(text):
        try:
            actions = reader.clause(_plain(words)) if len(words) <= MAX_QUOTE else []
            stated = [Stated.model_validate({**action, "quote": words}) for action in actions]
        except ValueError:  # a number is out of range
            stated = []
        clauses.append((sentence, words, stated))
        if not stated and not reader.remark(words):
            # What "it" stands for is unknown from here on, and doubts spoil the sentence, or all before.
            reader = _Reader(window, selected=selected)
            void |= {sentence} if _VOID.search(words) else set()
            void |= set(range(sentence + 1)) if _RETRACT.search(words) else set()
        if end == "?" and not re.match(r"(?:please )?(?:could|can|would|will) you", words, re.IGNORECASE):
            void.add(sentence)
        sentence += bool(end)

    valid = [one for number, _, stated in clauses if number not in void for one in stated]
    missed = [words for number, words, stated in clauses if (not stated or number in void) and _asks(words)]
    locks = [one for one in valid if one.action.action == "lock" and _HOLDS.match(one.quote)]
    return [*locks, *(one for one in valid if one not in locks)], missed


def _asks(words: str) -> bool:
    """Return whether words that were not understood have a number, or a verb and a part."""
    named = re.search(_REF, words, re.IGNORECASE)
    rest = re.sub(_REF, "", words, flags=re.IGNORECASE)
    verb = re.match(_LEAD + _VERBS, words, re.IGNORECASE)
    return not words.isdigit() and bool(re.search(r"\d", rest) or (named and verb))


SELECTED = re.compile(r"^selected components: ([^\n]+)\.\n", re.IGNORECASE)
"""The first line of an instruction about components that the user has selected."""
_FIRST_VERB = re.compile(rf"^{_VERBS}", re.IGNORECASE)
_HOLDS = re.compile(rf"{_LEAD}(?:don't|do not|never|keep|leave)|.* (?:must|should|may|stays?) ", re.IGNORECASE)
"""Locks that count for the whole text; others count from their place on."""


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses as written, each with the mark that ends its sentence."""
    start = 0
    for cut in [*_CUT.finditer(text), None]:
        words = text[start : cut.start() if cut else len(text)].strip(" ,;:()\t\r\n")
        if words:
            yield words, (cut["end"] or "") if cut else text.rstrip()[-1:]
        start = cut.end() if cut else start


def _plain(words: str) -> str:
    """Return a clause without politeness and nouns, with its pads written as `U1.4`."""
    text = re.sub(rf"^{_LEAD}", "", " ".join(words.split()), flags=re.IGNORECASE)
    for pattern, new in _PLAIN:
        text = pattern.sub(new, text)
    return text


_PLAIN = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (r" (?:please|at all)$", ""),
        (
            rf"\b(?:(?:these|those|the selected)(?: (?:ones|parts|components|(?:{_NOUN})s))?|the selection"
            rf"|th(?:e selected|is) (?:one|part|component|{_NOUN}))\b",
            "selection",
        ),
        (r"^((?:don't|do not|never) .*) or ", r"\1 and "),
        (rf"\b(?:(?:the|all|both|parts?|components?|decoupling|bypass|(?:{_NOUN})s?) )+(?={_REF})", ""),
        (rf"\b(?:the )?{_PIN} (\w+) (?:of|on) ({_REF})", r"\2.\1"),
        (rf"\b({_REF})(?:'s)? {_PIN} (?!to\b)(\w+)", r"\1.\2"),
    )
)


def _length(slots: Slots, name: str) -> float | None:
    """Return a length in millimeters; None if none is given. Raises `ValueError` if a comma may part thousands."""
    text = slots.get(name, "")
    if not text or text.casefold() == "half a":
        return 0.5 if text else None
    if re.fullmatch(r"-?[1-9]\d*,\d{3}", text):
        raise ValueError("thousands, or a fraction?")
    unit = slots.get(f"{name}_unit", "mm").casefold()
    return round(float(text.replace(",", ".")) * _UNITS.get(unit[:2], 1.0), 9)


def _beside(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "left of U1", at the side where it lies if none is named."""
    target, far = slots["target"], 0.0 if "touch" in slots else _length(slots, "far")
    dot = "." in target
    side = slots.get("side", "").casefold()
    side = _SIDES.get(side, side) or window.side(refs[0], target)
    given = {} if far is None else {"clearance": far}
    overlap = {"allow_overlap": True} if "overlap" in slots else {}
    if (far or 0.0) < 0:
        return []
    if len(refs) > 1:
        where = {"side": side} if "side" in slots else {}
        return [{"action": "cluster_around", "refs": refs, "target": target, **where, **given, **overlap}]
    measure = slots.get("measure", "pad" if dot else "courtyard").casefold()
    axis, line = _LINES.get(slots.get("by", ""), ("", "center"))
    if axis and (axis == "x") is not (side in {"left", "right"}):
        return []
    known = measure if measure in {"body", "courtyard"} else "pad"
    return [
        {"action": "place_relative", "ref": refs[0], "target": target, "side": side, "align": line, "measure": known}
        | given
        | overlap
    ]


def _near(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "near U1", "within 2 mm of U1"; near a pad the distance is only measured."""
    target, most = slots["target"], _length(slots, "far")
    clearance = 0.0 if "close" in slots else 0.5 if most is None else min(0.5, most)
    action = {"action": "cluster_around", "refs": refs, "target": target, "clearance": clearance}
    if most is None or "." not in target:
        return [{**action, "at_most": most}]
    side = window.side(refs[0], target)
    pad = {"action": "place_relative", "target": target, "side": side, "measure": "pad", "at_most": most}
    return [{**action, "side": side}, *({**pad, "ref": ref, "measure_only": True} for ref in refs)]


def _closer(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "closer to U1", or to what each part connects to; never farther than it lies now."""
    if "." in slots["target"]:
        return _near(window, refs, slots)
    pairs = [(ref, slots["target"] or window.partner(ref)) for ref in refs]
    if not all(ref in window.boxes and target in window.boxes for ref, target in pairs):
        return []
    return [
        {**action, "at_most": window.gap(ref, target)}
        for ref, target in pairs
        for action in _near(window, (ref,), {"target": target})
    ]


def _at_pins(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "close to its pins", of the part that is named or of the one that each belongs to."""
    targets = {ref: slots["target"] or window.partner(ref) for ref in refs}
    if not all(targets.values()):
        return []
    return [
        action
        for target in dict.fromkeys(targets.values())
        for action in _near(window, [ref for ref in refs if targets[ref] == target], {"target": target})
    ]


def _to_edges(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "at the left edge", "2 mm from the top edge", "in the top left corner", "near" one."""
    edges = [slots[name].casefold() for name in ("edge", "corner", "edge2") if name in slots]
    sides = [_SIDES.get(edge, edge) for edge in edges]
    if len(sides) > 1 and len({_AXES[side] for side in sides}) == 1:
        return []
    far = _length(slots, "far") or 0.0
    gaps = [far, _length(slots, "more") if "more" in slots else far]
    if "close" in slots:
        near = {"clearance": NEAR_CORNER, "at_most": AT_CORNER, "allow_overlap": True}
        return [{"action": "move_to_edge", "ref": ref, "edge": side, **near} for side in sides for ref in refs]
    # On the way to the second edge a part may lie over another one.
    passing = {"allow_overlap": True} if "edge2" in slots else {}
    return [
        {"action": "move_to_edge", "ref": ref, "edge": side, "clearance": gap, "center": "center" in slots}
        | (passing if side == sides[0] else {})
        for side, gap in zip(sides, gaps, strict=False)
        for ref in refs
    ]


NEAR_CORNER = 1.0
AT_CORNER = 10.0
"""Millimeters from both edges: where a part "near" a corner is put, and how far the solver may shift it from there."""
MAX_RANGE = 500
"""Parts that a range such as R1-R4 stands for at most."""
_AXES = {"left": "x", "right": "x", "top": "y", "bottom": "y"}


def _at(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    if len(refs) > 1:
        return []
    return [{"action": "place_component", "ref": refs[0], "x": float(slots["x"]), "y": float(slots["y"])}]


def _shift(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make the action for "2 mm left and 1 mm down"; y grows downwards."""
    step = {"dx": 0.0, "dy": 0.0}
    for name, way in (("far", slots["way"]), ("more", slots.get("way2", ""))):
        value = _length(slots, name)
        if value is not None:
            step["dx" if way in {"left", "right"} else "dy"] += -value if way in {"left", "up"} else value
    return [{"action": "move_by", "refs": refs or [_block_name(slots["block"])], **step}]


def _lock(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    return [{"action": "lock", "refs": refs, "locked": "free" not in slots}]


def _rotate(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make the action for "rotate U1 by 90° clockwise"; counterclockwise is positive."""
    degrees = float(slots["degrees"])
    if "to" in slots:
        return [] if "cw" in slots or "ccw" in slots else [{"action": "rotate", "refs": refs, "to": degrees}]
    return [{"action": "rotate", "refs": refs, "by": -degrees if "cw" in slots else degrees}]


def _flip(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "flip C1 to the back"; parts that are there already are only measured."""
    layer = slots.get("layer", "").casefold()
    to_back = {"b": True, "f": False, "t": False}.get("b" if layer[:2] in {"ba", "bo"} else layer[:1])
    there = tuple(
        ref for ref in refs if to_back is not None and ref in window.boxes and (ref in window.backs) is to_back
    )
    moving = tuple(ref for ref in refs if ref not in there)
    actions: list[Fields] = [{"action": "flip", "refs": moving}] if moving else []
    return [*actions, {"action": "flip", "refs": there, "measure_only": True}] if there else actions


def _swap(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    return [{"action": "swap", "ref": refs[1], "other": refs[0]}] if len(refs) == 2 else []


def _align(window: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make actions for "align R1-R4 in a row", perhaps "2 mm apart"."""
    lines = [
        _LINES[slots[name].casefold()] for name in ("by", "line", "lie") if slots.get(name, "").casefold() in _LINES
    ]
    axis, edge = lines[0] if lines else (window.axis(refs), "center")
    if any(other != axis for other, _ in lines):
        return []
    far = _length(slots, "far")
    spread = [] if far is None else [{"action": "distribute", "refs": refs, "spacing": far, "axis": axis}]
    overlap = {"allow_overlap": True} if spread and axis != window.axis(refs) else {}
    return [{"action": "align", "refs": refs, "axis": axis, "edge": edge, **overlap}, *spread]


def _distribute(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    axis = next((_LINES[slots[name].casefold()][0] for name in ("line", "lie") if name in slots), None)
    return [{"action": "distribute", "refs": refs, "spacing": _length(slots, "far"), "axis": axis}]


def _stack(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    far = _length(slots, "far")
    given = {} if far is None else {"spacing": far}
    return [{"action": "stack", "refs": refs, "direction": slots.get("way", "down").casefold(), **given}]


def _legalise(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    return [{"action": "legalise", "refs": refs, "clearance": _length(slots, "far") or 0.0}]


def _block_name(block: str) -> str:
    """Return the name of a block without its kind; "channel" is part of a name."""
    return re.sub(r'^(?:sheet|block|group) |"', "", block, flags=re.IGNORECASE)


def _decouple(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    if slots.get("target"):
        return [{"action": "decouple", "target": slots["target"], "refs": refs}]
    return [{"action": "decouple", "target": ref} for ref in refs]


def _block(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make the action for a block beside something, at an edge, in a corner, or turned."""
    action: Fields = {"action": "move_block", "block": _block_name(slots["block"])}
    far = _length(slots, "far")
    given = {} if far is None else {"clearance": far}
    if "degrees" in slots:
        degrees = float(slots["degrees"])
        turned = (-degrees if "cw" in slots else degrees) % 360.0
        return [{**action, "rotation": int(turned)}] if turned in {90.0, 180.0, 270.0} else []
    if "edge" in slots:
        sides = [
            _SIDES.get(slots[name].casefold(), slots[name].casefold()) for name in ("edge", "corner") if name in slots
        ]
        return [{**action, "target": "edge", "side": " ".join(sides), "clearance": far or 0.0}]
    side = slots.get("side", "").casefold()
    where = {"side": _SIDES.get(side, side)} if side else {}
    return [{**action, "target": slots["target"], **where, **given}]


def _copy(_: Window, refs: Sequence[str], slots: Slots) -> list[Fields]:
    """Make the action for "copy the placement of channel 1 onto channel 2 and 3"."""
    words = re.split(r",? and |, ?", slots["onto"])
    noun = "channel " if words[0].casefold().startswith("channel") else ""
    onto = [_block_name(word) for word in words]
    onto = [name if not noun or name.casefold().startswith("channel") else f"{noun}{name}" for name in onto]
    onto = [re.sub("^channels ", "channel ", name, flags=re.IGNORECASE) for name in onto]
    far = _length(slots, "far")
    way = {"direction": slots["way"].casefold()} if "way" in slots else {}
    given = {} if far is None else {"spacing": far}
    return [{"action": "copy_block", "source": _block_name(slots["block"]), "onto": onto, **way, **given}]


_SEVERAL = (_swap, _align, _distribute, _stack)
"""Sentences that need more than one part."""
_PLACES: tuple[tuple[str, _Maker], ...] = (
    ("(?:at |at a distance of )?(?:<far> )?<side> <target><more_of>", _beside),
    ("<side> <target>(?:<gap>)<more_of>", _beside),
    ("(?:at |at a distance of )?<far> (?:away )?from <target><more_of>", _beside),
    ("(?:to |at |with |to within )?(?:an? )?<far> (?:of )?(?:clearance|distance|gap|spacing) (?:from|to) <target>",
     _beside),
    ("(?:to |at |with )?(?:an? )?(?:clearance|distance|gap|spacing) of <far> (?:from|to) <target>", _beside),
    ("to <far> from <target>", _beside),
    ("<near> (?:its|their|the)(?: own)?(?: (?:power|supply))? (?:pins?|pads?)(?: (?:of|on|at) <target>)?", _at_pins),
    ("<near> <target><gap>", _beside),
    ("<near> <target>", _near),
    ("(?:<near> <target>,? )?within <far>", _near),
    ("within <far> of <target>", _near),
    ("(?:on|at|in|to|along|flush with|against) (?P<center>the (?:middle|center) of )?<edge>", _to_edges),
    ("(?:on|at|to) <edge>,? (?P<center>centered|centred|in the (?:middle|center))", _to_edges),
    ("<far> (?:away )?(?:from|inside) <edge>", _to_edges),
    ("<far> (?:away )?from <edge>,? and <more> (?:away )?from <edge2>", _to_edges),
    ("<far> (?:away )?from the (?P<edge>left|right|top|bottom)(?: edge)? and "
     f"(?:the )?(?P<edge2>left|right|top|bottom) edges?{_BOARD}", _to_edges),
    ("(?P<touch>touching|flush with|against) the (?P<side>left|right|top|bottom) side of <target>", _beside),
    ("(?:in|into|at|to) <corner>", _to_edges),
    ("(?:(?P<close>near(?: to)?|close to|by)) <corner>", _to_edges),
    (r"(?:to|at) \(?(?:x ?= ?)?(?P<x>-?[\d.]+)(?: ?mm)?(?:,| and)? ?(?:y ?= ?)?(?P<y>-?[\d.]+)(?: ?mm)?\)?", _at),
    ("(?:by )?<far> <way>(?: and <more> <way2>)?", _shift),
    ("<way> by <far>", _shift),
    ("<layer>", _flip),
)  # fmt: skip
"""Ends of sentences that begin with "put C1"."""
_SUBJECTS = ("<put> <refs>", "(?:make sure|ensure)(?: that)? <refs> (?:is|are)", "<refs> <must>")
_FORMS: tuple[tuple[str, _Maker], ...] = (
    *((f"{subject} {place}", make) for subject in _SUBJECTS for place, make in _PLACES),
    *((f"<refs> {place}", make) for place, make in _PLACES if make in (_near, _to_edges)),
    ("<refs> <far> <side> <target><more_of>", _beside),
    ("<refs> <far> (?:away )?from <target><more_of>", _beside),
    ("<put> <refs> (?:(?:much|a bit|a little|a lot) )?(?:closer|nearer)(?: (?:to|towards) <target>)?", _closer),
    ("(?:keep|leave) <refs> <still>", _lock),
    ("(?:keep|leave) <refs> (?:on|at|along) <edge>", _to_edges),
    ("(?:keep|leave) <far> between <refs>", _distribute),
    ("(?P<center>center|centre) <refs> (?:on|at|along) <edge>", _to_edges),
    ("(?:lock|fix|freeze) <refs>(?: <still>)?", _lock),
    ("(?:don't|do not|never) (?:move|touch) <refs>", _lock),
    ("<refs> (?:must|should|may) (?:not|never) (?:be )?(?:move|moved|touched)", _lock),
    ("<refs> stays? <still>", _lock),
    ("(?P<free>unlock) <refs>", _lock),
    (r"(?:rotate|turn) <refs> (?:by |(?P<to>to ))?(?P<degrees>-?[\d.]+) ?(?:°|deg(?:rees?)?)?"
     r"(?: (?:(?P<cw>clockwise|cw)|(?P<ccw>(?:counter|anti)-?clockwise|ccw)))?", _rotate),
    ("flip <refs>(?: <layer>)?", _flip),
    ("(?:swap|exchange)(?: the (?:places|positions) of)? <refs> (?:and|with) <other>", _swap),
    ("(?:align|line up|line) <refs>(?: with <other>)?<line><by>(?:<gap>)?", _align),
    ("align the (?P<by>left|right|top|bottom) (?:edges|sides) of <refs>(?:<gap>)?", _align),
    ("(?:space|distribute|spread) <refs>(?: out)?(?: evenly)?<line>(?: evenly)?(?:<gap>)?", _distribute),
    ("stack <refs>(?:<gap>)?(?: <way>)?", _stack),
    ("stack <refs> <way>(?:<gap>)?", _stack),
    ("(?:cluster|group|gather) <refs> <near> <target>(?:,? within <far>)?", _near),
    ("decouple <refs>", _decouple),
    (r"decouple (?P<target>[a-z_]{1,8}\d+[a-z]?\.\w+)", _decouple),
    ("decouple <target> (?:with|by|using) <refs>", _decouple),
    ("<put> (?:the )?(?:decoupling|bypass) (?:capacitors?|caps?) of <refs> (?:at|<near>) "
     "(?:its|their|the)(?: (?:power|supply))? (?:pins?|pads?)", _decouple),
    ("<put> <block> (?:<far> )?<side> <target>", _block),
    ("<put> <block> <near> <target><gap>", _block),
    ("<put> <block> <near> <target>", _block),
    ("<put> <block> (?:at|to|along|on) <edge>", _block),
    ("<put> <block> <far> (?:away )?from <edge>", _block),
    ("<put> <block> (?:in|into|at|to) <corner>", _block),
    ("<put> <block> (?:by )?<far> <way>(?: and <more> <way2>)?", _shift),
    (r"(?:rotate|turn) <block> (?:by )?(?P<degrees>-?[\d.]+) ?(?:°|deg(?:rees?)?)?"
     r"(?: (?:(?P<cw>clockwise|cw)|(?P<ccw>(?:counter|anti)-?clockwise|ccw)))?", _block),
    (r"copy the (?:inner )?(?:placement|layout|arrangement) of <block> (?:onto|to|on) (?:the )?"
     r"(?P<onto>(?:channels |sheets |blocks |sheet |block |group |channel |/).+?)(?:,? <way>(?:<gap>)?)?", _copy),
    ("(?:remove|resolve|fix) (?:(?:all|any|the) )*(?:overlaps|collisions)(?: (?:of|between) <refs>)?", _legalise),
    ("(?:legali[sz]e|tidy(?: up)?)(?: the (?:board|layout))?(?:<gap>)?", _legalise),
)  # fmt: skip
"""Sentences, the likeliest first, and the functions that make actions of them."""


def _compiled(form: str) -> re.Pattern[str]:
    while (filled := re.sub(r"(?<!\?P)<(\w+)>", lambda m: _MACROS.get(m[1], m[0]), form)) != form:
        form = filled
    return re.compile(form, re.IGNORECASE)


_SENTENCES = tuple((_compiled(form), make) for form, make in _FORMS)
_REMARK = _compiled("<refs> (?:is|are|lies?|sits?) (?:still )?(?:much |far |way )?too far(?: away)?(?: from <target>)?")
