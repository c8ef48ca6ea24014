"""What every studio must do. A studio of a third party is tested by adding it, with a good reply, to `STUDIOS`."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import scene_replies
from drawings import HOUSE
from hypothesis import given, settings
from hypothesis import strategies as st
from real_parts import needs
from request_for import Facts, request_for
from resources import resources_in
from shaders import reply_of
from toy import ToyStudio
from two_parts import two_parts

from redraft.brief import Brief
from redraft.conversation import Block, request_of
from redraft.errors import BriefError, FormatError
from redraft.models.base import Request
from redraft.result import Failure, Picture, Report, Verdict
from redraft.studios import open_studio
from redraft.studios.base import Artifact, Kind, Resources, Studio

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Case:
    """A studio and what it should understand."""

    make: Callable[[], Studio[Any, Any]]
    instruction: str
    reply: str
    source: str = ""
    """The text of the file that it works on; empty for a studio that begins with a blank canvas."""
    concepts: bool = False
    """It is asked for in concepts, of which the instruction is one."""

    def brief(self, folder: Path) -> Brief:
        if self.concepts:
            return Brief.of("", concepts=[self.instruction])
        if not self.source:
            return Brief.of(self.instruction)
        (folder / "source").write_text(self.source)
        return Brief.of(self.instruction, source=folder / "source")


def shader_studio() -> Studio[Any, Any]:
    needs("egl")
    return open_studio("shader")


def two_parts_moved(ref: str, target: str, clearance: float) -> str:
    action = {"action": "place_relative", "ref": ref, "target": target, "side": "right", "clearance": clearance}
    return json.dumps({"approach": "say it", "actions": [action]})


def scene_studio() -> Studio[Any, Any]:
    needs("blender")
    needs("bwrap")
    return open_studio("scene")


STUDIOS = [
    pytest.param(Case(ToyStudio, "at least 3", "3"), id="toy"),
    pytest.param(Case(lambda: open_studio("sketch"), "a house with a door", HOUSE), id="sketch"),
    pytest.param(
        Case(lambda: open_studio("board"), "put R2 3 mm right of R1", two_parts_moved("R2", "R1", 3), two_parts()),
        id="board",
    ),
    pytest.param(Case(shader_studio, "rings of light", reply_of()), id="shader", marks=pytest.mark.real),
    pytest.param(Case(lambda: open_studio("image"), "a blue door", "A blue door.", concepts=True), id="image"),
    pytest.param(
        Case(scene_studio, "a red apple on the ground", scene_replies.reply_of()),
        id="scene",
        marks=[pytest.mark.real, pytest.mark.slow],
    ),
]
KINDS: list[Kind] = ["draft", "edit", "fix", "repair", "critique"]


@pytest.fixture
async def resources(tmp_path: Path) -> AsyncIterator[Resources]:
    made = resources_in(tmp_path)
    yield made
    await made.sandbox.close()


async def artifact_of(case: Case, resources: Resources) -> tuple[Studio[Any, Any], Any]:
    studio = case.make()
    base = studio.open(case.brief(resources.scratch))
    return studio, await studio.execute(studio.parse("draft", case.reply, base), base, resources)


def facts_for(case: Case, kind: Kind, artifact: Any, folder: Path) -> Facts:
    brief = case.brief(folder)
    facts = Facts(brief=brief, current=case.make().open(brief) if kind == "draft" else artifact)
    match kind:
        case "edit":
            verdict = Verdict(by="critic", satisfied=False, summary="PLAINLY WRONG")
            return replace(facts, report=Report(), verdict=verdict, history="ITERATION HISTORY:\n  Iter 1: no score")
        case "fix":
            return replace(
                facts, of="draft", reply="THE REPLY", failure=Failure(failure_class="E2", message="THE ERROR")
            )
        case "repair":
            return replace(facts, report=Report())
        case "critique":
            return replace(facts, report=Report(), pictures=(Picture(name="a.png", png=b"\x89PNG"),))
        case "draft":
            return facts


def request(studio: Studio[Any, Any], kind: Kind, facts: Facts) -> Request:
    step = studio.compose(request_for(kind, facts)).nodes[0]
    while isinstance(step, Block):  # the first of a conversation
        step = step.nodes[0]
    return request_of(step, {}, "iteration-1/x", 7)


@pytest.mark.parametrize("case", STUDIOS)
async def test_a_blank_canvas(case: Case) -> None:
    studio = case.make()
    if not case.source:
        assert studio.open(Brief.of(case.instruction)) is None
        return
    with pytest.raises(BriefError, match="needs a"):
        studio.open(Brief.of(case.instruction))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", STUDIOS)
async def test_requests_are_complete(case: Case, kind: Kind, resources: Resources) -> None:
    studio, artifact = await artifact_of(case, resources)
    unjudged = not studio.judged
    if case.source and kind == "draft":
        return  # a file that is given is edited
    if unjudged and kind == "critique":
        return
    sent = request(studio, kind, facts_for(case, kind, artifact, resources.scratch))
    if kind == "draft" and studio.draft_calls(studio.settings_model(), ideas=False) > 1:
        assert sent.kind.startswith(f"{studio.name}.")
    else:
        assert sent.kind == f"{studio.name}.{kind}"
    text = sent.messages[-1].text
    assert sent.messages[-1].role == "user"
    assert case.instruction in text
    if kind == "fix":
        assert "THE REPLY" in text
        assert "THE ERROR" in text
    if kind in ("edit", "repair"):
        assert artifact.source in text
    if kind == "edit":
        assert unjudged or "PLAINLY WRONG" in text
        assert "ITERATION HISTORY" in text
    assert bool(sent.pictures) is (kind == "critique")


@pytest.mark.parametrize("case", STUDIOS)
async def test_artefacts_survive_the_journal(case: Case, resources: Resources) -> None:
    studio, artifact = await artifact_of(case, resources)
    assert studio.artifact_model.model_validate_json(artifact.model_dump_json()) == artifact
    assert isinstance(artifact, Artifact)


@pytest.mark.parametrize("case", STUDIOS)
async def test_checking_and_rendering_are_repeatable(case: Case, resources: Resources) -> None:
    studio, artifact = await artifact_of(case, resources)
    brief = case.brief(resources.scratch)
    assert studio.check(artifact, None, brief) == studio.check(artifact, None, brief)
    first, second = [await studio.render(artifact, (), resources) for _ in range(2)]
    assert first == second
    assert all(picture.png.startswith(b"\x89PNG") for picture in first)


@pytest.mark.parametrize("case", STUDIOS)
async def test_delivery_writes_what_it_names(case: Case, resources: Resources, tmp_path: Path) -> None:
    studio, artifact = await artifact_of(case, resources)
    found: list[dict[str, bytes]] = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files = studio.deliver(artifact, tmp_path / name, resources)
        assert all(path.parent == tmp_path / name for path in files.values())
        found.append({role: path.read_bytes() for role, path in files.items() if path.is_file()})
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["draft", "edit", "repair"])
@pytest.mark.parametrize("case", STUDIOS)
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300))
def test_any_reply_is_a_draft_or_e2(case: Case, kind: Kind, text: str) -> None:
    with suppress(FormatError):  # anything else that it raises fails the test
        case.make().parse(kind, text, None)
