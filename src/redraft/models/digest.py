"""What makes two requests the same request: a digest that every process and machine computes alike."""

from __future__ import annotations

import hashlib
import json
import re

from redraft.models.base import Request

__all__ = ["digest"]

_CLOCK = re.compile(r"\d[\d.]* ms a frame")
"""A measured time, which is never the same twice."""


def digest(request: Request) -> str:
    """Thirty-two hexadecimal digits over all that a reply may depend on.

    These are kind, messages without measured times, schema, the pictures' bytes, temperature and seed. The path is
    left out (it says where the request was made, not what it asks), and so are the pictures' names and the inputs,
    whose prose the messages are.
    """
    content = {
        "kind": request.kind,
        "messages": [[message.role, _CLOCK.sub("", message.text)] for message in request.messages],
        "output_schema": request.output_schema,
        "pictures": [hashlib.sha256(picture.png).hexdigest() for picture in request.pictures],
        "temperature": request.temperature,
        "seed": request.seed,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
