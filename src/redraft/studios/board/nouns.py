"""What a part is, by the letters of its reference: C12 is a capacitor."""

from __future__ import annotations

import re

__all__ = ["noun_of"]

_LETTERS = re.compile(r"[A-Za-z]+")
_NOUNS = {
    "ANT AE": "antenna",
    "BT BAT": "battery",
    "C": "capacitor",
    "D LED CR": "diode",
    "F": "fuse",
    "FB": "ferrite bead",
    "FID": "fiducial",
    "FL": "filter",
    "H MH": "mounting hole",
    "J P CN CON": "connector",
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
_BY_LETTERS = {letters: noun for many, noun in _NOUNS.items() for letters in many.split()}


def noun_of(reference: str) -> str:
    """The noun, singular; "part" for letters that stand for nothing in particular (`REF**`, `LOGO1`)."""
    match = _LETTERS.match(reference)
    return _BY_LETTERS.get(match[0].upper(), "part") if match else "part"
