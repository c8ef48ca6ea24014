"""Any server that speaks OpenAI's images API: its own, and the local and hosted ones that copied it.

One request paints one picture: `POST {base_url}/images/generations`. The reply holds it as base64 or names an address
to fetch it from. A prompt that the server's rules refuse is not asked again; the server's words are passed on. Of
OpenAI's own models sizes and qualities are known before they are asked, as far as OpenAI documents them; every other
model is sent what the settings say. Retired models stay in the table, as other servers go on offering them.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import anyio.to_thread
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError
from redraft.models.messages import Said, as_list, as_object, clipped, said_in, text_of
from redraft.models.network import Failed
from redraft.painting.base import ImageReply, ImageRequest, Notify, received, with_progress
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.pictures import whole_in_thread
from redraft.studios.image.backends.transport import Answer, Server, Sleep, TryError, Wire, is_loopback

OPENAI_URL = "https://api.openai.com/v1"
_KEY = "OPENAI_API_KEY"
_OPTIONAL = ("seed", "response_format")
"""Fields that some servers do not know. A field that a setting asks for is never dropped: its refusal is reported."""
_REFUSED_CODES = frozenset(
    {"content_policy_violation", "moderation_blocked", "content_filter", "sensitive_words_detected"}
)
_REFUSED_WORDS = re.compile(r"safety system|content.?polic|content management policy|moderation", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"unknown|unsupported|unrecogni[sz]ed|unexpected|extra[ _](input|forbidden|field)|additional propert"
    r"|not (permitted|supported|allowed|recogni[sz]ed)",
    re.IGNORECASE,
)

_SQUARE_AND_OBLONG = ((1024, 1024), (1536, 1024), (1024, 1536))
_LONGEST, _MOST_PIXELS, _STEP, _RATIO = 3840, 3840 * 2160, 16, 3
"""Of the models that take any size: pixels, and the longer side to the shorter."""

RETIRED = {
    "dall-e-2": "12 May 2026",
    "dall-e-3": "12 May 2026",
    "gpt-image-1": "23 October 2026",
    "chatgpt-image-latest": "1 December 2026",
    "gpt-image-1-mini": "1 December 2026",
    "gpt-image-1.5": "1 December 2026",
}
"""The day on which OpenAI's own server stops serving them, as announced in 2026."""


@dataclass(frozen=True)
class Known:
    """One family of models."""

    names: str
    """A pattern for whole names."""
    sizes: tuple[tuple[int, int], ...]
    """Width and height; empty: any within the limits above."""
    qualities: tuple[str, ...]


_FAMILIES = (
    Known("dall-e-2", ((256, 256), (512, 512), (1024, 1024)), ("standard",)),
    Known("dall-e-3", ((1024, 1024), (1792, 1024), (1024, 1792)), ("standard", "hd")),
    Known(
        r"(gpt-image-1|gpt-image-1-mini|gpt-image-1\.5)(-\d{4}-\d\d-\d\d)?|chatgpt-image-latest",
        _SQUARE_AND_OBLONG,
        ("low", "medium", "high", "auto"),
    ),
    Known(r"gpt-image-2(-\d{4}-\d\d-\d\d)?", (), ("low", "medium", "high", "auto")),
    Known(r"gpt-image-2\.5-(sunburst|flare)(-\d{4}-\d\d-\d\d)?", (), ("low", "medium", "high", "xhigh", "max", "auto")),
)


class OpenAIBackend:
    """A model named `openai:MODEL`.

    Raises on construction:
        ConfigError: its key is missing, or the model cannot honor a setting.
    """

    def __init__(self, model: str, settings: ImagingSettings, *, sleep: Sleep = anyio.sleep) -> None:
        if not model:
            raise ConfigError("images.backend is 'openai:' and names no model, as in openai:gpt-image-2.")
        self._model = model
        self._settings = settings
        self._sleep = sleep
        self._server = _server(self.name, settings)
        self._is_openai = urlsplit(self._server.base_url).hostname == "api.openai.com"
        if self._is_openai:  # another server may serve anything under the same name
            refuse_unsupported(model, settings.width, settings.height, settings.quality)

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        """Paint one picture, trying again what failed on the way.

        Raises:
            ImageBackendError: refused, out of reach after all tries, or what came is not a picture.
        """
        body = self._body(request)
        async with Wire(self._server, notify, seed=request.seed, sleep=self._sleep) as wire:
            reply = await with_progress(lambda: wire.persist(lambda: self._asked(wire, body)), notify)
            first = self._first(reply)
            picture = await whole_in_thread(await self._bytes(wire, first), self.name)
        came = received(self.name, request, picture.size, picture.came_as, notify)
        return ImageReply(
            png=picture.png,
            backend=self.name,
            cost=cost_of(as_object(reply.get("usage")), self._model, self._server.base_url, self._settings.price),
            params=came | self._params(body, reply, first, wire.reasons),
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
            unknown = _not_known(answer, body)
            if unknown is None:
                break
            del body[unknown]
        self._refuse_for_good(answer)
        reply = as_object(await answer.checked().json())
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
                fix="It is not sent again. Other concepts or another idea may pass.",
            )
        if self._is_openai and self._model in RETIRED and (answer.status == 404 or said.code == "model_not_found"):
            raise TryError(
                Failed(f"HTTP {answer.status}: {said.message}", again=False),
                fix=f"OpenAI serves {self._model} no longer than to {RETIRED[self._model]}; try openai:gpt-image-2.",
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
            return await anyio.to_thread.run_sync(self._decoded, inline or url, abandon_on_cancel=True)
        address = urljoin(f"{self._server.base_url}/", url)
        self._refuse_address(address)

        async def fetch() -> bytes:
            return (await wire.send("GET", address, follow=True)).checked(what="its own picture", fix="").body

        return await wire.persist(fetch)

    def _decoded(self, text: str) -> bytes:
        start = re.match(r"data:[^,]{0,100},", text)
        try:
            return base64.b64decode("".join(text[start.end() if start else 0 :].split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise ImageBackendError(f"{self.name} sent a picture that is not base64 ({error}).") from error

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
                f"{self.name} names {shown} as the picture's address, which is this machine and not {own}. Set that "
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


def known(model: str) -> Known | None:
    """The family that a model belongs to."""
    return next((family for family in _FAMILIES if re.fullmatch(family.names, model)), None)


def is_gpt_image(model: str) -> bool:
    """Whether it is one of those that always answer with base64 and refuse to be asked for it; also under the names
    that gateways give them (`openai/gpt-image-2`)."""
    return re.search(r"(gpt|chatgpt)-image", model) is not None


def refuse_unsupported(model: str, width: int, height: int, quality: str | None) -> None:
    """Refuse a size or quality that a known model does not have.

    Raises:
        ConfigError: it paints no picture of this size, or knows no such quality. Another size is not taken in silence.
    """
    family = known(model)
    if family is None:
        return
    if wrong := _size_error(family, width, height):
        raise ConfigError(f"images.width and images.height are {width} × {height}, and {model} {wrong}")
    if quality is not None and quality not in family.qualities:
        raise ConfigError(f"images.quality is {quality!r}, and {model} supports {_one_of(family.qualities)}.")


def _size_error(family: Known, width: int, height: int) -> str:
    """Return the problem of a size, as the end of a sentence; empty when it is right."""
    if family.sizes:
        if (width, height) in family.sizes:
            return ""
        return f"paints {_one_of([f'{w} × {h}' for w, h in family.sizes])} pixels."
    if width % _STEP or height % _STEP:
        near = " × ".join(str(max(_STEP, round(side / _STEP) * _STEP)) for side in (width, height))
        return f"wants both to be multiples of {_STEP}, as in {near}."
    if max(width, height) > _RATIO * min(width, height):
        return f"paints nothing longer than {_RATIO} to 1."
    if max(width, height) > _LONGEST or width * height > _MOST_PIXELS:
        return f"paints at most {_LONGEST} pixels a side and {_MOST_PIXELS:,} in all (3840 × 2160)."
    return ""


def _one_of(names: tuple[str, ...] | list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def cost_of(usage: Mapping[str, JsonValue], model: str, base_url: str, price: float | None) -> float | None:
    """US dollars, None where nothing is known: no price is set, and the server did not count, or is on no list.

    The list (the `genai-prices` package, no look-up over the network) is asked by the server's address: another server
    that serves a model of the same name has other prices. Tokens of the output that are not said to be text are the
    picture's.
    """
    if price is not None:
        return price
    asked, answered = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    if asked is None or answered is None:
        return None
    try:
        from genai_prices import Usage, calc_price
    except ImportError:  # it comes with language models, which the embedded and the local backends do without
        return None
    text = _count(as_object(usage.get("output_tokens_details")), "text_tokens") or 0
    counted = Usage(input_tokens=asked, output_tokens=answered, output_image_tokens=max(0, answered - text))
    try:
        return float(calc_price(counted, model, provider_api_url=base_url).total_price)
    except (LookupError, ValueError):
        return None


def _count(fields: Mapping[str, JsonValue], name: str) -> int | None:
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
