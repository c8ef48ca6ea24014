"""The README is short and its links lead somewhere; the pages on scenes and on the sources are complete."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import JsonValue

from redraft.models.base import Request
from redraft.studios import open_studio

README = Path(__file__).parent.parent / "README.md"
ARCHITECTURE = README.parent / "docs" / "architecture.md"


def test_the_two_commands_come_first() -> None:
    first = README.read_text(encoding="utf-8").split("```")[1].split("\n")[1:]
    assert [line.split("#")[0].strip() for line in first if line.strip()] == ["make demo", "make test"]


def test_it_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target


def test_the_tree_is_the_source_tree() -> None:
    source = README.parent / "src" / "redraft"
    tree = ARCHITECTURE.read_text("utf-8").split("```text\nsrc/redraft/\n")[1].split("```")[0]
    core = "\n".join(line for line in tree.splitlines() if not line.startswith("    "))
    named = set(re.findall(r"\b(\w+)/", core)) - {"requirements"}
    assert named == {path.parent.name for path in source.glob("*/__init__.py")}
    wings = set(re.findall(r"^    (\w+)/", tree, re.MULTILINE))
    assert wings == {path.parent.name for path in source.glob("studios/*/__init__.py")}


def test_every_source_file_that_the_documentation_names_exists() -> None:
    pages = [*(README.parent / "docs").rglob("*.md"), *README.parent.glob("*.md")]
    texts = [
        page.read_text("utf-8")
        for page in pages
        if "log" not in (page.stem, page.parent.name) and page.stem != "CHANGELOG"
    ]
    named = {
        path for text in texts for path in re.findall(r"`((?:fixes|loop|record|studios)/[\w/]+\.(?:py|md\.j2))`", text)
    }
    assert len(named) > 5
    assert {path for path in named if not (README.parent / "src" / "redraft" / path).exists()} == set()


OFFLINE = {
    (studio, words)
    for page in (README, *sorted((README.parent / "docs").glob("[ft]*/*.md")))
    for studio, words, rest in re.findall(
        r'^redraft (sketch|scene|shader|image) "([^"]+)"([^\n]*)', page.read_text("utf-8"), re.M
    )
    if not re.search("--on|--model|--backend|--target", rest) and "knight" not in words
}


@pytest.mark.parametrize(("studio", "words"), sorted(OFFLINE))
def test_the_offline_model_makes_all_of_an_example(studio: str, words: str) -> None:
    drawer = "sketch" if studio == "image" else studio  # an image is drawn by the sketch studio
    answers = import_module(open_studio(drawer).offline).ANSWERS
    inputs: dict[str, JsonValue] = {"instruction": words, "kinds": ["count"], "seconds": 4.0}
    reply = answers[f"{drawer}.draft"](Request(kind=f"{drawer}.draft", path="x", inputs=inputs, messages=(), seed=1))
    assert reply.stand_ins == ()


def test_the_demo_is_drawn_whole() -> None:
    (words,) = re.findall(r'redraft sketch "([^"]+)"', (README.parent / "Makefile").read_text("utf-8"))
    test_the_offline_model_makes_all_of_an_example("sketch", words)
