"""Inputs that requests of the shader studio have beside the shared ones, and the request about a reference.

A target is described to every model as a grid of mean colors; one that sees is shown it, too.
"""

from __future__ import annotations

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.errors import BriefError
from redraft.limits import SOURCE, read_file
from redraft.models.conversation import Block, ChatStep, Inputs, Prompts
from redraft.result import Failure, Picture
from redraft.studios.requests import Discovery, FixRequest, StudioRequest, critique_of
from redraft.studios.shader.execute import times_of
from redraft.studios.shader.parse import named_lines, whole_reply
from redraft.studios.shader.render import captions, compared
from redraft.studios.shader.settings import own
from redraft.studios.shader.spec import Shader
from redraft.studios.wording import bounded

PROMPTS = Prompts("redraft.studios.shader")
MAX_REFERENCE = 60_000
"""Characters of a reference; a page of notes has three thousand, a long shader thirty."""


def inputs(request: StudioRequest[Shader]) -> dict[str, JsonValue]:
    """Return size, times and captions of the frames; of an error the lines that it names, in the whole shader."""
    settings, shader = own(request.settings), request.current
    fields: dict[str, JsonValue] = {
        "width": settings.width or 512,
        "height": settings.height or 512,
        "frames": len(times_of(settings)),
        "seconds": settings.seconds,
        "seamless": settings.loop,
        "pictures": [*captions(pictures(request))],
    }
    critique = critique_of(request)
    if critique is not None and shader is not None:
        fields |= {"frames": len(shader.frames), "seconds": shader.seconds, "seamless": shader.loop}
        fields["took"] = "" if critique.compares else render_time(shader)
    elif isinstance(request, FixRequest) and request.failure.failure_class == "E1":
        reply = whole_reply(request.reply, None if shader is None else shader.code)  # so that its lines can be counted
        fields |= {"reply": bounded(reply), "lines": named_lines(request.failure.message, reply)}
    return fields


def pictures(request: StudioRequest[Shader]) -> tuple[Picture, ...]:
    """Return the pictures of a request; of two versions that are compared, those that show the difference best."""
    critique = critique_of(request)
    return compared(request.pictures) if critique is not None and critique.compares else request.pictures


def discover(brief: Brief, reply: str, failure: Failure | None) -> Block:
    """Return the request for what of the brief's reference to reuse, to change and to bridge. Raises `BriefError`."""
    inputs: Inputs = {
        "instruction": brief.instruction,
        "reference": reference_of(brief),
        "target": brief.target is not None,
        "reply": bounded(reply),
        "error": "" if failure is None else failure.message,
    }
    step = ChatStep(
        name="discover",
        kind="shader.discover",
        prompts=PROMPTS,
        template="discover",
        system="system_discover",
        inputs=inputs,
        schema=Discovery,
    )
    return Block(name="discover", nodes=(step,))


def reference_of(brief: Brief) -> str:
    """Return the text of the brief's reference; empty without one.

    Raises:
        BriefError: it cannot be read, is not UTF-8 text, is empty or too long.
    """
    path = brief.reference
    if path is None:
        return ""
    try:
        text = read_file(path, SOURCE).decode("utf-8-sig").strip()
    except OSError as error:
        reason = error.strerror or error
        raise BriefError(f"The reference {path} cannot be read: {reason}. Give a text file.") from error
    except UnicodeDecodeError as error:
        raise BriefError(
            f"The reference {path} is not valid UTF-8 (byte {error.start}). Give a shader or notes as text; a picture "
            "to work toward is given with --target."
        ) from error
    if not text or len(text) > MAX_REFERENCE:
        content = f"{len(text):,} characters" if text else "nothing"
        raise BriefError(
            f"The reference {path} holds {content}; from 1 to {MAX_REFERENCE:,} characters are read. Give the part "
            "that matters."
        )
    return text


def render_time(shader: Shader) -> str:
    """Return the time to render a frame, in words; empty where it was not measured."""
    if shader.milliseconds is None:
        return ""
    return f"{shader.milliseconds:.3g} ms a frame ({shader.width} × {shader.height}, {shader.compiler})"
