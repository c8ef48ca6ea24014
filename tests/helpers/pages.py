"""A page as a test reads it: its tags, its words, and whether anything in it could act."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser


class Page(HTMLParser):
    """Tags with their attributes, and the text between them without the style sheet."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(self.html)
        self.words = " ".join(unescape(re.sub(r"<[^>]*>", " ", self.html.partition("</style>")[2])).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def assert_inert(self) -> None:
        """No script, no handler, no style but the one known, no address but fragments, files and picture data."""
        for tag, attributes in self.tags:
            assert tag not in {"script", "iframe", "object", "embed", "form", "link", "base"}
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            assert (attributes.get("href") or "#").startswith(("#", "./"))
            assert (attributes.get("src") or "data:image/").startswith("data:image/")
