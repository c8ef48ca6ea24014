"""Any server that speaks OpenAI's images API: its own, and the local and hosted ones that copied it.

One request paints one picture: `POST {base_url}/images/generations`. The reply holds it as base64 or names an address
to fetch it from. A prompt that the server's rules refuse is not asked again; the server's words are passed on.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import anyio
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError
from redraft.imaging.base import ImageReply, ImageRequest, Tell
from redraft.imaging.openai_models import RETIRED, is_gpt_image, refuse_what_it_lacks
from redraft.imaging.pictures import whole_in_thread
from redraft.imaging.price import cost_of
from redraft.imaging.progress import with_news
from redraft.imaging.received import received
from redraft.imaging.settings import ImagingSettings
from redraft.imaging.transport import Answer, Server, Sleep, TryError, Wire, is_loopback
from redraft.imaging.words import Said, as_list, as_object, clipped, said_in, text_of
from redraft.models.providers import Failed

__all__ = ["OPENAI_URL", "OpenAIBackend"]

OPENAI_URL = "https://api.openai.com/v1"
_KEY = "OPENAI_API_KEY"
_OPTIONAL = ("seed", "response_format")
"""Fields that some servers do not know. What a setting asks for is never dropped: its refusal is told."""
_REFUSED_CODES = frozenset(
    {"content_policy_violation", "moderation_blocked", "content_filter", "sensitive_words_detected"}
)
_REFUSED_WORDS = re.compile(r"safety system|content.?polic|content management policy|moderation", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"unknown|unsupported|unrecogni[sz]ed|unexpected|extra[ _](input|forbidden|field)|additional propert"
    r"|not (permitted|supported|allowed|recogni[sz]ed)",
    re.IGNORECASE,
)


class OpenAIBackend:
    """A model named `openai:MODEL`.

    Raises on construction:
        ConfigError: its key is missing, or the model cannot honour a setting.
    """

    def __init__(self, model: str, settings: ImagingSettings, *, sleep: Sleep = anyio.sleep) -> None:
        if not model:
            raise ConfigError("images.backend is 'openai:', and names no model, as in openai:gpt-image-2.")
        self._model = model
        self._settings = settings
        self._sleep = sleep
        self._server = _server(self.name, settings)
        self._is_openai = urlsplit(self._server.base_url).hostname == "api.openai.com"
        if self._is_openai:  # another server may serve anything under the same name
            refuse_what_it_lacks(model, settings.width, settings.height, settings.quality)

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Paint one picture, trying again what failed on the way.

        Raises:
            ImageBackendError: refused, out of reach after all tries, or what came is no picture.
        """
        body = self._body(request)
        async with Wire(self._server, tell, seed=request.seed, sleep=self._sleep) as wire:
            reply = await with_news(lambda: wire.persist(lambda: self._asked(wire, body)), tell)
            first = self._first(reply)
            picture = await whole_in_thread(await self._bytes(wire, first), self.name)
        return ImageReply(
            png=picture.png,
            backend=self.name,
            cost=cost_of(as_object(reply.get("usage")), self._model, self._server.base_url, self._settings.price),
            params=received(self.name, request, picture, tell) | self._params(body, reply, first, wire.reasons),
        )

    def _body(self, request: ImageRequest) -> dict[str, JsonValue]:
        size = f"{request.width}x{request.height}"
        body: dict[str, JsonValue] = {"model": self._model, "prompt": request.prompt, "n": 1, "size": size}
        if self._settings.quality is not None:
            body["quality"] = self._settings.quality
        if not is_gpt_image(self._model):
            body["response_format"] = "b64_json"
        if not self._is_openai:
            body["seed"] = request.seed % 2**31
        return body

    async def _asked(self, wire: Wire, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The reply of one try. An optional field that the server does not know is dropped from the body, and what
        remains is asked at once: nothing was painted yet."""
        while True:
            answer = await wire.send("POST", "/images/generations", body=body)
            idle = _not_known(answer, body)
            if idle is None:
                break
            del body[idle]
        self._refuse_for_good(answer)
        reply = as_object(answer.checked().json())
        if reply.get("error"):  # some gateways answer 200 to everything
            raise TryError(Failed(said_in(answer.body).message, again=False))
        return reply

    def _refuse_for_good(self, answer: Answer) -> None:
        if answer.status < 400 or answer.status >= 500:
            return
        said = said_in(answer.body)
        if _is_refusal(said):
            code = f", {said.code}" if said.code else ""
            raise TryError(
                Failed(f"HTTP {answer.status}{code}: {said.message}", again=False),
                what="the prompt",
                mends="It is not asked again; other concepts, or another idea, may pass.",
            )
        if self._is_openai and self._model in RETIRED and (answer.status == 404 or said.code == "model_not_found"):
            raise TryError(
                Failed(f"HTTP {answer.status}: {said.message}", again=False),
                mends=f"OpenAI serves {self._model} no longer than to {RETIRED[self._model]}; try openai:gpt-image-2.",
            )

    def _first(self, reply: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        pictures = [as_object(each) for each in as_list(reply.get("data"))]
        first = next((each for each in pictures if each.get("b64_json") or each.get("url")), None)
        if first is None:
            fields = clipped(", ".join(sorted(reply))) or "nothing"
            raise ImageBackendError(
                f"{self.name} sent a reply without a picture: neither data[0].b64_json nor data[0].url, but {fields}."
            )
        return first

    async def _bytes(self, wire: Wire, first: Mapping[str, JsonValue]) -> bytes:
        inline = text_of(first, "b64_json")
        url = text_of(first, "url")
        if inline or url.startswith("data:"):
            return self._decoded(inline or url)
        address = urljoin(f"{self._server.base_url}/", url)
        self._refuse_address(address)

        async def fetch() -> bytes:
            return (await wire.send("GET", address, follow=True)).checked(what="its own picture", mends="").body

        return await wire.persist(fetch)

    def _decoded(self, text: str) -> bytes:
        start = re.match(r"data:[^,]{0,100},", text)
        try:
            return base64.b64decode("".join(text[start.end() if start else 0 :].split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise ImageBackendError(f"{self.name} sent a picture that is no base64 ({error}).") from error

    def _refuse_address(self, address: str) -> None:
        """Only the web, and nothing of this machine's own on the word of another one."""
        parts = urlsplit(address)
        shown = f"{parts.scheme}://{parts.netloc}{parts.path}"[:200]  # a query may hold a signature
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ImageBackendError(
                f"{self.name} names {shown} as the picture's address; only http and https are read."
            )
        own = urlsplit(self._server.base_url).hostname or ""
        if is_loopback(parts.hostname) and not is_loopback(own):
            raise ImageBackendError(
                f"{self.name} names {shown} as the picture's address, which is this machine and not {own}. Tell that "
                "server its own address, or have it answer with b64_json."
            )

    def _params(
        self,
        body: Mapping[str, JsonValue],
        reply: Mapping[str, JsonValue],
        first: Mapping[str, JsonValue],
        reasons: list[str],
    ) -> dict[str, JsonValue]:
        params: dict[str, JsonValue] = {name: body[name] for name in ("quality", "seed") if name in body}
        params.setdefault("seed", "not sent: the server takes none")
        params["tries"] = len(reasons) + 1
        if reasons:
            params["retry_reasons"] = list(reasons)
        for name in ("quality", "output_format", "background", "model"):
            if text_of(reply, name):
                params[f"server_{name}"] = text_of(reply, name)
        if revised := text_of(first, "revised_prompt"):
            params["revised_prompt"] = revised
        if usage := as_object(reply.get("usage")):
            params["usage"] = dict(usage)
        return params


def _server(who: str, settings: ImagingSettings) -> Server:
    base_url = settings.base_url or os.environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
    key_env = settings.api_key_env or _KEY
    key = os.environ.get(key_env, "").strip()
    if not key and settings.api_key_env:
        raise ConfigError(f"The environment variable {key_env} is not set (images.api_key_env names it).")
    if not key and base_url == OPENAI_URL:
        raise ConfigError(
            f"{who} needs {_KEY}: set this environment variable. If the key is in another one, name that in "
            "images.api_key_env; a server that needs none is named in images.base_url."
        )
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"The environment variable {key_env} holds characters that no key has.")
    return Server(who, base_url.rstrip("/"), settings.timeout, settings.retries, key, key_env)


def _not_known(answer: Answer, body: Mapping[str, JsonValue]) -> str | None:
    """The optional field for which a server refused the request."""
    if answer.status not in (400, 422):
        return None
    said = said_in(answer.body)
    if _is_refusal(said):
        return None
    for name in _OPTIONAL:
        named = said.param == name or re.search(rf"\b{name}\b", said.message) is not None
        if name in body and named and (said.param == name or _UNKNOWN.search(said.message)):
            return name
    return None


def _is_refusal(said: Said) -> bool:
    return said.code in _REFUSED_CODES or _REFUSED_WORDS.search(said.message) is not None
