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
from typing import TYPE_CHECKING, Any

import yaml

from redraft.errors import ConfigError
from redraft.files import slug, write_atomic
from redraft.limits import SOURCE, read_file
from redraft.studios import open_studio, studio_names

if TYPE_CHECKING:
    from redraft.studios.base import Studio

GENERAL = """1. `{studio}_draft` with the user's words as `brief`{example}. Read errors, findings and facts.
2. `{studio}_look` shows the result. {change} `{studio}_undo` takes a step back.
3. `{studio}_export` into a new folder.

In a shell: `redraft {studio} "…"`.
"""
"""The guide of a studio that has none of its own."""


@dataclass(frozen=True)
class Guide:
    """A guide to a studio's tools."""

    studio: str
    when: str
    """Their purpose, in one paragraph."""
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
        raise ConfigError(f"Unknown studio {studio!r}; installed: {', '.join(studio_names())}.")
    if not own.is_file():
        return _general(open_studio(studio))
    when, _, text = own.read_text(encoding="utf-8").partition("\n\n")
    return Guide(studio, " ".join(when.split()), text.strip() + "\n")


def _general(studio: Studio[Any, Any]) -> Guide:
    """The guide of a studio that has none of its own, from what it declares."""
    edited = studio.written[1] != "text"
    change = (
        f"`{studio.name}_edit` changes it." if edited else f"`{studio.name}_draft` with the same brief replaces it."
    )
    example = f', such as "{studio.example}"' if studio.example else ""
    purpose = studio.purpose or f"Work in the {studio.name} studio."
    when = f"{purpose} The result is {studio.medium}." if studio.medium else purpose
    text = GENERAL.format(studio=studio.name, example=example, change=change)
    return Guide(studio.name, " ".join(when.split()), text)


def skill(studio: str) -> str:
    """Return the text of a studio's `SKILL.md`."""
    found = guide(studio)
    use = f"Use when the user asks for that, with redraft's MCP tools ({studio}_*) or its command line."
    head = yaml.safe_dump(
        {
            "name": _named(studio),
            "description": f"{found.when[:900]} {use}",
            "compatibility": "Needs redraft: its MCP server (redraft mcp FOLDER), or the command line.",
        },
        sort_keys=False,
        allow_unicode=True,
        width=1_000,
    )
    return (
        f"---\n{head}---\n\n# redraft: {studio}\n\n{found.when}\n\n{found.text}\n"
        "The command needs no server. With `--model inbox:DIR` you answer its requests in DIR yourself: write\n"
        "`NNNN.reply.md` for `NNNN.request.md`. The default model is a set of rules for plain sentences.\n"
    )


def _named(studio: str) -> str:
    return f"redraft-{slug(studio)}"


def install_skills(folder: Path, studios: Sequence[str] = (), *, force: bool = False) -> list[Installed]:
    """Write one skill for each studio into a folder of skills, each whole or not at all.

    Raises:
        ConfigError: an unknown studio, the folder is a file, or a skill was changed by hand and `force` is not set.
        RunError: a file cannot be written.
    """
    texts = {folder / _named(name) / "SKILL.md": skill(name) for name in studios or studio_names()}
    try:
        if folder.exists() and not folder.is_dir():
            raise ConfigError(f"{folder} is a file. Give a folder for the skills, such as .claude/skills.")
        before = {file: read_file(file, SOURCE).decode("utf-8", "replace") for file in texts if file.is_file()}
    except OSError as error:
        raise ConfigError(
            f"{error.filename or folder} cannot be read: {error.strerror}. Make it readable, or give another folder."
        ) from error
    changed = [str(file) for file, text in before.items() if text != texts[file]]
    if changed and not force:
        raise ConfigError(
            f"{', '.join(changed)}: not what redraft would write, so changed by hand or written by another version. "
            "Nothing was written. Pass --force to overwrite, or --studios to choose others."
        )
    done: list[Installed] = []
    for file, text in texts.items():
        if before.get(file) != text:
            write_atomic(file, text)
        word = "unchanged" if before.get(file) == text else "updated" if file in before else "written"
        done.append(Installed(file, word))
    return done
