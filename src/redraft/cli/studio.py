"""Commands of the studios, built from their options: `redraft STUDIO …` and `redraft run STUDIO …`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from inspect import Parameter, Signature, getdoc
from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from redraft.cli import flags as o
from redraft.cli.logs import log_options

if TYPE_CHECKING:
    from redraft.cli.foreground import Foreground
    from redraft.cli.terminal import Terminal
    from redraft.result import Result
    from redraft.studios.base import Studio

SUMMARIES = {
    "board": "Place components of a KiCad board as a sentence says; look at boards and check them.",
    "image": "Make a picture from concepts and a taste; list and compare earlier ones.",
    "scene": "Build a Blender scene for a sentence, or toward a picture.",
    "shader": "Write a shader for a sentence, or toward a picture.",
    "sketch": "Draw what a sentence asks for.",
}
"""Of the built-in studios, so that `redraft --help` need not load them."""
COMMANDS = "redraft.commands"
"""The entry point group of further commands below a studio's: a function of the studio's own command that returns them
by name."""
METAVARS: dict[Any, str] = {int: "N", float: "X", str: "NAME", tuple: "WxH", Path: "FILE"}
METAVAR_OF = {"on": "RUN", "to": "FILE", "base_url": "URL", "image_url": "URL", "max_cost": "USD"}
"""Of options whose type does not say it."""
NOTES = re.compile(r" *\[((?:default: |required|[\d.]*<=?x|x[<>]=?)[^\]]*)\]$")
"""What Typer adds to a help text: default, range, and whether it is required."""
CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EXITS = (
    "Exit codes: 0 delivered, 1 not valid, 2 wrong use or settings, 3 ended early and can be resumed, 130 after Ctrl-C."
)


class Command(TyperCommand):
    """A command whose help names arguments once, and gives defaults in one form."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params += log_options()

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line: `FILE` is required, `[FILE]` is not."""
        return [re.sub(r"[{}]|\.{3}(?=[\]}]?\.{3})", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of arguments and of options."""
        found: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                name = str(each.metavar) if each.param_type_name == "argument" else record[0]
                found[each.param_type_name].append((name, _with_default(record[1])))
        for kind, rows in found.items():
            if rows:
                with formatter.section(f"{kind.title()}s"):
                    formatter.write_dl(rows)


def _with_default(said: str) -> str:
    notes = NOTES.search(said)
    if notes is None:
        return said
    default = re.search(r"default: ([^;]*)", notes[1])
    said = said[: notes.start()]
    return said if default is None else _defaulted(said, default[1])


def _defaulted(said: str, default: object) -> str:
    """A help text with the default, unless it says it itself."""
    return said if "(default" in said else f"{said.removesuffix('.')} (default {default})."


class Commands(typer.Typer):
    """A group of such commands, in plain text."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("add_completion", False)
        more.setdefault("rich_markup_mode", None)
        more.setdefault("cls", Group)
        super().__init__(context_settings=CONTEXT, **more)

    def command(self, *args: Any, **more: Any) -> Any:
        """Register a command."""
        more.setdefault("cls", Command)
        return super().command(*args, **more)


class StudioCommand(Command):
    """A run of one studio; a first word that names one of its tools is that tool instead."""

    tools: dict[str, Any]

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the run, or of the tool that the first word names."""
        tools: dict[str, Any] = getattr(self, "tools", {})
        if args and args[0] in tools and tools[args[0]] is not self:
            context = tools[args[0]].make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
            _load(str(self.name))  # after the help, which needs none of it
            return context
        return super().make_context(info_name, args[1:] if args and args[0] in tools else args, parent, **extra)


def _load(name: str) -> None:
    """Load a studio. Ends the process with a message where its libraries are missing."""
    from redraft.cli.failures import failures
    from redraft.studios import open_studio

    with failures():
        open_studio(name)


class Group(TyperGroup):
    """A group of commands whose list has whole sentences."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(200)) for name, each in self.commands.items()])


class Setup(Group):
    """`redraft setup`: commands that studios bring under the entry point group `redraft.setup`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        from redraft.extras import entry_points

        super().__init__(*args, **more)
        for point in sorted(entry_points(group="redraft.setup"), key=lambda point: point.name):
            app = Commands()
            app.command(point.name)(point.load())
            self.commands[point.name] = typer.main.get_command(app)


class Studios(TyperGroup):
    """`redraft run STUDIO`: every installed studio, without further commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the installed studios."""
        from redraft.studios import studio_names

        return list(studio_names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a studio. Ends the process with a message where there is none of that name."""
        return command_of(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list without loading a studio."""
        with formatter.section("Studios"):
            formatter.write_dl([(name, _summary(name)) for name in self.list_commands(ctx)])


class Program(TyperGroup):
    """The commands of redraft, with those of the installed studios first. Each is built when it is used."""

    later: ClassVar[dict[str, Any]] = {}
    """What is registered, by name: a `CommandInfo`, or the Typer program of a group."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.commands = dict.fromkeys((*SUMMARIES, *self.later))  # the names that are suggested for a misspelled one

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        from redraft.studios import studio_names

        return [*studio_names(), *self.later]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; a studio's with its tools."""
        from redraft.studios import studio_names

        if cmd_name in self.later:
            info = self.later[cmd_name]
            if isinstance(info, typer.Typer):
                return typer.main.get_group(info)
            alone = Commands()
            alone.registered_commands.append(info)
            return typer.main.get_command(alone)
        return command_of(cmd_name, tools=True) if cmd_name in studio_names() else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list without building a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._said(name)) for name in self.list_commands(ctx)])

    def _said(self, name: str) -> str:
        info: Any = self.later.get(name)
        if info is None:
            return _summary(name)
        if isinstance(info, typer.Typer):
            if isinstance(info.info.help, str):
                return info.info.help
            info = info.registered_callback
        return " ".join((getdoc(info.callback) or "").partition("\n\n")[0].split())

    def make_context(self, *args: Any, **more: Any) -> Any:
        """Return the context of a call."""
        with _errors_alike():
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:
        """Carry out a call."""
        with _errors_alike():
            return super().invoke(ctx)


@contextmanager
def _errors_alike() -> Generator[None]:
    """Have errors of use begin as all others do."""
    from redraft.cli.failures import say_error

    kind: Any = typer.BadParameter.__base__
    try:
        yield
    except kind as wrong:
        error: Any = wrong

        def show(file: Any = None) -> None:
            if error.ctx is not None:
                typer.echo(f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} -h' for help.\n", err=True)
            say_error(error.format_message())

        problems = getattr(error.__cause__, "errors", None)
        if problems is not None:  # of Pydantic, whose message lacks the value
            first = problems()[0]
            error.message = f"{first['msg'].partition(', unable to parse')[0]}; given {first['input']!r}."
        if error.show.__func__ is kind.show:  # not the one that shows the help instead
            error.show = show
        raise


def _summary(name: str) -> str:
    """Of a studio in one line; one that is not built in is loaded for it."""
    if name in SUMMARIES:
        return SUMMARIES[name]
    from redraft.errors import RedraftError
    from redraft.studios import open_studio

    try:
        studio = open_studio(name)
    except RedraftError:
        return f"Run the {name} studio."
    own = studio.purpose or (getdoc(studio) if type(studio).__doc__ else "") or f"Run the {name} studio."
    return " ".join(own.partition("\n\n")[0].split())


TYPES: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str, "tuple": tuple, "Path": Path}
"""Types of options, by the names that `studios.json` has for them."""


@dataclass(frozen=True)
class Flag:
    """One option of a studio as the command line has it."""

    name: str
    type: str
    """A name in `TYPES`; any other is text."""
    choices: tuple[str, ...]
    help: str
    default: Any = None


@dataclass(frozen=True)
class Front:
    """All that the command line says of a studio before it runs."""

    name: str
    purpose: str
    example: str
    takes: tuple[str, ...]
    needs: dict[str, str]
    options: tuple[Flag, ...]

    @classmethod
    def of(cls, studio: Studio[Any, Any]) -> Front:
        """Return that of a loaded studio."""
        from redraft.options import choices, options_of

        flags = [
            Flag(
                option.name, getattr(option.type, "__name__", "text"), choices(option.type), option.help, option.default
            )
            for option in options_of(studio)
        ]
        purpose = studio.purpose or _summary(studio.name)
        return cls(studio.name, purpose, studio.example, tuple(sorted(studio.takes)), dict(studio.needs), tuple(flags))

    def data(self) -> dict[str, Any]:
        """Return it as `studios.json` has it."""
        return asdict(self)


FRONTS = Path(__file__).with_name("studios.json")
"""The fronts of the built-in studios, so that their help need not load them. `tests/helpers/cli_docs.py` writes it."""


@cache
def _fronts() -> dict[str, Front]:
    rows: list[dict[str, Any]] = json.loads(FRONTS.read_text("utf-8"))
    return {row["name"]: _front(row) for row in rows}


def _front(row: dict[str, Any]) -> Front:
    flags = [Flag(o["name"], o["type"], tuple(o["choices"]), o["help"], o["default"]) for o in row["options"]]
    return Front(row["name"], row["purpose"], row["example"], tuple(row["takes"]), row["needs"], tuple(flags))


def front_of(name: str) -> Front:
    """Return the front of a studio; one that is not built in is loaded for it. Raises as `open_studio` does."""
    from redraft.studios import open_studio

    return _fronts()[name] if name in SUMMARIES else Front.of(open_studio(name))


def command_of(name: str, *, tools: bool = False) -> Any:
    """Return the command of a studio. Ends the process with a message where one that is not built in fails to load."""
    from redraft.cli.failures import failures
    from redraft.studios import extension

    with failures():
        studio = front_of(name)
        further = extension(COMMANDS, name) if tools else None
    found = command(name, _run(studio), signature_of(studio), _help(studio), EXITS)
    if further is not None:
        found.tools = further(found)
        rows = [(tool, each.get_short_help_str(200)) for tool, each in found.tools.items() if each is not found]
        lines = "\n".join(f"  redraft {name} {tool:<10} {said}" for tool, said in rows)
        found.epilog = f"\b\nMore:\n{lines}\n\n{EXITS}"
    return found


def command(name: str, call: Callable[..., None], signature: Signature, said: str, epilog: str = "") -> Any:
    """Return a command whose parameters are those of a signature."""
    call.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
    call.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    app, more = Commands(), {"allow_extra_args": True, **CONTEXT}
    app.command(name, cls=StudioCommand, help=said, epilog=epilog, context_settings=more)(call)
    return typer.main.get_command(app)


def commands_of(app: typer.Typer) -> dict[str, Any]:
    """Return the commands of a Typer program by name."""
    group: Any = typer.main.get_group(app)  # also where it has only one command
    return dict(group.commands)


def _help(studio: Front) -> str:
    words = f"\n\n\b\nExample:\n  {_example(studio)}" if studio.example else ""
    return f"{studio.purpose}{words}"


def _example(studio: Front) -> str:
    """A command as one would type it."""
    return f"redraft {studio.name} {'my.kicad_pcb ' if 'source' in studio.takes else ''}{json_of(studio.example)}"


def signature_of(studio: Front, without: frozenset[str] = frozenset()) -> Signature:
    """Return the parameters of a studio's command: arguments, the studio's options, and those of every run."""
    words = "What to make, or what to change with --on; - reads standard input."
    arguments = {"source": ("FILE", "The file to work on.", Path), "instruction": ("INSTRUCTION", words, str)}
    found = [Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for name, (metavar, said, kind) in arguments.items():
        if name == "instruction" or name in studio.takes:
            found.append(_parameter(name, kind | None, typer.Argument(metavar=metavar, help=said)))
    found += [_parameter(*_flag(option)) for option in studio.options if option.name != "source"]
    common = {"out": (o.Out, None), "config": (o.ConfigFile, None), "json": (o.Json, False), "quiet": (o.Quiet, False)}
    found += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in common.items()
    ]
    return Signature([parameter for parameter in found if parameter.name not in without])


def _parameter(name: str, kind: Any, info: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, info])


def _flag(option: Flag) -> tuple[str, Any, Any]:
    type_ = TYPES.get(option.type)
    flag = f"--{option.name.replace('_', '-')}"
    default, said = option.default, option.help
    if default is not None and default is not False and default != "":
        said = _defaulted(said, "on" if default is True else default)
    if type_ is bool:
        both = f"{flag}/--no-{flag.removeprefix('--')}" if default is not False else flag
        return option.name, bool | None, typer.Option(both, help=said, show_default=False)
    metavar = METAVAR_OF.get(option.name) or "|".join(option.choices) or METAVARS.get(type_, "TEXT")
    kind = type_ if type_ in (int, float, Path) and option.name != "on" else str
    names = (flag, "-o") if option.name == "to" else (flag,)  # the file that is written, as other tools have it
    return option.name, kind | None, typer.Option(*names, metavar=metavar, help=said, show_default=False)


def _run(studio: Front) -> Callable[..., None]:
    def run(**given: Any) -> None:
        context, instruction, source = given.pop("context"), given.pop("instruction"), given.get("source")
        if instruction is None and source is not None and given.get("on"):  # the file is that of the run
            instruction = str(source)
            source = given["source"] = None
        if context.args:
            whole = " ".join((*filter(None, (instruction,)), *context.args))
            file = "" if source is None else f"{source} "
            context.fail(
                f"The instruction is one argument; put it in quotes: redraft {studio.name} {file}{json_of(whole)}"
            )
        refuse_idle_options(context, studio, given)
        if instruction is None and not any(given.get(name) for name in ("target", "concepts_file", "all")):
            context.fail(f"The instruction is missing. For example: {_example(studio)}")
        run_here(studio, instruction or "", given)

    return run


def refuse_idle_options(context: typer.Context, studio: Front, given: Mapping[str, Any]) -> None:
    """End with a usage error where a flag was given that has no effect without another one."""
    for name, other in studio.needs.items():
        if given.get(name) not in (None, False) and not given.get(other):
            flag, needed = (f"--{option.replace('_', '-')}" for option in (name, other))
            context.fail(f"{flag} has no effect without {needed}: give both, or leave {flag} out.")


def run_here(
    front: Front,
    instruction: str,
    given: dict[str, Any],
    *,
    before: Callable[[Path], dict[str, Any]] | None = None,
    after: Callable[[Result, Terminal], Result] | None = None,
) -> None:
    """Carry out a run in the foreground; `given` are the values of the command's flags. Ends the process.

    `before` takes the run's folder and returns further inputs; `after` does something with the result.
    """
    from redraft.cli.foreground import Foreground, standard_input

    out, file = given.pop("out"), given.pop("config")
    as_json, quiet = given.pop("json"), given.pop("quiet")

    def do(foreground: Foreground, terminal: Terminal) -> Result:
        from redraft import api
        from redraft.errors import ConfigError
        from redraft.options import INPUTS, config_of
        from redraft.studios import open_studio

        studio = open_studio(front.name)
        inputs: dict[str, Any] = {name: given.pop(name) for name in INPUTS if name in given}
        target: Path | None = inputs.get("target")
        if given.get("metric") is not None and target is None:
            raise ConfigError(
                f"--metric {given['metric']} measures the distance to a target: give --target PICTURE with it."
            )
        config = config_of(studio, given, file=file, how="on the command line")
        text = standard_input() if instruction == "-" else instruction
        source: Path | None = target or inputs.get("source")
        folder = foreground.place(out, config.out, text or ("" if source is None else source.stem))
        result = api.run(
            studio.name,
            text,
            config=config,
            out=folder,
            observer=terminal,
            notify=terminal.notify,
            **inputs,
            **(before(folder) if before else {}),
        )
        return after(result, terminal) if after else result

    Foreground(front.name, as_json, quiet).carry_out(do)
