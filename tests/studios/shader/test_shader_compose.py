"""What requests say: complete in themselves, and nothing that is not measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from shaders import RINGS, reply_of

from redraft.brief import Brief
from redraft.conversation import ChatStep
from redraft.result import Failure, Score
from redraft.studios.base import Facts, Kind
from redraft.studios.shader.compose import PROMPTS, compose, discover
from redraft.studios.shader.spec import Frame, Shader, ShaderSettings

FRAME = Frame(time=0.0, picture="0.png", low=0.1, high=0.9, colour="#808080", spread=0.8)
SHADER = Shader(code=RINGS, width=64, height=48, seconds=3.0, loop=True, compiler="Mesa 1", frames=(FRAME,))
LOOP = ShaderSettings(width=64, height=48, frames=5, seconds=3.0, loop=True)
FACTS = Facts[Shader](brief=Brief.of("rings"), settings=LOOP, current=SHADER)


def said(kind: Kind, facts: Facts[Shader]) -> str:
    """The prose of the one request of a step; inputs that no template uses are found as well."""
    (step,) = compose(kind, facts).nodes
    return text_of(step)


def text_of(step: object) -> str:
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    assert set(step.inputs) <= PROMPTS.names(step.template) | PROMPTS.names(step.system or step.template)
    return PROMPTS.render(step.template, step.inputs)


@pytest.fixture
def toward(tmp_path: Path) -> Facts[Shader]:
    """Facts of a run toward a picture that is red above and blue below."""
    picture = Image.new("RGB", (64, 48), "#c02010")
    picture.paste("#1020c0", (0, 24, 64, 48))
    picture.save(tmp_path / "target.png")
    settings = ShaderSettings(width=64, height=48, frames=1)
    return replace(FACTS, brief=Brief.of("", target=tmp_path / "target.png"), settings=settings)


def failed(words: str, failure_class: str = "E1", reply: str = "") -> Facts[Shader]:
    failure = Failure.model_validate({"failure_class": failure_class, "message": words})
    return replace(FACTS, of="draft", failure=failure, reply=reply or reply_of())


def test_a_compile_error_comes_with_its_lines_and_what_a_loop_is() -> None:
    text = said("fix", failed("0:8(17): error: `p' undeclared"))
    assert ">   8 |     vec2 p = (v_uv" in text
    assert "5 frames" in text
    assert "seamless loop" in text


def test_a_hang_names_no_lines() -> None:
    assert "The lines that it names" not in said("fix", failed("All frames took more than 20 s."))


def test_a_reply_without_a_shader_is_told_all_that_the_draft_was(toward: Facts[Shader]) -> None:
    facts = replace(
        failed("The reply holds no shader.", "E2", "I cannot."), brief=toward.brief, settings=toward.settings
    )
    text = said("fix", facts)
    assert "64 × 48" in text
    assert "c02010" in text
    assert "1020c0" in text


def test_an_edit_says_where_it_is_off_and_the_score_once(toward: Facts[Shader]) -> None:
    where = ("x 0.00 to 1.00, y 0.00 to 0.50: is #101010, wanted #c02010",)
    score = Score(metric="FLIP", best=0.4, mean=0.4, frames=(0.4,), where=where)
    text = said("edit", replace(toward, score=score, history="ITERATION HISTORY:\n  Iter 1: FLIP=0.4000"))
    assert f"- {where[0]}\n" in text
    assert text.count("0.4000") == 2  # of the history, and of the shader shown
    assert "lower is better" in text


def test_what_counts_is_said_by_the_metrics_own_nature(toward: Facts[Shader]) -> None:
    by = {name: said("draft", replace(toward, settings=ShaderSettings(metric=name))) for name in ("flip", "ssim")}
    assert "right colour" in by["flip"]
    assert "lighter and darker" in by["ssim"]
    assert all("Texture and grain" in text for text in by.values())


def test_a_change_of_an_earlier_run_is_named_so(tmp_path: Path) -> None:
    facts = replace(FACTS, brief=Brief.of("at dusk", on=tmp_path))
    assert "Change it as it is asked for now" in said("edit", facts)
    assert "a change of an earlier shader" in said("critique", facts)
    assert "an earlier shader" not in said("critique", FACTS)


def test_who_sorts_a_reference_knows_what_the_shader_may_not_have(tmp_path: Path) -> None:
    path = tmp_path / "notes.glsl"
    path.write_text(RINGS, encoding="utf-8")
    (step,) = discover(replace(FACTS, brief=Brief.of("rings", reference=path))).nodes
    text = text_of(step)
    assert "no textures" in text
    assert "sees your lines and not the reference" in text
