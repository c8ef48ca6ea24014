"""Texts of footprints: their angle when the footprint turns, kept upright as KiCad does it, and their justification."""

from __future__ import annotations

from redraft.studios.board.journey import Journey
from redraft.studios.board.notation import degrees, is_number, within_half_turn, within_turn
from redraft.studios.board.script import Script, Span

__all__ = ["justify", "turn_text"]

KICAD_6, KICAD_8, KICAD_9 = 20200000, 20231000, 20240200
"""Formats: 6 to 8 write text angles in (−180, 180], the others in [0, 360); from 8 on an angle of 0 is written too."""
OPPOSITE = {b"left": b"right", b"right": b"left", b"top": b"bottom", b"bottom": b"top"}


def turn_text(script: Script, i: int, journey: Journey, version: int, *, mirrored: bool) -> None:
    """Turn the i-th list, an `fp_text` or `property`, along with its footprint.

    A text that came to stand on its head is turned by half and justified the other way round, unless it is `unlocked`
    from being upright; `mirrored`: its writing changes sides as well. A property without a place is no text.
    """
    at = script.index.child(i, b"at")
    if at is None:
        return
    words = script.words(at, 3)
    numbered = len(words) > 3 and is_number(script.text(words[3]))
    angle = script.number(words[3]) if numbered else 0.0
    if journey.flips:
        angle = 180.0 - angle
    overhead = bool(journey.turn) and within_turn(angle + journey.turn) >= 180.0 and not _unlocked(script, i, at)
    _write(
        script,
        (words[2][1], words[3][1] if numbered else words[2][1]),
        angle + journey.turn - 180.0 * overhead,
        version,
    )
    justify(script, i, opposite=overhead, mirrored=mirrored)


def _write(script: Script, span: Span, angle: float, version: int) -> None:
    normal = within_half_turn if KICAD_6 <= version < KICAD_9 else within_turn
    text = degrees(normal(angle))
    script.put(span, b"" if text == b"0" and version < KICAD_8 else b" " + text)


def _unlocked(script: Script, i: int, at: int) -> bool:
    if b"unlocked" in script.index.atoms(at) or b"unlocked" in script.index.atoms(i)[2:]:
        return True
    word = script.index.child(i, b"unlocked")
    return word is not None and script.index.atoms(word)[1:] != [b"no"]


def justify(script: Script, i: int, *, opposite: bool = False, mirrored: bool = False) -> None:
    """Change a text's justification: to the opposite sides, or from plain to mirrored and back."""
    effects = script.index.child(i, b"effects")
    own = script.index.child(effects, b"justify") if effects is not None else None
    before = script.index.atoms(own)[1:] if own is not None else []
    words = [OPPOSITE.get(word, word) for word in before] if opposite else before
    if mirrored:
        words = [word for word in words if word != b"mirror"] + [b"mirror"] * (b"mirror" not in words)
    if words != before:
        _write_justify(script, effects if effects is not None else i, own, words)


def _write_justify(script: Script, within: int, own: int | None, words: list[bytes]) -> None:
    text = b"(justify " + b" ".join(sorted(words, key=_rank)) + b")"
    font = script.index.child(within, b"font")
    if own is not None and words:
        script.put((int(script.index.start[own]), int(script.index.end[own])), text)
    elif own is not None:
        script.drop(own)
    elif font is not None:
        script.add_after(font, text)
    else:
        end = int(script.index.end[within]) - 1
        script.put((end, end), b" " + text if script.index.head(within) == b"effects" else b" (effects " + text + b")")


def _rank(word: bytes) -> int:
    """KiCad's order of the words; later KiCads' own come last."""
    order = (b"left", b"right", b"top", b"bottom", b"mirror")
    return order.index(word) if word in order else len(order)
