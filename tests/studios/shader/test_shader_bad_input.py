"""Bad input through the whole program, on a real OpenGL: each kind has its class and a message that a model can act on,
the run goes on, and nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from picture_files import encoded, photograph
from PIL import Image
from real_parts import needs
from resources import resources_in
from shaders import RINGS, reply_of

from redraft import api
from redraft.cli.outcome import exit_code
from redraft.config import Config
from redraft.errors import BriefError
from redraft.models.base import Reply, Request
from redraft.models.scripted import Line, ScriptedModel
from redraft.record.events import Attempted, Event
from redraft.record.journal import EVENTS_FILE
from redraft.record.transcript import Record
from redraft.result import Result
from redraft.sandbox.pool import WAITING
from redraft.studios.shader import gl
from redraft.studios.shader.settings import ShaderSettings
from redraft.studios.shader.studio import studio

pytestmark = [pytest.mark.real, pytest.mark.timed]

WORKER = b"redraft.studios.shader.worker"


def workers() -> set[int]:
    """The shader workers under way whose parent is this process."""
    found = set[int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended
        if WORKER in command and parent == os.getpid():
            found.add(int(folder.name))
    return found


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """OpenGL is here; no worker is left but for the next run; no record names the scratch folder or has a traceback."""
    needs("egl")
    yield
    WAITING.end()
    assert not workers()
    for events in tmp_path.rglob(EVENTS_FILE):
        text = events.read_text()
        assert "Traceback" not in text
        assert not re.search(r"worker-\w{8}\b", text)


def run(out: Path, replies: Sequence[Line], *, target: Path | None = None, **loop: int) -> Result:
    shader = {"width": 64, "height": 48, "frames": 2, "limit": 60.0}
    given = {"studios": {"shader": shader}, "memory": "none", "loop": {"iterations": 1, "fixes": 10, **loop}}
    return api.run(
        "shader", "rings", config=Config.model_validate(given), model=ScriptedModel(replies), target=target, out=out
    )


def main(body: str) -> str:
    return f"void main() {{\n{body}\n}}\n"


WRONG = {
    "no fence": (RINGS, "no ```glsl block"),
    "prose": ("I would draw rings with cosines.", "no ```glsl block"),
    "two shaders": (reply_of() + reply_of(RINGS.replace("20.0", "30.0")), "2 different shaders"),
    "cut off": (f"```glsl\n{RINGS[:-20]}", "never closes it"),
    "WGSL": (reply_of("@fragment\nfn main() -> @location(0) vec4f { return vec4f(1.0); }"), "this is WGSL"),
    "HLSL": (reply_of("float4 main(float2 uv : TEXCOORD0) : SV_Target { return 1; }"), "this is HLSL"),
    "include": (reply_of('#include "noise.glsl"\n' + RINGS), "Line 1: there are no files to #include"),
    "100,000 lines": (reply_of(RINGS + "\n// more" * 100_000), "at most 2,000 lines"),
    "texture": (reply_of(main("f_color = texture(iChannel0, v_uv);")), "there are no textures"),
    "while (true)": (reply_of(main("while (true) { f_color.r += 0.1; }")), "Line 2: `while (true)` never ends"),
    "for (;;)": (reply_of(main("for (;;) { f_color.r += 0.1; }")), "Line 2: `for (;;)` never ends"),
    "no-break space": (reply_of(main("f_color\u00a0= vec4(1.0);")), "Line 2: '\\xa0' (U+00A0, no-break space)"),
    "typographic minus": (reply_of(main("f_color = vec4(1.0 – v_uv.x);")), "U+2013, en dash"),
    "name with accent": (reply_of(main("float é = 1.0; f_color = vec4(é);")), "Outside of comments write plain ASCII"),
    "macro for main": (reply_of("#define ENTRY void main()\nENTRY { f_color = vec4(1.0); }"), "Write `void main()`"),
    "macro for uniform": (reply_of("#define U uniform\nU float k;\n" + RINGS), "macro `U` hides"),
    "two outputs": (reply_of("out vec4 a;\nout vec4 b;\n" + main("a = b = vec4(1.0);")), "one output only"),
    "output elsewhere": (reply_of("layout(location = 2) out vec4 c;\n" + main("c = vec4(1.0);")), "`location = 2`"),
    "output array": (reply_of("out vec4 c[2];\n" + main("c[0] = vec4(1.0);")), "not an array of vec4"),
    "time as int": (reply_of(RINGS.replace("float u_time", "int u_time")), "`u_time` is a float, not an int"),
    "time as array": (reply_of(RINGS.replace("u_time;", "u_time[4];", 1)), "not an array of float"),
    "uniform array": (reply_of("uniform float[3] k;\n" + RINGS), "nothing fills `uniform float k`"),
    "uniform struct": (reply_of("struct S { vec3 a; };\nuniform S s;\n" + RINGS), "nothing fills `uniform S s`"),
    "mainImage without out": (reply_of("void mainImage(vec4 c, vec2 p) { c = vec4(1.0); }"), "cannot be called"),
    "own floatBitsToUint": (reply_of("float floatBitsToUint(vec3 v) { return v.x; }\n" + RINGS), "built-in function"),
}
"""Replies that are no shader of the contract, and words of what is said."""
COMPILER = {
    "undeclared": (main("f_color = vec4(missing);"), r"0:2\(\d+\): error: `missing' undeclared"),
    "recursion": ("float f(float x) { return x < 0.0 ? x : f(x - 1.0); }\n" + main("f_color.r = f(u_time);"), "recurs"),
    "two mains": (RINGS + "\n" + main("f_color = vec4(1.0);"), "function `main' redefined"),
    "main with a value": (main("return vec4(1.0);"), "in function `main'"),
    "deep nesting": (main("f_color = vec4(" + "(" * 40_000 + "1.0" + ")" * 40_000 + ");"), "nested too deeply"),
    "torn": (RINGS[:-1], "syntax error"),
    "comment left open": (RINGS + "\n/* never", "[Uu]nterminated comment"),
    "condition left open": ("#if 1\n" + RINGS, "[Uu]nterminated #if"),
    "error directive": ("#error stop here\n" + RINGS, "stop here"),
    "ssbo": ("buffer B { float x[]; } b;\n" + main("f_color.r = b.x[0];"), "0:1"),
}
"""Shaders that the compiler refuses (Mesa's words), and what is said."""


def check_chain(out: Path, cases: list[tuple[str, str, str]]) -> None:
    """A run whose model replies with each in turn and at last with rings; each is asked to be fixed in those words."""
    model = ScriptedModel([*(reply for reply, _, _ in cases), reply_of()])
    config = Config.model_validate(
        {"studios": {"shader": {"width": 64, "height": 48, "frames": 2}}, "memory": "none",
         "loop": {"iterations": 1, "fixes": 10}}
    )  # fmt: skip
    events: list[Event] = []
    result = api.run("shader", "rings", config=config, model=model, out=out, observer=events.append)
    fixes = [request for request in model.requests if request.kind == "shader.fix"]
    assert len(fixes) == len(cases)
    for request, (_, said, _) in zip(fixes, cases, strict=True):
        assert re.search(said, str(request.inputs["error"]))
        assert str(request.inputs["error"]) in request.messages[-1].text
    (attempted,) = [event for event in events if isinstance(event, Attempted)]
    assert [line[:2] for line in attempted.errors] == [kind for _, _, kind in cases]
    assert attempted.retry_count == len(cases)
    assert exit_code(result) == 0
    assert result.files["glsl"].read_text() == RINGS + "\n"
    assert [record.retry_count for record in result.iterations] == [len(cases)]


@pytest.mark.parametrize("part", range(3))
def test_replies_that_are_no_shader_of_the_contract(tmp_path: Path, part: int) -> None:
    cases = [(reply, re.escape(said), "E2") for reply, said in list(WRONG.values())[part * 10 : part * 10 + 10]]
    assert cases
    check_chain(tmp_path / "run", cases)


def test_shaders_that_the_compiler_refuses(tmp_path: Path) -> None:
    check_chain(tmp_path / "run", [(reply_of(code), said, "E1") for code, said in COMPILER.values()])


@pytest.mark.parametrize("reply", [WRONG["WGSL"][0], reply_of(COMPILER["undeclared"][0])])
def test_a_model_that_never_gets_it_right(tmp_path: Path, reply: str) -> None:
    result = run(tmp_path / "run", [reply] * 4, iterations=2, fixes=1)
    assert exit_code(result) == 1
    assert not result.valid
    assert "glsl" not in result.files
    assert [record.retry_count for record in result.iterations] == [1, 1]
    assert all(record.compile_error for record in result.iterations)
    assert (tmp_path / "run" / "report.html").is_file()


TAKEN = {
    "CRLF": RINGS.replace("\n", "\r\n"),
    "CR": RINGS.replace("\n", "\r"),
    "BOM": "\ufeff" + RINGS,
    "tabs": RINGS.replace("    ", "\t"),
    "comments in any script": "// Кольца, 光の輪 — café ✨\n" + RINGS,
    "GLSL ES": RINGS.replace("#version 330", "#version 300 es\nprecision highp float;\nprecision mediump int;"),
    "main(void)": RINGS.replace("main()", "main(void)"),
    "main is a macro": "#define main start\n" + RINGS,
    "output by macro": RINGS.replace("out vec4 f_color;", "#define f_color col\nout vec4 col;"),
    "line and pragma": "#line 700\n#pragma optimize(on)\n" + RINGS.replace("#version 330\n", ""),
    "extension": RINGS.replace("330\n", "330\n#extension GL_ARB_gpu_shader5 : require\n"),
    "location 0": RINGS.replace("out vec4", "layout(location = 0) out vec4"),
    "gl_FragCoord": RINGS.replace("(v_uv - 0.5)", "(gl_FragCoord.xy / u_resolution - 0.5)"),
    "own max and mix": "vec3 max(vec3 a) { return a; }\nfloat mix(float a) { return a; }\n" + RINGS,
    "only a warning": RINGS.replace("float d", "float unset; if (v_uv.x > 2.0) f_color.r = unset;\n    float d"),
    "alpha 0": RINGS.replace(", 1.0);\n}", ", 0.0);\n}"),
    "names of ours": "float redraft_bits = 1.0, m_in = 2.0, m000 = 3.0;\n" + RINGS.replace("#version 330\n", ""),
    "loop with a way out": RINGS.replace("float d", "for (;;) { break; }\n    float d"),
}
"""The rings, written in ways that look odd and are right."""


@pytest.mark.anyio
async def test_odd_but_right_is_taken_as_it_is(tmp_path: Path) -> None:
    resources = resources_in(tmp_path, ShaderSettings(width=64, height=48, frames=2))
    async with resources.sandbox:
        plain = await studio.execute(studio.parse("draft", reply_of(), None), None, resources)
        for name, code in TAKEN.items():
            made = await studio.execute(studio.parse("draft", reply_of(code), None), None, resources)
            assert made.frames == plain.frames, name


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("f_color = vec4(0.0 / (u_time * 0.0));", "frame.not_a_number"),
        ("discard;", "frame.blank"),
        ("vec4 f_color = vec4(1.0);", "frame.blank"),
        ("float unused = 1.0;", "frame.blank"),
    ],
)
def test_nothing_to_see_is_an_issue_and_goes_to_repair(tmp_path: Path, body: str, code: str) -> None:
    model = ScriptedModel([reply_of(main(body)), reply_of()])
    config = Config.model_validate(
        {"studios": {"shader": {"width": 64, "height": 48, "frames": 2}}, "memory": "none",
         "loop": {"iterations": 1, "repairs": 1}}
    )  # fmt: skip
    result = api.run("shader", "rings", config=config, model=model, out=tmp_path / "run")
    assert [request.kind for request in model.requests] == ["shader.draft", "shader.repair"]
    assert f'"code":"{code}"' in (tmp_path / "run" / EVENTS_FILE).read_text().replace('": "', '":"')
    assert exit_code(result) == 0


# What takes too much


TOO_MUCH = {
    "work without end": (
        main("float a = 0.0;\nfor (float i = 0.0; i < u_resolution.x * 1e7; i++)\n"
             "for (float j = 0.0; j < u_resolution.x * 1e7; j++) a += sin(i * j * v_uv.x);\nf_color = vec4(a);"),
        r"loops without end.* 2 frames of 512×512 took longer than 2 s\. Bound every loop",
    ),
    "loops unrolled without end": (
        main("".join(f"for (int i{i} = 0; i{i} < 2; i{i}++)\n" for i in range(60)) + "f_color += vec4(1e-9);"),
        r"took longer than 2 s|held more than 2 GiB|signal \d+",
    ),
    "functions that double": (
        "float f0(float x) { return sin(x); }\n"
        + "".join(f"float f{i}(float x) {{ return f{i - 1}(x) + f{i - 1}(x * 2.0); }}\n" for i in range(1, 28))
        + main("f_color = vec4(f27(v_uv.x));"),
        r"took longer than 2 s|held more than 2 GiB|signal \d+",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_work_is_stopped_and_the_run_goes_on(tmp_path: Path, name: str) -> None:
    code, said = TOO_MUCH[name]
    model = ScriptedModel([reply_of(code), reply_of()])
    config = Config.model_validate(
        {"studios": {"shader": {"width": 512, "height": 512, "frames": 2, "limit": 2.0}}, "memory": "none",
         "loop": {"iterations": 1, "fixes": 1}}
    )  # fmt: skip
    result = api.run("shader", "rings", config=config, model=model, out=tmp_path / "run")
    assert exit_code(result) == 0
    error = str(model.requests[1].inputs["error"])
    assert re.search(said, error, re.DOTALL)
    assert "Make arrays smaller" in error
    assert result.iterations[0].errors[0].startswith("E1: ")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        (main("float a[100000000]; a[int(v_uv.x * 9.0)] = 1.0; f_color = vec4(a[int(u_time)]);"), r"held more than"),
        (main("float a[2147483647]; a[int(u_time)] = 1.0; f_color = vec4(a[1]);"), r"held more than|signal 11"),
        (main("f_color = vec4(" + "+".join(["v_uv.x"] * 25_000) + ");"), r"signal 11|longer than|held more than"),
    ],
    ids=["an array of 400 MB a pixel", "an array of 8 GB a pixel", "a sum of 25,000"],
)
def test_memory_and_crashes_cost_an_attempt_not_the_run(tmp_path: Path, code: str, said: str) -> None:
    model = ScriptedModel([reply_of(code), reply_of()])
    shader = {"width": 64, "height": 48, "frames": 2, "limit": 60.0}
    config = Config.model_validate(
        {"studios": {"shader": shader}, "memory": "none", "loop": {"iterations": 1, "fixes": 1}}
    )
    result = api.run("shader", "rings", config=config, model=model, out=tmp_path / "run")
    assert exit_code(result) == 0
    error = str(model.requests[1].inputs["error"])
    assert re.search(said, error)
    assert "Make arrays smaller" in error
    if "signal" in error:
        assert error.startswith("It failed twice, the second time on a fresh start: ")
        assert "Split very long expressions" in error


class Killing(ScriptedModel):
    """Sends a signal to the worker while it works on what this model has just replied."""

    def __init__(self, replies: Sequence[Line], number: int, times: int) -> None:
        super().__init__(replies)
        self.number, self.times, self.killed = number, times, list[int]()

    async def ask(self, request: Request) -> Reply:
        if request.kind == "shader.draft":
            threading.Thread(target=self._hunt, daemon=True).start()
        return await super().ask(request)

    def _hunt(self) -> None:
        end = time.monotonic() + 60
        while len(self.killed) < self.times and time.monotonic() < end:
            for pid in workers() - {*self.killed}:
                time.sleep(0.7)  # it compiles, or renders
                os.kill(pid, self.number)
                self.killed.append(pid)
            time.sleep(0.01)


SLOWLY = main("float a = 0.0;\nfor (int i = 0; i < 3000; i++) a += sin(float(i) * v_uv.x + u_time);\nf_color.r = a;")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("number", "words"), [(signal.SIGSEGV, "segmentation fault"), (signal.SIGKILL, "killed")])
def test_a_worker_that_is_shot_down(tmp_path: Path, number: int, words: str) -> None:
    """Once, the same draft runs again. Twice, a fault is E1, and a kill from outside is E0."""
    shader = {"width": 256, "height": 256, "frames": 12, "limit": 120.0}
    config = Config.model_validate(
        {"studios": {"shader": shader}, "memory": "none", "loop": {"iterations": 1, "fixes": 1, "repairs": 0}}
    )
    once = Killing([reply_of(SLOWLY)], number, 1)
    result = api.run("shader", "rings", config=config, model=once, out=tmp_path / "once")
    assert len(once.killed) == 1
    assert result.iterations[0].retry_count == 0
    assert result.files["glsl"].read_text() == SLOWLY.rstrip("\n") + "\n"
    twice = Killing([reply_of(SLOWLY), reply_of()], number, 2)
    result = api.run("shader", "rings", config=config, model=twice, out=tmp_path / "twice")
    assert len(twice.killed) == 2
    if number == signal.SIGKILL:
        assert (exit_code(result), len(twice.requests)) == (3, 1)
        assert result.error is not None
        assert words in str(result.error["message"])
        assert result.files["failed"].read_text() == SLOWLY.rstrip("\n") + "\n"
        return
    assert exit_code(result) == 0
    error = str(twice.requests[1].inputs["error"])
    assert error.startswith("It failed twice, the second time on a fresh start: the shader worker was ended by signal")
    assert words in error


# Targets


TARGETS = {
    "corrupt": (b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "is a damaged PNG picture. Save it again"),
    "cut off": (encoded(photograph(), "PNG")[:-3000], "is a damaged PNG|cut off|ends too early|truncated|incomplete"),
    "text": (b"a lake\n", "is a text file. Give a picture as PNG"),
    "empty": (b"", "is empty"),
    "tiny": (encoded(np.zeros((4, 4, 3), np.uint8), "PNG"), "4 × 4 pixels: too small to work toward"),
    "long": (encoded(np.zeros((8, 900, 3), np.uint8), "PNG"), "longer than 32 to 1"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_targets_that_are_no_use_are_refused_before_any_call(tmp_path: Path, name: str) -> None:
    raw, said = TARGETS[name]
    (tmp_path / "target.png").write_bytes(raw)
    with pytest.raises(BriefError, match=rf"target\.png .*(?:{said})"):
        run(tmp_path / "run", [], target=tmp_path / "target.png")
    assert not (tmp_path / "run").exists()


def animated_gif() -> bytes:
    frames = [Image.fromarray(photograph()), Image.fromarray(photograph()[::-1])]
    return encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)


RIGHT = {
    "grey": (encoded(photograph()[..., 1], "PNG"), ""),
    "alpha": (encoded(np.dstack([photograph(), np.full((60, 90), 99, np.uint8)]), "PNG"), "white"),
    "16 bits": (encoded(photograph()[..., 0].astype(np.uint16) * 200, "PNG"), "16"),
    "animated": (animated_gif(), "first"),
    "palette": (encoded(Image.fromarray(photograph()).convert("P"), "GIF"), ""),
}


@pytest.mark.parametrize("name", RIGHT)
def test_targets_of_odd_kinds_are_scored_and_what_was_done_to_them_is_said(tmp_path: Path, name: str) -> None:
    raw, said = RIGHT[name]
    (tmp_path / "target").write_bytes(raw)
    result = run(tmp_path / "run", [reply_of()], target=tmp_path / "target")
    assert exit_code(result) == 0
    assert 0.0 < (result.iterations[0].score or 0.0) < 1.0
    about = Record.load(tmp_path / "run").transcript.notes["target"]
    assert isinstance(about, dict)
    assert (about["width"], about["height"]) == (90, 60)
    assert said in str(about["notes"])


@pytest.mark.slow
def test_a_huge_target_is_reduced_and_one_beyond_reason_refused(tmp_path: Path) -> None:
    (tmp_path / "target.png").write_bytes(encoded(np.tile(photograph(), (60, 60, 1)), "PNG", compress_level=1))
    result = run(tmp_path / "run", [reply_of()], target=tmp_path / "target.png")
    assert exit_code(result) == 0
    assert "5,400" in str(Record.load(tmp_path / "run").transcript.notes["target"])
    (tmp_path / "target.png").write_bytes(encoded(Image.new("1", (20_000, 20_000)), "PNG"))
    with pytest.raises(BriefError, match="far too many pixels"):
        run(tmp_path / "other", [], target=tmp_path / "target.png")


# What is stopped from outside


def children(pid: int) -> list[int]:
    """The shader workers of a process."""
    try:
        found = [each for path in Path(f"/proc/{pid}/task").glob("*/children") for each in path.read_text().split()]
    except OSError:
        return []
    return [int(each) for each in found if WORKER in Path(f"/proc/{each}/cmdline").read_bytes()]


def wait_until(true: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came to pass"
        time.sleep(0.05)


def rendering(out: Path) -> tuple[subprocess.Popen[str], int]:
    """The command line at work on a slow shader, and its worker, halted so that it cannot end before the signal."""
    inbox = out.parent / "inbox"
    words = ["shader", "rings", "--model", f"inbox:{inbox}", "--no-critic", "--iterations", "1", "--out", str(out)]
    size = ["--size", "256x256", "--frames", "3", "--memory", "none"]
    process = subprocess.Popen(
        [sys.executable, "-m", "redraft", *words, *size], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_until((inbox / "0001.request.md").exists)
    (inbox / "aside").write_text(reply_of(SLOWLY))
    (inbox / "aside").rename(inbox / "0001.reply.md")
    wait_until(lambda: children(process.pid))
    (worker,) = children(process.pid)
    os.kill(worker, signal.SIGSTOP)
    return process, worker


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_stopped_while_it_renders_no_worker_is_left_and_it_goes_on(tmp_path: Path, number: int, code: int) -> None:
    process, worker = rendering(tmp_path / "run")
    began = time.monotonic()
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == code, output
    assert time.monotonic() - began < 30
    with suppress(ProcessLookupError):  # only a process that runs can see that its parent is gone
        os.kill(worker, signal.SIGCONT)
    assert "Traceback" not in output
    wait_until(lambda: is_gone(worker), 10.0)
    if number == signal.SIGINT:
        assert f"continue with: redraft resume {tmp_path / 'run'}" in output
    command = [sys.executable, "-m", "redraft", "resume", tmp_path / "run"]
    again = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert again.returncode in (0, 1), again.stdout + again.stderr
    assert (tmp_path / "run" / "shader.glsl").read_text() == SLOWLY.rstrip("\n") + "\n"
    assert not (tmp_path / "inbox" / "0002.request.md").exists(), "nobody is asked twice"


# A memory and a driver that cannot be had


def test_a_home_that_cannot_be_written_is_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file stands where the data folder would be made: as root, too, nothing can be written there."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    broken = [reply_of(RINGS.replace("length(p)", call)) for call in ("lenght(p)", "length(q)")]
    config = Config.model_validate(
        {"studios": {"shader": {"width": 64, "height": 48, "frames": 2}}, "loop": {"iterations": 1}}
    )
    result = api.run("shader", "rings", config=config, model=ScriptedModel([*broken, reply_of()]), out=tmp_path / "run")
    assert exit_code(result) == 0
    (warning,) = result.warnings
    assert "fix memory" in warning
    assert str(tmp_path / "file") in warning


def test_a_driver_that_was_chosen_and_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GALLIUM_DRIVER", "nonsense")
    gl._program.cache_clear()  # pyright: ignore[reportPrivateUsage]
    try:
        result = run(tmp_path / "run", [reply_of()])
    finally:
        gl._program.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert exit_code(result) == 3
    assert result.error is not None
    message = str(result.error["message"])
    assert "Shaders need OpenGL 3.3 through EGL" in message
    assert "GALLIUM_DRIVER" in message
