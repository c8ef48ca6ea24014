"""Guides for agents, one for each studio: a part of the server's instructions, of the documentation, and skills.

A skill is a folder with a `SKILL.md` in the open agent-skills format (agentskills.io/specification): front matter with
`name` (lower-case letters, digits, hyphens; the folder's name) and `description` (at most 1,024 characters), then
Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import yaml

from redraft.errors import ConfigError
from redraft.files import write_atomic
from redraft.studios import open_studio, studio_names

__all__ = ["Guide", "Installed", "guide", "install_skills", "skill"]

GENERAL = """{purpose}

1. `{studio}_draft` with the user's words as `brief`. Read errors, findings and facts, and look at the picture.
2. `{studio}_look` closer; `{studio}_fix` applies prepared fixes; `{studio}_undo` takes a step back.
3. `{studio}_export` into a new folder.
"""
"""The guide of a studio that has none of its own."""


@dataclass(frozen=True)
class Guide:
    """How to use a studio's tools."""

    studio: str
    when: str
    """When to use them, in one sentence."""
    text: str
    """The order of verbs and the pitfalls, in Markdown."""


@dataclass(frozen=True)
class Installed:
    """One skill, and what was done to its file."""

    file: Path
    done: str
    """`written`, `updated` or `unchanged`."""


def guide(studio: str) -> Guide:
    """Return the guide of an installed studio. Raises `ConfigError` for an unknown one."""
    own = files("redraft.mcp") / "guides" / f"{studio}.md"
    if studio not in studio_names():
        raise ConfigError(f"There is no studio {studio!r}; installed: {', '.join(studio_names())}.")
    words = (
        own.read_text(encoding="utf-8")
        if own.is_file()
        else GENERAL.format(studio=studio, purpose=open_studio(studio).purpose or f"Work in the {studio} studio.")
    )
    when, _, text = words.partition("\n\n")
    return Guide(studio, " ".join(when.split()), text.strip() + "\n")


def skill(studio: str) -> str:
    """Return the text of a studio's `SKILL.md`."""
    found = guide(studio)
    description = f"{found.when} Use it with redraft's MCP server, or with the command redraft."
    head = yaml.safe_dump(
        {
            "name": f"redraft-{studio}",
            "description": description,
            "compatibility": "Needs redraft: its MCP server (redraft mcp FOLDER), or the command line.",
        },
        sort_keys=False,
        allow_unicode=True,
        width=1_000,
    )
    return (
        f"---\n{head}---\n\n# redraft: {studio}\n\n{found.when}\n\n{found.text}\n"
        f"Without a connected server: `redraft {studio} --help`. A run leaves its files and a report in a folder.\n"
    )


def install_skills(folder: Path, studios: Sequence[str] = (), *, force: bool = False) -> list[Installed]:
    """Write one skill for each studio into a folder of skills, each whole or not at all.

    Raises:
        ConfigError: an unknown studio, the folder is a file, or a skill was changed by hand and `force` is not set.
        RunError: a file cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file. Give a folder for the skills, such as .claude/skills.")
    texts = {folder / f"redraft-{name}" / "SKILL.md": skill(name) for name in studios or studio_names()}
    before = {file: file.read_text(encoding="utf-8", errors="replace") for file in texts if file.is_file()}
    changed = [file for file, text in before.items() if text != texts[file]]
    if changed and not force:
        raise ConfigError(
            f"{changed[0]} differs from what redraft would write: it is older, or was changed by hand. "
            "Pass --force to overwrite it."
        )
    done: list[Installed] = []
    for file, text in texts.items():
        if before.get(file) != text:
            write_atomic(file, text)
        word = "unchanged" if before.get(file) == text else "updated" if file in before else "written"
        done.append(Installed(file, word))
    return done
