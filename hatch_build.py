"""Build hook: project URLs, and absolute links in the long description.

The release workflow names the repository that it runs in by the variable REDRAFT_REPOSITORY. Without it the package has
no URLs, and links stay as they are in README.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?\[[^\]]*\]\()(?!https?:|#)([^)]+\))")
PICTURES = (".png)", ".gif)", ".svg)")


class Hook(MetadataHookInterface):
    """Fills in the fields `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both fields."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        home = os.environ.get("REDRAFT_REPOSITORY", "").rstrip("/")
        if home:
            version = f"v{metadata['version']}"

            def absolute(link: re.Match[str]) -> str:
                kind = "raw" if link[2].endswith(PICTURES) else "blob"
                return f"{link[1]}{home}/{kind}/{version}/{link[2]}"

            text = LINK.sub(absolute, text)
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/tree/{version}/docs",
                "Changelog": f"{home}/blob/{version}/CHANGELOG.md",
                "Issues": f"{home}/issues",
                "Security": f"{home}/blob/{version}/SECURITY.md",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
