"""From a model's reply to a final prompt; anything else is E2, with how to fix it."""

from __future__ import annotations

import re

from redraft.brief import JOINERS
from redraft.errors import FormatError
from redraft.models.replies import fences
from redraft.studios.image.spec import MAX_PROMPT, ImagePrompt

ASK = "Send the prompt alone, as plain prose."
_LABEL = re.compile(
    r"^[#*\s]*(?:(?:sure|certainly|of course|okay|ok)\b[^:\n]{0,20})?(?:here(?:'s|’s| is| you go)\b[^:\n]{0,40})?"
    r"(?:the |your |final |image |revised |mended )*prompt(?: for [^:\n.]{1,30})?[*\s]*(?::[*\s]*|(?<=\n))",
    re.IGNORECASE,
)
"""What models put before a prompt: "Prompt:", "Here is the final prompt for the image model:"."""
_QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»"}


def parse(text: str) -> ImagePrompt:
    """A reply as a prompt: prose, or one fenced block and nothing else; quotation marks around all of it are left out.

    Raises:
        FormatError: E2: it is empty, longer than `MAX_PROMPT` characters, JSON, or a fence with prose around it.
    """
    blocks, prose = fences(text, ASK)
    if blocks and (prose or len(blocks) > 1):
        raise FormatError(f"The reply has a fenced block and prose beside it ({prose[:60]!r}). {ASK}")
    prompt = _bare(blocks[0].text if blocks else prose)
    if not prompt:
        raise FormatError(f"The reply holds no prompt. {ASK}")
    if prompt.startswith(("{", "[")):
        raise FormatError(f"The reply is JSON (it begins {prompt[:40]!r}), and an image model would paint it. {ASK}")
    if len(prompt) > MAX_PROMPT:
        raise FormatError(
            f"The prompt has {len(prompt):,} characters; image models read at most {MAX_PROMPT:,}. It begins "
            f"{prompt[:60]!r}. Say the same in 40 to 120 words."
        )
    return ImagePrompt(prompt=prompt)


def _bare(text: str) -> str:
    """The prompt on one line: models wrap it in a label, quotation marks, or lines of a poem."""
    bare = _LABEL.sub("", text.strip())
    shown = "".join(
        c if c.isprintable() or c in JOINERS else " " for c in bare
    )  # no server and no table takes the others
    line = " ".join(shown.split())
    inner = line[1:-1]
    if len(line) > 1 and _QUOTES.get(line[0]) == line[-1] and line[0] not in inner and line[-1] not in inner:
        return inner.strip()
    return line
