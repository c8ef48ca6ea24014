"""Compiling and rendering for real: pixels, the compiler's words, limits, and a worker that does not grow."""

from __future__ import annotations

import ctypes.util
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from real_parts import needs

from redraft.errors import ExecutionError, MissingPartError
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.processes import usage_of
from redraft.studios.shader import gl
from redraft.studios.shader.gl import Rendered, Shot, View, render, require_gl
from redraft.studios.shader.worker import bounded, compiler_of, log_of

pytestmark = pytest.mark.anyio

SMALL = View(32, 16, (0.0,))


@pytest.fixture
async def box(tmp_path: Path) -> AsyncIterator[Sandbox]:
    needs("egl")
    async with Sandbox(tmp_path) as box:
        yield box


async def shot(code: str, box: Sandbox, view: View = SMALL) -> Shot:
    return (await render(code, view, box)).shots[0]


def main(body: str) -> str:
    return f"void main() {{ {body} }}\n"


def saved(rendered: Rendered, folder: Path) -> list[Any]:
    """The corner colours of the pictures, as another reader of PNG finds them."""
    corners: list[Any] = []
    for i, each in enumerate(rendered.shots):
        Image.fromarray(each.pixels).save(folder / f"{i}.png")
        with Image.open(folder / f"{i}.png") as picture:
            w, h = picture.size
            corners.append([picture.getpixel(at) for at in ((0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1))])
    return corners


@pytest.mark.real
async def test_rows_are_the_right_way_up_and_frames_follow_time(box: Sandbox, tmp_path: Path) -> None:
    body = "f_color = vec4(step(0.5, v_uv.x), step(0.5, v_uv.y), u_time, 0.0);"
    rendered = await render(main(body), View(32, 16, (0.0, 1.0)), box)
    assert rendered.compiler.split()[0] in ("Mesa", "NVIDIA")
    assert saved(rendered, tmp_path)[0] == [(0, 255, 0), (255, 255, 0), (0, 0, 0), (255, 0, 0)]
    assert saved(rendered, tmp_path)[1] == [(0, 255, 255), (255, 255, 255), (0, 0, 255), (255, 0, 255)]
    assert rendered.shots[0].pixels.shape == (16, 32, 3)
    assert [(s.time, s.low, s.high, s.broken) for s in rendered.shots] == [(0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0)]


@pytest.mark.real
async def test_every_uniform_arrives(box: Sandbox) -> None:
    view = View(32, 16, (1.0, 3.0), seed=12_345, mouse=(7.0, 9.0))
    checks = (
        "u_resolution == vec2(32, 16) && u_mouse == vec2(7, 9) && u_seed == 345.0 && u_time == 3.0",
        "iResolution == vec3(32, 16, 1) && iMouse.xy == vec2(7, 9) && iTime == 3.0 && iTimeDelta == 2.0 && iFrame == 1",
        "iDate.w == 3.0 && all(lessThan(abs(gl_FragCoord.xy / u_resolution - v_uv), vec2(0.001)))",
    )
    for check in checks:
        rendered = await render(main(f"f_color = vec4({check});"), view, box)
        assert rendered.shots[1].low == 1.0, check


@pytest.mark.real
async def test_shadertoy_runs(box: Sandbox) -> None:
    code = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p.y / iResolution.y > 0.5 ? 1.0 : 0.0); }"
    pixels = (await shot(code, box)).pixels
    assert (pixels[:8] == 255).all()
    assert (pixels[8:] == 0).all()


@pytest.mark.real
@pytest.mark.parametrize("value", ["0.0 / zero", "1.0 / zero", "-1.0 / zero", "sqrt(zero - 1.0)", "log(zero)"])
async def test_pixels_that_are_no_number_are_black_and_counted(box: Sandbox, value: str) -> None:
    body = f"float zero = u_time * 0.0; f_color = vec4(0.4, v_uv.x < 0.25 ? {value} : 0.8, 0.6, 1.0);"
    found = await shot(main(body), box)
    assert found.broken == 0.25
    assert (found.pixels[:, :8] == 0).all()
    assert (found.pixels[:, 8:] == (102, 204, 153)).all()
    assert (round(found.low, 6), round(found.high, 6)) == (0.4, 0.8)


@pytest.mark.real
async def test_all_broken_and_large_numbers_and_discarded(box: Sandbox) -> None:
    nothing = await shot(main("f_color = vec4(0.0 / (u_time * 0.0));"), box)
    assert (nothing.broken, nothing.low, nothing.high) == (1.0, 0.0, 0.0)
    large = await shot(main("f_color = vec4(1e38, -1e38, 2.0, 1.0);"), box)
    assert large.broken == 0.0
    assert (large.pixels == (255, 0, 255)).all()
    half = await shot(main("if (v_uv.x > 0.5) discard; f_color = vec4(1.0);"), box)
    assert half.broken == 0.0
    assert [half.pixels[0, 0, 0], half.pixels[0, -1, 0]] == [255, 0]


@pytest.mark.real
@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("void main() {\n\n  f_color = vec4(missing);\n}", 3),
        ("#version 330\n\nout vec4 f_color;\nvoid main() { f_color = vec4(missing); }", 4),
        ("#version 300 es\nprecision highp float;\nout vec4 c;\nvoid main() { c = vec4(missing); }", 4),
        ("// a \\\n b\n/* c\n*/\r\nvoid mainImage(out vec4 c, in vec2 p) {\r\n c = vec4(missing, iTime, 0, 1); }", 6),
    ],
)
async def test_the_compiler_speaks_for_itself_and_counts_lines_as_they_were_written(
    box: Sandbox, code: str, line: int
) -> None:
    with pytest.raises(ExecutionError, match="missing") as caught:
        await render(code, SMALL, box)
    assert f"0:{line}(" in str(caught.value) or f"0({line})" in str(caught.value)
    assert caught.value.by == (await render(main(""), SMALL, box)).compiler


@pytest.mark.real
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("float f(float x);\nvoid main() { f_color = vec4(f(1.0)); }", "unresolved|f"),
        ("void main() {\n f_color = vec4(1.0);\n", "syntax|end of"),
        ("void main() {\n f_color = vec4(1.0;\n}", "syntax"),
        ("uniform sampler2D t;\nvoid main() { }", "Line 1: `sampler2D`: there are no textures"),
    ],
)
async def test_what_does_not_link_or_parse(box: Sandbox, code: str, words: str) -> None:
    with pytest.raises(ExecutionError, match=words):
        await render(code, SMALL, box)


@pytest.mark.real
async def test_a_long_log_is_cut(box: Sandbox) -> None:
    with pytest.raises(ExecutionError) as caught:
        await render(main("\n".join(f"x{n} = 1.0;" for n in range(200))), SMALL, box)
    assert len(str(caught.value).splitlines()) == 21
    assert "more lines)" in str(caught.value)


@pytest.mark.real
async def test_too_much_work_is_stopped_and_the_next_shader_runs(box: Sandbox) -> None:
    await render(main(""), SMALL, box)
    body = "float a = u_time; for (int i = 0; i < 2000000000; i++) a = sin(a + v_uv.x); f_color = vec4(a);"
    with pytest.raises(ExecutionError, match=r"2 frames of 64×64 took longer than 0\.5 s. Bound every loop"):
        await render(main(body), View(64, 64, (0.0, 1.0), limit=0.5), box)
    assert (await shot(main("f_color = vec4(1.0);"), box)).low == 1.0


@pytest.mark.real
async def test_the_same_shader_gives_the_same_bytes(box: Sandbox, tmp_path: Path) -> None:
    code = main("vec2 p = v_uv * 40.0; f_color = vec4(fract(sin(dot(p, vec2(12.9, 78.2))) * 43758.5 + u_time));")
    view = View(64, 64, (0.3, 0.7))
    first, again = await render(code, view, box), await render(code, view, box)
    async with Sandbox(tmp_path / "other") as other:
        fresh = await render(code, view, other)
    assert [s.pixels.tobytes() for s in first.shots] == [s.pixels.tobytes() for s in again.shots]
    assert [s.pixels.tobytes() for s in first.shots] == [s.pixels.tobytes() for s in fresh.shots]


@pytest.mark.real
async def test_more_frames_than_one_answer_holds(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    times = tuple(n / 10 for n in range(7))
    view = View(40, 20, times)
    whole = await render(main("f_color = vec4(u_time, iTimeDelta, float(iFrame) / 8.0, 1.0);"), view, box)
    monkeypatch.setattr(gl, "MAX_ANSWER", 3 * 40 * 20 * 3)
    parts = await render(main("f_color = vec4(u_time, iTimeDelta, float(iFrame) / 8.0, 1.0);"), view, box)
    assert [s.time for s in parts.shots] == list(times)
    assert all(np.array_equal(a.pixels, b.pixels) for a, b in zip(whole.shots, parts.shots, strict=True))


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_hundreds_of_jobs_do_not_grow_the_worker(box: Sandbox) -> None:
    async def some(first: int, count: int) -> int:
        for n in range(first, first + count):
            size = 32 + 16 * (n % 3)
            await render(main(f"f_color = vec4(v_uv, {n}.0 / 1e4, 1.0);"), View(size, size, (0.0,)), box)
            with pytest.raises(ExecutionError):
                await render(main(f"f_color = vec4(missing{n});"), SMALL, box)
        (worker,) = box._all  # pyright: ignore[reportPrivateUsage]
        return usage_of(worker.pid).memory

    before = await some(0, 100)
    after = await some(100, 300)
    assert after - before < 3 << 20, f"{(after - before) >> 10} KiB more after 300 shaders and 300 errors"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> None:
        del name

    monkeypatch.setattr(ctypes.util, "find_library", none)
    require_gl.cache_clear()
    try:
        with pytest.raises(
            MissingPartError, match=r"libEGL and libGL cannot be found\. .*apt-get install libegl1 libgl1"
        ):
            require_gl()
    finally:
        require_gl.cache_clear()


def test_who_compiled_it() -> None:
    assert compiler_of({"GL_VERSION": "4.5 (Core Profile) Mesa 22.3.6", "GL_VENDOR": "Mesa/X.org"}) == "Mesa 22.3.6"
    assert (
        compiler_of({"GL_VERSION": "3.3.0 NVIDIA 535.54.03", "GL_VENDOR": "NVIDIA Corporation"}) == "NVIDIA 535.54.03"
    )
    assert compiler_of({"GL_VERSION": "4.6.0 Build 31.0", "GL_VENDOR": "Intel"}) == "Intel 4.6.0 Build 31.0"


def test_the_log_without_headings_and_at_length() -> None:
    raised = "GLSL Compiler failed\n\nfragment_shader\n===============\n0:3(2): error: `foo' undeclared\n\n"
    assert log_of(raised) == "0:3(2): error: `foo' undeclared"
    assert bounded("a\nb") == "a\nb"
    assert bounded("\n".join("abcdefghijklmnopqrstuvwxyz")).endswith("t\n(and 6 more lines)")
    assert len(bounded("x" * 100_000)) < 5_000
