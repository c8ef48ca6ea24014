"""Names and defaults that the specifications call part of the contract, tried as written."""

from __future__ import annotations

import inspect
import logging
from pathlib import Path

import pytest
from shapely.geometry import Polygon

import redraft
from redraft.layout import Item, Layout
from redraft.memory.base import open_store
from redraft.prompts import build_repair_prompt
from redraft.spatial.rules import SemanticValidator
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Drawing

ERROR = "ERROR: 0:2: Use of undeclared identifier 'colr'"
BROKEN = "vec3 color = vec3(1.0);\nfrag = colr;"
FIXED = BROKEN.replace("colr", "color")


def test_sketch_the_validators_parameters_have_their_defaults() -> None:
    defaults = {name: p.default for name, p in inspect.signature(SemanticValidator).parameters.items()}
    assert (defaults["min_spacing"], defaults["max_overlap_ratio"]) == (0.05, 0.1)


def test_sketch_the_repair_prompt_shows_the_attempt_and_its_issues() -> None:
    ears = [{"kind": "ellipse", "part": f"ear_{k}", "cx": 0.5, "cy": 0.2, "rx": 0.05, "ry": 0.08} for k in (1, 2)]
    head = {"kind": "ellipse", "part": "head", "cx": 0.5, "cy": 0.5, "rx": 0.25, "ry": 0.25}
    plan = [{"name": "head", "label": "head"}]
    plan += [{"name": f"ear_{k}", "label": "ear", "parent": "head"} for k in (1, 2)]
    strokes = [{**stroke, "fill": "#888888"} for stroke in (head, *ears)]
    drawing = Drawing.model_validate({"plan": plan, "strokes": strokes}, strict=False)
    report = SemanticValidator().validate(layout_of(drawing))
    prompt = build_repair_prompt("Draw a cat", drawing, report)
    assert "Draw a cat" in prompt
    assert '"part":"ear_1"' in prompt
    assert all(issue.message in prompt for issue in report.errors)


def test_sketch_much_further_right_is_no_error_of_the_house() -> None:
    def thing(name: str, x: float) -> Item:
        return Item(name, name, Polygon([(x, 0.5), (x + 0.2, 0.5), (x + 0.2, 0.8), (x, 0.8)]))

    reading = redraft.read("a house, and a tree much further right")
    assert SemanticValidator().validate(Layout((thing("house", 0.1), thing("tree", 0.6))), reading).issues == ()
    (error,) = SemanticValidator().validate(Layout((thing("house", 0.1), thing("tree", 0.32))), reading).errors
    assert (error.code, error.subjects, error.numbers["expected"]) == ("spacing.hint", ("tree", "house"), 0.3)


def test_shader_an_error_cache_takes_a_url_and_is_off_without_a_server(caplog: pytest.LogCaptureFixture) -> None:
    cache = redraft.ErrorCache("redis://localhost:1/0")
    with caplog.at_level(logging.WARNING):
        assert cache.lookup(ERROR) == []
        assert cache.get_few_shot_examples(ERROR, limit=3) == ""
        cache.store(ERROR, BROKEN, FIXED)
    assert [record.message.partition(":")[0] for record in caplog.records] == ["Fix memory off"]
    cache.close()


def test_shader_lookup_returns_dictionaries(tmp_path: Path) -> None:
    cache = redraft.ErrorCache(f"sqlite:{tmp_path / 'fixes.sqlite'}")
    cache.store(ERROR, BROKEN, FIXED)
    (found,) = cache.lookup(ERROR)
    assert type(found) is dict
    assert {"error_msg", "broken_snippet", "fixed_snippet", "timestamp"} <= found.keys()
    assert cache.normalize_error(ERROR) == "glsl:undeclared_identifier"


@pytest.mark.parametrize("line", ["REDIS_URL={}", "export REDIS_URL='{}'", 'A=1\n REDIS_URL = "{}" \nB=2'])
def test_shader_the_url_may_stand_in_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)
    (tmp_path / ".env").write_text(line.format("redis://localhost:6379/7"), "utf-8")
    store = open_store("auto")
    assert store is not None
    assert store.label == "Redis localhost:6379/7"
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/5")
    store = open_store("auto")
    assert store is not None
    assert store.label == "Redis localhost:6379/5"


@pytest.mark.parametrize("heuristics", ["ask", "strict"])
def test_a_sentence_that_asks_for_too_much_ends_the_run_in_words(heuristics: str, tmp_path: Path) -> None:
    text = "99999999999999999999 houses in a 100000 by 100000 grid"
    with pytest.raises(redraft.BriefError, match="more than 10,000 things"):
        redraft.sketch(text, out=tmp_path / "run", heuristics=heuristics)
