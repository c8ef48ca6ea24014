"""The guides in `docs/mcp.md`: what they are now, and `python tests/helpers/mcp_docs.py` to write them anew."""

from __future__ import annotations

import re
from pathlib import Path

from redraft.mcp.guides import guide

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"
SLOW = ("scene", "shader")
"""Studios whose example of a whole run takes long."""
SECTION = re.compile(r"(?<=^### )(\w+)\n.*?(?=^##)", re.MULTILINE | re.DOTALL)


def brought_up_to_date(page: str) -> str:
    """The page with each guide as it is now: a section of the third level that is named after a studio."""

    def section(match: re.Match[str]) -> str:
        found = guide(match[1])
        mark = "<!-- not run: the tutorials run smaller ones -->\n" if match[1] in SLOW else ""
        text = re.sub(
            r"^In a shell: `(.*)`\.$", rf"In a shell:\n\n{mark}```sh\n\1\n```", found.text, flags=re.MULTILINE
        )
        return f"{match[1]}\n\n{found.when}\n\n{text}\n"

    return SECTION.sub(section, page)


if __name__ == "__main__":
    PAGE.write_text(brought_up_to_date(PAGE.read_text("utf-8")), "utf-8")
