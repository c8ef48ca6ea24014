"""The contracts of models and image backends."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, ClassVar

import anyio
import pytest

from redraft.models.base import Message, Model, ModelInfo, Reply, Request
from redraft.painting.base import ImageBackend, ImageReply, ImageRequest
from redraft.result import Usage

__all__ = ["ImageBackendContract", "ModelContract"]


def _request(number: int) -> Request:
    text = f"Draw {number} cats."
    said = (Message(role="system", text="You draw."), Message(role="user", text=text))
    path = f"iteration-1/candidate-{number}/draft"
    return Request(kind="sketch.draft", path=path, inputs={"instruction": text}, messages=said, seed=number)


class ModelContract:
    """A source of replies: each depends on its request alone, usage is not invented, cancellation is honored."""

    pytestmark = pytest.mark.anyio

    requests: ClassVar[tuple[Request, ...]] = tuple(map(_request, range(3)))
    usage: ClassVar[Usage] = Usage(calls=1)
    """Usage of one reply; the cost is None if no price is known."""

    def says(self, request: Request) -> str:
        """Return what the model under test answers; have what stands behind it say so."""
        return f"drew: {request.inputs['instruction']}"

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    def model(self, tmp_path: Path) -> Any:
        """The model under test; it may keep files in `tmp_path`."""
        raise NotImplementedError("define the fixture `model`")

    def test_it_is_a_model(self, model: Model) -> None:
        assert isinstance(model, Model)
        assert isinstance(model.info, ModelInfo)

    async def test_it_answers(self, model: Model) -> None:
        reply = await model.ask(self.requests[0])
        assert isinstance(reply, Reply)
        assert reply.text == self.says(self.requests[0])
        assert reply.model

    async def test_replies_survive_the_record(self, model: Model) -> None:
        reply = await model.ask(self.requests[0])
        assert Reply.model_validate_json(reply.model_dump_json()) == reply

    async def test_a_reply_depends_on_its_request_alone(self, model: Model) -> None:
        asked = [self.requests[n] for n in (0, 1, 0, 2)]
        assert [(await model.ask(request)).text for request in asked] == [self.says(request) for request in asked]

    async def test_requests_at_once_do_not_mix(self, model: Model) -> None:
        replies: dict[str, str] = {}

        async def one(request: Request) -> None:
            replies[request.path] = (await model.ask(request)).text

        async with anyio.create_task_group() as group:
            for request in self.requests:
                group.start_soon(one, request)
        assert replies == {request.path: self.says(request) for request in self.requests}

    async def test_cancellation_is_honored_and_leaves_the_model_usable(self, model: Model) -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await model.ask(self.requests[0])
        assert scope.cancelled_caught
        assert (await model.ask(self.requests[1])).text == self.says(self.requests[1])

    async def test_usage_is_counted_and_not_invented(self, model: Model) -> None:
        assert (await model.ask(self.requests[0])).usage == self.usage

    async def test_what_it_says_of_itself_is_constant_and_names_no_place_on_this_machine(
        self, model: Model, tmp_path: Path
    ) -> None:
        before = model.info
        reply = await model.ask(self.requests[0])
        assert model.info == before
        assert before.name
        assert before.label
        assert "\n" not in before.label
        assert str(tmp_path) not in before.model_dump_json() + reply.model_dump_json()


class ImageBackendContract:
    """An image backend: pictures of the requested size, whole, and nothing kept between requests."""

    pytestmark = pytest.mark.anyio

    size: ClassVar[tuple[int, int]] = (64, 48)
    """Width and height that the backend under test can paint."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    def backend(self, tmp_path: Path) -> Any:
        """The backend under test."""
        raise NotImplementedError("define the fixture `backend`")

    def asked(self, prompt: str = "a blue door") -> ImageRequest:
        return ImageRequest(prompt=prompt, seed=7, width=self.size[0], height=self.size[1])

    async def test_it_paints_what_is_wanted(self, backend: ImageBackend) -> None:
        from PIL import Image

        assert isinstance(backend, ImageBackend)
        reply = await backend.paint(self.asked(), lambda line: None)
        with Image.open(io.BytesIO(reply.png)) as picture:
            picture.load()
            assert (picture.format, picture.size) == ("PNG", self.size)
        assert reply.backend
        assert reply.cost is None or reply.cost >= 0
        assert ImageReply.model_validate(reply.model_dump()) == reply

    async def test_pictures_at_once_do_not_mix(self, backend: ImageBackend) -> None:
        sizes, found = [self.size, (self.size[1], self.size[0])], dict[tuple[int, int], bytes]()

        async def one(size: tuple[int, int]) -> None:
            wanted = self.asked().model_copy(update={"width": size[0], "height": size[1]})
            found[size] = (await backend.paint(wanted, lambda line: None)).png

        async with anyio.create_task_group() as group:
            for size in sizes:
                group.start_soon(one, size)
        for width, height in sizes:
            assert found[width, height][16:24] == width.to_bytes(4, "big") + height.to_bytes(4, "big")

    async def test_cancellation_is_honored_and_leaves_the_backend_usable(self, backend: ImageBackend) -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await backend.paint(self.asked(), lambda line: None)
        assert scope.cancelled_caught
        assert (await backend.paint(self.asked(), lambda line: None)).png

    async def test_its_name_is_constant_and_one_line(self, backend: ImageBackend) -> None:
        before = backend.name
        await backend.paint(self.asked(), lambda line: None)
        assert backend.name == before
        assert before
        assert "\n" not in before
