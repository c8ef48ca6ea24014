"""The contract of studios."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import anyio
import pytest

from redraft.api import run
from redraft.brief import Brief
from redraft.errors import BriefError, ExecutionError, FormatError
from redraft.files import PictureFolder
from redraft.models.conversation import Block, request_of
from redraft.models.scripted import ScriptedModel
from redraft.result import Failure, Picture, Report, Verdict
from redraft.sandbox.pool import Sandbox
from redraft.studios import open_studio
from redraft.studios.base import Artifact, Resources, Studio
from redraft.studios.requests import (
    CritiqueRequest,
    DraftRequest,
    EditRequest,
    Kind,
    RepairRequest,
    StudioRequest,
    StudioSettings,
    fix_of,
)

__all__ = ["StudioContract", "texts"]

KINDS: tuple[Kind, ...] = ("draft", "edit", "fix", "repair", "critique")
ONCE: dict[str, Any] = {"candidates": 1, "iterations": 1, "repairs": 1}
"""Settings of whole runs."""
ANY_TEXT = 60
"""Random texts, and twice as many damaged copies of a good reply, that every studio must read or refuse."""


class StudioContract:
    """A studio of any medium, installed under its `name`."""

    pytestmark = pytest.mark.anyio

    name: ClassVar[str]
    """Of its entry point."""
    instruction: ClassVar[str]
    reply: ClassVar[str]
    """A reply to its draft request that works."""
    bad_reply: ClassVar[str] = "I am sorry, but I cannot help with that."
    """A reply that is none: E2."""
    failing_reply: ClassVar[str] = ""
    """A reply that is read and does not run: E1; empty where there is none."""

    options: ClassVar[dict[str, Any]] = {}
    """Settings by name that make whole runs quick, such as `{"samples": 1}`."""

    def inputs(self, folder: Path) -> dict[str, Any]:
        """Return what else the brief needs, such as `{"source": path}`; files may be written into `folder`."""
        return {}

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    def studio(self) -> Studio[Any, Any]:
        """The studio; skip here what a machine without its programs cannot test."""
        return open_studio(self.name)

    @pytest.fixture
    def brief(self, studio: Studio[Any, Any], tmp_path: Path) -> Brief:
        return studio.brief(self.instruction, studio.settings_model(), 0, **self.inputs(tmp_path))

    @pytest.fixture
    def settings(self, studio: Studio[Any, Any], brief: Brief) -> StudioSettings:
        return studio.prepare(studio.settings_model(), brief)

    @pytest.fixture
    async def resources(self, settings: StudioSettings, tmp_path: Path) -> AsyncIterator[Resources]:
        async with Sandbox(tmp_path) as sandbox:
            yield Resources(tmp_path, 0, anyio.CapacityLimiter(2), PictureFolder(tmp_path), sandbox, settings)

    async def made(self, studio: Studio[Any, Any], brief: Brief, resources: Resources) -> Any:
        """Return what the good reply makes."""
        base = studio.open(brief)
        return await studio.execute(studio.parse("draft", self.reply, base), base, resources)

    def request(self, studio: Studio[Any, Any], kind: Kind, brief: Brief, artifact: Any) -> StudioRequest[Any]:
        """Return a request of a kind, with everything that it may have to say."""
        settings = studio.settings_model()
        draft = DraftRequest[Any](brief=brief, settings=settings, current=studio.open(brief))
        match kind:
            case "draft":
                return draft
            case "edit":
                verdict = Verdict(by="critic", satisfied=False, summary="PLAINLY WRONG")
                facts: dict[str, Any] = {"report": Report(), "verdict": verdict, "history": "THE HISTORY"}
                return EditRequest[Any](brief=brief, settings=settings, current=artifact, **facts)
            case "fix":
                return fix_of(draft, "THE REPLY", Failure(failure_class="E2", message="THE ERROR"))
            case "repair":
                return RepairRequest[Any](brief=brief, settings=settings, current=artifact, report=Report())
            case "critique":
                seen = (Picture(name="a.png", png=b"\x89PNG"),)
                return CritiqueRequest[Any](
                    brief=brief, settings=settings, current=artifact, report=Report(), pictures=seen
                )

    def test_it_is_what_it_says(self, studio: Studio[Any, Any]) -> None:
        assert studio.name == self.name
        assert studio.settings_model().model_config.get("extra") == "forbid"

    def test_a_new_brief_begins_with_nothing(self, studio: Studio[Any, Any], brief: Brief) -> None:
        if brief.source is None:
            assert studio.open(brief) is None
            return
        with pytest.raises(BriefError):
            studio.open(Brief.of(self.instruction))

    @pytest.mark.parametrize("kind", KINDS)
    async def test_requests_are_complete(
        self, studio: Studio[Any, Any], kind: Kind, brief: Brief, resources: Resources
    ) -> None:
        if (kind == "critique" and not studio.judged) or (kind == "draft" and brief.source is not None):
            return  # without a judge; a file that is given is edited
        artifact = await self.made(studio, brief, resources)
        step: Any = studio.compose(self.request(studio, kind, brief, artifact))
        while isinstance(step, Block):  # the first of a conversation
            step = step.nodes[0]
        sent = request_of(step, {}, "iteration-1/x", 7)
        several = kind == "draft" and studio.draft_calls(resources.settings, ideas=False) > 1
        assert sent.kind.startswith(f"{self.name}.") if several else sent.kind == f"{self.name}.{kind}"
        assert sent.messages[-1].role == "user"
        expected = {
            "edit": [artifact.source, "THE HISTORY", *(["PLAINLY WRONG"] if studio.judged else [])],
            "fix": ["THE REPLY", "THE ERROR"],
            "repair": [artifact.source],
        }
        for words in (self.instruction, *expected.get(kind, [])):
            assert words in sent.messages[-1].text, f"the {kind} request does not say: {words}"
        assert bool(sent.pictures) is (kind == "critique"), "pictures go with the request that they belong to"
        assert (sent.output_schema is not None) is (kind == "critique")

    def test_a_bad_reply_is_refused(self, studio: Studio[Any, Any], brief: Brief) -> None:
        with pytest.raises(FormatError, match=r"\w"):
            studio.parse("draft", self.bad_reply, studio.open(brief))

    @pytest.mark.parametrize("kind", ["draft", "edit", "repair"])
    def test_any_reply_is_a_draft_or_e2(self, studio: Studio[Any, Any], kind: Kind) -> None:
        for text in texts(self.reply):
            with suppress(FormatError):  # anything else that it raises fails the test
                studio.parse(kind, text, None)

    async def test_a_failing_reply_is_e1(self, studio: Studio[Any, Any], brief: Brief, resources: Resources) -> None:
        if not self.failing_reply:
            return
        base = studio.open(brief)
        with pytest.raises(ExecutionError, match=r"\w"):
            await studio.execute(studio.parse("draft", self.failing_reply, base), base, resources)

    async def test_artifacts_survive_the_journal(
        self, studio: Studio[Any, Any], brief: Brief, resources: Resources
    ) -> None:
        artifact = await self.made(studio, brief, resources)
        assert studio.artifact_model.model_validate_json(artifact.model_dump_json()) == artifact
        assert isinstance(artifact, Artifact), "an artifact has a `source`"

    async def test_the_same_reply_makes_the_same(
        self, studio: Studio[Any, Any], brief: Brief, resources: Resources
    ) -> None:
        one, two = [await self.made(studio, brief, resources) for _ in range(2)]
        assert one.source == two.source
        assert studio.check(one, None, brief) == studio.check(one, None, brief) == studio.check(two, None, brief)
        first, *others = [await studio.render(artifact, (), resources) for artifact in (one, one, two)]
        assert all(other == first for other in others)
        assert all(picture.png.startswith(b"\x89PNG") for picture in first)

    async def test_a_delivery_is_whole_and_repeatable(
        self, studio: Studio[Any, Any], brief: Brief, resources: Resources, tmp_path: Path
    ) -> None:
        artifact, found = await self.made(studio, brief, resources), list[dict[str, bytes]]()
        for folder in (tmp_path / "one", tmp_path / "two"):
            folder.mkdir()
            files = studio.deliver(artifact, folder, resources)
            assert set(files.values()) == set(folder.iterdir()), "what is delivered, and nothing else"
            found.append({role: path.read_bytes() for role, path in files.items() if path.is_file()})
        assert found[0] == found[1]

    def test_a_whole_run(self, studio: Studio[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        calls = studio.draft_calls(studio.settings_model(), ideas=False)
        model = ScriptedModel([*[self.reply] * (calls - 1), self.bad_reply, *[self.reply] * 20])
        given = {**ONCE, **self.options, **self.inputs(tmp_path)}
        result = run(self.name, self.instruction, model=model, out=tmp_path / "run", **given)
        assert result.error is None
        assert result.iterations[0].retry_count == 1, "the bad reply is fixed"
        delivered = [role for role, shown in studio.deliverables if shown and role in result.files]
        for role in (*delivered[:1], "report", "transcript"):
            assert result.files[role].exists(), f"{role} is missing"

    def test_a_whole_run_offline(
        self, studio: Studio[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if not studio.offline:
            return
        assert all(kind.startswith(f"{self.name}.") for kind in import_module(studio.offline).ANSWERS)
        monkeypatch.chdir(tmp_path)
        given = {**ONCE, **self.options, **self.inputs(tmp_path)}
        result = run(self.name, self.instruction, model="offline", out=tmp_path / "run", **given)
        assert result.error is None
        assert result.files["report"].exists()


def texts(reply: str) -> Iterator[str]:
    """Yield what models have answered: nothing, a fence, other JSON, prose, and good replies that were damaged."""
    yield from (
        "",
        " \n",
        "{}",
        "[]",
        "null",
        "```json\n{",
        "```\n```",
        '{"a": NaN}',
        "[" * 5000,
        '"\\ud800"',
        "\ud800",
    )
    dice = random.Random(7)  # noqa: S311 - the same texts in every run
    for length in range(ANY_TEXT):
        yield "".join(chr(dice.choice((dice.randrange(32, 127), dice.randrange(0x3000)))) for _ in range(length))
        start, end = sorted(dice.randrange(len(reply) + 1) for _ in range(2))
        yield reply[:start] + reply[end:]
        yield reply[:start] + reply[start:end] * 2 + reply[end:]
