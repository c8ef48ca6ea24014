"""What a reading will be held to, in sentences for prompts and pages."""

from redraft.spatial.grammar.describe import describe
from redraft.spatial.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Mention,
    Place,
    Progression,
    Reading,
    Relate,
    Selector,
    Size,
)


def test_one_plain_sentence_for_each_certain_constraint() -> None:
    flowers, house_ = Selector("f"), Selector("h")
    constraints: tuple[Constraint, ...] = (
        Count(mention="f", number=2),
        Count(mention="w", number=3, at_least=True),
        Relate(relation="left_of", subjects=flowers, objects=(house_,)),
        Relate(relation="right_of", subjects=house_, objects=(flowers,), distance=Measure(0.2)),
        Relate(relation="far", subjects=house_, objects=(flowers,), degree="much_further"),
        Align(selectors=(flowers, house_), axis="x"),
        EqualSpacing(selector=flowers, gap=Measure(5, "cm")),
        Grid(selector=flowers, rows=3, columns=4),
        Compare(
            subjects=Selector("f", (4,)), reference=Selector("f", (4,), others=True), dimension="height", factor=1.2
        ),
        Progression(selector=flowers),
        Size(selector=house_, width=Measure(5, "m"), height=Measure(4, "m")),
        Place(selector=flowers, spot="bottom", within=house_, side="bottom"),
        Angle(selector=house_, degrees=305),
        Count(mention="f", number=9, certain=False),
    )
    mentions = (Mention("h", "house"), Mention("f", "flower", 2), Mention("w", "window", None, whole="h"))
    assert describe(Reading("…", mentions, constraints)) == [
        "exactly 2 flowers",
        "at least 3 windows in each house",
        "every flower is left of the house",
        "the house is right of the flowers, 0.2 away",
        "the house is far from the flowers, at a gap of about 0.3",
        "the flowers and the house stand in a row",
        "the gaps between the flowers are equal, from left to right, each 5 cm",
        "the flowers form a grid of 3 rows and 4 columns",
        "the height of the fourth flower is 1.2 times that of the other flowers",
        "from one of the flowers to the next the size increases",
        "the house is 5 m wide and 4 m high",
        "every flower is at the bottom of the bottom side of the house",
        "the house points 305° clockwise from straight up, seen from the centre of its whole",
    ]
