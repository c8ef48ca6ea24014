"""A run with statements, a critic's answers to those that do not hold, comparisons, and a reply that is not used."""

from __future__ import annotations

from run_writer import RunWriter

from redraft.record.events import Discarded, TurnStarted
from redraft.result import Difference, Issue, IterationRecord, Mark, Measured, Mismatch, Report, Verdict

BRIEF = "A bookshelf with four shelves, three books on each, and a cat sleeping on top of it, in warm evening light"
ROWS = (0.34, 0.5, 0.66, 0.82)
COLORS = ("#b5483a", "#3f6f8f", "#d9a441")


def _shelf(books: tuple[int, ...], cat: float, lamp: float = 0.0) -> str:
    boards = "".join(f'<rect x=".22" y="{y}" width=".56" height=".018" fill="#6b4526"/>' for y in (0.2, *ROWS))
    sides = "".join(f'<rect x="{x}" y=".2" width=".02" height=".638" fill="#7c5430"/>' for x in (0.21, 0.77))
    volumes = "".join(
        f'<rect x="{0.27 + 0.15 * n}" y="{y - 0.11}" width=".07" height=".11" fill="{COLORS[(n + row) % 3]}"/>'
        for row, (y, many) in enumerate(zip(ROWS, books, strict=True))
        for n in range(many)
    )
    body = (
        f'<ellipse cx=".5" cy="{cat}" rx=".13" ry=".055" fill="#8d8078"/>'
        f'<circle cx=".39" cy="{cat - 0.02}" r=".04" fill="#8d8078"/>'
        f'<path d="M.36 {cat - 0.04} l.01 -.04 l.02 .025 M.4 {cat - 0.055} l.02 -.03 l.01 .04" fill="#8d8078"/>'
    )
    wall = f'<rect width="1" height="1" fill="#f6e3c4"/><circle cx=".9" cy=".1" r="{lamp}" fill="#ffd27a"/>'
    return f"{wall}{boards}{sides}{volumes}{body}"


BOOKS = Measured(
    id="r2",
    kind="count",
    quote="three books on each",
    words="exactly 3 × book_* within each of shelf_*",
    outcome="broken",
    found="3, 2, 3, 3 (shelf_2 has 2)",
    deviation=2.0,
    subjects=("shelf_1", "shelf_2", "shelf_3", "shelf_4"),
)
STATED = (
    Measured(
        id="r1",
        kind="count",
        quote="four shelves",
        words="exactly 4 × shelf_*",
        outcome="met",
        found="4",
        subjects=("shelf_1", "shelf_2", "shelf_3", "shelf_4"),
    ),
    BOOKS,
    Measured(
        id="r3",
        kind="relation",
        quote="on top of it",
        words="cat on bookshelf",
        outcome="inexact",
        found="gap 0.004",
        deviation=0.6,
        subjects=("cat", "bookshelf"),
    ),
    Measured(
        id="r4",
        kind="spacing",
        words="equal gaps between shelf_1, shelf_2, shelf_3, ground",
        outcome="broken",
        found="0.142, 0.145, 0.220; 43 % apart",
        deviation=4.0,
        subjects=("shelf_1", "shelf_2", "shelf_3", "ground"),
    ),
)
WHOLE = (
    STATED[0],
    BOOKS.model_copy(update={"outcome": "met", "found": "3, 3, 3, 3", "deviation": 0.0}),
    STATED[2].model_copy(update={"outcome": "met", "found": "rests on it, gap 0.000", "deviation": 0.0}),
    STATED[3],
)
NOT_A_SHELF = "The ground is no shelf."
FINAL = (*WHOLE[:3], STATED[3].model_copy(update={"outcome": "withdrawn", "found": "", "changed": NOT_A_SHELF}))
ASIDE = ('r5 (color, "warm evening light"): no part matches "lamp_*"',)
UNMEASURED = ("A bookshelf with", "and a cat sleeping", "in warm evening light")

HIDDEN = Issue(
    code="overlap.hidden",
    severity="error",
    message="book_2 is hidden behind book_3",
    subjects=("book_2", "book_3"),
    hint="Move book_2 left by 0.15.",
    marks=(Mark(kind="box", at=(0.42, 0.23, 0.49, 0.34), text="hidden"),),
)
MISSING = Issue(
    code="requirement.count",
    severity="note",
    message="shelf_2 has 2 × book_*; “three books on each” asks for 3",
    subjects=("shelf_2",),
    numbers={"found": 2.0, "expected": 3.0},
    marks=(Mark(kind="box", at=(0.22, 0.37, 0.78, 0.5), text="2 of 3"),),
    basis="requirement",
    requirement="r2",
)
APART = Issue(
    code="requirement.spacing",
    severity="note",
    message="the gaps are 0.142, 0.145, 0.220",
    subjects=("shelf_1", "shelf_2", "shelf_3", "ground"),
    basis="requirement",
    requirement="r4",
)
COVER = Issue(
    code="overlap.cover",
    severity="note",
    message="cat and bookshelf overlap by 8 % of the smaller one",
    subjects=("cat", "bookshelf"),
    numbers={"ratio": 0.08, "allowed": 0.05},
    hint="Move cat up by 0.012.",
    marks=(Mark(kind="box", at=(0.34, 0.1, 0.64, 0.22), text="8 %"),),
    basis="heuristic",
)
UNEVEN = Issue(
    code="size.pair",
    severity="warning",
    message="book_1 and book_5 differ in height by a factor of 1.4",
    subjects=("book_1", "book_5"),
)
DRAFT = """```json
{"approach": "A tall shelf fills the middle; the cat lies along its top", "plan": [], "requirements": [], "strokes": []}
```
"""


def asked_run(writer: RunWriter) -> None:
    """A draft with an error, its repair, a statement that the critic withdraws, and an edit that it refuses."""
    writer.start(
        BRIEF,
        config={"model": "vendor:capable", "validation": {"heuristics": "default"}, "loop": {"repairs": 2}},
        model={"name": "vendor:capable", "sees": True, "label": "a model that sees"},
        worst_case_calls=12,
    )
    first, whole = _shelf((3, 2, 3, 3), 0.165), _shelf((3, 3, 3, 3), 0.165)
    agreed = {"set_aside": ASIDE, "unchecked": UNMEASURED}
    writer.call("iteration-1/draft", f"Draw: {BRIEF}", DRAFT)
    writer.attempted("iteration-1/draft", approach="A tall shelf fills the middle; the cat lies along its top")
    writer.validated(
        "iteration-1/validate-0",
        Report.model_validate({"issues": (MISSING, APART, COVER, UNEVEN, HIDDEN), "requirements": STATED, **agreed}),
        first,
        next="repair",
        repair=1,
    )
    writer.call("iteration-1/repair-1", "Correct the errors.", DRAFT, kind="sketch.repair")
    writer.attempted("iteration-1/repair-1", kind="repair", index=1, approach="A third book on the second shelf")
    exact = Report.model_validate({"issues": (APART, COVER, UNEVEN), "requirements": WHOLE, **agreed})
    writer.validated("iteration-1/validate-1", exact, whole, index=1, source="repair")
    writer.call("iteration-1/verify", "Look at it.", '{"satisfied": false}', kind="sketch.critique")
    differences = (
        Difference(text="The light: the wall is plain; evening light needs a warm glow from one side.", weight="must"),
        Difference(text="The cat's tail is hidden; a curled tail would read better.", weight="minor"),
    )
    writer.verified(
        Verdict(
            by="critic",
            satisfied=False,
            score=0.7,
            summary="Everything is there, but nothing says evening.",
            differences=differences,
            mismatches=(Mismatch(id="r4", wrong="statement", reason=NOT_A_SHELF),),
            better="later",
        ),
        compared=(writer.picture("a.png", first), writer.picture("b.png", whole)),
    )
    writer.iterated(IterationRecord(iteration=1, agent_notes="a tall shelf, the cat along its top"))
    final = exact.model_copy(update={"issues": (COVER, UNEVEN), "requirements": FINAL})
    _second_turn(writer, whole, final)
    writer.finish(whole, validation="iteration-1/validate-1", report=final)


def _second_turn(writer: RunWriter, whole: str, exact: Report) -> None:
    """An edit for the light, which costs a book; the critic prefers what was there before."""
    reason = "Everything is there, but nothing says evening."
    at = writer.journal.now
    writer.journal.write(TurnStarted(key="iteration-2", at=at, iteration=2, kind="edit", reason=reason))
    edited = _shelf((3, 3, 3, 1), 0.165, lamp=0.3)
    writer.call("iteration-2/edit", "Change what differs.", DRAFT, kind="sketch.edit")
    writer.attempted("iteration-2/edit", kind="edit", approach="A low sun in the upper right corner")
    lost = MISSING.model_copy(
        update={
            "message": "shelf_4 has 1 × book_*; “three books on each” asks for 3",
            "marks": (Mark(kind="box", at=(0.22, 0.69, 0.78, 0.82), text="1 of 3"),),
        }
    )
    broken = BOOKS.model_copy(update={"found": "3, 3, 3, 1 (shelf_4 has 1)"})
    requirements = (FINAL[0], broken, *FINAL[2:])
    report = exact.model_copy(update={"issues": (lost, UNEVEN), "requirements": requirements})
    writer.validated("iteration-2/validate-0", report, edited, iteration=2, source="edit")
    writer.call("iteration-2/verify", "Which is better?", '{"better": "B"}', kind="sketch.critique")
    writer.verified(
        Verdict(
            by="critic",
            satisfied=False,
            score=0.8,
            summary="Two books are missing.",
            mismatches=(Mismatch(id="r2", wrong="drawing", reason="The lowest shelf lost two books."),),
            better="earlier",
        ),
        turn=2,
        compared=(writer.picture("c.png", whole), writer.picture("d.png", edited)),
    )
    key = "iteration-2/verify/discarded"
    why = "the critic prefers the earlier one"
    writer.journal.write(Discarded(key=key, at=writer.journal.now, iteration=2, what="the edit of turn 2", reason=why))
    writer.iterated(IterationRecord(iteration=2, agent_notes="a low sun"))
