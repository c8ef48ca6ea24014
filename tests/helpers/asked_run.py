"""A run in which rules of thumb ask: statements, questions with answers, comparisons, and a reply that is not used."""

from __future__ import annotations

from run_writer import RunWriter

from redraft.events import Discarded, Ruled, RuledIssue, TurnStarted
from redraft.result import Difference, Issue, IterationRecord, Mark, Measured, Report, Ruling, Verdict

__all__ = ["BRIEF", "asked_run"]

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
        outcome="met",
        found="rests on it, gap 0.000",
        subjects=("cat", "bookshelf"),
    ),
    Measured(
        id="r4",
        kind="spacing",
        words="equal gaps between shelf_1, shelf_2, shelf_3, shelf_4",
        outcome="inexact",
        found="0.142, 0.145, 0.142; 2 % apart",
        deviation=0.6,
        subjects=("shelf_1", "shelf_2", "shelf_3", "shelf_4"),
    ),
)
WHOLE = (
    STATED[0],
    BOOKS.model_copy(update={"outcome": "met", "found": "3, 3, 3, 3", "deviation": 0.0}),
    STATED[2],
    STATED[3].model_copy(update={"outcome": "met", "found": "0.142 each", "deviation": 0.0}),
)
ASIDE = ('r5 (color, "warm evening light"): no part matches "lamp_*"',)
UNMEASURED = ("A bookshelf with", "and a cat sleeping", "in warm evening light")

MISSING = Issue(
    code="requirement.count",
    severity="question",
    message="shelf_2 has 2 × book_*; “three books on each” asks for 3",
    subjects=("shelf_2",),
    numbers={"found": 2.0, "expected": 3.0},
    marks=(Mark(kind="box", at=(0.22, 0.37, 0.78, 0.5), text="2 of 3"),),
    basis="requirement",
    status="open",
    id="r2",
    requirement="r2",
)
COVER = Issue(
    code="overlap.cover",
    severity="question",
    message="cat and bookshelf overlap by 8 % of the smaller one",
    subjects=("cat", "bookshelf"),
    numbers={"ratio": 0.08, "allowed": 0.05},
    marks=(Mark(kind="box", at=(0.34, 0.1, 0.64, 0.22), text="8 %"),),
    basis="heuristic",
    status="open",
    id="q1",
    fix="move cat up by 0.012",
)
UNEVEN = Issue(
    code="size.pair",
    severity="warning",
    message="book_1 and book_5 differ in height by a factor of 1.4",
    subjects=("book_1", "book_5"),
    basis="heuristic",
    status="unasked",
)
DRAFT = """```json
{"approach": "A tall shelf fills the middle; the cat lies along its top", "plan": [], "requirements": [], "strokes": []}
```
"""


def asked_run(writer: RunWriter) -> None:
    """A draft that breaks a statement, a repair, a question to the critic, and an edit that the critic refuses."""
    writer.start(
        BRIEF,
        config={"model": "vendor:capable", "validation": {"heuristics": "ask"}, "loop": {"repairs": 2}},
        model={"name": "vendor:capable", "sees": True, "label": "a model that sees"},
        worst_case_calls=12,
    )
    first, whole = _shelf((3, 2, 3, 3), 0.165), _shelf((3, 3, 3, 3), 0.165)
    agreed = {"set_aside": ASIDE, "unchecked": UNMEASURED}
    writer.call("iteration-1/draft", f"Draw: {BRIEF}", DRAFT)
    writer.attempted("iteration-1/draft", approach="A tall shelf fills the middle; the cat lies along its top")
    writer.validated(
        "iteration-1/validate-0",
        Report.model_validate({"issues": (MISSING, COVER, UNEVEN), "requirements": STATED, **agreed}),
        first,
        next="repair",
        repair=1,
    )
    writer.call("iteration-1/repair-1", "Which of the two is wrong?", DRAFT, kind="sketch.repair")
    writer.attempted("iteration-1/repair-1", kind="repair", index=1, approach="A third book on the second shelf")
    _ruled(
        writer,
        "iteration-1/validate-1",
        "model",
        _answer(MISSING, Ruling(id="r2", ruling="must", reason="The brief wants three books on each shelf.")),
    )
    writer.validated(
        "iteration-1/validate-1",
        Report.model_validate({"issues": (COVER, UNEVEN), "requirements": (*WHOLE[:3], STATED[3]), **agreed}),
        whole,
        index=1,
        source="repair",
        next="solver",
    )
    exact = Report.model_validate({"issues": (COVER, UNEVEN), "requirements": WHOLE, **agreed})
    writer.validated(
        "iteration-1/validate-2",
        exact,
        whole,
        index=2,
        source="solver",
        note="Solver: moved shelf_2 by (0, −0.003), so that the gaps are equal.",
    )
    after = writer.picture("q1-after.png", _shelf((3, 3, 3, 3), 0.15))
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
            better="later",
        ),
        compared=(writer.picture("a.png", first), writer.picture("b.png", whole)),
    )
    intended = Ruling(id="q1", ruling="intended", reason="A cat that lies on a shelf touches it.")
    _ruled(writer, "iteration-1/verify", "critic", _answer(COVER, intended, after))
    writer.iterated(IterationRecord(iteration=1, agent_notes="a tall shelf, the cat along its top"))
    _second_turn(writer, whole, exact)
    ruled = COVER.model_copy(
        update={"severity": "hint", "status": "intended", "ruling": intended, "ruled_by": "critic"}
    )
    final = exact.model_copy(update={"issues": (ruled, UNEVEN)})
    writer.finish(whole, validation="iteration-1/validate-2", report=final)


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
            "severity": "error",
            "status": "upheld",
            "message": "shelf_4 has 1 × book_*; “three books on each” asks for 3",
            "marks": (Mark(kind="box", at=(0.22, 0.69, 0.78, 0.82), text="1 of 3"),),
        }
    )
    broken = BOOKS.model_copy(update={"found": "3, 3, 3, 1 (shelf_4 has 1)"})
    requirements = (WHOLE[0], broken, *WHOLE[2:])
    report = exact.model_copy(update={"issues": (lost, UNEVEN), "requirements": requirements})
    writer.validated("iteration-2/validate-0", report, edited, iteration=2, source="edit", next="keep_best")
    writer.call("iteration-2/verify", "Which is better?", '{"better": "B"}', kind="sketch.critique")
    writer.verified(
        Verdict(by="critic", satisfied=True, score=0.8, summary="All books are there.", better="earlier"),
        turn=2,
        compared=(writer.picture("c.png", whole), writer.picture("d.png", edited)),
    )
    key = "iteration-2/discarded"
    why = "the critic prefers the earlier one"
    writer.journal.write(Discarded(key=key, at=writer.journal.now, iteration=2, what="the edit of turn 2", reason=why))
    writer.iterated(IterationRecord(iteration=2, agent_notes="a low sun"))


def _ruled(writer: RunWriter, path: str, by: str, *lines: RuledIssue) -> None:
    fields = {"key": f"{path}/ruled", "at": writer.journal.now, "iteration": 1, "by": by, "rulings": lines}
    writer.journal.write(Ruled.model_validate(fields))


def _answer(issue: Issue, ruling: Ruling, after: str = "") -> RuledIssue:
    """The answer to an issue."""
    names = ("id", "code", "message", "subjects", "requirement", "fix")
    fields = {name: getattr(issue, name) for name in names}
    return RuledIssue.model_validate({**fields, "ruling": ruling, "after": after})
