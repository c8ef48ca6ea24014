"""The pictures of the shader tasks can be met: a right shader, through the whole run, is near enough."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from benched import Answering, by_name
from real_parts import needs
from shaders import reply_of

from redraft.bench.tasks import tasks_of
from redraft.bench.trials import Plan, Trial, run_trials
from redraft.models.base import Request

pytestmark = [pytest.mark.real, pytest.mark.slow]

HEAD = """#version 330
uniform vec2 u_resolution;
in vec2 v_uv;
out vec4 f_color;
vec3 hex(int c) { return vec3((c >> 16) & 255, (c >> 8) & 255, c & 255) / 255.0; }
bool within(vec2 p, float side) { return max(abs(p.x - 0.5), abs(p.y - 0.5)) < side / 2.0; }
void main() {
    vec2 p = v_uv, q = v_uv - 0.5;
    vec3 c = vec3(1.0);
"""
RIGHT = {
    "disc": "if (length(q) < 0.25) c = hex(0xcc2222);",
    "stripes": "if (p.y > 2.0 / 3.0) c = hex(0x004d98); else if (p.y < 1.0 / 3.0) c = hex(0xa50044);",
    "checks": "c = vec3(mod(floor(p.x * 4.0) + floor((1.0 - p.y) * 4.0), 2.0));",
    "slope": "c = vec3((p.x + p.y) / 2.0);",
    "ring": "c = length(q) < 0.4 && length(q) > 0.25 ? hex(0x1b6ca8) : hex(0xf4f1ea);",
    "corner": "c = length(p) < 0.6 ? hex(0xf28c28) : hex(0x22223b);",
    "lens": """bool a = distance(p, vec2(0.35, 0.5)) < 0.25, b = distance(p, vec2(0.65, 0.5)) < 0.25;
        c = a && b ? hex(0x6d597a) : a ? hex(0xe63946) : b ? hex(0x457b9d) : c;""",
    "plus": """vec2 d = abs(q);
        bool arm = max(d.x, d.y) < 0.3 && min(d.x, d.y) < 0.1; c = arm ? c : hex(0x2a9d8f);""",
    "meadow": "c = p.y < 0.25 ? hex(0x3a7d44) : mix(c, hex(0x87ceeb), (p.y - 0.25) / 0.75);",
    "triangle": "c = p.y < 0.85 && abs(q.x) < 0.3 * (1.0 - p.y / 0.85) ? hex(0xffb703) : hex(0x023047);",
    "bars": "c = vec3(fract((p.x - 0.05) / 0.2) < 0.5 && p.x > 0.05 && p.x < 0.95 ? 1.0 : 0.0);",
    "nested": """c = within(p, 0.25) ? hex(0xe76f51) : within(p, 0.5) ? hex(0xe9c46a)
        : within(p, 0.75) ? hex(0x2a9d8f) : hex(0x2a4653);""",
}


def one_shots(folder: Path, bodies: dict[str, str]) -> list[Trial]:
    tasks = [task for task in tasks_of("shader") if task.id in bodies]
    by_brief = {task.brief: bodies[task.id] for task in tasks}

    def draft(request: Request) -> str:
        return reply_of(f"{HEAD}{by_brief[str(request.inputs['instruction'])]}\n    f_color = vec4(c, 1.0);\n}}")

    model = Answering({"draft": draft})

    async def run() -> list[Trial]:
        return (await run_trials(Plan("shader", tasks, by_name("one-shot"), folder, 1), lambda _: model))[0]

    return anyio.run(run)


def test_a_right_shader_meets_each_picture(tmp_path: Path) -> None:
    needs("egl")
    trials = one_shots(tmp_path, RIGHT)
    assert {task.id for task in tasks_of("shader") if not task.draft} == set(RIGHT)
    assert [(trial.task, trial.error, trial.wrong) for trial in trials if not trial.snapshots[-1].holds] == []


def test_one_upside_down_meets_none(tmp_path: Path) -> None:
    needs("egl")
    turned = {name: f"p.y = 1.0 - p.y; {RIGHT[name]}" for name in ("corner", "meadow", "triangle")}
    assert [trial.snapshots[-1].holds for trial in one_shots(tmp_path, turned)] == [False] * 3
