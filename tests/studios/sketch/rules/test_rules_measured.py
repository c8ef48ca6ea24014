"""In strict validation the brief explains findings about sizes and overlaps; by default it silences none."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.layout.items import Item, Layout
from redraft.layout.requirements import Requirement
from redraft.offline.english.grammar import read
from redraft.result import Heuristics
from redraft.studios.sketch.rules import SemanticValidator


@pytest.mark.parametrize(("brief", "codes"), [("a 5 cm house", []), ("a house", ["size.small"])])
def test_a_stated_measure_settles_the_size(brief: str, codes: list[str]) -> None:
    house = Item("house", "house", box(0.5, 0.5, 0.55, 0.55))
    assert [i.code for i in SemanticValidator().validate(Layout((house,)), read(brief)).issues] == codes


def codes(layout: Layout, *stated: Requirement, heuristics: Heuristics = "strict") -> list[str]:
    """The codes of heuristics alone."""
    report = SemanticValidator(heuristics=heuristics).validate(layout, requirements=stated)
    return [issue.code for issue in report.issues if issue.basis == "heuristic"]


CART = Item("cart", "cart", box(0.3, 0.4, 0.6, 0.7))
HORSE = Item("horse", "horse", box(0.45, 0.4, 0.8, 0.7))


@pytest.mark.parametrize(
    ("relation", "reported"), [("behind", False), ("touches", False), ("inside", False), ("left_of", True)]
)
def test_a_relation_lets_things_meet(relation: str, reported: bool) -> None:
    stated = Requirement.model_validate(
        {"kind": "relation", "parts": ("cart",), "of": ("horse",), "relation": relation}
    )
    layout = Layout((CART, HORSE))
    assert bool(codes(layout, stated)) is reported
    assert codes(layout, stated, heuristics="default") == codes(layout, heuristics="default") != []


def test_it_lets_parts_of_the_things_meet_too() -> None:
    wheel = Item("wheel", "wheel", box(0.3, 0.6, 0.4, 0.75), "cart")
    hoof = Item("hoof", "hoof", box(0.7, 0.6, 0.8, 0.75), "horse")
    stated = Requirement(kind="relation", parts=("hoof",), of=("wheel",), relation="touches")
    layout = Layout((CART, HORSE, wheel, hoof))
    assert "overlap.objects" in codes(layout)
    assert "overlap.objects" not in codes(layout, stated)


def test_a_stated_ratio_settles_the_odd_one() -> None:
    columns = [Item(f"column_{k}", "column", box(0.2 * k + 0.1, 0.4, 0.2 * k + 0.2, 0.8)) for k in range(4)]
    columns[1] = Item("column_1", "column", box(0.3, 0.2, 0.4, 0.8))
    stated = Requirement(kind="ratio", parts=("column_1",), of=("column_0",), factor=1.5, dimension="height")
    layout = Layout(tuple(columns))
    assert codes(layout) == ["ratio.odd_one"]
    assert codes(layout, stated) == []
    assert codes(layout, stated, heuristics="default") == ["ratio.odd_one"]
