"""Shader runs written event by event, toward a target and from words, with small pictures painted for the purpose."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

import numpy as np
from PIL import Image
from run_writer import RunWriter

from redraft.files import write_atomic
from redraft.record.events import Learnt, Noted, Recalled
from redraft.result import IterationRecord, Report, Score, Verdict

Paint = Callable[[float, float], Image.Image]
"""A picture, by how near it is to the target (0 to 1) and its time (0 to 1)."""

GLSL = """#version 330
/* A lake at dusk,
   painted <back to front>. */
uniform vec2 u_resolution;
in vec2 v_uv;
out vec4 f_color;

float blob(vec2 p, float r) { return smoothstep(r, 0.0, length(p)); }  // soft & round

void main() {
    vec3 sky = mix(vec3(0.9, 0.5, 0.3), vec3(0.1, 0.1, 0.3), v_uv.y);
    f_color = vec4(sky + blob(v_uv - 0.6, 0.3), 1.0);
}
"""
STORE = "SQLite ~/.local/share/redraft/fixes.sqlite"
TURNS = (0.4231, 0.3892, 0.3910, None, 0.3412)
"""FLIP of the best frame, turn by turn; in the fourth nothing ran."""
MEANS = (0.45, 0.41, 0.42, None, 0.36)


def dusk(near: float, time: float, size: int = 48) -> Image.Image:
    """A lake under a low sun; the farther away, the flatter."""
    y, x = np.mgrid[0:size, 0:size] / size
    sun = np.exp(-((x - 0.3 - 0.3 * time) ** 2 + (y - 0.45) ** 2) / (0.01 + 0.2 * (1 - near)))
    waves = near * 0.12 * np.sin(40 * y + 6 * math.tau * time) * (y > 0.6)
    channels = [(0.9 - 0.7 * y + 0.5 * sun + waves), (0.45 - 0.2 * y + 0.4 * sun + waves), (0.3 + 0.2 * y + waves)]
    return Image.fromarray((255 * np.clip(np.stack(channels, -1), 0, 1)).astype(np.uint8))


def target_run(writer: RunWriter, paint: Paint = dusk, frames: int = 3) -> None:
    """Five turns toward a picture: two candidates, a worse turn, one that does not compile, and the best last."""
    writer.start(
        "Come as near to the target picture as you can.",
        studio="shader",
        run="runs/2026-11-22-dusk",
        brief={"instruction": "Come as near to the target picture as you can.", "on": None, "target": "dusk.jpg"},
    )
    target = keep(writer, "target.png", paint(1.0, 0.0))
    about = {
        "picture": target,
        "width": 640,
        "height": 640,
        "notes": ["Its alpha was laid on white."],
        "metric": "FLIP",
    }
    note(writer, "target", about)
    note(writer, "memory", {"store": STORE})
    writer.call("discover", "Sort the reference.", "{}", kind="shader.discover")
    found = {"reuse": ["the fog that thickens with depth"], "change": ["its colours: warm, not blue"], "bridge": []}
    note(writer, "discovery", found)
    for number, best in enumerate(TURNS, start=1):
        if best is None:
            _failed_turn(writer, number)
        else:
            _turn(writer, number, best, paint, frames)
    files = {"glsl": "shader.glsl", "png": "frame.png", "preview": "preview.webp", "frames": "frames"}
    deliver(writer, [paint(0.9, n / frames) for n in range(frames)])
    writer.finish(files=files, delivered="iteration-5")


def _turn(writer: RunWriter, number: int, best: float, paint: Paint, frames: int) -> None:
    place, kind = f"iteration-{number}", "draft" if number == 1 else "edit"
    mean = MEANS[number - 1] or 0.0
    score = Score(metric="FLIP", best=best, mean=mean, frame=1, frames=(mean, best, mean)[:frames])
    if number == 1:
        _candidates(writer, score, paint, frames)
    else:
        writer.call(f"{place}/{kind}", "Come nearer.", GLSL, kind="shader.edit")
        writer.attempted(f"{place}/{kind}", kind=kind, approach="Warmer sky, a longer reflection", summary="14 lines")
        picture = sheet(writer, f"{place}.png", paint, number, frames)
        path = f"{place}/validate-0"
        writer.validated(path, Report(), "", iteration=number, source=kind, picture=picture, overlay="", score=score)
    writer.verified(
        Verdict(by="metric", satisfied=False, score=best, summary=f"FLIP {best:.4f}", measured=score), number
    )
    before = next((s for s in reversed(TURNS[: number - 1]) if s is not None), None)
    better = None if before is None else best < before
    writer.iterated(IterationRecord(iteration=number, agent_notes="warmer", metric="FLIP", score=best, improved=better))


def _candidates(writer: RunWriter, score: Score, paint: Paint, frames: int) -> None:
    worse = score.model_copy(update={"best": 0.4817})
    for n, one in enumerate((score, worse)):
        path = f"iteration-1/candidate-{n}"
        writer.call(f"{path}/draft", "Paint it.", GLSL, kind="shader.draft")
        recalled(writer, f"{path}/draft", "glsl:undeclared_identifier", 4, 0 if n == 0 else 2, worked=n == 0)
        writer.attempted(
            f"{path}/draft",
            approach="A gradient and a soft disc",
            retry_count=n,
            errors=("E1: 0:5(12): error: `foo' undeclared",),
            summary="9 lines",
        )
        writer.validated(
            f"{path}/validate-0",
            Report(),
            "",
            candidate=n,
            picture=sheet(writer, f"candidate-{n}.png", paint, 1 - n, frames),
            overlay="",
            kept=n == 0,
            next="use" if n == 0 else "rank",
            score=one,
        )


def _failed_turn(writer: RunWriter, number: int) -> None:
    path, error = f"iteration-{number}/edit", "E1: 0:7(3): error: size mismatch for matrix multiplication"
    writer.call(path, "Come nearer.", GLSL, kind="shader.edit")
    recalled(writer, path, "glsl:operator_mismatch", 1, 1, worked=None)
    writer.attempted(
        path,
        kind="edit",
        ran=False,
        retry_count=3,
        errors=(error,) * 4,
        approach="Ripples by a rotation matrix",
        summary="",
    )
    writer.verified(Verdict(by="none", satisfied=False, summary="did not run (E1: size mismatch)"), number)
    writer.iterated(IterationRecord(iteration=number, metric="FLIP", compile_error=error))
    key = f"iteration-{number}/edit/learn-1"
    writer.journal.write(Learnt(key=key, at=writer.journal.now, error="glsl:syntax_error", fix="0123456789abcdef"))


def words_run(writer: RunWriter, paint: Paint = dusk, frames: int = 6) -> None:
    """One turn from a sentence, with an animation and no target; the memory's store could not be reached."""
    writer.start("A low sun over a lake, drifting slowly", studio="shader", run="runs/2026-11-22-sun")
    note(writer, "memory", {"store": "Redis redis://127.0.0.1:6379/0"})
    writer.call("iteration-1/draft", "Paint it.", GLSL, kind="shader.draft")
    writer.attempted("iteration-1/draft", approach="Two gradients and a soft disc", summary="14 lines")
    picture = sheet(writer, "sheet.png", paint, 5, frames)
    writer.validated("iteration-1/validate-0", Report(), "", picture=picture, overlay="")
    note(writer, "memory off", "127.0.0.1:6379 refused the connection")
    deliver(writer, [paint(1.0, n / frames) for n in range(frames)])
    writer.finish(files={"glsl": "shader.glsl", "png": "frame.png", "preview": "preview.webp", "frames": "frames"})


def recalled(
    writer: RunWriter, path: str, error: str, fixes: int, examples: int, *, worked: bool | None, replayed: str = "ab12"
) -> None:
    """The memory was asked; `worked` None means that nothing fitted."""
    writer.journal.write(
        Recalled(
            key=f"{path}/recall",
            at=writer.journal.now,
            error=error,
            fixes=fixes,
            examples=examples,
            replayed="" if worked is None else replayed,
            worked=worked,
        )
    )


def note(writer: RunWriter, topic: str, data: object) -> None:
    """Put something into the record under a name."""
    writer.journal.write(Noted.model_validate({"key": topic, "at": writer.journal.now, "topic": topic, "data": data}))


def sheet(writer: RunWriter, name: str, paint: Paint, stage: int, frames: int) -> str:
    """All frames side by side, kept among the run's pictures."""
    shots = [paint(0.3 + 0.12 * stage, n / frames) for n in range(frames)]
    whole = Image.new("RGB", (sum(shot.width for shot in shots), shots[0].height))
    for n, shot in enumerate(shots):
        whole.paste(shot, (n * shot.width, 0))
    return keep(writer, name, whole)


def keep(writer: RunWriter, name: str, picture: Image.Image) -> str:
    """A picture of the run; its name there."""
    write_atomic(writer.folder / "pictures" / name, png(picture))
    return f"pictures/{name}"


def png(picture: Image.Image) -> bytes:
    """A picture as PNG."""
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def webp(pictures: list[Image.Image]) -> bytes:
    """Pictures as a WebP animation."""
    stream = io.BytesIO()
    pictures[0].save(stream, "WEBP", save_all=True, append_images=pictures[1:], duration=80)
    return stream.getvalue()


def deliver(writer: RunWriter, shots: list[Image.Image]) -> None:
    """The files of a finished shader run."""
    write_atomic(writer.folder / "shader.glsl", GLSL)
    write_atomic(writer.folder / "frame.png", png(shots[0]))
    write_atomic(writer.folder / "preview.webp", webp(shots))
    for number, shot in enumerate(shots):
        write_atomic(writer.folder / "frames" / f"frame-{number:03}.png", png(shot))
