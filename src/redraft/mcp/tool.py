"""Tools of this server: strict about arguments, plain about failures; and their answers, as typed JSON.

The SDK's own tool ignores arguments that it does not have and hides what went wrong. Here an unknown argument is an
error, every `RedraftError` reaches the client in its own words, and JSON is written without blanks. Names, texts and
messages in answers are data."""

from __future__ import annotations

import base64
import inspect
import io
import json
import logging
import struct
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, cast

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.config import Config
from redraft.errors import BriefError, RedraftError, RunNotFoundError
from redraft.mcp.opened import OpenWorks, named_work
from redraft.result import Issue, Picture, Report
from redraft.tokens import estimate
from redraft.yamldata import read_yaml

T = TypeVar("T")


class Answer(BaseModel):
    """Base of the tools' answers."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Finding(Answer):
    """Something that a check found."""

    id: str = ""
    """Id of the requirement that does not hold; empty for other findings."""
    severity: str
    code: str = ""
    says: str
    hint: str = ""
    """The smallest change that would put it right."""
    parts: tuple[str, ...] = ()
    at: tuple[float, ...] = ()


MOST_LINES = 12
"""Lines of one kind in an answer."""
LONGEST = 300
"""Characters of a line in an answer."""
LONGER_SIDE = 1_600
"""Pixels of a picture in an answer; a larger one is made smaller."""
BEAT = 5.0
"""Seconds between two notices of progress."""
FINDINGS = 600
"""Tokens of the findings in an answer."""


def findings_of(report: Report) -> tuple[Finding, ...]:
    """Return the findings of a report: errors, then warnings, then notes."""
    issues = (*report.errors, *report.warnings, *report.notes)
    found: list[Finding] = []
    left = FINDINGS
    for i in issues[:MOST_LINES]:
        found.append(finding_of(i))
        left -= estimate(found[-1].model_dump_json(exclude_defaults=True))
        if left < 0:
            break
    if len(issues) > len(found):
        found.append(Finding(severity="left out", says=f"{len(issues) - len(found)} more"))
    return tuple(found)


def finding_of(issue: Issue) -> Finding:
    """Return an issue as a client gets it."""
    return Finding(id=issue.requirement, severity=issue.severity, says=_cut(issue.message), hint=_cut(issue.hint))


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def within(lines: Sequence[str], tokens: int) -> tuple[str, ...]:
    """Return as many lines as fit into a number of tokens, each cut to `LONGEST`, and how many do not."""
    found: list[str] = []
    for count, line in enumerate(map(_cut, lines)):
        tokens -= estimate(line) + 1
        if tokens < 0:
            return (*found, f"… and {len(lines) - count} more")
        found.append(line)
    return tuple(found)


def answer(
    model: BaseModel, pictures: Sequence[Picture] = (), links: Sequence[ResourceLink] = (), *, is_error: bool = False
) -> CallToolResult:
    """Return structured content, the same as text, and the pictures. What has its default is left out."""
    data = model.model_dump(mode="json", exclude_defaults=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    shown = [ImageContent(data=base64.b64encode(p.png).decode(), mime_type="image/png") for p in pictures]
    content: list[ContentBlock] = [TextContent(text=text), *shown, *links]
    return CallToolResult(content=content, structured_content=data, is_error=is_error)


async def pictured(pictures: Sequence[Picture]) -> list[Picture]:
    """Return the pictures, those that are too large made smaller."""
    return [await anyio.to_thread.run_sync(_smaller, picture) for picture in pictures]


def _smaller(picture: Picture) -> Picture:
    if max(struct.unpack(">II", picture.png[16:24])) <= LONGER_SIDE:  # where a PNG has its width and height
        return picture
    from PIL import Image

    image, buffer = Image.open(io.BytesIO(picture.png)), io.BytesIO()
    image.thumbnail((LONGER_SIDE, LONGER_SIDE), Image.Resampling.LANCZOS)
    image.save(buffer, "PNG")
    return picture.model_copy(update={"png": buffer.getvalue()})


async def reporting(ctx: Context, message: str, work: Callable[[], Awaitable[T]]) -> T:
    """Do something while the client gets a notice of progress every few seconds; canceled with the call."""
    failure: RedraftError | None = None
    result: T | None = None

    async def beat() -> None:
        seconds = 0.0
        while True:
            await ctx.report_progress(seconds, None, f"{message} ({seconds:.0f} s)" if seconds else message)
            await anyio.sleep(BEAT)
            seconds += BEAT

    async with anyio.create_task_group() as group:
        group.start_soon(beat)
        try:
            result = await work()
        except RedraftError as error:
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result  # pyright: ignore[reportReturnType]


@contextmanager
def resource_errors() -> Generator[None]:
    """Raise redraft's errors as those of a resource, in their own words."""
    try:
        yield
    except (BriefError, RunNotFoundError) as error:
        raise ResourceNotFoundError(str(error)) from error
    except RedraftError as error:
        raise ResourceError(str(error)) from error


Effect = Literal["reads", "changes", "writes"]
"""Effect of a call: none; on the open work, which undo takes back; on a file."""


class StudioTools(ABC):
    """What a server offers for one studio. A studio brings a subclass under the entry point group `redraft.tools`."""

    def __init__(self, name: str, works: OpenWorks, config: Config, *, by_handle: bool) -> None:
        self.name = name
        self.works = works
        self.config = config
        self.by_handle = by_handle
        self.words = words_beside(type(self))
        """Titles and texts of tools by name."""

    @abstractmethod
    def tools(self) -> list[StudioTool]:
        """Return the tools."""

    def extend(self, server: MCPServer[Any]) -> None:  # noqa: B027  nothing, by default
        """Add resources and prompts to the server."""

    def make(
        self,
        fn: Callable[..., Any],
        answer: type[BaseModel],
        effect: Effect,
        *,
        by_handle: bool | None = None,
        **more: Any,
    ) -> StudioTool:
        """Return a tool from a function, as `make_tool` does, with the words in `tools.yaml` beside the studio."""
        by_handle = self.by_handle if by_handle is None else by_handle
        return make_tool(fn, answer, effect, by_handle=by_handle, words=self.words, **more)


@cache
def words_beside(kind: type) -> dict[str, dict[str, str]]:
    """Return titles and texts of tools by name, from `tools.yaml` beside the module of a class, if there is one."""
    file = Path(inspect.getfile(kind)).with_name("tools.yaml")
    return read_yaml(file.read_text("utf-8")) if file.is_file() else {}


_log = logging.getLogger(__name__)

HANDLE = "handle"
"""Argument that names the work that a call means, where calls stand alone."""

_HANDLE_SCHEMA = {"type": "string", "maxLength": 100, "description": "The handle that the first call gave."}


_CRASHED = (
    "{} failed because of an internal error in redraft; the call is not the cause. The server's log has the details."
)


class _Strict(ArgModelBase):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class StudioTool(Tool):
    """A tool whose failures are words. `by_handle`: it takes the argument `HANDLE`."""

    by_handle: bool = False

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """See `Tool.run`.

        Raises:
            ToolError: with the words of what went wrong.
        """
        own = dict(arguments)
        handle = own.pop(HANDLE, None) if self.by_handle else None
        if not isinstance(handle, str | None):
            raise ToolError(f"{HANDLE}: {handle!r} is not a handle; pass the text that the first call gave.")
        with named_work(handle):
            try:
                return await super().run(own, context, convert_result)
            except UnexpectedToolError as error:
                if not isinstance(error.__cause__, RedraftError):
                    _log.exception("%s failed", self.name)
                raise _plain_error(error, self) from error
            except ToolError as error:
                raise _plain_error(error, self) from error


def make_tool(
    fn: Callable[..., Any],
    answer: type[BaseModel],
    effect: Effect,
    *,
    name: str = "",
    arguments: type[BaseModel] | None = None,
    by_handle: bool = False,
    texts: Mapping[str, str] = MappingProxyType({}),
    words: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> StudioTool:
    """Return a tool from a function.

    Args:
        answer: the model of its structured answer.
        name: by which `tools.yaml` has its title and text, or has them for the verb at its end; the function's by
            default.
        arguments: a model whose fields are its arguments; the function then takes a context and keywords.
        by_handle: it takes the argument `HANDLE`.
        texts: fills in what its text leaves open.
        words: titles and texts of a studio, which come before redraft's own.
    """
    name = name or fn.__name__
    shared = words_beside(StudioTools)
    own = {"title": name.replace("_", " "), "text": inspect.getdoc(fn) or ""}
    said = words.get(name) or shared.get(name) or shared.get(name.rpartition("_")[2]) or own
    annotations = ToolAnnotations(
        title=said["title"],
        read_only_hint=effect == "reads",
        destructive_hint=effect == "writes",
        idempotent_hint=effect != "changes",
        open_world_hint=False,
    )
    about = said["text"].format(**texts).strip()
    fn = fn if arguments is None else _taking(fn, arguments)
    tool = StudioTool.from_function(
        fn, name=name, title=said["title"], description=about, annotations=annotations, structured_output=False
    )
    assert isinstance(tool, StudioTool)
    tool.fn_metadata.arg_model = _strict(tool)
    schema = tool.fn_metadata.arg_model.model_json_schema(by_alias=True)
    tool.parameters = _brief(schema, schema.pop("$defs", {}))
    # Given here instead of found out by the SDK, which would work each out anew and make the server start later.
    tool.fn_metadata.output_schema = _answer_schema(answer)
    tool.fn_metadata.output_model = answer
    if by_handle:
        tool.by_handle = True
        tool.parameters.setdefault("properties", {})[HANDLE] = _HANDLE_SCHEMA
    return tool


@cache
def _answer_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """The schema of an answer, one level deep: a client may check it, and a model reads the answer itself."""
    schema = answer.model_json_schema(mode="validation")
    types = {name: _type(part) for name, part in schema["properties"].items()}
    return {"type": "object", "properties": types, "required": schema.get("required", [])}


def _type(part: dict[str, Any]) -> dict[str, Any]:
    kinds = [part.get("type", "object")] if "anyOf" not in part else [p.get("type", "object") for p in part["anyOf"]]
    return {"type": kinds[0] if len(kinds) == 1 else kinds}


_NEEDLESS = frozenset({"title", "minLength", "maxLength", "propertyNames"})
_FAR = {"minimum": 1000, "maximum": 1000, "maxItems": 20}
"""Limits from here on only guard the server."""


def _brief(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema of arguments as a model reads it, in two thirds of the tokens.

    Each definition stands where it is used. Left out are titles, defaults that only say that an argument was left out,
    and limits that no sensible call meets: the arguments are checked against them all the same, and errors name them.
    """
    if isinstance(schema, list):
        return [_brief(part, definitions) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = cast("dict[str, Any]", schema)
    if "$ref" in parts:
        return _brief(definitions[parts["$ref"].rpartition("/")[2]], definitions)
    brief = {key: _brief(part, definitions) for key, part in parts.items() if not _is_needless(key, part)}
    if "anyOf" in brief and parts.get("default", "") is None:
        choices = [choice for choice in brief.pop("anyOf") if choice != {"type": "null"}]
        brief |= choices[0] if len(choices) == 1 else {"anyOf": choices}
    return brief


def _is_needless(key: str, value: Any) -> bool:
    if key == "default":
        return value is False or value in (None, [], {})
    return key in _NEEDLESS or (key in _FAR and abs(value) >= _FAR[key])


def _taking(fn: Callable[..., Any], arguments: type[BaseModel]) -> Callable[..., Any]:
    """Return a function of a context and keywords as one of a model's fields, with their words and limits."""

    async def call(ctx: Context, **given: Any) -> Any:
        return await fn(ctx, **given)

    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(
            name,
            kinds[1],
            default=inspect.Parameter.empty if info.is_required() else info.get_default(call_default_factory=True),
            annotation=Annotated[(info.annotation, *info.metadata, Field(description=info.description))],
        )
        for name, info in sorted(arguments.model_fields.items(), key=lambda field: not field[1].is_required())
    ]
    context = inspect.Parameter("ctx", kinds[0], annotation=Context)
    call.__annotations__ = {"ctx": Context}
    call.__signature__ = inspect.Signature([context, *parameters])  # pyright: ignore[reportFunctionMemberAccess]
    return call


def _strict(tool: Tool) -> type[ArgModelBase]:
    """The argument model with unknown arguments refused."""
    loose = tool.fn_metadata.arg_model
    return type(loose.__name__, (_Strict, loose), {"__module__": __name__})


def _plain_error(error: ToolError, tool: Tool) -> ToolError:
    """Return the failure in redraft's own words; an unexpected one keeps the SDK's."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        return ToolError(_argument_errors(cause, tool))
    if isinstance(error, UnexpectedToolError):
        return ToolError(str(cause)) if isinstance(cause, RedraftError) else ToolError(_CRASHED.format(tool.name))
    return ToolError(str(cause)) if isinstance(cause, ToolError) else error


def _argument_errors(error: ValidationError, tool: Tool) -> str:
    """One line for each argument that is wrong: its name, what was given, what would be right."""
    names = ", ".join(tool.fn_metadata.arg_model.model_fields) or "none"
    lines = [f"{tool.name}: {len(error.errors())} wrong argument(s). It takes: {names}."]
    for problem in error.errors(include_url=False):
        where = f"{'.'.join(str(part) for part in problem['loc']):.120}"
        given = "" if problem["type"] == "missing" else f"; given {_short(problem['input'])}"
        said = "unknown argument" if problem["type"] == "extra_forbidden" else problem["msg"]
        lines.append(f"- {where}: {said.removeprefix('Value error, ')}{given}")
    return "\n".join(lines)


def _short(value: object) -> str:
    text = repr(value.model_dump() if isinstance(value, BaseModel) else value)
    return text if len(text) <= 120 else f"{text[:117]}…"
