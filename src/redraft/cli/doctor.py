"""`redraft doctor`: what is installed, which studios work, and the command for what is missing."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from json import dumps as json_of
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli import flags as o
from redraft.cli.failures import NOT_VALID, failures
from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.config import Config


PROGRAMS = "redraft.programs"
"""The entry point group of what studios need of the system: functions of the settings that return what is installed."""


@dataclass(frozen=True)
class Trial:
    """One studio, tried."""

    studio: str
    works: bool
    said: str
    """What the trial showed, or what is wrong, with the command that helps."""
    seconds: float


def doctor(
    studios: Annotated[
        list[str] | None, typer.Argument(metavar="STUDIO", help="Studios to check (default: all).")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="List what is installed; skip the self-tests.")] = False,
    config: o.ConfigFile = None,
    json: o.JsonData = False,
) -> None:
    """Say which studios work here, and how to get what is missing.

    Each studio makes one small thing with the offline model: it is drafted, executed, rendered and checked. Nothing is
    kept. Exit codes: 0 if all these studios work, 1 if one does not.
    """
    with failures():
        from redraft.extras import extras
        from redraft.options import check_config
        from redraft.studios import refuse_unknown, studio_names

        report, names = check_config(config, refuse=False), tuple(studios or studio_names())
        settings, untrusted = report.config, [str(one) for one in report.untrusted]
        parts = {part.name: part.missing for part in extras()}
        refuse_unknown(names)
        system = f"{platform.system()} {platform.release()} on {platform.machine()}"
        system = f"redraft {version('redraft')}, Python {platform.python_version()}, {system}"
        trials: list[Trial] = []
        if not json:
            _say(f"{system}\n\nstudios")
        with ThreadPoolExecutor() as pool:  # they wait for Blender and KiCad, and share what they load
            trying = [pool.submit(_tried, name, settings, parts.get(name, ()), quick=quick) for name in names]
            for one in (each.result() for each in trying):
                trials.append(one)
                if not json:
                    well = "not tried" if quick else f"works, {one.seconds:.1f} s"
                    state = well if one.works else "DOES NOT WORK"
                    _say(f"  {one.studio:<{max(map(len, names))}}  {state}: {one.said}")
        programs = _programs(settings)
        if json:
            found = {"system": system, "studios": [asdict(each) for each in trials], "programs": programs}
            found |= {"untrusted": untrusted}
            typer.echo(plain(json_of({**found, "extras_missing": parts}, indent=2)))
        else:
            _list("programs", programs)
            lacking = {
                name: f"missing {', '.join(some)}: pip install 'redraft[{name}]'" for name, some in parts.items()
            }
            _list("extras", {name: lacking[name] if some else "installed" for name, some in parts.items()})
            if untrusted:
                _say("\n".join(("\nnot trusted (redraft trust . lets it count)", *(f"  {line}" for line in untrusted))))
        raise typer.Exit(0 if all(each.works for each in trials) else NOT_VALID)


def _tried(name: str, settings: Config, lacking: Sequence[str], *, quick: bool) -> Trial:
    """Have a studio make its own example, in a folder that is removed; with `quick`, see whether it could.

    `lacking` are packages of its extra that are not installed.
    """
    from redraft import api
    from redraft.config import Config
    from redraft.errors import RedraftError
    from redraft.files import temporary
    from redraft.painting.settings import ImagingSettings
    from redraft.samples import write_samples
    from redraft.studios import open_studio, settings_of

    began = time.perf_counter()

    def ended(works: bool, said: str) -> Trial:
        return Trial(name, works, said, round(time.perf_counter() - began, 1))

    if lacking:
        get = f"pip install 'redraft[{name}]'"
        return ended(False, f"The {name} studio needs {', '.join(lacking)}, not installed: {get}")
    try:
        studio = open_studio(name)
        own = {**settings.studios.get(name, {}), **studio.trial}
        with temporary("doctor-") as folder:
            write_samples(folder)
            given: dict[str, Any] = {"source": folder / "my.kicad_pcb"} if "source" in studio.takes else {}
            chosen = settings_of(studio, own)
            studio.prepare(chosen, studio.brief(studio.example, chosen, 0, **given))
            if quick or not studio.example:
                return ended(True, "everything it needs is installed")
            small = Config(
                out=str(folder), memory="none", images=ImagingSettings(width=256, height=256), studios={name: own}
            )
            result = api.run(name, studio.example, config=small, out=folder / "run", **given)
            missing = [path.name for path in result.files.values() if not path.exists() or not path.stat().st_size]
    except RedraftError as error:
        return ended(False, str(error))
    wrong = [*([str(result.error["message"])] if result.error else []), *(f"{file} is missing" for file in missing)]
    wrong += [issue.message for issue in result.report.errors]
    if wrong or not result.valid:
        return ended(False, f"its self-test failed: {'; '.join(wrong) or 'the result is not valid'}")
    return ended(True, f"{json_of(studio.example)}: {result.outcome}, {len(result.files)} files")


def _programs(settings: Config) -> dict[str, str]:
    """The programs and libraries of the system that studios use: what each is, or how to get it."""

    from redraft.errors import RedraftError
    from redraft.extras import entry_points
    from redraft.sandbox.protection import protection

    def sandbox(_: Config) -> str:
        return protection("auto")

    programs: dict[str, str] = {}
    loaders: dict[str, Callable[[], Any]] = {point.name: point.load for point in entry_points(group=PROGRAMS)}
    for name, load in sorted({"sandbox": lambda: sandbox, **loaders}.items()):
        try:
            programs[name] = load()(settings)
        except ImportError as error:
            programs[name] = f"not looked for, because {error.name} is not installed"
        except RedraftError as error:
            programs[name] = str(error)
    return programs


def _list(title: str, rows: Mapping[str, str]) -> None:
    width = max(map(len, rows))
    _say("\n".join((f"\n{title}", *(f"  {name:<{width}}  {said}" for name, said in rows.items()))))


def _say(text: str) -> None:
    typer.echo(plain(text))
