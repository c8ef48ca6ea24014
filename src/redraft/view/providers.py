"""The page of models and their keys. Keys are kept in the system's keyring, and given to the runs that start here."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread
import keyring
from keyring.errors import KeyringError
from starlette.requests import Request
from starlette.responses import Response

from redraft.errors import ConfigError
from redraft.models.registry import available, key_variables
from redraft.options import check_config
from redraft.view.pages import Viewer, page, viewer_of

SERVICE = "redraft"
"""The name under which keys lie in the keyring; the user is the environment variable that a key is for."""
SAFE = 1.0
"""Priority from which a keyring is one of the system's; those below keep plain text, or nothing."""
PATIENCE = 20.0
"""Seconds for a keyring to answer: one that is locked asks its user first."""
LONGEST = 500
T = TypeVar("T")


async def models_page(request: Request) -> Response:
    """Answer with the models that can be named, and where their keys are."""
    viewer = viewer_of(request)
    settings = check_config(refuse=False).config.models
    problem, kept = "", dict[str, str]()
    try:
        kept = await keys_kept(viewer)
    except ConfigError as error:
        problem = str(error)
    keys = [
        {"name": name, "set": bool(os.environ.get(name, "").strip()), "kept": name in kept}
        for name in key_variables(settings)
    ]
    return page(request, "models.html.j2", models=available(settings), keys=keys, problem=problem)


async def keys_kept(viewer: Viewer) -> dict[str, str]:
    """Return the keys in the system's keyring by environment variable; they are read once.

    Raises:
        ConfigError: this system has no keyring, or it does not answer.
    """
    if viewer.keys is None:
        names = key_variables(check_config(refuse=False).config.models)
        found = {name: await _asked(partial(keyring.get_password, SERVICE, name)) for name in names}
        viewer.keys = {name: key for name, key in found.items() if key}
    return viewer.keys


async def store_key(viewer: Viewer, variable: str, key: str) -> None:
    """Keep a key in the system's keyring; remove it where it is empty. Raises `ConfigError`."""
    kept = await keys_kept(viewer)
    if variable not in key_variables(check_config(refuse=False).config.models):
        raise ConfigError(f"{variable!r:.80} is not a key of a provider that this page knows.")
    if len(key) > LONGEST or len(key.split()) > 1 or not key.isprintable():
        raise ConfigError(f"That is not a key: a key is one word of at most {LONGEST} characters. Nothing was saved.")
    if key:
        await _asked(partial(keyring.set_password, SERVICE, variable, key))
        kept[variable] = key
    elif variable in kept:
        await _asked(partial(keyring.delete_password, SERVICE, variable))
        del kept[variable]


async def _asked(do: Callable[[], T]) -> T:
    """Ask the system's keyring. Raises `ConfigError` where there is none, or it fails, or does not answer in time."""
    try:
        with anyio.fail_after(PATIENCE):
            ring = await anyio.to_thread.run_sync(keyring.get_keyring)
            if ring.priority >= SAFE:
                return await anyio.to_thread.run_sync(do, abandon_on_cancel=True)
    except (KeyringError, ImportError, ValueError) as error:  # the last two: of a backend that the user has set
        raise ConfigError(f"The system's keyring cannot be used: {error}. Unlock it, then try again.") from error
    except TimeoutError as error:
        raise ConfigError(
            f"The system's keyring did not answer within {PATIENCE:g} s. It may be locked: unlock it, then try again."
        ) from error
    raise ConfigError(
        "This system has no keyring, so keys cannot be saved here; redraft never stores them as plain text. Set the "
        "environment variable before you start redraft view."
    )
