"""What requests say: complete in themselves, and nothing that is not measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from asking import text_of as text_in
from PIL import Image
from request_for import Facts, request_for
from shaders import RINGS, reply_of

from redraft.brief import Brief
from redraft.models.base import Request, digest
from redraft.models.conversation import ChatStep, request_of
from redraft.models.replies import reply_as
from redraft.result import Failure, Picture, Report, Score
from redraft.studios.programs import EDITABLE
from redraft.studios.requests import ComparisonReply, CritiqueReply, Kind, critique_schema
from redraft.studios.shader.check import check
from redraft.studios.shader.offline.answers import ANSWERS
from redraft.studios.shader.parse import parse
from redraft.studios.shader.settings import ShaderSettings
from redraft.studios.shader.spec import Frame, Shader
from redraft.studios.shader.studio import studio

FRAME = Frame(time=0.0, picture="0.png", low=0.1, high=0.9, colour="#808080", spread=0.8)
SHADER = Shader(code=RINGS, width=64, height=48, seconds=3.0, loop=True, compiler="Mesa 1", frames=(FRAME,))
LOOP = ShaderSettings(width=64, height=48, frames=5, seconds=3.0, loop=True)
FACTS = Facts(brief=Brief.of("rings"), settings=LOOP, current=SHADER)


def said(kind: Kind, facts: Facts) -> str:
    """The prose of the one request of a step."""
    (step,) = studio.compose(request_for(kind, facts)).nodes
    return text_of(step)


def text_of(step: object) -> str:
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    return step.prompts.render(step.template, step.inputs)


@pytest.fixture
def toward(tmp_path: Path) -> Facts:
    """Facts of a run toward a picture that is red above and blue below."""
    picture = Image.new("RGB", (64, 48), "#c02010")
    picture.paste("#1020c0", (0, 24, 64, 48))
    picture.save(tmp_path / "target.png")
    settings = ShaderSettings(width=64, height=48, frames=1)
    return replace(FACTS, brief=Brief.of("", target=tmp_path / "target.png"), settings=settings)


def failed(words: str, failure_class: str = "E1", reply: str = "") -> Facts:
    failure = Failure.model_validate({"failure_class": failure_class, "message": words})
    return replace(FACTS, of="draft", failure=failure, reply=reply or reply_of())


def test_a_compile_error_comes_with_its_lines_and_what_a_loop_is() -> None:
    text = said("fix", failed("0:8(17): error: `p' undeclared"))
    assert ">   8 |     vec2 p = (v_uv" in text
    assert "5 frames" in text
    assert "seamless loop" in text


def test_a_hang_names_no_lines() -> None:
    assert "The lines that it names" not in said("fix", failed("All frames took more than 20 s."))


def test_a_reply_without_a_shader_is_told_all_that_the_draft_was(toward: Facts) -> None:
    facts = replace(
        failed("The reply holds no shader.", "E2", "I cannot."), brief=toward.brief, settings=toward.settings
    )
    text = said("fix", facts)
    assert "64 × 48" in text
    assert "c02010" in text
    assert "1020c0" in text


def test_an_edit_says_where_it_is_off_and_the_score_once(toward: Facts) -> None:
    where = ("x 0.00 to 1.00, y 0.00 to 0.50: is #101010, wanted #c02010",)
    score = Score(metric="FLIP", best=0.4, mean=0.4, frames=(0.4,), where=where)
    text = said("edit", replace(toward, score=score, history="ITERATION HISTORY:\n  Iter 1: FLIP=0.4000"))
    assert f"- {where[0]}\n" in text
    assert text.count("0.4000") == 2  # of the history, and of the shader shown
    assert "lower is better" in text


def test_what_counts_is_said_by_the_metrics_own_nature(toward: Facts) -> None:
    by = {name: said("draft", replace(toward, settings=ShaderSettings(metric=name))) for name in ("flip", "ssim")}
    assert "right color" in by["flip"]
    assert "lighter and darker" in by["ssim"]
    assert all("Texture and grain" in text for text in by.values())


def test_a_change_of_an_earlier_run_is_named_so(tmp_path: Path) -> None:
    facts = replace(FACTS, brief=Brief.of("at dusk", on=tmp_path))
    assert "Change the shader below as requested" in said("edit", facts)
    assert "a change to an earlier shader" in said("critique", facts)
    assert "an earlier shader" not in said("critique", FACTS)


def test_who_sorts_a_reference_knows_what_the_shader_may_not_have(tmp_path: Path) -> None:
    path = tmp_path / "notes.glsl"
    path.write_text(RINGS, encoding="utf-8")
    (step,) = studio.discover(Brief.of("rings", reference=path), "", None).nodes
    text = text_of(step)
    assert "no textures" in text
    assert "sees your points, not the reference" in text


NAMES = ("frame-0.00s.png", "frame-1.00s.png", "frame-2.00s.png", "changes.png", "closing.png")
PICTURES = tuple(Picture(name=name, png=b"") for name in NAMES)
LONG = RINGS + "\n// more" * EDITABLE


def whole(kind: Kind, facts: Facts) -> Request:
    (step,) = studio.compose(request_for(kind, facts)).nodes
    assert isinstance(step, ChatStep)
    return request_of(step, {}, "p", 1)


def asked() -> Report:
    """A still shader whose loop does not close: one note, one error."""
    still = SHADER.model_copy(update={"frames": (FRAME, FRAME), "seam": 0.2})
    return check(still, FACTS.brief)


@pytest.mark.parametrize("kind", ["draft", "edit", "repair", "fix"])
def test_pictures_go_with_every_request_and_each_is_named(kind: Kind) -> None:
    facts = replace(failed("The reply is empty.", "E2"), pictures=PICTURES, report=asked())
    request = whole(kind, facts)
    assert request.pictures == PICTURES
    text = request.messages[-1].text
    assert "2. the frame at 1.00 s\n" in text
    assert "4. what changes between neighboring frames" in text
    assert "5. the loop's first frame and the frame at its end" in text
    assert "Pictures" not in whole(kind, replace(facts, pictures=())).messages[-1].text


def test_the_guide_is_told_once() -> None:
    said = {kind: "\n".join(m.text for m in whole(kind, failed("0:8(1): error: `p' undeclared")).messages)
            for kind in ("draft", "edit", "repair", "fix")}  # fmt: skip
    assert [kind for kind, text in said.items() if "# What looks good" in text] == ["draft"]
    assert [kind for kind, text in said.items() if "# Common errors" in text] == ["draft", "fix"]
    assert all("# The contract" in text for text in said.values())


@pytest.mark.parametrize("kind", ["edit", "repair"])
def test_a_long_shader_may_be_edited_in_places(kind: Kind) -> None:
    assert "<<<<<<< SEARCH" not in said(kind, FACTS)
    text = said(kind, replace(FACTS, current=SHADER.model_copy(update={"code": LONG})))
    assert "<<<<<<< SEARCH" in text
    assert "one ```glsl block instead" in text
    assert "If nothing should change" in text


def test_an_edit_that_does_not_compile_is_shown_as_the_whole_shader() -> None:
    edit = "APPROACH: x\n```edit\n<<<<<<< SEARCH\nlength(p)\n=======\nq\n>>>>>>> REPLACE\n```"
    text = said("fix", replace(failed("0:9(15): error: `q' undeclared", reply=edit), of="edit"))
    assert ">   9 |     float d = q;" in text
    assert f"```glsl\n{RINGS.replace('length(p)', 'q', 1)}\n```\n\n</reply>" in text
    assert "SEARCH" not in text


def test_a_repair_has_what_is_certain_and_notes_only_where_no_critic_sees() -> None:
    text = said("repair", replace(FACTS, report=asked()))
    assert "- [ERROR] loop.seam: " in text
    assert "- [NOTE, a heuristic: may be intended] motion.still: " in text
    assert "motion.still" not in said("repair", replace(FACTS, report=asked(), sees=True))


def test_a_critic_gets_what_was_measured_and_notes() -> None:
    slow = SHADER.model_copy(update={"milliseconds": 41.26})
    request = whole("critique", replace(FACTS, current=slow, report=asked(), pictures=PICTURES))
    text = request.messages[-1].text
    assert "Measured: 41.3 ms a frame (64 × 48, Mesa 1)." in text
    assert "- [ERROR] loop.seam: " in text
    assert "] motion.still: " in text
    assert "a whole number" in text
    assert request.output_schema == CritiqueReply.model_json_schema()
    assert request.pictures == PICTURES
    again = whole("critique", replace(FACTS, current=SHADER.model_copy(update={"milliseconds": 55.0}), report=asked()))
    assert digest(again) == digest(again.model_copy(update={"messages": tuple(
        m.model_copy(update={"text": m.text.replace("55 ms", "41.3 ms")}) for m in again.messages)}))  # fmt: skip


def test_a_critic_knows_whether_a_turn_follows() -> None:
    assert "No turn follows" in said("critique", replace(FACTS, last=True))
    assert "No turn follows" not in said("critique", FACTS)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (NAMES, ("frame-1.00s.png", "changes.png", "closing.png")),
        (NAMES[:4], ("frame-0.00s.png", "frame-1.00s.png", "changes.png")),
        (NAMES[:1], ("frame-0.00s.png",)),
    ],
)
def test_two_versions_are_compared_in_at_most_six_pictures(names: tuple[str, ...], shown: tuple[str, ...]) -> None:
    pictures = tuple(Picture(name=f"{letter}-{name}", png=b"") for letter in "AB" for name in names)
    request = whole("critique", replace(FACTS, compares=True, pictures=pictures))
    assert [p.name for p in request.pictures] == [f"{letter}-{name}" for letter in "AB" for name in shown]
    text = request.messages[-1].text
    assert f"{len(shown) + 1}. version B: the frame at" in text
    assert '"better": "A" | "B" | "same"' in text
    assert request.output_schema == ComparisonReply.model_json_schema()


def test_a_critique_that_could_not_be_read_is_asked_for_again_with_all_that_it_needs() -> None:
    facts = replace(failed("score: not a whole number, found 8.5", "E2", '{"score": 8.5}'), of="critique")
    request = whole("fix", replace(facts, compares=True, pictures=PICTURES, report=asked()))
    text = request.messages[-1].text
    assert "found 8.5" in text
    assert '{"score": 8.5}' in text
    assert "] motion.still: " in text
    assert request.output_schema == ComparisonReply.model_json_schema()


@pytest.mark.parametrize("compares", [False, True])
def test_the_offline_critic_answers_by_the_schema_and_does_not_judge(compares: bool) -> None:
    facts = replace(FACTS, compares=compares, report=asked())
    request = whole("critique", facts)
    reply = reply_as(
        critique_schema(request_for("critique", facts)), text_in(ANSWERS["shader.critique"](request)), "critique"
    )
    assert (reply.satisfied, reply.score, reply.differences, reply.mismatches) == (False, 0, (), ())
    assert getattr(reply, "better", "same") == "same"


def test_the_offline_model_draws_anew_what_is_wrong() -> None:
    request = whole("repair", replace(FACTS, report=asked()))
    assert parse(text_in(ANSWERS["shader.repair"](request)), RINGS).code != RINGS
