"""OpenAI's images API on a real wire: what is sent, what is made of the reply, and every way in which it fails."""

from __future__ import annotations

import base64
import io
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from image_servers import (
    USAGE,
    Act,
    Drop,
    Half,
    Hang,
    HttpServer,
    Reply,
    images_reply,
    openai_error,
    openai_server,
    picture,
)
from PIL import Image
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError
from redraft.painting.base import ImageBackend, ImageReply, ImageRequest
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.openai import (
    OPENAI_URL,
    OpenAIBackend,
    cost_of,
    is_gpt_image,
    known,
    refuse_unsupported,
)
from redraft.studios.image.backends.transport import Answer, TryError

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

KEY = "sk-test-0123456789abcdef"
PNG = picture()
GOOD = Reply(images_reply(PNG))
HTML = "<!DOCTYPE html><html><head><style>b{}</style><title>502</title></head><body><h1>Bad Gateway</h1></body></html>"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


class Ear:
    """Hears what is told, and stands in for sleep."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.seconds: list[float] = []

    def notify(self, line: str) -> None:
        self.lines.append(line)

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)


def request(prompt: str = "a lighthouse", seed: int = 7, size: tuple[int, int] = (64, 48)) -> ImageRequest:
    return ImageRequest(prompt=prompt, seed=seed, width=size[0], height=size[1])


def backend_at(server: HttpServer, model: str = "painter", ear: Ear | None = None, **settings: Any) -> OpenAIBackend:
    chosen = ImagingSettings(base_url=f"{server.url}/v1", **settings)
    return OpenAIBackend(model, chosen, sleep=(ear or Ear()).sleep)


async def painted(*acts: Act, ear: Ear | None = None, **settings: Any) -> tuple[ImageReply, HttpServer]:
    """What a server that acts so makes of one request."""
    hearing = ear or Ear()
    with openai_server(acts, settings.pop("files", None)) as server:
        reply = await backend_at(server, settings.pop("model", "painter"), hearing, **settings).paint(
            request(), hearing.notify
        )
    return reply, server


async def refused(*acts: Act, ear: Ear | None = None, **settings: Any) -> tuple[str, HttpServer]:
    """The words with which one request fails."""
    hearing = ear or Ear()
    with openai_server(acts, settings.pop("files", None)) as server:
        backend = backend_at(server, settings.pop("model", "painter"), hearing, **settings)
        with pytest.raises(ImageBackendError) as error:
            await backend.paint(request(), hearing.notify)
    assert KEY not in str(error.value)
    return str(error.value), server


async def test_a_picture_comes_back_byte_for_byte() -> None:
    reply, server = await painted(GOOD)
    assert reply.png == PNG
    assert reply.backend == "openai:painter"
    assert reply.params["received"] == "PNG, 64x48"
    assert [(each.method, each.path) for each in server.received] == [("POST", "/v1/images/generations")]


async def test_a_server_of_its_own_is_sent_model_prompt_size_seed_and_the_wish_for_base64() -> None:
    _, server = await painted(GOOD)
    assert server.received[0].body == {
        "model": "painter",
        "prompt": "a lighthouse",
        "n": 1,
        "size": "64x48",
        "seed": 7,
        "response_format": "b64_json",
    }


async def test_a_gpt_image_model_is_never_sent_a_response_format() -> None:
    for model in ("gpt-image-2", "openai/gpt-image-2", "chatgpt-image-latest"):
        _, server = await painted(GOOD, model=model)
        assert "response_format" not in server.received[0].body


def test_openai_itself_is_sent_no_seed_and_the_record_says_so() -> None:
    backend = OpenAIBackend("gpt-image-2", ImagingSettings())
    body = backend._body(request())  # pyright: ignore[reportPrivateUsage]  its own server is not asked by tests
    assert "seed" not in body


async def test_the_quality_of_the_settings_is_sent() -> None:
    reply, server = await painted(GOOD, quality="high")
    assert server.received[0].body["quality"] == "high"
    assert reply.params["quality"] == "high"


async def test_the_key_travels_in_the_header_and_nowhere_else() -> None:
    reply, server = await painted(GOOD)
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(server.received[0].body) + str(reply)


async def test_a_local_server_without_a_key_is_sent_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    _, server = await painted(GOOD)
    assert "authorization" not in server.received[0].headers


async def test_a_prompt_arrives_whole_whatever_it_holds() -> None:
    prompt = 'a "storm"\n\\ {{seed}} — 灯台 🗼 \ud800'
    with openai_server([GOOD]) as server:
        await backend_at(server).paint(request(prompt), Ear().notify)
    assert server.received[0].body["prompt"] == prompt


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
async def test_another_format_becomes_a_png(kind: str) -> None:
    reply, _ = await painted(Reply(images_reply(picture(kind))))
    with Image.open(io.BytesIO(reply.png)) as image:
        assert (image.format, image.size) == ("PNG", (64, 48))
    assert reply.params["received"] == f"{kind}, 64x48"


async def test_a_data_address_in_either_field_is_read_without_a_call() -> None:
    inline = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    for field in ("b64_json", "url"):
        reply, server = await painted(Reply({"data": [{field: inline}]}))
        assert reply.png == PNG
        assert len(server.received) == 1


async def test_a_url_is_fetched_also_one_without_a_host() -> None:
    reply, server = await painted(
        Reply({"data": [{"url": "/generated/1.png"}]}), files={"/generated/1.png": Reply(PNG)}
    )
    assert reply.png == PNG
    assert server.asked("GET", "/generated/1.png")[0].headers["authorization"] == f"Bearer {KEY}"


async def test_another_server_that_keeps_the_picture_is_not_sent_the_key() -> None:
    with openai_server([], {"/cdn/1.png": Reply(PNG)}) as store:
        reply, _ = await painted(Reply({"data": [{"b64_json": None, "url": f"{store.url}/cdn/1.png?sig=abc"}]}))
    assert reply.png == PNG
    (fetched,) = store.received
    assert "authorization" not in fetched.headers
    assert fetched.query == {"sig": "abc"}


async def test_a_redirect_of_the_picture_is_followed_and_the_key_stays_behind() -> None:
    with openai_server([], {"/2.png": Reply(PNG)}) as store:
        away = Reply("", 302, {"location": f"{store.url}/2.png"})
        reply, _ = await painted(Reply({"data": [{"url": "/1.png"}]}), files={"/1.png": away})
    assert reply.png == PNG
    assert "authorization" not in store.received[0].headers


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/1.png"])
async def test_an_address_that_is_not_of_the_web_is_refused(url: str) -> None:
    said, server = await refused(Reply({"data": [{"url": url}]}))
    assert "only http and https are read" in said
    assert len(server.received) == 1


async def test_a_foreign_server_cannot_send_us_to_our_own_machine() -> None:
    backend = OpenAIBackend("painter", ImagingSettings(base_url="https://images.example.org/v1"))
    with pytest.raises(ImageBackendError, match=r"this machine and not images\.example\.org"):
        backend._refuse_address("http://localhost:8080/1.png")  # pyright: ignore[reportPrivateUsage]


async def test_several_pictures_leave_the_first_that_is_one() -> None:
    data = [{"b64_json": ""}, *images_reply(PNG)["data"], *images_reply(picture(colour="red"))["data"]]
    reply, _ = await painted(Reply({"data": data}))
    assert reply.png == PNG


async def test_another_size_than_asked_is_told_and_recorded() -> None:
    ear = Ear()
    reply, _ = await painted(Reply(images_reply(picture(size=(32, 32)))), ear=ear)
    assert ear.lines == ["openai:painter sent 32x32 pixels instead of 64x48"]
    assert (reply.params["size"], reply.params["received"]) == ("64x48", "PNG, 32x32")


async def test_what_the_server_says_of_the_picture_is_recorded() -> None:
    body = images_reply(PNG, usage=USAGE, quality="low", model="painter-2")
    body["data"][0]["revised_prompt"] = "a tall lighthouse"
    reply, _ = await painted(Reply(body))
    assert reply.params["revised_prompt"] == "a tall lighthouse"
    assert reply.params["usage"] == USAGE
    assert (reply.params["server_quality"], reply.params["server_model"]) == ("low", "painter-2")


async def test_the_cost_of_an_unknown_server_is_unknown_unless_a_price_is_set() -> None:
    free, _ = await painted(Reply(images_reply(PNG, usage=USAGE)), model="gpt-image-2")
    assert free.cost is None
    priced, _ = await painted(GOOD, price=0.04)
    assert priced.cost == 0.04


AGAIN: dict[str, tuple[Act, str]] = {
    "408": (Reply("", 408), "HTTP 408"),
    "409": (Reply(openai_error("busy"), 409), "HTTP 409: busy"),
    "429": (Reply(openai_error("slow down", code="rate_limit_exceeded"), 429), "HTTP 429: slow down"),
    "500": (Reply(openai_error("boom", kind="server_error"), 500), "HTTP 500: boom"),
    "html": (Reply(HTML, 502, {"content-type": "text/html"}), "HTTP 502: 502 Bad Gateway"),
    "drop": (Drop(), "broke off"),
    "half": (Half(GOOD), "broke off"),
    "no json": (Reply("<html><body>Welcome</body></html>"), "HTTP 200, but no JSON: Welcome"),
    "cut json": (Reply(GOOD.raw[:100]), "no JSON"),
}


@pytest.mark.parametrize("fault", AGAIN)
async def test_what_fails_on_the_way_is_tried_again_and_told(fault: str) -> None:
    act, words = AGAIN[fault]
    ear = Ear()
    reply, server = await painted(act, act, GOOD, ear=ear)
    assert reply.png == PNG
    assert len(server.received) == 3
    assert reply.params["tries"] == 3
    assert words in ear.lines[0]
    assert "try 2 of 4" in ear.lines[0]
    first, second = ear.seconds
    assert 0.5 <= first <= 1 <= second <= 2


@pytest.mark.parametrize("fault", AGAIN)
async def test_the_last_try_is_the_end_and_says_why(fault: str) -> None:
    act, words = AGAIN[fault]
    said, server = await refused(act, retries=1)
    assert len(server.received) == 2
    assert "sent no picture after 2 tries" in said
    assert words in said
    assert "resume the run" in said


async def test_no_retries_means_one_try() -> None:
    said, server = await refused(Drop(), retries=0)
    assert len(server.received) == 1
    assert "after 1 try" in said


async def test_the_pauses_of_one_seed_are_the_same() -> None:
    first, second = Ear(), Ear()
    await painted(Drop(), Drop(), GOOD, ear=first)
    await painted(Drop(), Drop(), GOOD, ear=second)
    assert first.seconds == second.seconds


async def test_a_server_that_answers_too_late_is_tried_again() -> None:
    reply, server = await painted(Hang(), GOOD, timeout=0.2)
    assert reply.params["retry_reasons"] == ["no answer within 0.2 s"]
    assert len(server.received) == 2


async def test_a_pause_that_the_server_asks_for_is_kept() -> None:
    ear = Ear()
    await painted(Reply(openai_error("wait"), 429, {"retry-after": "17"}), GOOD, ear=ear)
    assert ear.seconds == [17.0]


async def test_a_pause_given_as_a_date_in_the_past_is_none() -> None:
    ear = Ear()
    late = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}
    await painted(Reply(openai_error("wait"), 503, late), GOOD, ear=ear)
    assert ear.seconds[0] <= 1


async def test_a_pause_beyond_the_longest_is_reported_at_once() -> None:
    said, server = await refused(Reply(openai_error("wait"), 429, {"retry-after": "3600"}))
    assert len(server.received) == 1
    assert "asks for a pause of 3600 s" in said


REFUSALS: dict[str, tuple[Reply, str]] = {
    "quota": (
        Reply(
            openai_error("You exceeded your current quota", code="insufficient_quota", kind="insufficient_quota"), 429
        ),
        "refused the request: HTTP 429: You exceeded your current quota.",
    ),
    "moderation": (
        Reply(
            openai_error(
                "Your request was rejected by the safety system.",
                code="moderation_blocked",
                kind="image_generation_user_error",
            ),
            400,
        ),
        "refused the prompt: HTTP 400, moderation_blocked: Your request was rejected by the safety system. It is not",
    ),
    "policy": (
        Reply(openai_error("Not this.", code="content_policy_violation"), 400),
        "refused the prompt: HTTP 400, content_policy_violation: Not this.",
    ),
    "key": (
        Reply(openai_error(f"Incorrect API key provided: {KEY}", code="invalid_api_key"), 401),
        "Incorrect API key provided: [hidden]. Check the key in OPENAI_API_KEY.",
    ),
    "model": (
        Reply(openai_error("The model 'painter' does not exist", code="model_not_found"), 404),
        "HTTP 404: The model 'painter' does not exist. Check the model's name, and images.base_url",
    ),
    "size": (
        Reply(openai_error("Invalid size '64x48'.", param="size"), 400),
        "refused the request: HTTP 400: Invalid size '64x48'.",
    ),
    "fastapi": (
        Reply({"detail": [{"loc": ["body", "size"], "msg": "Input should be 512x512", "type": "enum"}]}, 422),
        "Input should be 512x512",
    ),
    "login page": (Reply("", 302, {"location": "https://sso.example.org/login"}), "it redirects to https://sso"),
    "error in a 200": (Reply({"error": {"message": "out of memory"}}), "refused the request: out of memory."),
    "plain error": (Reply({"error": "no such model loaded"}, 400), "HTTP 400: no such model loaded."),
}


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_what_the_server_refuses_is_quoted_and_not_asked_again(refusal: str) -> None:
    act, words = REFUSALS[refusal]
    said, server = await refused(act)
    assert words in said
    assert len(server.received) == 1


async def test_a_refused_prompt_is_not_asked_again_even_when_it_speaks_of_a_seed() -> None:
    message = "Unsupported by our safety system: the word seed"
    _, server = await refused(Reply(openai_error(message, code="moderation_blocked"), 400))
    assert len(server.received) == 1


UNKNOWN = [
    Reply(
        openai_error("Unknown parameter: 'response_format'.", code="unknown_parameter", param="response_format"), 400
    ),
    Reply({"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]}, 422),
]


@pytest.mark.parametrize("unknown", UNKNOWN)
async def test_a_field_that_a_server_does_not_know_is_left_out(unknown: Reply) -> None:
    reply, server = await painted(unknown, GOOD)
    first, second = server.received
    assert second.body == {name: value for name, value in first.body.items() if name != "response_format"}
    assert reply.params["tries"] == 1


async def test_a_seed_that_a_server_does_not_know_is_left_out_and_the_record_says_so() -> None:
    unknown = Reply(openai_error("Unrecognized request argument supplied: seed"), 400)
    reply, _ = await painted(unknown, GOOD)
    assert reply.params["seed"] == "not sent: the server takes none"


BROKEN: dict[str, tuple[Act, str]] = {
    "truncated": (Reply(images_reply(PNG[:-20])), "damaged or cut short"),
    "no end": (Reply(images_reply(PNG[:-12])), "damaged or cut short"),
    "text": (Reply(images_reply(b"quota exceeded")), "a text file instead of a picture: 'quota exceeded'"),
    "page": (Reply(images_reply(HTML.encode())), "a web page instead of a picture: '502 Bad Gateway'"),
    "no base64": (Reply({"data": [{"b64_json": "§§§"}]}), "is not base64"),
    "nothing": (Reply({"data": []}), "without a picture"),
    "null": (Reply({"data": None, "created": 1}), "neither data[0].b64_json nor data[0].url, but created, data"),
    "a list": (Reply([1, 2]), "without a picture"),
    "empty url": (Reply({"data": [{"url": ""}]}), "without a picture"),
    "gone": (Reply({"data": [{"url": "/gone.png"}]}), "HTTP 404: no such file"),
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_reply_that_holds_no_picture_is_refused_in_words(broken: str) -> None:
    act, words = BROKEN[broken]
    said, _ = await refused(act)
    assert said.startswith("openai:painter ")
    assert words in said


async def test_nobody_listens() -> None:
    with openai_server([GOOD]) as server:
        address = f"{server.url}/v1"
    backend = OpenAIBackend("painter", ImagingSettings(base_url=address, retries=0))
    with pytest.raises(ImageBackendError, match=r"no connection to 127\.0\.0\.1:\d+ .*Is the server running\?"):
        await backend.paint(request(), Ear().notify)


async def test_a_proxy_for_the_world_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    reply, _ = await painted(GOOD)
    assert reply.png == PNG


async def test_openais_own_client_and_the_stand_in_understand_each_other() -> None:
    """The library sends what redraft sends, and reads out of the stand-in's replies what redraft reads."""
    library: Any = pytest.importorskip("openai")
    acts = [Reply(images_reply(PNG, usage=USAGE)), REFUSALS["moderation"][0], GOOD]
    with openai_server(acts) as server:
        client = library.OpenAI(base_url=f"{server.url}/v1", max_retries=0)
        found = client.images.generate(model="gpt-image-2", prompt="a lighthouse", n=1, size="64x48", quality="low")
        with pytest.raises(library.BadRequestError) as refusal:
            client.images.generate(model="gpt-image-2", prompt="x")
        await backend_at(server, "gpt-image-2", quality="low").paint(request(), Ear().notify)
    assert base64.b64decode(found.data[0].b64_json) == PNG
    assert (found.usage.input_tokens, found.usage.output_tokens) == (50, 4160)
    assert refusal.value.code == "moderation_blocked"
    theirs, _, ours = server.received
    assert {**theirs.body, "seed": 7} == ours.body
    assert (theirs.path, theirs.headers["authorization"]) == (ours.path, ours.headers["authorization"])


def test_a_model_that_openai_has_retired_is_told_with_what_takes_its_place() -> None:
    backend = OpenAIBackend("gpt-image-1", ImagingSettings())
    body = json.dumps(openai_error("The model `gpt-image-1` has been deprecated.", code="model_not_found")).encode()
    with pytest.raises(TryError) as error:
        backend._refuse_for_good(Answer(404, {}, body))  # pyright: ignore[reportPrivateUsage]
    assert error.value.fix == "OpenAI serves gpt-image-1 no longer than to 23 October 2026; try openai:gpt-image-2."


async def test_a_pause_given_as_a_date_is_kept() -> None:
    ear = Ear()
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    await painted(Reply(openai_error("wait"), 503, {"retry-after": until}), GOOD, ear=ear)
    assert 50 < ear.seconds[0] <= 60


def test_it_is_an_image_backend() -> None:
    assert isinstance(OpenAIBackend("painter", ImagingSettings(base_url="http://127.0.0.1:1/v1")), ImageBackend)


class TestBeforeAnyCall:
    """What is missing or cannot be honoured is said at once."""

    def test_a_missing_key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(ConfigError, match="needs OPENAI_API_KEY"):
            OpenAIBackend("gpt-image-2", ImagingSettings())

    def test_a_named_key_that_is_not_there(self) -> None:
        with pytest.raises(ConfigError, match="MY_KEY is not set"):
            OpenAIBackend("painter", ImagingSettings(base_url="http://127.0.0.1:1", api_key_env="MY_KEY"))

    def test_a_key_that_no_header_can_hold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-ü\r\nx: y")
        with pytest.raises(ConfigError, match="characters that no key has"):
            OpenAIBackend("gpt-image-2", ImagingSettings())

    def test_no_model(self) -> None:
        with pytest.raises(ConfigError, match="names no model"):
            OpenAIBackend("", ImagingSettings())

    def test_an_address_that_is_none(self) -> None:
        with pytest.raises(ConfigError, match="which is not a URL"):
            OpenAIBackend("painter", ImagingSettings(base_url="http://[::1/v1"))

    def test_the_address_of_the_environment_is_taken_with_its_key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1/")
        backend = OpenAIBackend("painter", ImagingSettings())
        assert backend._server.base_url == "http://127.0.0.1:1/v1"  # pyright: ignore[reportPrivateUsage]

    def test_openai_is_the_default(self) -> None:
        backend = OpenAIBackend("gpt-image-2", ImagingSettings())
        assert backend._server.base_url == OPENAI_URL  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        ("gpt-image-1", [(1024, 1024), (1536, 1024), (1024, 1536)]),
        ("gpt-image-1.5", [(1024, 1024), (1536, 1024), (1024, 1536)]),
        ("gpt-image-1-mini", [(1536, 1024)]),
        ("dall-e-3", [(1024, 1024), (1792, 1024), (1024, 1792)]),
        ("dall-e-2", [(256, 256), (512, 512), (1024, 1024)]),
        ("gpt-image-2", [(1024, 1024), (1536, 864), (3840, 2160), (2160, 3840), (1536, 512)]),
        ("gpt-image-2-2026-04-21", [(1008, 1024)]),
        ("gpt-image-2.5-flare", [(1536, 864)]),
    ],
)
def test_sizes_that_a_model_takes_pass(model: str, sizes: list[tuple[int, int]]) -> None:
    for width, height in sizes:
        refuse_unsupported(model, width, height, None)


@pytest.mark.parametrize(
    ("model", "size", "words"),
    [
        ("gpt-image-1", (1792, 1024), "paints 1024 × 1024, 1536 × 1024 or 1024 × 1536 pixels"),
        ("gpt-image-1", (512, 512), "paints 1024 × 1024"),
        ("dall-e-3", (1536, 1024), "paints 1024 × 1024, 1792 × 1024 or 1024 × 1792 pixels"),
        ("dall-e-2", (1024, 512), "256 × 256, 512 × 512 or 1024 × 1024"),
        ("gpt-image-2", (1000, 1024), "multiples of 16, as in 992 × 1024"),
        ("gpt-image-2", (2048, 512), "nothing longer than 3 to 1"),
        ("gpt-image-2", (4096, 2048), "at most 3840 pixels a side"),
        ("gpt-image-2.5-sunburst", (3840, 3840), "8,294,400 in all"),
    ],
)
def test_a_size_that_a_model_does_not_paint_is_refused_and_none_is_chosen_instead(
    model: str, size: tuple[int, int], words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        refuse_unsupported(model, *size, None)
    assert f"images.width and images.height are {size[0]} × {size[1]}, and {model} " in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("model", "quality", "words"),
    [
        ("gpt-image-2", "hd", "low, medium, high or auto"),
        ("gpt-image-2", "max", "low, medium, high or auto"),
        ("dall-e-3", "high", "standard or hd"),
        ("dall-e-2", "hd", "supports standard"),
    ],
)
def test_a_quality_that_a_model_does_not_know_is_refused(model: str, quality: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        refuse_unsupported(model, 1024, 1024, quality)


@pytest.mark.parametrize("model", ["flux-1-dev", "gpt-image-2-all", "gpt-image-2.6-flare", "my/dall-e-3", "x" * 99])
def test_nothing_is_held_against_a_model_that_is_not_known(model: str) -> None:
    assert known(model) is None
    refuse_unsupported(model, 77, 4096, "whatever")


def test_names_that_gateways_give_are_still_gpt_image_models() -> None:
    assert [is_gpt_image(name) for name in ("gpt-image-2", "openai/gpt-image-2", "flux", "dall-e-3")] == [
        True,
        True,
        False,
        False,
    ]


def test_openais_own_server_is_asked_only_for_what_the_model_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    with pytest.raises(ConfigError, match="640 × 480, and gpt-image-1 paints"):
        OpenAIBackend("gpt-image-1", ImagingSettings(width=640, height=480))
    OpenAIBackend("gpt-image-1", ImagingSettings(width=640, height=480, base_url="http://127.0.0.1:1/v1"))


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        # Per million tokens: 5 for text that goes in, and for the picture that comes out 40, 32 and 30.
        ("gpt-image-1", (50 * 5 + 4160 * 40) / 1e6),
        ("gpt-image-1.5", (50 * 5 + 4160 * 32) / 1e6),
        ("gpt-image-2", (50 * 5 + 4160 * 30) / 1e6),
    ],
)
def test_tokens_are_priced_by_the_public_list(model: str, dollars: float) -> None:
    assert cost_of(USAGE, model, OPENAI_URL, None) == pytest.approx(dollars)


def test_text_in_the_output_is_priced_as_text() -> None:
    usage: dict[str, JsonValue] = {**USAGE, "output_tokens_details": {"image_tokens": 4000, "text_tokens": 160}}
    assert cost_of(usage, "gpt-image-1.5", OPENAI_URL, None) == pytest.approx((50 * 5 + 4000 * 32 + 160 * 10) / 1e6)


@pytest.mark.parametrize(
    ("usage", "model", "server"),
    [
        ({}, "gpt-image-2", OPENAI_URL),
        ({"input_tokens": "50", "output_tokens": True}, "gpt-image-2", OPENAI_URL),
        ({"input_tokens": -1, "output_tokens": 5}, "gpt-image-2", OPENAI_URL),
        (USAGE, "no-such-model", OPENAI_URL),
        (USAGE, "gpt-image-2", "http://127.0.0.1:8080/v1"),
    ],
)
def test_where_nothing_is_known_the_cost_is_none(usage: dict[str, JsonValue], model: str, server: str) -> None:
    assert cost_of(usage, model, server, None) is None


def test_a_price_of_the_settings_goes_before_the_list() -> None:
    assert cost_of(USAGE, "gpt-image-2", OPENAI_URL, 0.0) == 0.0
