"""The pen that a script is written with: it notes which helpers and materials the lines need, and writes numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from redraft.offline.scene.colours import called, shade
from redraft.spatial.yamldata import read_yaml

__all__ = ["Pen", "number", "vector"]

LOOKS: dict[str, str] = {
    "paint": "paint({name}, {colour}, roughness=0.45)",
    "gloss": "paint({name}, {colour}, roughness=0.2, coat_weight=0.3)",
    "matt": "paint({name}, {colour}, roughness=0.9)",
    "metal": "paint({name}, {colour}, metallic=1.0, roughness=0.3)",
    "glass": "paint({name}, {colour}, transmission_weight=0.9, roughness=0.04)",
    "glow": "glow({name}, {colour}, 3.0)",
    "wood": "grain({name}, {colour}, {other}, 2.5, stretch=(1, 8, 8), bump=0.06, roughness=0.5)",
    "stone": "grain({name}, {colour}, {other}, 5, bump=0.35, roughness=0.9)",
    "cloth": "grain({name}, {colour}, {other}, 70, bump=0.12, roughness=0.95)",
    "leaf": "grain({name}, {colour}, {other}, 6, bump=0.8, roughness=0.8)",
    "grass": "grain({name}, {colour}, {other}, 9, bump=0.5, roughness=0.95)",
    "sand": "grain({name}, {colour}, {other}, 12, bump=0.25, roughness=0.95)",
    "snow": "grain({name}, {colour}, {other}, 6, bump=0.2, roughness=0.7)",
    "water": "grain({name}, {colour}, {other}, 3, stretch=(1, 3, 1), bump=0.2, roughness=0.08)",
    "fur": "grain({name}, {colour}, {other}, 40, bump=0.3, roughness=0.9)",
    "brick": "bricks({name}, {colour}, {other}, 3.0)",
}
DARKER = {"wood": -0.3, "stone": -0.22, "leaf": -0.35, "grass": -0.25, "water": -0.3, "brick": 0.5, "snow": -0.06}


@cache
def _helpers() -> dict[str, str]:
    text = (files("redraft.offline.scene") / "solids" / "helpers.yaml").read_text("utf-8")
    return {name: str(code).rstrip() for name, code in read_yaml(text).items()}


@dataclass
class Pen:
    """What a script needs is noted while its lines are written."""

    needs: set[str] = field(default_factory=set[str])
    materials: dict[str, str] = field(default_factory=dict[str, str])
    """Variable by the call that makes it."""

    def need(self, *names: str) -> None:
        """Note helpers, with all that they call in turn."""
        for name in names:
            if name not in self.needs:
                self.needs.add(name)
                body = _helpers()[name]
                self.need(*(other for other in _helpers() if other != name and re.search(rf"\b{other}\(", body)))

    def material(self, look: str, colour: str) -> str:
        """The variable of a material; it is made once."""
        name = called(colour)
        title = name if name == look else f"{name} {look}"
        variable = title.replace(" ", "_")
        other = shade(colour, DARKER.get(look, -0.15))
        call = LOOKS[look].format(
            name=repr(title.capitalize()).replace("'", '"'), colour=f'"{colour}"', other=f'"{other}"'
        )
        taken = {v: c for c, v in self.materials.items()}
        k = 2
        base, call_base = variable, call
        while taken.get(variable, call) != call:
            variable, call = f"{base}_{k}", call_base.replace(title.capitalize(), f"{title.capitalize()} {k}", 1)
            k += 1
        self.need(call.partition("(")[0])
        self.materials[call] = variable
        return variable

    def helpers(self) -> str:
        """The functions that were needed, in the order of the file."""
        return "\n\n\n".join(code for name, code in _helpers().items() if name in self.needs)


def number(value: float) -> str:
    """A number as a person writes it."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def vector(values: Sequence[float]) -> str:
    return f"({', '.join(number(v) for v in values)})"
