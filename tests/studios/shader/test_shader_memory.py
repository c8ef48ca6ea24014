"""What a run learns of compile errors, in a real Redis server: the specification's four verification points."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from pydantic import JsonValue
from real_parts import needs
from redis_server import RedisServer
from shaders import RINGS, reply_of

from redraft import api
from redraft.config import Config
from redraft.models.base import Reply, Request
from redraft.models.scripted import ScriptedModel
from redraft.record.events import EffectFinished, Event
from redraft.record.transcript import Record
from redraft.result import Result

pytestmark = pytest.mark.real

BROKEN = RINGS.replace("color * smooth", "colr * smooth")
WRONG_TYPE = RINGS.replace("float d = length(p);", "float d = p;")
OTHER_WRONG_TYPE = RINGS.replace("vec3 color = 0.5", "mat2 turn = v_uv;\n    vec3 color = 0.5")
"""The same kind of error, in lines that the fix of the first does not fit."""


@pytest.fixture
def server(tmp_path: Path) -> RedisServer:
    needs("egl")
    return RedisServer(needs("redis-server"), tmp_path)


def run(out: Path, model: ScriptedModel, memory: str, observer: object = None, iterations: int = 1) -> Result:
    config = Config.model_validate(
        {
            "memory": memory,
            "loop": {"iterations": iterations},
            "studios": {"shader": {"width": 32, "height": 32, "frames": 2}},
        }
    )
    return api.run("shader", "rings", config=config, model=model, out=out, observer=observer)  # type: ignore[arg-type]


def memory_of(out: Path) -> dict[str, object]:
    found = Record.load(out).transcript.memory
    assert isinstance(found, dict)
    return dict(found)


def test_1_later_requests_tell_of_earlier_attempts(tmp_path: Path) -> None:
    needs("egl")
    import numpy as np

    from redraft.metrics.pictures import png  # an OpenGL may be missing, and then numpy may be, too

    (tmp_path / "target.png").write_bytes(png(np.full((32, 32, 3), 90, np.uint8)))
    replies = [reply_of(RINGS, f"attempt {n}").replace("20.0", f"{20 + n}.0") for n in range(3)]
    model = ScriptedModel(replies)
    config = Config.model_validate({"memory": "none", "loop": {"iterations": 3}})
    api.run("shader", "rings", config=config, model=model, target=tmp_path / "target.png", out=tmp_path / "run")
    last = model.requests[-1].messages[-1].text
    assert "ITERATION HISTORY:" in last
    assert "| Approach: attempt 0" in last
    assert "| Approach: attempt 1" in last


def test_2_a_compile_error_is_stored_under_the_specifications_key(tmp_path: Path, server: RedisServer) -> None:
    with server:
        run(tmp_path / "run", ScriptedModel([reply_of(BROKEN), reply_of()]), server.url)
        keys = [str(key) for key in server.client().keys("glsl:*")]
        assert keys == ["glsl:undeclared_identifier"]
        (value,) = server.client().hvals(keys[0])
        entry = json.loads(value)
    assert {"error_msg", "broken_snippet", "fixed_snippet", "timestamp"} <= entry.keys()
    assert "colr" in entry["broken_snippet"]
    assert "colr" not in entry["fixed_snippet"]
    assert "`colr' undeclared" in entry["error_msg"]
    assert memory_of(tmp_path / "run")["learnt"]


def test_3a_the_same_error_again_costs_no_call(tmp_path: Path, server: RedisServer) -> None:
    with server:
        run(tmp_path / "one", ScriptedModel([reply_of(BROKEN), reply_of()]), server.url)
        model = ScriptedModel([reply_of(BROKEN)])
        result = run(tmp_path / "two", model, server.url)
    assert (result.valid, len(model.requests)) == (True, 1)
    (recalled,) = memory_of(tmp_path / "two")["recalled"]  # type: ignore[misc]
    assert recalled["worked"] is True
    assert result.iterations[0].retry_count == 0


def test_3b_what_only_resembles_is_an_example_in_the_request(tmp_path: Path, server: RedisServer) -> None:
    with server:
        run(tmp_path / "one", ScriptedModel([reply_of(WRONG_TYPE), reply_of()]), server.url)
        model = ScriptedModel([reply_of(OTHER_WRONG_TYPE), reply_of()])
        run(tmp_path / "two", model, server.url)
    fixes = [request for request in model.requests if request.kind == "shader.fix"]
    text = fixes[0].messages[-1].text
    assert "PAST FIXES FOR SIMILAR ERRORS:" in text
    assert "Example 1:" in text
    assert "float d = p;" in text


class Killing(ScriptedModel):
    """Ends the server before it gives its second reply."""

    def __init__(self, replies: list[str], server: RedisServer) -> None:
        super().__init__(replies)
        self._server = server

    async def ask(self, request: Request) -> Reply:
        if len(self.requests) == 1:
            self._server.kill()
        return await super().ask(request)


def unclocked(result: JsonValue) -> JsonValue:
    """What an effect made, without how long it took."""
    return {**result, "milliseconds": None} if isinstance(result, dict) and "milliseconds" in result else result


def without_memory(events: list[Event]) -> list[object]:
    """What a run did, apart from what it asked and told the memory."""
    return [
        (event.key, unclocked(event.result))
        for event in events
        if isinstance(event, EffectFinished) and not event.key.rpartition("/")[2].startswith(("recall", "learn"))
    ]


def test_4_a_server_that_is_killed_in_mid_run_changes_nothing_but_one_warning(
    tmp_path: Path, server: RedisServer
) -> None:
    replies = [reply_of(BROKEN), reply_of(WRONG_TYPE), reply_of()]
    told: list[Event] = []
    plain: list[Event] = []
    with server:
        result = run(tmp_path / "killed", Killing(replies, server), server.url, told.append)
    without = run(tmp_path / "without", ScriptedModel(replies), "none", plain.append)
    assert len(result.warnings) == 1
    assert "off for this run" in result.warnings[0]
    assert without.warnings == ()
    assert without_memory(told) == without_memory(plain)
    for role in ("glsl", "png", "preview"):
        assert result.files[role].read_bytes() == without.files[role].read_bytes()
    assert memory_of(tmp_path / "killed")["off"]


def test_4b_a_server_that_never_was_is_one_warning(tmp_path: Path, server: RedisServer) -> None:
    model = ScriptedModel([reply_of(BROKEN), reply_of()])
    result = run(tmp_path / "run", model, server.url)
    assert (result.valid, len(model.requests), len(result.warnings)) == (True, 2, 1)


def test_4c_a_server_that_does_not_answer_is_one_warning(tmp_path: Path, server: RedisServer) -> None:
    with server:
        process = server._process  # type: ignore[attr-defined]
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        try:
            result = run(tmp_path / "run", ScriptedModel([reply_of(BROKEN), reply_of()]), server.url)
        finally:
            os.kill(process.pid, signal.SIGCONT)
    assert (result.valid, len(result.warnings)) == (True, 1)


def test_no_password_is_recorded(tmp_path: Path) -> None:
    needs("egl")
    with RedisServer(needs("redis-server"), tmp_path, password="hush-hush") as server:
        run(tmp_path / "run", ScriptedModel([reply_of(BROKEN), reply_of()]), server.url)
        assert server.client().keys("glsl:*")
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or b"hush-hush" not in path.read_bytes(), path
