"""`docs/api.md` from the docstrings: what it says now, and `python tests/helpers/api_docs.py` to write it anew."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import redraft
from redraft.options import choices, options_of
from redraft.studios import open_studio

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
STUDIOS = ("sketch", "scene", "board", "image", "shader")
HEAD = """# The Python API

```python
import redraft

result = redraft.run("shader", "slow aurora over a dark lake", frames=24, loop=True, seed=7)
result.outcome, result.files["glsl"]
```

Every name below is in `redraft.__all__`. This page is made from the docstrings and from the studios' settings:
`python tests/helpers/api_docs.py`.
"""


def page() -> str:
    """The whole page."""
    found = {name: getattr(redraft, name) for name in redraft.__all__}
    functions = {name: each for name, each in found.items() if inspect.isroutine(each)}
    errors = {name: each for name, each in found.items() if _is(each, Exception)}
    classes = {name: each for name, each in found.items() if name not in functions and name not in errors}
    parts = [HEAD, "## Functions\n", *(_function(name, each) for name, each in functions.items())]
    parts += ["## Options\n", "Keyword arguments of `run` and of each studio's function; flags on the command line.\n"]
    parts += [_options(name) for name in STUDIOS]
    parts += ["## Types\n", *(_class(name, each) for name, each in classes.items())]
    parts += ["## Errors\n\n| error | is a | |\n|---|---|---|", *(_error(name, each) for name, each in errors.items())]
    return "\n".join(parts).rstrip() + "\n"


def _is(each: Any, base: type) -> bool:
    return inspect.isclass(each) and issubclass(each, base)


def _doc(each: Any) -> str:
    return inspect.getdoc(each) or ""


def _function(name: str, each: Any) -> str:
    signature = re.sub(r" = <[^>]*>", " = …", str(inspect.signature(each))).replace(" = ''", ' = ""').replace("'", "")
    lines = _doc(each).split("\n")
    body = "\n".join(f"    {line}".rstrip() for line in lines[1:]).strip("\n")
    more = f"\n```text\n{inspect.cleandoc(body)}\n```\n" if body else ""
    return f"### `{name}`\n\n```python\n{name}{signature}\n```\n\n{lines[0]}\n{more}"


def _options(name: str) -> str:
    rows = ["| option | type | default | |", "|---|---|---|---|"]
    for option in options_of(open_studio(name)):
        kinds = " \\| ".join(choices(option.type)) or getattr(option.type, "__name__", str(option.type))
        kind = "size" if option.type is tuple else kinds
        default = "" if option.default is None else f"`{option.default}`"
        rows.append(f"| `{option.name}` | {kind} | {default} | {option.help.replace('|', chr(92) + '|')} |")
    return f"### `{name}`\n\n" + "\n".join(rows) + "\n"


def _class(name: str, each: Any) -> str:
    if not inspect.isclass(each):
        return f"### `{name}`\n\n"
    rows: Any = getattr(each, "__pydantic_fields__", {}).items()
    said = attribute_docs(each)
    table = "".join(f"| `{field}` | {_cell(said.get(field, info.description or ''))} |\n" for field, info in rows)
    return f"### `{name}`\n\n{_doc(each)}\n" + (f"\n| field | |\n|---|---|\n{table}" if table else "")


def _cell(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")


def attribute_docs(model: type) -> dict[str, str]:
    """The strings below the fields of a class and of its bases of redraft."""
    found = dict[str, str]()
    for each in reversed([base for base in model.__mro__ if base.__module__.startswith("redraft")]):
        body = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, said in zip(body.body, body.body[1:], strict=False):
            match field, said:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                    found[name] = words
                case _:
                    pass
    return found


def _error(name: str, each: type) -> str:
    parents = ", ".join(f"`{base.__name__}`" for base in each.__bases__)
    return f"| `{name}` | {parents} | {_doc(each).splitlines()[0] if _doc(each) else ''} |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
