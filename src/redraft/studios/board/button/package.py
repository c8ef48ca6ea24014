"""The plugin package for KiCad 9: the folder where KiCad looks for it, and writing it there."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

import platformdirs

from redraft.errors import ConfigError
from redraft.extras import extras
from redraft.files import write_atomic
from redraft.limits import SETTINGS, read_file, read_json

FOLDER = "redraft"
"""The folder of the plugin among KiCad's plugins."""
SOURCES = (".json", ".png", ".py", ".txt")
NEEDED = ("board", "kicad")
PROVIDERS = ("openai", "anthropic", "google")
"""Extras that the plugin's environment gets if they are installed here, so that the same models can be asked there."""


def plugins_folder() -> Path:
    """Return the folder of the user's plugins: in KICAD_DOCUMENTS_HOME, else where KiCad 9 keeps the user's files."""
    if named := os.environ.get("KICAD_DOCUMENTS_HOME"):
        home = Path(named)
    else:
        home = platformdirs.user_data_path() if sys.platform == "linux" else platformdirs.user_documents_path()
    return home / ("kicad" if sys.platform == "linux" else "KiCad") / "9.0" / "plugins"


def requirement() -> str:
    """Return the requirement by which pip installs this redraft again: its version, or where it was installed from."""
    missing = {extra.name: extra.missing for extra in extras()}
    names = ",".join([*NEEDED, *(name for name in PROVIDERS if not missing[name])])
    package = distribution("redraft")
    written = package.read_text("direct_url.json")  # absent if it came from a package index
    if written is None:
        return f"redraft[{names}]=={package.version}"
    source: dict[str, Any] = json.loads(written)
    vcs = source.get("vcs_info")
    address = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
    return f"redraft[{names}] @ {address}"


def write_plugin(plugins: Path) -> Path:
    """Write the plugin into its folder among KiCad's plugins, over an older one; return the folder.

    Raises:
        ConfigError: a folder of this name holds something else. RunError: it cannot be written.
    """
    folder, ours = plugins / FOLDER, files("redraft.studios.board.button") / "plugin"
    identifier = str(json.loads((ours / "plugin.json").read_text("utf-8"))["identifier"])
    try:
        manifest: object = read_json(read_file(folder / "plugin.json", SETTINGS))
    except (OSError, ValueError):
        manifest = None
    is_ours = isinstance(manifest, dict) and identifier in manifest.values()
    is_empty = folder.is_dir() and not any(folder.iterdir())
    if (folder.exists() or folder.is_symlink()) and not (is_ours or is_empty):
        raise ConfigError(
            f"{folder} exists and is not redraft's plugin; nothing was written. Move it away, or name another folder "
            "of plugins with --out."
        )
    for source in ours.iterdir():
        if source.name.endswith(SOURCES):
            write_atomic(folder / source.name, source.read_bytes())
    listed = (ours / "requirements.txt").read_text("utf-8").splitlines()
    write_atomic(folder / "requirements.txt", "\n".join([requirement(), *listed[1:]]) + "\n")
    return folder
