"""What a requirement settles is not asked about, and what it lets meet is no overlap."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.english.grammar import read
from redraft.layout import Item, Layout
from redraft.requirements import Requirement
from redraft.spatial.rules import SemanticValidator, heuristics


@pytest.mark.parametrize(("brief", "codes"), [("a 5 cm house", []), ("a house", ["size.small"])])
def test_a_stated_measure_settles_the_size(brief: str, codes: list[str]) -> None:
    house = Item("house", "house", box(0.5, 0.5, 0.55, 0.55))
    assert [i.code for i in SemanticValidator().validate(Layout((house,)), read(brief)).issues] == codes


CART = Item("cart", "cart", box(0.3, 0.4, 0.6, 0.7))
HORSE = Item("horse", "horse", box(0.45, 0.4, 0.8, 0.7))


@pytest.mark.parametrize(
    ("relation", "asked"), [("behind", False), ("touches", False), ("inside", False), ("left_of", True)]
)
def test_a_relation_lets_things_meet(relation: str, asked: bool) -> None:
    stated = Requirement.model_validate(
        {"kind": "relation", "parts": ("cart",), "of": ("horse",), "relation": relation}
    )
    assert bool(heuristics(Layout((CART, HORSE)), requirements=(stated,))) is asked


def test_it_lets_parts_of_the_things_meet_too() -> None:
    wheel = Item("wheel", "wheel", box(0.3, 0.6, 0.4, 0.75), "cart")
    hoof = Item("hoof", "hoof", box(0.7, 0.6, 0.8, 0.75), "horse")
    stated = Requirement(kind="relation", parts=("hoof",), of=("wheel",), relation="touches")
    layout = Layout((CART, HORSE, wheel, hoof))
    assert "overlap.objects" in {i.code for i in heuristics(layout)}
    assert "overlap.objects" not in {i.code for i in heuristics(layout, requirements=(stated,))}


def test_a_stated_ratio_settles_the_odd_one() -> None:
    columns = [Item(f"column_{k}", "column", box(0.2 * k + 0.1, 0.4, 0.2 * k + 0.2, 0.8)) for k in range(4)]
    columns[1] = Item("column_1", "column", box(0.3, 0.2, 0.4, 0.8))
    stated = Requirement(kind="ratio", parts=("column_1",), of=("column_0",), factor=1.5, dimension="height")
    assert [i.code for i in heuristics(Layout(tuple(columns)))] == ["ratio.odd_one"]
    assert heuristics(Layout(tuple(columns)), requirements=(stated,)) == []
