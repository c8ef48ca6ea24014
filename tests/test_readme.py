"""The README's examples do what it says."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import JsonValue
from real_parts import needs
from two_parts import two_parts

from redraft.models.base import Request
from redraft.studios import open_studio
from redraft.studios.scene.rules.issues import CODES

README = Path(__file__).parent.parent / "README.md"
PYTHON = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_STUDIOS__BOARD__DRC", "never")  # KiCad is not what this is about
    Path("my.kicad_pcb").write_text(_board())
    exec(compile(PYTHON[number], str(README), "exec"), {})  # an example of our own, in our own repository
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("False" if "SemanticValidator" in PYTHON[number] else ("True", "valid")), last


def test_the_page_on_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = README.parent / "docs" / "boards.md"
    example, whole = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("my.kicad_pcb").write_text(_board())
    exec(compile(example, str(page), "exec"), {})  # as above
    exec(compile(whole, str(page), "exec"), {})
    assert Path("placed.kicad_pcb").is_file()
    assert capsys.readouterr().out.startswith("place_relative C1 0.5 mm right of U1.4")
    assert Path("out.kicad_pcb").is_file()


def example_of(page: str) -> str:
    (example,) = re.findall(r"```python\n(.*?)```", (README.parent / "docs" / page).read_text("utf-8"), re.DOTALL)
    return example


@pytest.mark.real
def test_the_page_on_shaders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("egl")
    monkeypatch.chdir(tmp_path)
    exec(compile(example_of("shaders.md"), "shaders.md", "exec"), {})  # as above
    assert capsys.readouterr().out == "True shader.glsl preview.png\n"


def test_the_page_on_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example_of("memory.md"), "memory.md", "exec"), {})  # as above
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "glsl:undeclared_identifier 1"
    assert rest[0] == "PAST FIXES FOR SIMILAR ERRORS:"
    assert "return colr;" in "\n".join(rest)


def _board() -> str:
    """The two parts as U1 and C1, with a pin 4, and room for 0.5 mm between pads."""
    text = two_parts().replace('"R1"', '"U1"').replace('"R2"', '"C1"').replace('(pad "2"', '(pad "4"')
    return text.replace("(start -1.5 -1) (end 1.5 1)", "(start -1.4 -1) (end 1.4 1)")


def test_the_two_commands_come_first() -> None:
    first = README.read_text(encoding="utf-8").split("```")[1].split("\n")
    assert [line.split("#")[0].strip() for line in first if line.strip()] == ["make demo", "make test"]


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target


def test_the_tree_is_the_source_tree() -> None:
    source = README.parent / "src" / "redraft"
    named = set(re.findall(r"`(\w+(?:\.py|/))`", README.read_text(encoding="utf-8").split("## How it is built")[1]))
    assert {name for name in named if not (source / name).exists()} == set()
    packages = {f"{path.parent.name}/" for path in source.glob("*/__init__.py")}
    assert packages - named == set()


@pytest.mark.real
@pytest.mark.slow
def test_the_page_on_scenes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("blender")
    needs("bwrap")
    monkeypatch.chdir(tmp_path)
    exec(compile(example_of("scenes.md"), "scenes.md", "exec"), {})  # as above
    assert capsys.readouterr().out == "True scene.blend scene.glb\n"


def test_the_page_on_scenes_has_every_code() -> None:
    told = re.findall(
        r"^\| `(\w+\.\w+)` \| (.*) \|$", (README.parent / "docs/scenes.md").read_text("utf-8"), re.MULTILINE
    )
    assert dict(told) == CODES


OFFLINE = [
    (studio, words)
    for studio, words, rest in re.findall(
        r'^redraft (sketch|scene|shader|image) "([^"]+)"([^\n]*)', README.read_text("utf-8"), re.M
    )
    if "--on" not in rest and "--model" not in rest and "--backend" not in rest
]


@pytest.mark.parametrize(("studio", "words"), OFFLINE)
def test_the_offline_model_makes_all_of_an_example(studio: str, words: str) -> None:
    drawer = "sketch" if studio == "image" else studio  # an image is drawn by the sketch studio
    answers = import_module(open_studio(drawer).offline).ANSWERS
    inputs: dict[str, JsonValue] = {"instruction": words, "kinds": ["count"], "seconds": 4.0}
    reply = answers[f"{drawer}.draft"](Request(kind=f"{drawer}.draft", path="x", inputs=inputs, messages=(), seed=1))
    assert reply.stand_ins == ()


def test_the_demo_is_drawn_whole() -> None:
    (words,) = re.findall(r'redraft sketch "([^"]+)"', (README.parent / "Makefile").read_text("utf-8"))
    test_the_offline_model_makes_all_of_an_example("sketch", words)
