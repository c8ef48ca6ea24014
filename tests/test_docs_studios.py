"""The page on writing a studio: its blocks are the example's own text, and it names everything that there is."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from toy import Number, ToyStudio

from redraft.brief import Brief
from redraft.models.conversation import Prompts
from redraft.studios import kinds
from redraft.studios.base import Resources, Studio
from redraft.studios.defaults import inputs_of
from redraft.studios.requests import DraftRequest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "diagrams"
PAGE = (ROOT / "docs" / "studios.md").read_text("utf-8")
BLOCK = re.compile(r"^```(python|toml|jinja|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_block_is_taken_from_the_example() -> None:
    texts = [file.read_text("utf-8") for file in EXAMPLE.rglob("*") if file.suffix in (".py", ".toml", ".j2", ".md")]
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) > 12
    for _, block in blocks:
        assert any(block in text for text in texts), f"not in the example: {block}"


def test_the_whole_example_is_shown() -> None:
    """Whoever has read the page has seen all of the module but its imports."""
    source = (EXAMPLE / "redraft_diagrams" / "__init__.py").read_text("utf-8")
    shown = {line for _, block in BLOCK.findall(PAGE) for line in block.splitlines()}
    left = [line for line in source.splitlines()[1:] if line and line not in shown]
    assert [line for line in left if not line.startswith(("import ", "from ", "NUMBER = "))] == []


def test_it_names_every_member_of_a_studio_and_every_field_of_a_bench() -> None:
    classes = [Studio, *(kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, Studio))]
    members = {name for each in classes for name in (*vars(each).get("__annotations__", ()), *vars(each))}
    members |= {each.__name__ for each in classes}
    members |= {field.name for field in dataclasses.fields(Resources)}
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", PAGE.replace("```", "")))))
    in_code = set(re.findall(r"\w+", " ".join(block for _, block in BLOCK.findall(PAGE))))
    assert {name for name in members if not name.startswith("_")} - named - in_code == set()


def test_it_lists_every_input_of_a_template() -> None:
    rows = PAGE.partition("| input | |")[2].partition("\n\n")[0]
    listed = {name for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if row else "")}
    request = DraftRequest[Number](brief=Brief.of("at least 3"))
    assert listed == set(inputs_of(ToyStudio(), request))


def test_it_lists_every_template() -> None:
    for name in re.findall(r"`(\w+)`", PAGE.partition("redraft has templates for")[2].partition("that fit")[0]):
        assert Prompts("redraft.studios").names(name)
