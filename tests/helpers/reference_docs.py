"""Settings, events and MCP tools, from the code: `python tests/helpers/reference_docs.py` writes their pages anew."""

from __future__ import annotations

import inspect
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import anyio
import yaml
from api_docs import attribute_docs
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from redraft.config import Config
from redraft.mcp.server import build_server
from redraft.record.events import Event
from redraft.studios import open_studio
from redraft.trust import Trusted

DOCS = Path(__file__).parents[2] / "docs"
STUDIOS = ("sketch", "board", "scene", "shader", "image")
SETTINGS = """# Settings

Settings come from defaults, your own file (`~/.config/redraft/redraft.yaml` on Linux), `redraft.yaml` in the
current folder, variables of the environment, and options, each over the one before. Values are not converted:
`"false"` is not a boolean, and an unknown key is an error.

```sh
redraft config show                      # the settings in force, and where each comes from
redraft config set loop.iterations 3     # writes it into redraft.yaml
redraft config set --user seed 7         # writes it into your own file
redraft config check redraft.yaml
REDRAFT_LOOP__ITERATIONS=1 redraft sketch "a house beside a tree"
```

## Trust

A folder is data: a project that you cloned, a run that somebody sent you, a file of briefs. What is in it may shape
results. The settings marked **trust** below run programs, choose servers, name keys, spend money or reach files
elsewhere. From a folder they count only if

- the value is your own too, or is harmless (a smaller cap, `offline`, a path inside the folder), or
- you trust the file: `redraft trust .` trusts `redraft.yaml` and `.env` in this folder, `redraft trust
  briefs.jsonl` a file of briefs, each until a byte of it changes. `--revoke` takes it back.

Otherwise the command ends and lists them; `redraft config show` and `redraft doctor` list them too. A file that you
name with `--config`, variables of the environment and options are yours.

`redraft resume`, `undo` and `choose` treat a record in the same way. A run that you started on this machine goes on
as it was, as long as its folder stays where it is and its first line is unchanged. For another one `--as-recorded`
lists what its record sets, and asks on a terminal. `--sandbox none` is never carried over: give `--as-recorded`
each time.

The list of what you trust is `~/.local/share/redraft/trusted.txt` on Linux.

This page is made from the code: `python tests/helpers/reference_docs.py`.
"""
EVENTS = """# Events

A run writes each step into `events.jsonl`, one JSON object on a line. `redraft resume` continues from this file;
`transcript.json` and `report.html` are made from it.

```sh
redraft sketch "a house beside a tree" --out runs/house
grep -c effect_finished runs/house/events.jsonl
```

Each event has `event` (its kind), `key` (its place in the run, such as `iteration-1/draft/fix-1`) and `at` (its time,
in UTC).

This page is made from the code: `python tests/helpers/reference_docs.py`.
"""
TOOLS = """# MCP tools

The tools of `redraft mcp`, with the descriptions that an agent reads. [Agents](mcp.md) explains how to connect one.

```json
{"mcpServers": {"redraft": {"command": "redraft", "args": ["mcp", "/home/me/work"]}}}
```

This page is made from the code: `python tests/helpers/reference_docs.py`.
"""


def pages() -> dict[str, str]:
    """Each page by its name."""
    return {
        "settings.md": SETTINGS + "".join(_settings()),
        "events.md": EVENTS + "".join(_events()),
        "mcp-tools.md": TOOLS + "".join(_tools()),
    }


def _settings() -> Iterator[str]:
    yield _table("All runs", Config, "", {"studios", "models", "prompt", "images", "loop", "validation", "budget"})
    for title, key in {"Loop": "loop", "Validation": "validation", "Caps": "budget", "Models": "models",
                       "Ideas": "prompt", "Image backends": "images"}.items():  # fmt: skip
        yield _table(title, Config.model_fields[key].annotation, f"{key}.", set())
    for name in STUDIOS:
        yield _table(f"Studio `{name}`", open_studio(name).settings_model, f"studios.{name}.", set())


def _table(title: str, model: Any, prefix: str, left_out: set[str]) -> str:
    rows = "".join(_rows(model, prefix, left_out))
    return f"\n## {title}\n\n| key | values | default | |\n|---|---|---|---|\n{rows}"


def _rows(model: type[BaseModel], prefix: str, left_out: set[str]) -> Iterator[str]:
    said = attribute_docs(model)
    for name, field in model.model_fields.items():
        kind: Any = field.annotation
        if name in left_out or field.exclude:  # excluded: found by redraft, not set by anybody
            continue
        if inspect.isclass(kind) and issubclass(kind, BaseModel):
            yield from _rows(kind, f"{prefix}{name}.", left_out)
        else:
            words = " ".join(said.get(name, field.description or "").split())
            trusted = [f" **Trust**: {mark.does}." for mark in field.metadata if isinstance(mark, Trusted)]
            words += "".join(trusted)
            yield f"| `{prefix}{name}` | {_kind(field)} | {_default(field)} | {_cell(words)} |\n"


def _kind(field: FieldInfo) -> str:
    bounds = [f"{sign} {value}" for part in field.metadata for sign, value in _bounds(part)]
    return _cell(", ".join((_type(field.annotation), *bounds)))


def _bounds(part: Any) -> Iterator[tuple[str, Any]]:
    for name, sign in {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}.items():
        if (value := getattr(part, name, None)) is not None:
            yield sign, value


def _type(kind: Any) -> str:
    """`int | None` as `int`: what is not set is shown as the default."""
    if isinstance(kind, str):
        return kind
    arguments = [each for each in get_args(kind) if each is not NoneType]
    if get_origin(kind) in (Annotated, Literal, Union, UnionType):
        chosen = arguments[:1] if get_origin(kind) is Annotated else arguments
        return " | ".join(_type(each) for each in chosen)
    if not inspect.isclass(kind) or arguments:
        return re.sub(r"\b[a-z][\w]*\.", "", str(kind)).replace(" | None", "")
    return {"str": "text", "bool": "true | false"}.get(kind.__name__, kind.__name__)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    return "" if default in (None, "", (), {}) else f"`{yaml.safe_dump(default, width=999).split(chr(10))[0]}`"


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")


def _events() -> Iterator[str]:
    for kind in get_args(get_args(Event)[0]):
        said = attribute_docs(kind)
        rows = "".join(
            f"| `{name}` | {_cell(_type(field.annotation))} | {_cell(' '.join(said.get(name, '').split()))} |\n"
            for name, field in kind.model_fields.items()
            if name not in ("event", "key", "at")
        )
        table = f"\n| field | type | |\n|---|---|---|\n{rows}" if rows else ""
        yield f"\n## {kind.model_fields['event'].default}\n\n{inspect.getdoc(kind)}\n{table}"


def _tools() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        listed: list[Any] = list(anyio.run(build_server([Path(folder)], studios=list(STUDIOS)).list_tools))
    heading = ""
    for tool in sorted(listed, key=lambda tool: _group(tool.name)):
        if heading != _group(tool.name)[1]:
            heading = _group(tool.name)[1]
            yield f"\n## {heading}\n"
        rows = "".join(
            f"| `{name}`{' (required)' if name in tool.input_schema.get('required', ()) else ''} | {_schema(field)} |"
            f" {_cell(' '.join(field.get('description', '').split()))} |\n"
            for name, field in tool.input_schema.get("properties", {}).items()
        )
        table = f"\n| argument | type | |\n|---|---|---|\n{rows}" if rows else ""
        said = tool.description.strip().replace(folder, "/home/me/work")
        yield f"\n### {tool.name}\n\n````text\n{said}\n````\n{table}"


def _group(name: str) -> tuple[int, str]:
    studio = name.partition("_")[0]
    return (STUDIOS.index(studio), studio) if studio in STUDIOS else (len(STUDIOS), "All studios")


def _schema(field: dict[str, Any]) -> str:
    if "enum" in field:
        return _cell(" | ".join(map(str, field["enum"])))
    kinds = [str(kind["type"]) for kind in (field, *field.get("anyOf", ())) if kind.get("type", "null") != "null"]
    return _cell(" | ".join(dict.fromkeys(kinds)))


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
