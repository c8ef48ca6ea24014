"""The page of many runs: what it says of each, what it says of all, and that it stays small, whole and inert."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from lighthouse import painted
from pages import Page
from reviewed import PROMPTS, Story, week, write
from run_writer import RunWriter
from shader_run import target_run, words_run

from ideas import HOOKS, begin, effect, explored, image_run, note_choice, scoring
from redraft.errors import MissingPartError, RunError, RunNotFoundError
from redraft.ideas.selection import NoveltyUsed
from redraft.metrics import variety
from redraft.record.transcript import Record
from redraft.report import pictures, write_page
from redraft.report.html import money
from redraft.report.review import write_review
from redraft.report.summary import made_of, summary_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Page:
    root = tmp_path_factory.mktemp("week")
    folders = week(root)
    write_page(Record.load(folders[1]))
    return Page(write_review(folders, root / "review.html").read_text("utf-8"))


def review(root: Path, *stories: Story) -> Page:
    folders = [write(root / f"run-{n}", story, days=n) for n, story in enumerate(stories)]
    return Page(write_review(folders, root / "review.html").read_text("utf-8"))


def test_page_tells_the_runs_in_a_sentence(reviewed: Page) -> None:
    assert "9 runs, and how their ideas were chosen" in reviewed.words
    assert (
        "7 pictures; 1 run ended early; 1 run is not finished. In 7 runs an idea was chosen blind: the best was taken "
        "5 times, the top quartile was drawn from twice."
    ) in reviewed.words
    assert "redraft review · image, sketch · 22 Nov 2026 to 30 Nov 2026" in reviewed.words


def test_every_run_has_its_prompt_facts_and_choice(reviewed: Page) -> None:
    for said in (
        *PROMPTS,
        *HOOKS,
        "lighthouse, drowned clock",
        "Seed 5",
        "Painted by openai:gpt-image-1, 768 × 768",
        "Cost $0.0420",
        "Card B was drawn from the top quartile, C and B",
        "Card E has the best adjusted score: 54 points (66 less 12",
        "The roll was 0.88, not below the exploration rate of 0.15",
        "scored blind by 3 judges: taste (weight 2), strict (weight 1), novelty_heavy (weight 1)",
        "No ideas were made beforehand: the draft followed the instruction.",
    ):
        assert said in reviewed.words


def test_ended_run_shows_its_error_and_where_it_was(reviewed: Page) -> None:
    assert "image · 25 Nov 2026, 09:30 UTC · ended early" in reviewed.words
    assert "invalid_judge_output: the reply is not JSON: 'I like B best, because of the rain.'" in reviewed.words
    assert "Phase prompt_pipeline , step blackbox_scoring/idea_cards_judge_score" in reviewed.words
    assert "Ideas were requested, but the run has not chosen one." in reviewed.words


def test_unfinished_run_shows_what_there_is(reviewed: Page) -> None:
    assert "image · 30 Nov 2026, 09:30 UTC · not finished" in reviewed.words
    assert "No picture yet." in reviewed.words
    assert "Warning: Novelty enabled but history unavailable" in reviewed.words


def test_runs_stand_newest_first(reviewed: Page) -> None:
    days = re.findall(r"· (\d+) Nov 2026, 09:30 UTC", reviewed.words)
    assert days == ["30", "29", "28", "27", "26", "25", "24", "23", "22"]


def test_wall_has_a_thumbnail_that_leads_to_each_run(reviewed: Page) -> None:
    anchors = [a["href"] for a in reviewed.all("a") if (a.get("href") or "").startswith("#run-")]
    ids = [attributes["id"] for _, attributes in reviewed.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {f"#run-{n}" for n in range(1, 10)} <= set(anchors)
    assert {anchor[1:] for anchor in anchors if anchor} <= set(ids)
    assert len(reviewed.all("img")) == 14  # seven pictures, each small and large
    assert all(img["alt"] and img["width"] and img["height"] for img in reviewed.all("img"))


def test_thumbnails_are_small(reviewed: Page) -> None:
    widths = [(int(img["width"] or 0), int(img["height"] or 0)) for img in reviewed.all("img")]
    small, large = widths[:7], widths[7:]
    assert max(map(max, (w for w in small if w != (512, 512)))) == pictures.SMALL  # the sketch is an SVG
    assert max(map(max, large)) == 800  # of 1024 × 640 and 640 × 900
    assert (800, 500) in large
    assert len(reviewed.html) < 600_000


def test_page_leads_to_a_run_s_own_page_where_there_is_one(reviewed: Page) -> None:
    own = [a["href"] for a in reviewed.all("a") if (a.get("href") or "").endswith("report.html")]
    assert own == ["./01-watch/report.html"]


def test_variety_is_shown_with_what_it_is_of(reviewed: Page) -> None:
    told = [*PROMPTS, *(f"{HOOKS[2]} {scoring().selected_card.narrative}",) * 2]
    expected = variety.variety_of(told[::-1])
    assert f"Different in effect {expected.vendi:.1f} of 8" in reviewed.words
    assert f"Likeness {expected.self_bleu:.2f}" in reviewed.words
    assert "Variety is that of 6 final prompts and 2 chosen ideas." in reviewed.words
    assert re.search(r"Pictures, in effect [1-7]\.\d of 7", reviewed.words)


def test_share_explored_stands_beside_what_the_rates_let_expect(reviewed: Page) -> None:
    assert "Explored 29 % 2 of 7 expected from the rates: 1.05" in reviewed.words  # 7 × 0.15


def test_every_roll_stands_on_one_scale(reviewed: Page) -> None:
    assert "7 rolls between 0 and 1; 2 of them below the exploration rate of 0.15." in reviewed.words
    titles = re.findall(r"<title>([\d.]+: [^<]+)</title>", reviewed.html)
    assert titles == [
        "0.51: took the best, card C",
        "0.62: took the best, card C",
        "0.42: took the best, card C",
        "0.33: took the best, card F",
        "0.88: took the best, card E",
        "0.02: explored, card D",
        "0.07: explored, card B",
    ]


def test_motifs_are_those_that_the_newest_choice_saw(reviewed: Page) -> None:
    assert "Repeated words golden hour 11 storm 9 gears 4 In how many of the 25 recent prompts" in reviewed.words


def test_rolls_under_different_rates_have_no_common_scale(tmp_path: Path) -> None:
    page = review(
        tmp_path,
        lambda w: image_run(w, chosen=scoring()),
        lambda w: image_run(w, chosen=scoring(rate=0.3)),
    )
    assert "Every roll" not in page.words
    assert "expected from the rates: 0.45" in page.words


def test_page_is_inert_and_the_same_every_time(reviewed: Page, tmp_path: Path) -> None:
    reviewed.assert_inert()
    policy = next(m["content"] for m in reviewed.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert (policy or "").startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    folders = week(tmp_path)
    one = write_review(folders, tmp_path / "one.html").read_bytes()
    assert write_review(folders[::-1], tmp_path / "two.html").read_bytes() == one


def test_nothing_to_review_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="No run to review"):
        write_review([], tmp_path / "review.html")
    with pytest.raises(RunNotFoundError, match="is not a run"):
        write_review([tmp_path], tmp_path / "review.html")
    assert not (tmp_path / "review.html").exists()


def test_damaged_run_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    good = write(tmp_path / "good", lambda w: image_run(w, chosen=scoring()))
    bad = write(tmp_path / "<b>bad", image_run)
    (bad / "events.jsonl").write_text('{"event": "nonsense"}\n', "utf-8")
    page = Page(write_review([bad, good], tmp_path / "review.html").read_text("utf-8"))
    assert "<b>bad cannot be shown:" in page.words
    assert "1 run, and how their ideas were chosen" in page.words
    page.assert_inert()


def test_run_given_twice_is_shown_once(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", image_run)
    page = Page(
        write_review([folder, folder / "image.png", tmp_path / "." / "a"], tmp_path / "review.html").read_text("utf-8")
    )
    assert len(page.all("article")) == 1


def test_unreadable_choice_is_said_and_the_run_shown(tmp_path: Path) -> None:
    page = review(tmp_path, lambda w: image_run(w, chosen={"selected_id": 3}))
    assert "The choice cannot be shown: blackbox_scoring of the transcript cannot be read" in page.words
    assert PROMPTS[0][:40] in page.words


def test_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", image_run)
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(RunError, match="Could not write"):
        write_review([folder], tmp_path / "file" / "review.html")


@pytest.mark.parametrize("place", ["../secret.png", "{root}/secret.png", "link.png", "a\x00.png", "x" * 5_000])
def test_pictures_outside_the_run_folder_are_not_read(tmp_path: Path, place: str) -> None:
    secret = painted(("#123456", "#654321"))
    (tmp_path / "secret.png").write_bytes(secret)

    def story(writer: RunWriter) -> None:
        begin(writer, ("secret",))
        (writer.folder / "link.png").symlink_to(tmp_path / "secret.png")
        writer.finish(files={"png": place.format(root=tmp_path)})

    page = review(tmp_path, story)
    assert page.all("img") == []
    assert "is not in the run folder" in page.words


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</bdi></style><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(tmp_path: Path, text: str) -> None:
    def story(writer: RunWriter) -> None:
        cards = tuple(one.model_copy(update={"hook": text, "narrative": text}) for one in scoring().cards)
        image_run(writer, concepts=(text,), prompt=text, chosen=scoring(cards=cards), backend=text)
        writer.warned(text)
        writer.finish(error={"phase": text, "step": text, "message": text}, valid=False, files={"png": text})

    page = review(tmp_path, story, lambda w: image_run(w, prompt=text))
    page.assert_inert()
    assert not re.findall(r"<svg onload|<img src=x|<script", page.html)
    assert page.words.count(text.partition("</bdi>")[2] or text) > 5


def test_damaged_and_foreign_pictures_are_named(tmp_path: Path) -> None:
    def cut(writer: RunWriter) -> None:
        image_run(writer, picture=painted()[:2_000])

    def text(writer: RunWriter) -> None:
        image_run(writer, picture=b"<html>no picture</html>")

    page = review(tmp_path, cut, text)
    assert "run-0/image.png is damaged, or not a picture that can be shown: open it" in page.words
    assert "run-1/image.png is not a PNG, WebP or SVG: open it" in page.words
    assert [a["href"] for a in page.all("a") if "image.png" in (a["href"] or "")] == [
        "./run-1/image.png",
        "./run-0/image.png",
    ]


def test_without_pillow_pictures_are_whole_as_long_as_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> bool:
        return False

    monkeypatch.setattr(pictures, "shrinks", none)
    page = review(tmp_path, image_run)
    assert [img["width"] for img in page.all("img")] == ["768", "768"]
    monkeypatch.setattr(pictures, "REVIEW_BUDGET", 10_000)
    wall = pictures.Thumbnails(tmp_path, 1, 10_000)
    hung = wall.show(tmp_path / "run-0", ["image.png"])
    assert hung is not None
    assert hung.large.absent == "is left out to keep this page small (with Pillow it would be made smaller)"
    assert hung.large.linked


def test_wall_stops_at_its_budget(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", image_run)
    wall = pictures.Thumbnails(tmp_path, 1, 50_000)
    shown = [hung for _ in range(6) if (hung := wall.show(folder, ["image.png"]))]
    assert sum(len(one.small.src) + len(one.large.src) for one in shown) <= 50_000
    assert shown[0].small.src
    assert shown[-1].small.absent == "is left out to keep this page small"


def test_runs_without_ideas_need_no_word_of_them(tmp_path: Path) -> None:
    page = review(tmp_path, image_run)
    assert "1 run" in page.words
    assert "how their ideas" not in page.words
    assert "1 picture. No ideas were made beforehand." in page.words
    assert "Different in effect" not in page.words


def test_figures_that_cannot_be_computed_are_missed_aloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(texts: Sequence[str]) -> object:
        raise MissingPartError("Measuring needs numpy. Install it: pip install 'redraft[image]'")

    monkeypatch.setattr(variety, "variety_of", refuse)
    monkeypatch.setattr(variety, "vendi_of_pictures", refuse)
    page = review(tmp_path, image_run, image_run)
    assert page.words.count("Measuring needs numpy. Install it") == 2
    assert "Different in effect" not in page.words


def test_cost_adds_calls_and_pictures_and_says_what_is_unknown(tmp_path: Path) -> None:
    page = review(
        tmp_path,
        lambda w: image_run(w, cost=0.25),
        lambda w: image_run(w, cost=1.5),
        lambda w: image_run(w, cost=None),
    )
    assert "Cost $1.75 without 1 run whose price is not known" in page.words


@pytest.mark.parametrize(
    ("dollars", "said"),
    [(None, "unknown"), (0.0, "nothing"), (0.042, "$0.0420"), (12.5, "$12.50"), (1234.0, "$1,234.00")],
)
def test_money(dollars: float | None, said: str) -> None:
    assert money(dollars) == said


def test_final_prompt_of_a_run_that_was_not_painted_is_its_last_draft(tmp_path: Path) -> None:
    def story(writer: RunWriter) -> None:
        begin(writer, ("fog",))
        effect(writer, "iteration-1/draft/execute", {"prompt": "the first"})
        effect(writer, "iteration-2/edit/execute", {"prompt": "the second"})

    made = made_of(Record.load(write(tmp_path / "run", story)))
    assert made.prompt == "the second"
    assert made.status == "unfinished"


def test_delivered_prompt_counts_even_when_a_later_turn_wrote_another(tmp_path: Path) -> None:
    def story(writer: RunWriter) -> None:
        begin(writer, ("fog",))
        effect(writer, "iteration-2/edit/execute", {"prompt": "a worse one"})
        effect(writer, "iteration-1/finish", {"prompt": "the delivered", "picture": "pictures/x.png", "cost": 0.1})
        writer.finish()

    made = made_of(Record.load(write(tmp_path / "run", story)))
    assert made.prompt == "the delivered"


def test_motifs_without_prompts_do_not_divide_by_nothing(tmp_path: Path) -> None:
    chosen = scoring(novelty=NoveltyUsed(enabled=True, prompts=0, motifs=scoring().novelty.motifs))
    folder = write(tmp_path / "run", lambda w: image_run(w, chosen=chosen))
    summary = summary_of([made_of(Record.load(folder))])
    assert [motif["share"] for motif in summary["motifs"]] == [0, 0, 0]


@pytest.mark.slow
def test_a_hundred_runs_fit_on_one_page(tmp_path: Path) -> None:
    first = write(tmp_path / "run-000", lambda w: image_run(w, chosen=explored()))
    lines = (first / "events.jsonl").read_text("utf-8")
    folders = [first]
    for n in range(1, 100):
        folder = tmp_path / f"run-{n:03}"
        folder.mkdir()
        (folder / "events.jsonl").write_text(lines, "utf-8")
        (folder / "image.png").hardlink_to(first / "image.png")
        folders.append(folder)
    path = write_review(folders, tmp_path / "review.html")
    assert path.stat().st_size < 8_000_000
    assert len(Page(path.read_text("utf-8")).all("article")) == 100


def test_run_toward_a_target_is_shown_with_its_picture(tmp_path: Path) -> None:
    page = review(tmp_path, target_run, words_run)
    assert page.words.count("No ideas were made beforehand: the draft followed the instruction.") == 2
    assert "Come as near to the target picture as you can." in page.words
    assert len(page.all("img")) == 4
    page.assert_inert()


def test_choice_of_another_studio_is_shown_with_its_drawing(tmp_path: Path) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("A house in fog")
        note_choice(writer, json.loads(explored().model_dump_json()))
        writer.finish('<rect width="1" height="1" fill="#cde"/>')

    page = review(tmp_path, story)
    assert "A house in fog" in page.words
    assert "Card B was drawn" in page.words
    assert [(img["src"] or "")[:19] for img in page.all("img")] == ["data:image/svg+xml,"] * 2
