"""The page as text: what it says, and that nothing a model or a brief wrote can be more than text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from asked_run import asked_run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_writer import RunWriter

from redraft.record.events import Discarded
from redraft.record.transcript import Record
from redraft.report import render_page, write_page
from redraft.report.html import clip, seconds, tokens
from redraft.report.requirements import statements_of
from redraft.result import Difference, Issue, Measured, Mismatch, Report, Usage, Verdict

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></style><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}",
    "--><svg onload=alert(1)>",
    "\x00\x1b[31m\ud800",
)


WriteRun = Callable[[Callable[[RunWriter], None]], Record]


class Page(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def assert_inert(html: str) -> None:
    """No script, no handler, no address but fragments, files of the folder and picture data."""
    for tag, attributes in Page(html).tags:
        assert tag not in {"script", "iframe", "object", "embed", "form", "link", "base"}
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert (attributes.get("href") or "#").startswith(("#", "./"))
        assert (attributes.get("src") or "data:image/").startswith("data:image/")


def test_says_what_happened(finished: Record) -> None:
    words = Page(render_page(finished)).words
    for said in (
        "Two flowers to the left of a house",
        "Valid 1.00",
        "What was measured Rules read the brief and judged the result. They did not cover all of it.",
        "in a wistful mood Not measured",
        "offline: a rule-based planner, no language model",
        "4 (at most 20, as stated before the run)",
        "[ERROR] overlap: flower_2 and house overlap by 14 % of their union",
        "Move flower_2 left by 0.08.",
        "spacing.far · gap 0.04 · wanted 0.3 · asked by “much further right”",
        "Sent to the model with what is listed here: repair 1 of 2.",
        "Solver: moved flower_1 by (−0.08, 0)",
        "Inherited from the original, not scored: 1",
        "Candidate 0 goes on",
        "Candidate 2",
        "Satisfied, says the critic (0.90): All four things are there, as asked.",
        "minor The tree touches the edge of the paper.",
        "Iter 1: VALIDATION=1.0000 | Approach: flowers in front",
        "Warning: The fix memory cannot be used",
        "1 transport attempt failed before",
    ):
        assert said in words


def test_says_what_was_stated_measured_and_answered(write_run: WriteRun) -> None:
    words = Page(render_page(write_run(asked_run))).words
    for said in (
        "Valid 3 of 4 statements measured: all hold No error is left; 1 warning.",
        "A bookshelf with four shelves, three books on each, and a cat sleeping on top of it, in warm evening light "
        "Measured Not measured",
        "“three books on each” r2 exactly 3 × book_* within each of shelf_* 3, 3, 3, 3 holds",
        "“on top of it” r3 cat on bookshelf rests on it, gap 0.000 made exact",
        "not in the brief: the model’s own plan r4 equal gaps between shelf_1, shelf_2, shelf_3, ground withdrawn The "
        "ground is no shelf.",
        '“warm evening light” r5 color set aside Not measured: no part matches "lamp_*"',
        "4 of 5 statements measured: 2 hold, broken: r2 (exactly 3 × book_* within each of shelf_*), r4 (equal gaps",
        "5 [ERROR] overlap: book_2 is hidden behind book_3 Move book_2 left by 0.15.",
        "4 [WARNING] size: book_1 and book_5 differ",
        "1 [NOTE] r2 count: shelf_2 has 2 × book_*; “three books on each” asks for 3",
        "3 [NOTE] overlap: cat and bookshelf overlap by 8 % of the smaller one Move cat up by 0.012.",
        "Requirements that did not hold: withdrawn r4 The ground is no shelf. The critic saw two pictures",
        "Requirements that did not hold: must change r2 The lowest shelf lost two books.",
        "must change The light: the wall is plain; evening light needs a warm glow from one side.",
        "and prefers the later of the two. Earlier Later preferred",
        "and prefers the earlier of the two. Earlier preferred Later",
        "No error is left, but an earlier one is kept.",
        "Not used: the edit of turn 2, because the critic prefers the earlier one.",
    ):
        assert said in words
    assert "uestion" not in words
    assert "Score, validation by validation" not in words


def test_marks_what_is_measured_in_the_brief(write_run: WriteRun) -> None:
    html = render_page(write_run(asked_run))
    annotated = html.partition('<p class="annotated">')[2].partition("</p>")[0]
    assert re.findall("<mark>(.*?)</mark>", annotated) == ["four shelves, three books on each", "on top of it"]
    unmeasured = re.findall('<span class="unmeasured">(.*?)</span>', annotated)
    assert unmeasured == ["A bookshelf with", "and a cat sleeping", "in warm evening light"]


@pytest.mark.parametrize(
    ("brief", "unmeasured", "pieces", "beside"),
    [
        ("cat, a dog", ("a",), [("cat", True), (", ", None), ("a", False), (" ", None), ("dog", True)], ()),
        ("夜の公園に猫", ("の公園",), [("夜", True), ("の公園", False), ("に猫", True)], ()),
        ("a  cat\nhere", ("a cat",), [("a  cat", False), ("\n", None), ("here", True)], ()),
        ("a cat", ("not in it",), [], ("not in it",)),
        ("cafe\u0301", ("café",), [("café", False)], ()),
    ],
)
def test_stretches_are_found_in_the_brief(
    write_run: WriteRun,
    brief: str,
    unmeasured: tuple[str, ...],
    pieces: list[tuple[str, bool | None]],
    beside: tuple[str, ...],
) -> None:
    def story(writer: RunWriter) -> None:
        writer.start(brief, brief={"instruction": brief})
        writer.validated("iteration-1/validate-0", Report(unchecked=unmeasured), "", picture="", overlay="")

    found = statements_of(write_run(story).transcript)
    assert found is not None
    assert [(piece.text, piece.measured) for piece in found.brief] == pieces
    assert found.beside == beside


def test_incomplete_is_not_called_valid(write_run: WriteRun) -> None:
    report = Report(stand_ins=("dragon",), unchecked=("A dragon",))

    def story(writer: RunWriter) -> None:
        writer.start("A dragon")
        writer.validated("iteration-1/validate-0", report, "")
        writer.verified(Verdict(by="none", satisfied=None))
        writer.finish(valid=False)

    words = Page(render_page(write_run(story))).words
    assert (
        "Incomplete Left out or only placeholders: dragon; to have them made, choose a language model with --model"
        in words
    )
    assert "Not valid" not in words


def test_unchecked_is_not_called_valid(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        writer.validated("iteration-1/validate-0", Report(unchecked=("A cat",)), "")
        writer.verified(Verdict(by="none", satisfied=None))
        writer.finish()

    words = Page(render_page(write_run(story))).words
    assert "Unchecked It ran without an error. Nothing else was measured, and no model looked at the result." in words
    assert "Valid 1.00" not in words
    assert "No statement about the result was measured. A cat Not measured" in words


def test_a_repair_that_is_not_used_says_why_beside_its_picture(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        writer.validated("iteration-1/validate-0", Report(), "", next="repair", repair=1)
        writer.attempted("iteration-1/repair-1", kind="repair", index=1)
        path, at = "iteration-1/validate-1", writer.journal.now
        reason = {"what": "the repair", "reason": "it breaks 1 more"}
        event = {"key": f"{path}/discarded", "at": at, "iteration": 1, **reason}
        writer.journal.write(Discarded.model_validate(event))
        writer.validated(path, Report(), "", index=1, source="repair", kept=False)

    words = Page(render_page(write_run(story))).words
    assert words.count("it breaks 1 more") == 1
    assert words.index("After repair by the model") < words.index("Not used, because it breaks 1 more")


def test_a_turn_that_was_discarded_is_not_said_to_be_kept(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        for turn in (1, 2):
            writer.validated(f"iteration-{turn}/validate-0", Report(), "", iteration=turn, next="use", kept=turn == 1)
        event = {"key": "iteration-2/verify/discarded", "at": writer.journal.now, "iteration": 2}
        writer.journal.write(Discarded.model_validate({**event, "what": "the edit", "reason": "it is farther away"}))

    words = Page(render_page(write_run(story))).words
    assert words.count("No error is left. This one is kept.") == 1
    assert words.count("No error is left, but an earlier one is kept.") == 1


@pytest.mark.parametrize(
    ("name", "label", "said"),
    [
        ("offline", "offline: a rule-based planner", "Modeloffline: a rule-based planner"),
        ("anthropic:claude", "", "Modelanthropic:claude"),
        ("x", "a stranger", "Modelx: a stranger"),
    ],
)
def test_model_is_named_once(write_run: WriteRun, name: str, label: str, said: str) -> None:
    run = write_run(lambda writer: writer.start(model={"name": name, "label": label}))
    assert f"{said} Model calls" in Page(render_page(run)).words


def test_issues_bear_the_numbers_that_the_overlay_shows(write_run: WriteRun) -> None:
    found = [("note", "far"), ("warning", "uneven"), ("error", "wrong")]

    def story(writer: RunWriter) -> None:
        issues = [Issue.model_validate({"code": "a.b", "severity": s, "message": m}) for s, m in found]
        writer.start()
        writer.validated("iteration-1/validate-0", Report(issues=tuple(issues)), "")

    words = Page(render_page(write_run(story))).words
    assert "3 [ERROR] a: wrong a.b 2 [WARNING] a: uneven a.b 1 [NOTE] a: far" in words


def test_fits_in_a_mail(finished: Record) -> None:
    path = write_page(finished)
    assert path == finished.folder / "report.html"
    assert path.stat().st_size < 500_000


def test_is_the_same_every_time(finished: Record) -> None:
    assert render_page(finished) == render_page(Record.load(finished.folder))


def test_every_picture_has_a_size_and_words(finished: Record) -> None:
    pictures = [attributes for tag, attributes in Page(render_page(finished)).tags if tag == "img"]
    assert len(pictures) == 1 + 3 * 2 + 2 + 1  # delivered; drafts and the solver's with overlays; the last, faultless
    assert all(p["alt"] and p["width"] and p["height"] for p in pictures)


def test_every_link_inside_the_page_leads_somewhere(finished: Record) -> None:
    tags = Page(render_page(finished)).tags
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for _, a in tags if (a.get("href") or "").startswith("#")} <= set(ids)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(write_run: WriteRun, text: str) -> None:
    def story(writer: RunWriter) -> None:
        issue = Issue(code=text, severity="error", message=text, hint=text, phrase=text, numbers={text: 1.0})
        writer.start(text, model={"name": text, "label": text}, config={text: text})
        writer.call("iteration-1/draft", text, text, kind=text, note=text)
        writer.attempted("iteration-1/draft", approach=text, summary=text, errors=(text,))
        stated = Measured(id=text, kind="count", quote=text, words=text, outcome="met", found=text, changed=text)
        report = Report(issues=(issue,), requirements=(stated,), set_aside=(text, f"r1 ({text}): {text}"))
        report = report.model_copy(update={"unchecked": (text,)})
        writer.validated("iteration-1/validate-0", report, "", note=text)
        different = (Difference(text=text, weight="must"),)
        answers = (Mismatch(id=text[:40], wrong="statement", reason=text[:400]),)
        fields = {"summary": text, "differences": different, "mismatches": answers, "better": "later"}
        verdict = Verdict.model_validate({"by": "critic", "satisfied": False, **fields})
        writer.verified(verdict, compared=(text, text))
        key, at = "iteration-1/verify", writer.journal.now
        writer.journal.write(Discarded(key=key, at=at, iteration=1, what=text, reason=text))
        writer.warned(text)
        writer.finish(
            files={"svg": text, text: text}, valid=False, error={"phase": text, "step": text, "message": text}
        )

    if "\ud800" in text:
        text = text.replace("\ud800", "")  # a journal cannot hold half a character
    html = render_page(write_run(story))
    assert_inert(html)
    html.encode()


def test_half_a_character_does_not_stop_the_page(finished: Record) -> None:
    brief = {"instruction": "a cat \ud83d\x00"}
    finished.transcript = finished.transcript.model_copy(update={"brief": brief})
    write_page(finished)
    assert "a cat \ufffd\ufffd" in (finished.folder / "report.html").read_text("utf-8")


def test_huge_reply_is_clipped_with_a_way_to_the_rest(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        writer.call("iteration-1/draft", "Draw.", "lorem ipsum\n" * 800_000)

    html = render_page(write_run(story))
    assert len(html) < 100_000
    # 9,600,000 characters, of which at most 20,000 are shown, to the end of a line of twelve.
    assert "9,580,009 more characters are in" in Page(html).words
    assert 'href="./events.jsonl"' in html


def test_unfinished_run_says_how_to_go_on(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        writer.call("iteration-1/draft", "Draw.", None)

    words = Page(render_page(write_run(story))).words
    assert "Not finished" in words
    assert "redraft resume ." in words
    assert "The run ended before the reply came." in words
    assert "No picture yet." in words


def test_failed_run_shows_its_error(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        writer.attempted("iteration-1/draft", ran=False, retry_count=3, errors=("E2: stroke 3: no cx",) * 4)
        error = {"phase": "loop", "step": "iteration-2/draft", "message": "The model is out of reach."}
        writer.finish(valid=False, score=0.0, delivered="", error=error)

    words = Page(render_page(write_run(story))).words
    assert "Ended early No draft ran. The model is out of reach." in words
    assert "Phase loop, step iteration-2/draft" in words
    assert "3 fast retries · did not run" in words
    assert "E2: stroke 3: no cx" in words


def test_a_run_whose_ideas_could_not_be_used_says_how_to_resume_it(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        said = "invalid_judge_output: The judge's reply cannot be used: …"
        error = {"phase": "prompt_pipeline", "step": "blackbox_scoring/idea_cards_judge_score", "message": said}
        writer.finish(valid=False, score=0.0, delivered="", error=error)

    words = Page(render_page(write_run(story))).words
    assert "The judge's reply cannot be used" in words
    assert "redraft resume" in words


def test_pictures_outside_the_run_folder_are_not_read(write_run: WriteRun, tmp_path: Path) -> None:
    secret = tmp_path / "secret.svg"
    secret.write_text("<svg>the secret</svg>", "utf-8")

    def story(writer: RunWriter) -> None:
        writer.start()
        (writer.folder / "link.svg").symlink_to(secret)
        for n, name in enumerate(("../secret.svg", str(secret), "link.svg")):
            writer.validated(f"iteration-1/validate-{n}", Report(), "", index=n, picture=name, overlay="")

    html = render_page(write_run(story))
    assert "the%20secret" not in html
    assert "the secret" not in html
    assert Page(html).words.count("is not in the run folder") >= 3


def test_same_prompt_is_shown_once(finished: Record) -> None:
    html = render_page(finished)
    assert html.count("You draw on a unit canvas") == 1
    assert "The same text as in call 1" in Page(html).words


def test_two_sittings_count_without_the_night_between(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()  # at 0.5 s
        writer.call("iteration-1/draft", "Draw.", None)  # 1.0 s
        writer.ticks += 100_000
        writer.start()
        writer.call("iteration-1/draft", "Draw.", "[]")  # 0.5 and 1.0 s after the start

    words = Page(render_page(write_run(story))).words
    assert "1.50 s in 2 sittings" in words


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=300), st.integers(1, 100))
def test_clip_loses_nothing_unsaid(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert text.startswith(clipped.text)
    assert len(clipped.text) + clipped.left_out == len(text)
    assert len(clipped.text) <= limit


@pytest.mark.parametrize(
    ("duration", "said"),
    [(0.416, "0.42 s"), (12.34, "12.3 s"), (59.99, "60.0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_seconds_as_people_say_them(duration: float, said: str) -> None:
    assert seconds(duration) == said


def test_first_error_of_what_is_not_valid_is_said_below_the_outcome(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A cat")
        found = Issue(code="drc", severity="error", message="Pad 2 is <b>too close</b>.", basis="requirement")
        writer.validated("iteration-1/validate-0", Report(issues=(found,)), "", picture="", overlay="")
        writer.finish(valid=False, score=0.0, report=Report(issues=(found,)))

    assert "left in it: 1 error, 0 warnings. Pad 2 is <b>too close</b>." in Page(render_page(write_run(story))).words


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        (Usage(calls=2, cost=None), "unknown"),
        (Usage(calls=2), "0 in, 0 out"),
        (Usage(calls=2, input_tokens=1200, output_tokens=30, cost=None), "1,200 in, 30 out"),
        (Usage(), "0 in, 0 out"),
    ],
)
def test_tokens_of_an_inbox_are_unknown(usage: Usage, said: str) -> None:
    assert tokens(usage) == said
