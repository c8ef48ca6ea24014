"""The log on standard error, and its options: they are those of the program, and every command takes them too."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")


def _given(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> None:
    """Take the value of one option, and start the log by all that were given so far."""
    known = {"log_level": LEVELS, "log_format": FORMATS}.get(str(parameter.name))
    if not value or context.resilient_parsing:
        return
    if known is not None and value not in known:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(known)}.")
    given: dict[str, Any] = context.meta.setdefault("redraft.record.log", {})
    given[str(parameter.name)] = value
    start_log(**given)


Verbose = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        show_default=False,
        callback=_given,
        expose_value=False,
        help="Log what a run does, with times; -vv logs everything.",
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(LEVELS),
        callback=_given,
        expose_value=False,
        help="Log to standard error from this level on (default: no log).",
    ),
]
LogFormat = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(FORMATS), callback=_given, expose_value=False, help="Format of the log; alone, from info on."
    ),
]


@cache
def log_options() -> tuple[Any, ...]:
    """Return these options for a command, whose help does not repeat them."""
    app = typer.Typer(add_completion=False)

    @app.command()
    def _(verbose: Verbose = 0, log_level: LogLevel = None, log_format: LogFormat = None) -> None: ...

    options: list[Any] = [each for each in typer.main.get_command(app).params if each.name != "help"]
    for option in options:
        option.hidden = True
    return tuple(options)


def start_log(*, verbose: int = 0, log_level: str | None = None, log_format: str = "text") -> None:
    """Write the records of redraft's loggers, and other libraries' warnings, to standard error."""
    import logging
    import sys
    from datetime import UTC, datetime
    from json import dumps

    from redraft.cli.terminal import plain

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
            facts: dict[str, Any] = getattr(record, "facts", {})
            said = {"time": at.replace("+00:00", "Z"), "level": record.levelname.lower(), "logger": record.name}
            if record.exc_info:
                facts = {**facts, "exception": self.formatException(record.exc_info)}
            if log_format == "json":
                return dumps({**said, "message": record.getMessage(), **facts}, default=str)
            head = f"{said['time']} {said['level']:<7} {said['logger']} {record.getMessage()}"
            return plain(" ".join([head, *(f"{name}={value}" for name, value in facts.items())]))

    class Handler(logging.StreamHandler[Any]):
        """One that writes to the standard error of the moment: a progress line replaces it for a while."""

        def emit(self, record: logging.LogRecord) -> None:
            self.stream = sys.stderr
            super().emit(record)

    handler, root = Handler(), logging.getLogger()
    handler.setFormatter(Formatter())
    for earlier in [each for each in root.handlers if type(each).__qualname__ == Handler.__qualname__]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    level = (log_level or LEVELS[1 if verbose < 2 else 0]).upper()
    logging.getLogger("redraft").setLevel(level)
    root.setLevel(level if level == "DEBUG" else "WARNING")
