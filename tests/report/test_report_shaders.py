"""The page of shader runs: target, best frame, curve, frames, code, reference and fix memory."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_writer import RunWriter
from shader_run import GLSL, dusk, keep, note, recalled, target_run, webp, words_run

from redraft.files import write_atomic
from redraft.record.events import Learnt
from redraft.record.transcript import Record
from redraft.report import render_page
from redraft.report.charts import came_of, curve_of, ticks
from redraft.report.html import measured
from redraft.report.page import listing_of
from redraft.report.pictures import PAGE_BUDGET
from redraft.result import Issue, Report, Score, Verdict

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

    def having(self, word: str) -> list[dict[str, str | None]]:
        """The attributes of all tags of this class."""
        return [a for _, a in self.tags if word in (a.get("class") or "").split()]


def scored(writer: RunWriter, turn: int, value: float, metric: str = "FLIP", **changes: object) -> None:
    score = Score(metric=metric, best=value, mean=value, frames=(value,))
    path, report = f"iteration-{turn}/validate-0", changes.pop("report", Report())
    assert isinstance(report, Report)
    writer.validated(path, report, "", iteration=turn, picture="", overlay="", score=score, **changes)


@pytest.fixture
def toward(write_run: WriteRun) -> Record:
    return write_run(target_run)


def test_says_what_happened(toward: Record) -> None:
    words = Page(render_page(toward)).words
    for said in (
        "Target 640 × 640Its alpha was laid on white.",
        "Best frame, 2 of 3 FLIP 0.3412",
        "Valid FLIP 0.3412 Best frame 2 of 3, mean 0.3600. No error is left.",
        "FLIP turn by turn, lower is better",
        "FLIP frame by frame: 1: 0.3600, 2: 0.3412 (best), 3: 0.3600.",
        "To reuse the fog that thickens with depth To change its colours: warm, not blue To bridge Nothing.",
        "Turn 2 improved",
        "Turn 3 worsened",
        "Turn 5 delivered improved",
        "Not near enough yet: FLIP 0.3412 (best frame 2 of 3, mean 0.3600); lower is better.",
        "It recognized 3 errors, fixed 1 without asking a model, and learned 1 fix for later runs.",
        "A known fix was tried and worked. No model was asked.",
        "A known fix was tried and did not work. 2 past fixes shown to the model.",
        "1 past fix shown to the model.",
        "A fix of glsl:syntax_error iteration-4/edit",
        "Kept in: SQLite ~/.local/share/redraft/fixes.sqlite",
        "shader.glsl 13 lines",
    ):
        assert said in words


def test_target_and_best_frame_stand_first(toward: Record) -> None:
    pictures = [attributes for tag, attributes in Page(render_page(toward)).tags if tag == "img"]
    assert [p["alt"] for p in pictures[:2]] == [
        "The target picture",
        "Nearest: FLIP 0.3412 (best frame 2 of 3, mean 0.3600)",
    ]
    best = base64.b64encode((toward.folder / "frames/frame-001.png").read_bytes()).decode()
    assert pictures[1]["src"] == f"data:image/png;base64,{best}"  # not frame.png, which is the first
    assert all(p["alt"] is not None and p["width"] and p["height"] for p in pictures)


def test_every_link_inside_the_page_leads_somewhere(toward: Record) -> None:
    tags = Page(render_page(toward)).tags
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for _, a in tags if (a.get("href") or "").startswith("#")} <= set(ids)
    assert {a["aria-describedby"] for _, a in tags if "aria-describedby" in a} <= set(ids)


def test_notes_that_are_told_elsewhere_are_not_repeated_raw(toward: Record) -> None:
    words = Page(render_page(toward)).words
    assert "+ target" not in words
    assert '"reuse"' not in words
    assert '"recalled"' not in words


def test_curve_goes_down_where_the_score_falls(toward: Record) -> None:
    curve = curve_of(toward.transcript, toward.events)
    assert curve is not None
    kept = [dot for dot in curve.dots if dot.kept]
    assert len(curve.dots) == 5  # 0.4231, 0.4817 (another candidate), 0.3892, 0.3910, 0.3412
    assert len(curve.joins) == 3
    first, second, third, last = (dot.y for dot in kept)
    assert first < third < second < last  # y counts down the page
    assert second - third == pytest.approx(0.0018 / 0.0321 * (third - first), abs=0.2)
    assert [dot.best for dot in curve.dots] == [False, False, False, False, True]
    assert [dot.x for dot in curve.dots] == sorted(dot.x for dot in curve.dots)
    assert curve.dots[0].x == curve.dots[1].x
    assert "Turn 4: no score, failed. Turn 5: 0.3412, improved. Best: 0.3412 in turn 5." in curve.words
    assert [came_of(turn) for turn in toward.transcript.turns] == ["", "improved", "worsened", "failed", "improved"]


def test_curve_of_a_likeness_is_best_at_the_top(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        scored(writer, 1, 0.5, "SSIM")
        scored(writer, 2, 0.7, "SSIM")
        scored(writer, 3, 0.6, "SSIM")

    run = write_run(story)
    curve = curve_of(run.transcript, run.events)
    assert curve is not None
    assert curve.title == "SSIM turn by turn, higher is better"
    assert [dot.best for dot in curve.dots] == [False, True, False]
    assert min(curve.dots, key=lambda dot: dot.y).best
    assert curve.crown is not None
    assert curve.crown.y < curve.dots[1].y


def test_best_is_the_best_of_the_valid(write_run: WriteRun) -> None:
    broken = Report(issues=(Issue(code="blank.frame", severity="error", message="all black"),))

    def story(writer: RunWriter) -> None:
        writer.start()
        scored(writer, 1, 0.2, report=broken)
        scored(writer, 2, 0.3)
        writer.verified(Verdict(by="metric", satisfied=False, score=0.3), turn=2)
        writer.finish(delivered="iteration-2")

    run = write_run(story)
    curve = curve_of(run.transcript, run.events)
    assert curve is not None
    assert [dot.best for dot in curve.dots] == [False, True]
    assert "Valid FLIP 0.3000" in Page(render_page(run)).words


@pytest.mark.parametrize(("metric", "said"), [("FLIP", "lower is better"), ("NOVEL", "")])
def test_metric_that_nobody_knows_has_no_best(write_run: WriteRun, metric: str, said: str) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        scored(writer, 1, 0.2, metric)
        scored(writer, 2, 0.3, metric)

    run = write_run(story)
    assert said in render_page(run)
    curve = curve_of(run.transcript, run.events)
    assert curve is not None
    assert (curve.crown is None) == (said == "")
    assert ("better" in curve.words) == (said != "")


def test_one_score_makes_no_curve(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        scored(writer, 1, 0.2)

    run = write_run(story)
    assert curve_of(run.transcript, run.events) is None
    assert "curve" not in {word for a in Page(render_page(run)).tags for word in (a[1].get("class") or "").split()}


@pytest.mark.parametrize("differ", [False, True])
def test_bars_stand_beside_the_curve_only_when_they_differ(write_run: WriteRun, differ: bool) -> None:
    jump = Issue(code="loop.seam", severity="warning", message="a jump")
    warned = Report(heuristics="strict", issues=(jump,) if differ else ())

    def story(writer: RunWriter) -> None:
        writer.start()
        scored(writer, 1, 0.2, report=Report(heuristics="strict"))
        scored(writer, 2, 0.3, report=warned)

    assert bool(Page(render_page(write_run(story))).having("scores")) == differ


def test_many_turns_have_signs_instead_of_words(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        for turn in range(1, 31):
            scored(writer, turn, 1 / turn)

    run = write_run(story)
    curve = curve_of(run.transcript, run.events)
    assert curve is not None
    assert curve.room == "none"
    assert [name.text for name in curve.names if name.text] == [str(n) for n in range(1, 31, 3)]
    assert all(0 <= dot.x <= 100 and 0 <= dot.y <= 160 for dot in curve.dots)


@given(st.floats(-1, 1), st.floats(0, 1))
def test_ticks_hold_what_they_measure(low: float, span: float) -> None:
    lines = ticks(low, low + span)
    steps = [b - a for a, b in pairwise(lines)]
    assert 3 <= len(lines) <= 6
    assert lines[0] <= low + 1e-6 * steps[0]
    assert lines[-1] >= low + span - 1e-6 * steps[0]
    assert max(steps) == pytest.approx(min(steps))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.34, 0.48, [0.3, 0.35, 0.4, 0.45, 0.5]),
        (0.0, 1.0, [0, 0.5, 1]),
        (0.301, 0.309, [0.3, 0.305, 0.31]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("frames", "said"),
    [((0.3412,), "FLIP 0.3412"), ((0.4, 0.3412), "FLIP 0.3412 (best frame 2 of 2, mean 0.3706)")],
)
def test_measured_names_a_frame_among_several(frames: tuple[float, ...], said: str) -> None:
    mean = sum(frames) / len(frames)
    score = Score(metric="FLIP", best=0.3412, mean=mean, frame=len(frames) - 1, frames=frames)
    assert measured(score) == said


def test_run_from_words_moves(write_run: WriteRun) -> None:
    page = Page(render_page(write_run(words_run)))
    assert not page.having("toward")
    assert len(page.having("film")) == 1
    assert [a.get("media") for tag, a in page.tags if tag == "source"] == ["(prefers-reduced-motion: reduce)"]
    assert "The result of: A low sun over a lake, drifting slowly" in [a.get("alt") for _, a in page.tags]
    assert "The fix memory was off: 127.0.0.1:6379 refused the connection" in page.words
    assert "./preview.webp" in [a.get("href") for _, a in page.tags]


def test_animation_that_is_too_large_is_linked(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        words_run(writer)
        path = writer.folder / "preview.webp"
        write_atomic(path, path.read_bytes() + bytes(PAGE_BUDGET * 3 // 4))

    html = render_page(write_run(story))
    assert "The animation is left out to keep this page small: open it." in Page(html).words
    assert not Page(html).having("film")
    assert len(html) < 500_000


def test_frame_that_is_not_there_is_not_called_the_best(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        target_run(writer)
        (writer.folder / "frames/frame-001.png").unlink()

    words = Page(render_page(write_run(story))).words
    assert "Delivered FLIP 0.3412" in words
    assert "Best frame, 2 of 3" not in words


def test_sheet_that_has_no_room_twice_is_said_to_be_above(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        words_run(writer)
        path = writer.folder / "pictures" / "sheet.png"
        write_atomic(path, path.read_bytes() + bytes(PAGE_BUDGET * 2 // 5))

    html = render_page(write_run(story))
    assert "pictures/sheet.png is shown above: open it." in Page(html).words
    assert len(html) < PAGE_BUDGET + 200_000


def test_one_frame_is_shown_once_and_does_not_move(write_run: WriteRun) -> None:
    page = Page(render_page(write_run(lambda writer: target_run(writer, frames=1))))
    assert not page.having("film")
    assert not page.having("sheet")
    assert "Delivered FLIP 0.3412" in page.words


def test_unfinished_run_shows_target_and_the_best_so_far(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start(studio="shader")
        about = {"picture": keep(writer, "t.png", dusk(1, 0)), "width": 48, "height": 48, "metric": "FLIP"}
        note(writer, "target", about)
        score = Score(metric="FLIP", best=0.25, mean=0.25, frames=(0.25,))
        picture = keep(writer, "a.png", dusk(0.4, 0))
        writer.validated("iteration-1/validate-0", Report(), "", picture=picture, overlay="", score=score)

    words = Page(render_page(write_run(story))).words
    assert "Not finished FLIP 0.2500" in words
    assert "Target 48 × 48 Delivered FLIP 0.2500" in words


def test_target_alone_is_shown_before_anything_ran(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start(studio="shader")
        note(writer, "target", {"picture": keep(writer, "t.png", dusk(1, 0)), "width": 48, "height": 48})

    assert "Target 48 × 48" in Page(render_page(write_run(story))).words


def test_critic_and_metric_both_speak(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        score = Score(metric="LPIPS", best=0.04, mean=0.04, reached=True)
        scored(writer, 1, 0.04, "LPIPS")
        writer.verified(Verdict(by="critic", satisfied=True, score=0.8, summary="Close.", measured=score))

    words = Page(render_page(write_run(story))).words
    assert "Satisfied, says the critic (0.80): Close. Measured: LPIPS 0.0400; lower is better." in words


def test_memory_that_was_not_needed_says_so(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        note(writer, "memory", {"store": "SQLite fixes.sqlite"})

    assert "It found no known error" in Page(render_page(write_run(story))).words


def test_memory_that_is_switched_off_says_so(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        note(writer, "memory", {"store": "none"})

    words = Page(render_page(write_run(story))).words
    assert "The fix memory was off: it was switched off." in words
    assert "It found no known error" not in words


def test_run_without_a_memory_says_nothing_of_it(write_run: WriteRun) -> None:
    assert not Page(render_page(write_run(lambda writer: writer.start()))).having("memory")


def test_note_of_another_shape_stays_as_it_is(write_run: WriteRun) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        note(writer, "target", ["not", "a target"])
        note(writer, "discovery", {"reuse": "one"})

    words = Page(render_page(write_run(story))).words
    assert '"a target"' in words
    assert '"reuse": "one"' in words


def test_code_is_listed_line_by_line(toward: Record) -> None:
    html = render_page(toward)
    listing = listing_of(toward.folder, "shader.glsl")
    assert listing is not None
    assert ["".join(text for _, text in line) for line in listing["lines"]] == GLSL.splitlines()
    assert '<span class="comment">   painted &lt;back to front&gt;. */</span>' in html
    assert len(Page(html).having("line")) == listing["count"] == 13
    kinds = [[kind for kind, _ in line if kind] for line in listing["lines"]]
    assert kinds[0] == ["order"]
    assert kinds[1:3] == [["comment"], ["comment"]]  # one comment over two lines
    assert kinds[3] == ["keyword", "keyword"]


@given(code=st.text(st.sampled_from("abc \n/*#\t\r\x0b\u2028é;vec2"), max_size=200))
def test_listing_loses_nothing(tmp_path_factory: pytest.TempPathFactory, code: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "listing"
    folder.mkdir(exist_ok=True)
    (folder / "a.glsl").write_bytes(code.encode())
    listing = listing_of(folder, "a.glsl")
    assert listing is not None
    lines = ["".join(text for _, text in line) for line in listing["lines"]]
    assert "\n".join(lines) == code.replace("\r\n", "\n").removesuffix("\n")
    assert len(lines) == listing["count"]


def test_listing_of_a_long_shader_says_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.glsl").write_text("// 0123456\n" * 10_000, "utf-8")  # 110,000 characters
    listing = listing_of(tmp_path, "a.glsl")
    assert listing is not None
    assert listing["count"] == 10_000
    assert (
        sum(len(text) for line in listing["lines"] for _, text in line) + len(listing["lines"]) + listing["left_out"]
        == 110_000
    )
    assert listing["left_out"] >= 50_000


def test_listing_does_not_leave_the_run_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.glsl").write_text("secret", "utf-8")
    (tmp_path / "run").mkdir()
    assert listing_of(tmp_path / "run", "../secret.glsl") is None
    assert listing_of(tmp_path / "run", "") is None


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></svg><svg onload=alert(1)>",
    "{{ 7 }}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(write_run: WriteRun, text: str) -> None:
    def story(writer: RunWriter) -> None:
        writer.start(text, studio="shader")
        picture = keep(writer, "t.png", dusk(1, 0))
        note(writer, "target", {"picture": picture, "width": 48, "height": 48, "notes": [text], "metric": text})
        note(writer, "discovery", {"reuse": [text], "change": [text], "bridge": [text]})
        note(writer, "memory", {"store": text})
        recalled(writer, f"iteration-1/{text}", text, 1, 1, worked=False, replayed=text)
        writer.journal.write(Learnt(key=f"iteration-1/{text}/learn-1", at=writer.journal.now, error=text, fix=text))
        score = Score(metric=text, best=0.5, mean=0.5, frames=(0.5, 0.6))
        for turn in (1, 2):
            scored(writer, turn, 0.1 * turn, text)
        writer.verified(Verdict(by="metric", satisfied=False, summary=text, measured=score))
        write_atomic(writer.folder / "shader.glsl", f"// {text}\n/* {text}\n{text} */ {text}")
        write_atomic(writer.folder / "preview.webp", webp([dusk(1, 0), dusk(1, 0.5)]))
        writer.finish(files={"glsl": "shader.glsl", "preview": "preview.webp", "png": picture}, delivered="iteration-2")

    html = render_page(write_run(story))
    assert_inert(html)
    assert text in Page(html).text


def assert_inert(html: str) -> None:
    """No script, no handler, no address but fragments, files of the folder and picture data."""
    for tag, attributes in Page(html).tags:
        assert tag not in {"script", "iframe", "object", "embed", "form", "link", "base"}
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert (attributes.get("href") or "#").startswith(("#", "./"))
        for name in ("src", "srcset"):
            assert re.match(r"data:image/[a-z+]+[;,]", attributes.get(name) or "data:image/png;")


def test_is_the_same_every_time(toward: Record) -> None:
    assert render_page(toward) == render_page(Record.load(toward.folder))
