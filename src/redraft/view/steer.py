"""Steering: start a run, stop it, resume it, edit it, take an edit back, answer for the model, say good or bad.

Everything here changes something, so it takes a form with its token, and nothing of it works under `--read-only`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from redraft.errors import BriefError, ConfigError, RedraftError
from redraft.files import dated, digest, write_atomic
from redraft.limits import PICTURE, read_file
from redraft.loop.resume import config_to_resume, read_start
from redraft.loop.run import CUSTOM_MODEL
from redraft.models.inbox import Waiting, answer, waiting
from redraft.options import Option, check_config, choices, options_of
from redraft.record.journal import STOP_FILE, is_written, system_clock
from redraft.record.transcript import Transcript
from redraft.report.html import Values
from redraft.report.index import Mark
from redraft.report.pictures import data_uri
from redraft.serving import equal
from redraft.studios import open_studio, refuse_unknown, studio_names
from redraft.view.guard import MAX_BYTES
from redraft.view.jobs import FILES, flags_of, offered
from redraft.view.pages import Viewer, page, viewer_of
from redraft.view.providers import keys_kept, store_key

UPLOADS = ".uploads"
"""The folder of files that were sent from the page, beside the runs."""
INBOX = "inbox"
MINE = "inbox: I answer here"
"""The model that is the person at the page."""
WORDS_LIMIT = 20_000
NOTE_LIMIT = 2_000
MISMATCH = re.compile(r"^- (r\d+): (.+?)(?: It was stated as .*)?(?<! The critic upheld it\.)$", re.MULTILINE)
"""A requirement that does not hold and waits for an answer, in a request to a critic."""
PLAIN = ("candidates", "seed", "iterations", "size", "frames", "seconds", "loop", "metric", "max_cost")
"""Options that are shown first."""

Handler = Callable[[Request, Viewer, FormData], Awaitable[Response]]


def steering_routes() -> list[Route]:
    """Return the routes that change something."""
    actions: dict[str, Handler] = {
        "stop": _stop,
        "resume": _resume,
        "undo": _undo,
        "edit": _edit,
        "choose": _choose,
        "verdict": _verdict,
        "reply": _reply,
    }
    routes = [Route(f"/do/{{name}}/{what}", _steered(handler), methods=["POST"]) for what, handler in actions.items()]
    routes += [Route("/new", _steered(_new), methods=["POST"]), Route("/do/key", _steered(_key), methods=["POST"])]
    return [Route("/new", _form), *routes]


def _steered(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Check what every change needs: the form's token, and leave to change anything."""

    async def endpoint(request: Request) -> Response:
        viewer = viewer_of(request)
        if viewer.read_only:
            raise HTTPException(403, "This viewer is read-only: it was started with --read-only.")
        async with request.form(max_files=10, max_fields=200, max_part_size=MAX_BYTES) as form:
            if not equal(str(form.get("form_token")), request.app.state.keys.form):
                raise HTTPException(403, "This form belongs to another or an earlier viewer. Reload the page.")
            return await handler(request, viewer, form)

    return endpoint


def _text(form: FormData, name: str, limit: int = WORDS_LIMIT) -> str:
    value = form.get(name)
    text = value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""
    if len(text) > limit:
        raise BriefError(f"{name} has {len(text):,} characters; at most {limit:,} are taken.")
    return text


async def _form(request: Request) -> Response:
    return _form_page(request, request.query_params.get("studio", "sketch"), {}, "")


def _form_page(request: Request, name: str, given: Mapping[str, str], error: str) -> Response:
    viewer = viewer_of(request)
    if viewer.read_only:
        raise HTTPException(403, "This viewer is read-only: it was started with --read-only.")
    names = studio_names()
    studio = open_studio(name if name in names else "sketch")
    options = [option for option in offered(options_of(studio)) if option.name != "model"]
    rows = [_row(option, given.get(option.name, "")) for option in options]
    default_model = check_config(refuse=False).config.model
    status = 400 if error else 200
    return page(
        request,
        "new.html.j2",
        status,
        studios=names,
        studio=studio,
        rows=rows,
        models=_models(viewer, default_model),
        default_model=default_model,
        given=given,
        error=error,
    )


def _row(option: Option, value: str) -> Values:
    """The field of an option in the form of a run."""
    source = option.name == "source"
    return {
        "name": option.name,
        "label": "File to work on" if source else option.name.replace("_", " ").capitalize(),
        "help": "A board may come with its project and its rules: choose all of them." if source else option.help,
        "kind": "file" if option.name in FILES else _KINDS.get(option.type, "text"),
        "choices": choices(option.type),
        "default": "" if option.default is None else str(option.default),
        "value": value,
        "needed": source,
        "plain": option.name in PLAIN,
    }


_KINDS: dict[Any, str] = {bool: "bool", int: "int", float: "float"}


def _models(viewer: Viewer, *more: str) -> list[str]:
    """Models to choose from: offline, the person at the page, and those that were used here."""
    used = (name for name in viewer.index.values("model") if name != CUSTOM_MODEL and not name.startswith("inbox:"))
    return list(dict.fromkeys(["offline", MINE, *more, *used]))


def _model(viewer: Viewer, form: FormData) -> list[str]:
    """The flag for a model. The person at the page answers in the folder of the inbox beside the runs."""
    name = _text(form, "model_name", 300) or _text(form, "model", 300)
    name = f"inbox:{viewer.folder / INBOX}" if name == MINE else name
    return [f"--model={name}"] if name else []


async def _new(request: Request, viewer: Viewer, form: FormData) -> Response:
    name = _text(form, "studio", 80)
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        studio = open_studio(name)
        words = _text(form, "instruction")
        files = await _uploaded(viewer, form)
        flags = flags_of(studio, options_of(studio), {**given, **files})
        flags += _model(viewer, form)
        if "source" in studio.takes and "source" not in files:
            raise BriefError(f"The {name} studio works on a file: choose one.")
        source = [files["source"]] if "source" in studio.takes else []
        folder = dated(viewer.folder, system_clock(), words or name)
        return await _started(viewer, folder, [name, *flags, "--", *source, *([words] if words else [])])
    except RedraftError as error:
        return await anyio.to_thread.run_sync(_form_page, request, name, given, str(error))


async def _uploaded(viewer: Viewer, form: FormData) -> dict[str, str]:
    """Keep the files that came with a form, each option's in its own folder; return the main one by option."""
    kept: dict[str, str] = {}
    for name in sorted(FILES):
        files = [f for f in form.getlist(name) if isinstance(f, UploadFile) and f.filename]
        contents = [(_safe(f.filename or ""), await f.read()) for f in files]
        if not contents:
            continue
        place = viewer.folder / UPLOADS / digest(b"\0".join(part for n, raw in contents for part in (n.encode(), raw)))
        for file, raw in contents:
            if (viewer.folder / UPLOADS).is_symlink():
                raise BriefError(
                    f"{viewer.folder / UPLOADS} is a link. Remove it; files are kept in the folder of runs."
                )
            await anyio.Path(place).mkdir(parents=True, exist_ok=True)
            write_atomic(place / file, raw)
        main = next((file for file, _ in contents if file.endswith(".kicad_pcb")), contents[0][0])
        kept[name] = str(place / main)
    return kept


def _safe(name: str) -> str:
    """A file's name as it may stand in a folder: letters, digits, dots, dashes, underscores."""
    return re.sub(r"[^\w.-]+", "_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".-")[-80:] or "file"


async def _started(viewer: Viewer, folder: Path, words: Sequence[str]) -> Response:
    """Start a command that makes a run in a new folder, and go to its page. Raises `ConfigError` with its message."""
    studio, *rest = words
    try:
        await _launched(viewer, [studio, "--quiet", "--out", str(folder), *rest], folder)
    except ConfigError:
        viewer.forget(folder.name)
        raise
    return RedirectResponse(viewer.address(folder.name), 303)


async def _launched(viewer: Viewer, words: Sequence[str], folder: Path) -> None:
    """Start a command with the keys that can be read, and wait until its run has begun. Raises `ConfigError`."""
    with suppress(ConfigError):  # a run that needs a key says so itself
        await keys_kept(viewer)
    if error := await viewer.start(words, folder).settled():
        raise ConfigError(error)


async def _key(request: Request, viewer: Viewer, form: FormData) -> Response:
    await store_key(viewer, _text(form, "variable", 200), _text(form, "key", 1000))
    return RedirectResponse(f"{viewer.root}/models", 303)


def _run_of(request: Request, viewer: Viewer) -> Path:
    return viewer.run_folder(request.path_params["name"])


def _back(viewer: Viewer, folder: Path) -> Response:
    return RedirectResponse(viewer.address(folder.name), 303)


async def _stop(request: Request, viewer: Viewer, form: FormData) -> Response:
    """Stop a run before its next effect; a run that was started here at once, when it is asked again."""
    folder = _run_of(request, viewer)
    if (folder / STOP_FILE).exists():
        viewer.end(folder.name)
    elif is_written(folder):
        write_atomic(folder / STOP_FILE, "Stopped from the page of `redraft view`.\n")
    return _back(viewer, folder)


async def _resume(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder = _run_of(request, viewer)
    if not is_written(folder):
        flags = ["--as-recorded"] if "as_recorded" in form else []
        await _launched(viewer, ["resume", "--quiet", *flags, "--", str(folder)], folder)
    return _back(viewer, folder)


async def _edit(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder = _run_of(request, viewer)
    words = _text(form, "instruction")
    if not words:
        raise BriefError("Say what to change.")
    start = viewer.began(folder.name)
    if start is None:
        raise BriefError("This run cannot be continued: it has not begun, or is damaged.")
    refuse_unknown([start.studio])
    flags = [f"--on={folder}", *_model(viewer, form)]
    return await _started(viewer, dated(viewer.folder, system_clock(), words), [start.studio, *flags, "--", words])


async def _undo(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder = _run_of(request, viewer)
    return await _started(viewer, dated(viewer.folder, system_clock(), "undo"), ["undo", "--", str(folder), "1"])


async def _choose(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder, number = _run_of(request, viewer), _text(form, "candidate", 4)
    if not number.isdecimal():
        raise BriefError("Choose one of the candidates.")
    new = dated(viewer.folder, system_clock(), f"{folder.name[18:]} candidate {number}")
    return await _started(viewer, new, ["choose", "--", str(folder), number])


async def _verdict(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder, said = _run_of(request, viewer), _text(form, "verdict", 10)
    if said not in ("good", "bad", ""):
        raise BriefError("A verdict is good, bad or empty.")
    viewer.index.mark(folder.name, Mark(verdict=said, note=_text(form, "note", NOTE_LIMIT)))
    return _back(viewer, folder)


async def _reply(request: Request, viewer: Viewer, form: FormData) -> Response:
    folder = _run_of(request, viewer)
    inbox, number = viewer.inbox(folder.name), _text(form, "number", 8)
    open_ = [] if inbox is None else waiting(inbox, folder.name)
    if inbox is None or number not in [str(one.number) for one in open_]:
        raise BriefError("This request has been answered already, or its run is gone.")
    text = _critique(form) if "judged" in form else form.get("reply")
    if not isinstance(text, str) or not text.strip():
        raise BriefError("The reply is empty.")
    answer(inbox, int(number), text.replace("\r\n", "\n"))
    return _back(viewer, folder)


def _critique(form: FormData) -> str:
    """A critic's reply from the fields of its form."""
    wrong, other = ([line for line in _text(form, name).splitlines() if line.strip()] for name in ("must", "minor"))
    mismatches = [
        {"id": requirement, "wrong": value, "reason": _text(form, f"reason-{requirement}", 400)}
        for name, value in form.items()
        if (requirement := name.removeprefix("wrong-")) != name and value
    ]
    differences = [{"text": line, "weight": "must"} for line in wrong]
    differences += [{"text": line, "weight": "minor"} for line in other]
    upheld = [f"{one['id']} does not hold." for one in mismatches if one["wrong"] == "drawing"]
    score = _text(form, "score", 2)
    if not score.isdecimal():
        raise BriefError("The score is missing. Go back and give a whole number from 0 to 10.")
    reply = {
        "satisfied": not wrong and not upheld,
        "score": int(score),
        "summary": ([*wrong, *upheld] or ["It shows what was asked."])[0][:400],
        "differences": differences[:12],
        **({"mismatches": mismatches} if mismatches else {}),
        **({"better": _text(form, "better", 4)} if "better" in form else {}),
    }
    return json.dumps(reply, ensure_ascii=False)


def _asked(one: Waiting) -> Values:
    """A request, with its pictures embedded: they lie beside the runs, not in one."""
    return {
        "number": one.number,
        "kind": one.kind.rpartition(".")[2],
        "text": one.text,
        "problem": one.problem,
        "pictures": [(name, data_uri(read_file(path, PICTURE))) for name, path in one.pictures.items()],
        "judges": one.fields >= {"satisfied", "score", "differences"},
        "compares": "better" in one.fields,
        "mismatches": MISMATCH.findall(one.text) if "mismatches" in one.fields else [],
    }


def actions_of(viewer: Viewer, folder: Path, transcript: Transcript | None, running: bool) -> Values:
    """Return what can be done with a run now."""
    inbox = viewer.inbox(folder.name)
    return {
        "requests": [_asked(one) for one in waiting(inbox, folder.name)] if inbox is not None else [],
        "stoppable": running,
        "stopping": running and (folder / STOP_FILE).exists(),
        "own": viewer.owns(folder.name),
        "models": _models(viewer),
        "error": viewer.error(folder.name),
        "ended": _ended(folder, transcript) if transcript is not None and not running else None,
    }


def _untrusted(folder: Path) -> list[str]:
    """Lines on the settings of a run's record that are not the person's own."""
    with suppress(RedraftError):  # the command that resumes the run says what is wrong with it
        return [
            str(one) for one in config_to_resume(read_start(folder)[0], folder, check_config(refuse=False).config)[1]
        ]
    return []


def _ended(folder: Path, transcript: Transcript) -> Values:
    """Return the actions on a run that is not running."""
    resumable = not transcript.finished and transcript.worst_case_calls > 0
    checks = transcript.turns[0].validations if transcript.turns else ()
    drafts = [check for check in checks if check.candidate is not None and check.index == 0]
    model = str(transcript.config.get("model", ""))
    return {
        "resumable": resumable,
        "untrusted": _untrusted(folder) if resumable else [],
        "editable": bool(transcript.delivered),
        "undoable": bool(transcript.delivered and transcript.brief.get("on")),
        "candidates": [(one.candidate, one.path == transcript.checked) for one in drafts] if len(drafts) > 1 else [],
        "model": MINE if model.startswith("inbox:") else "" if model == CUSTOM_MODEL else model,
    }
