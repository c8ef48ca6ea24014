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
uniform float u_time;
in vec2 v_uv;
out vec4 f_color;
const float PI = 3.14159265;
vec3 hex(int c) { return vec3((c >> 16) & 255, (c >> 8) & 255, c & 255) / 255.0; }
// y grows downward in all of these; angles are clockwise from up.
vec2 toward(float degrees) { float a = radians(degrees); return vec2(sin(a), -cos(a)); }
vec2 turned(vec2 p, float degrees) { vec2 d = toward(degrees); return vec2(dot(p, vec2(-d.y, d.x)), dot(p, d)); }
bool box(vec2 p, vec2 low, vec2 high) { return all(greaterThan(p, low)) && all(lessThan(p, high)); }
bool bar(vec2 p, float degrees, float from, float to, float width) {
    return box(turned(p, degrees), vec2(-width / 2.0, from), vec2(width / 2.0, to));
}
bool star(vec2 p, float outer, float inner, float tip) {
    float a = mod(degrees(atan(p.x, -p.y)) - tip, 72.0);
    vec2 q = length(p) * vec2(cos(radians(min(a, 72.0 - a))), sin(radians(min(a, 72.0 - a))));
    vec2 o = vec2(outer, 0.0), i = inner * vec2(cos(PI / 5.0), sin(PI / 5.0));
    return (i.x - o.x) * (q.y - o.y) - (i.y - o.y) * (q.x - o.x) > 0.0;
}
void main() {
    vec2 p = vec2(v_uv.x, 1.0 - v_uv.y), q = p - 0.5;
    vec3 c = vec3(1.0);
"""
RIGHT = {
    "rosette": """c = hex(0xf4f1de);
        for (int k = 0; k < 12; k++)
            if (length((turned(q, 30.0 * k) - vec2(0.0, 0.27)) / vec2(0.04, 0.15)) < 1.0)
                c = hex(k % 2 == 0 ? 0xe07a5f : 0x3d405b);
        if (length(q) < 0.1) c = hex(0x81b29a);""",
    "star": """vec2 s = p - vec2(0.5, 0.55);
        c = hex(star(s, 0.38, 0.15, 20.0) && !star(s, 0.19, 0.075, 20.0) ? 0xfca311 : 0x14213d);
        if (p.y > 0.05 && p.y < 0.12)
            c = hex(length(vec2(mod(p.x, 0.1) - 0.05, p.y - 0.085)) < 0.025 ? 0x14213d : 0xe5e5e5);""",
    "bricks": """int row = int(floor(p.y / 0.12));
        float x = p.x - (row % 2 == 1 ? 0.12 : 0.0);
        int number = int(floor(x / 0.24)), kind = (row + 2 * number + 3) % 3;
        c = hex(kind == 0 ? 0x9b2226 : kind == 1 ? 0xbb3e03 : 0xca6702);
        if (mod(x, 0.24) > 0.22 || mod(p.y, 0.12) > 0.1) c = hex(0xddd5c7);""",
    "truchet": """ivec2 n = ivec2(floor(p * 6.0));
        vec2 t = fract(p * 6.0);
        if ((n.x * n.x + 2 * n.y + n.x * n.y) % 3 != 0) t.x = 1.0 - t.x;
        float near = min(abs(length(t) - 0.5), abs(length(t - 1.0) - 0.5));
        c = hex(near < 0.12 ? 0xe9c46a : 0x264653);""",
    "spiral": """float turn = fract(atan(q.x, -q.y) / (2.0 * PI)), r = length(q);
        for (int k = 0; k < 3; k++) if (abs(r - 0.06 - 0.12 * (turn + k)) * 0.985 < 0.02) c = hex(0x5f0f40);
        if (length(q - vec2(0.0, -0.06)) < 0.02) c = hex(0x5f0f40);
        if (length(q - vec2(0.0, -0.42)) < 0.04) c = hex(0xfb8b24);""",
    "clock": """c = hex(length(q) < 0.44 ? 0xf1faee : 0x1d3557);
        for (int k = 0; k < 12; k++) if (bar(q, 30.0 * k, k % 3 == 0 ? 0.32 : 0.37, 0.42, 0.03)) c = hex(0x457b9d);
        if (bar(q, 304.0, -0.08, 0.24, 0.09)) c = hex(0x1d3557);
        if (bar(q, 48.0, -0.12, 0.35, 0.04) || length(q) < 0.04) c = hex(0xe63946);""",
    "halves": """vec2 t = turned(q, 50.0);
        bool dark = length(t + vec2(0, 0.2)) < 0.2 || (t.x > 0.0 && length(t - vec2(0, 0.2)) > 0.2);
        if (length(t - vec2(0, 0.2)) < 0.06) dark = true;
        if (length(t + vec2(0, 0.2)) < 0.06) dark = false;
        c = hex(length(q) > 0.4 ? 0xdda15e : dark ? 0x283618 : 0xfefae0);""",
    "parity": """int n = 0;
        for (int k = 0; k < 5; k++) if (length(q - 0.2 * toward(72.0 * k)) < 0.24) n++;
        c = hex(length(q) < 0.05 ? 0xfefffe : n == 0 ? 0xff6663 : n % 2 == 1 ? 0x0b3954 : 0xbfd7ea);""",
    "hexagons": """float best = 9.0;
        for (int r = -5; r < 6; r++) for (int n = -8; n < 9; n++) {
            float far = length(q - vec2(0.12 * sqrt(3.0) * (float(n) + 0.5 * float(r)), 0.18 * float(r)));
            int kind = (n - r + 30) % 3;
            if (far < best) { best = far; c = hex(kind == 0 ? 0x2d6a4f : kind == 1 ? 0x95d5b2 : 0xd8f3dc); }
        }""",
    "waves": """float x = p.x, y = v_uv.y;
        c = hex(y < 0.6 + 0.2 * sin(3.0 * PI * x) ? 0x48cae4 : 0xcaf0f8);
        if (length(vec2(x, y) - vec2(0.75, 0.55)) < 0.15) c = hex(0xffb703);
        if (y < 0.4 + 0.12 * cos(5.0 * PI * x)) c = hex(0x0077b6);
        if (y < 0.12 + 0.4 * abs(fract(2.0 * x - 0.25 + 0.5) - 0.5)) c = hex(0x03045e);""",
    "moons": """vec2 one = 0.28 * toward(45.0 * u_time), other = one + 0.13 * toward(90.0 - 135.0 * u_time);
        c = hex(abs(length(q) - 0.28) < 0.01 ? 0x3c096c : 0x10002b);
        if (length(q) < 0.11) c = hex(0xff9e00);
        if (length(q - one) < 0.07) c = hex(0x7b2cbf);
        if (length(q - other) < 0.04) c = hex(0xe0aaff);""",
    "levels": """c = hex(0xfdf0d5);
        for (int k = 0; k < 7; k++) {
            float high = 0.45 + 0.35 * sin(2.0 * PI * (u_time / 4.0 + k / 7.0)), left = 0.04 + 0.135 * k;
            if (box(p, vec2(left, 0.95 - high), vec2(left + 0.11, 0.95)))
                c = hex((k + int(floor(u_time))) % 2 == 0 ? 0x003049 : 0xc1121f);
        }
        if (p.y > 0.95) c = hex(0x669bbc);
        vec2 t = p - vec2(0.5, 0.15);
        bool inside = true;
        for (int k = 0; k < 3; k++) if (dot(t, toward(30.0 * u_time + 60.0 + 120.0 * k)) > 0.07) inside = false;
        if (inside) c = hex(0x669bbc);""",
}


def one_shots(folder: Path, bodies: dict[str, str]) -> list[Trial]:
    tasks = [task for task in tasks_of("shader") if task.id in bodies]
    by_brief = {task.brief: bodies[task.id] for task in tasks}

    def draft(request: Request) -> str:
        return reply_of(f"{HEAD}{by_brief[str(request.inputs['instruction'])]}\n    f_color = vec4(c, 1.0);\n}}")

    model = Answering({"draft": draft})

    async def run() -> list[Trial]:
        return (await run_trials(Plan("shader", tasks, by_name("one-shot"), folder, 1), lambda _, __: model))[0]

    return anyio.run(run)


def test_a_right_shader_meets_each_picture(tmp_path: Path) -> None:
    needs("egl")
    trials = one_shots(tmp_path, RIGHT)
    assert {task.id for task in tasks_of("shader") if not task.draft} == set(RIGHT)
    assert [(trial.task, trial.error, trial.wrong) for trial in trials if not trial.snapshots[-1].holds] == []


SPOILED = {
    "star": ("20.0)", "-20.0)"),
    "bricks": ("row + 2 *", "row + 1 *"),
    "clock": ("304.0", "300.0"),
    "moons": ("90.0 - 135.0", "90.0 + 135.0"),
    "levels": ("30.0 * u_time", "-30.0 * u_time"),
}
"""A direction, an order, an hour hand that does not move with the minutes, and two senses of rotation."""


def test_one_with_an_error_meets_none(tmp_path: Path) -> None:
    needs("egl")
    spoiled = {name: RIGHT[name].replace(*change) for name, change in SPOILED.items()}
    assert [trial.snapshots[-1].holds for trial in one_shots(tmp_path, spoiled)] == [False] * len(SPOILED)
