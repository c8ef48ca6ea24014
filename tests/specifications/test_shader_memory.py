"""What the specification of the shader's memory states, tried as written; what other tests run is not repeated."""

from __future__ import annotations

import inspect
import logging
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import redraft
from redraft.fixes.base import open_store
from redraft.result import Failure, IterationRecord
from redraft.studios.requests import DraftRequest, EditRequest, FixRequest
from redraft.studios.shader.settings import ShaderSettings
from redraft.studios.shader.studio import studio
from redraft.trust import trust

ERROR = "ERROR: 0:2: Use of undeclared identifier 'colr'"
BROKEN = "vec3 color = vec3(1.0);\nfrag = colr;"
FIXED = BROKEN.replace("colr", "color")


def test_an_error_cache_takes_a_url_and_is_off_without_a_server(caplog: pytest.LogCaptureFixture) -> None:
    cache = redraft.ErrorCache(redis_url="redis://localhost:1/0")
    with caplog.at_level(logging.WARNING):
        assert cache.lookup(ERROR) == []
        assert cache.get_few_shot_examples(ERROR, limit=3) == ""
        cache.store(ERROR, BROKEN, FIXED)
    assert [record.message.partition(":")[0] for record in caplog.records] == ["Fix memory off"]
    cache.close()


def test_what_is_stored_is_found_as_dictionaries_and_as_examples(tmp_path: Path) -> None:
    cache = redraft.ErrorCache(f"sqlite:{tmp_path / 'fixes.sqlite'}")
    cache.store(error_msg=ERROR, broken_shader=BROKEN, fixed_shader=FIXED)
    (found,) = cache.lookup(error_msg=ERROR)
    assert type(found) is dict
    assert {"error_msg", "broken_snippet", "fixed_snippet", "timestamp"} <= found.keys()
    assert cache.normalize_error(error_msg=ERROR) == "glsl:undeclared_identifier"
    title, example = cache.get_few_shot_examples(error_msg=ERROR, limit=3).splitlines()
    assert title == "PAST FIXES FOR SIMILAR ERRORS:"
    assert example.startswith('Example 1: "')
    assert "was fixed by changing" in example
    cache.close()


def test_the_limits_have_their_defaults() -> None:
    assert inspect.signature(redraft.ErrorCache.get_few_shot_examples).parameters["limit"].default == 3


@pytest.mark.parametrize("line", ["REDIS_URL={}", "export REDIS_URL='{}'", 'A=1\n REDIS_URL = "{}" \nB=2'])
def test_the_url_may_stand_in_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)
    (tmp_path / ".env").write_text(line.format("redis://localhost:6379/7"), "utf-8")
    store = open_store("auto")
    assert store is not None
    assert not store.label.startswith("Redis"), "the folder may be a stranger's"
    trust(tmp_path / ".env", (tmp_path / ".env").read_bytes())
    store = open_store("auto")
    assert store is not None
    assert store.label == "Redis localhost:6379/7"
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/5")
    store = open_store("auto")
    assert store is not None
    assert store.label == "Redis localhost:6379/5"


def test_a_record_has_the_fields_and_lines_as_written() -> None:
    names = ["iteration", "lpips_score", "lpips_improved", "compile_error", "critique_summary", "agent_notes"]
    assert [field.name for field in fields(IterationRecord)][:6] == names
    assert redraft.IterationRecord(1, 0.4) == redraft.IterationRecord(iteration=1, lpips_score=0.4)
    rows = [(1, 0.4231, None, None, "soft particle grid with noise"), (2, 0.3892, True, None, "added glow")]
    records = [
        redraft.IterationRecord(
            iteration=number, lpips_score=score, lpips_improved=better, compile_error=error, critique_summary=None,
            agent_notes=notes,
        )
        for number, score, better, error, notes in [*rows, (3, 0.391, False, "vec3 constructor...", None)]
    ]  # fmt: skip
    assert redraft.format_iteration_history(records) == (
        "ITERATION HISTORY:\n"
        "  Iter 1: LPIPS=0.4231 | Approach: soft particle grid with noise\n"
        "  Iter 2: LPIPS=0.3892 [IMPROVED] | Approach: added glow\n"
        "  Iter 3: LPIPS=0.3910 [WORSENED] | COMPILE ERROR: vec3 constructor..."
    )


def test_history_goes_into_edits_and_examples_into_fixes() -> None:
    assert "history" in {field.name for field in fields(EditRequest)}
    assert "examples" in {field.name for field in fields(FixRequest)}
    brief, settings = redraft.Brief.of("rings"), ShaderSettings()
    failure = Failure(failure_class="E1", message=ERROR)
    draft = DraftRequest[Any](brief=brief, settings=settings)
    for examples in ("", "PAST FIXES FOR SIMILAR ERRORS:\nExample 1: x"):
        fix = FixRequest[Any](
            brief=brief, settings=settings, of=draft, reply="```glsl\nx\n```", failure=failure, examples=examples
        )
        (step,) = studio.compose(fix).nodes
        said = step.prompts.render(step.template, step.inputs)  # type: ignore[union-attr, arg-type]
        assert ("PAST FIXES" in said) == bool(examples)
        assert examples in said
