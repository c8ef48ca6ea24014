"""The viewer over many runs, over a large run, and over a fast one: `python benchmarks/view.py`.

Writes 10,000 runs, opens the gallery in Chromium and searches it; opens a run folder of 1 GB; and follows a run that
writes 100 events a second. Prints a table, and exits with 1 where a figure misses its limit.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from playwright.sync_api import Page, sync_playwright
from run_writer import RunWriter, house
from viewing import Viewing, plain_run

from redraft.record.events import Warned

FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
TRIES = 5


@dataclass(frozen=True)
class Figure:
    """A measured number and its limit."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def holds(self) -> bool:
        return self.value <= self.limit


@contextmanager
def opened(viewing: Viewing) -> Generator[Page]:
    """A page of a new browser that was let in."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(viewing.address())
        page.wait_for_url(f"{viewing.url}/")
        yield page
        browser.close()


def painted(page: Page, address: str) -> float:
    """Milliseconds from the request for a page to its first text or picture; the median of a few."""
    found: list[float] = []
    for _ in range(TRIES):
        page.goto(address)
        while (at := page.evaluate(FIRST_PAINT)) is None:
            page.wait_for_timeout(10)
        found.append(float(at))
    return median(found)


def written_runs(folder: Path, many: int) -> None:
    """One run, copied with other words."""
    model = plain_run(folder / "run-00000", "a house number 00000").folder
    events = (model / "events.jsonl").read_bytes()
    for n in range(1, many):
        place = folder / f"run-{n:05}"
        place.mkdir()
        (place / "events.jsonl").write_bytes(events.replace(b"number 00000", b"number %05d" % n))
        (place / "drawing.svg").hardlink_to(model / "drawing.svg")


def peak(viewing: Viewing) -> float:
    """Megabytes that the server holds at most."""
    status = Path(f"/proc/{viewing.process.pid}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1000


SEARCH = """async (words) => {
  const input = document.querySelector('[name=words]');
  const began = performance.now();
  input.value = words;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  while (document.getElementById('cards').dataset.total !== '1') await new Promise((done) => setTimeout(done, 2));
  return performance.now() - began;
}"""


def gallery(folder: Path, many: int) -> list[Figure]:
    """Time to the first picture, to the result of a search, and memory."""
    began = time.monotonic()
    with Viewing(folder) as viewing:
        viewing.until("/", f"{many:,} runs<", 600)
        built = time.monotonic() - began
    began = time.monotonic()
    with Viewing(folder) as viewing:
        viewing.until("/", f"{many:,} runs<", 60)
        again = time.monotonic() - began
        with opened(viewing) as page:
            address = f"{viewing.url}/"
            paint = painted(page, address)
            times: list[float] = []
            for n in range(TRIES):
                page.goto(address)
                times.append(float(page.evaluate(SEARCH, f"house {many * (n + 1) // (TRIES + 1):05}")))
            page.goto(address)
            for _ in range(40):
                page.mouse.wheel(0, 3000)
                page.wait_for_timeout(30)
            shown = page.locator("#cards > li").count()
        memory = peak(viewing)
    assert shown > 300, shown
    return [
        Figure(f"{many:,} runs: index built from the runs", built, 120, "s"),
        Figure(f"{many:,} runs: started with the index, all listed", again, 10, "s"),
        Figure(f"{many:,} runs: first paint", paint, 300, "ms"),
        Figure(f"{many:,} runs: search", median(times), 300, "ms"),
        Figure(f"{many:,} runs: memory of the server", memory, 300, "MB"),
    ]


def large(folder: Path) -> list[Figure]:
    """Time to the first paint of a run folder of 1 GB: pictures and other files of 10 MB."""
    writer = plain_run(folder / "large", "a house in a folder of 1 GB")
    for n in range(100):
        with (writer.folder / f"file-{n:03}.bin").open("wb") as file:
            file.write(bytes(10_000_000))
    with Viewing(folder) as viewing:
        viewing.until("/", "1 run<")
        with opened(viewing) as page:
            return [Figure("1 GB run folder: first paint", painted(page, f"{viewing.url}/runs/large/"), 1000, "ms")]


def fast(folder: Path, seconds: int = 10) -> list[Figure]:
    """Time from the writing of an event to its line on the page, at 100 events a second."""
    writer = RunWriter(folder / "fast")
    late: list[float] = []
    with writer.journal, Viewing(folder) as viewing:
        writer.start("a fast run")
        with opened(viewing) as page:
            page.goto(f"{viewing.url}/runs/fast/")
            line = page.locator("#log li").last
            for second in range(seconds):
                began = time.monotonic()
                for n in range(100):
                    message = f"event number {100 * second + n}."
                    writer.journal.write(Warned(key=message, at=writer.journal.now, message=message))
                    time.sleep(max(0.0, began + (n + 1) / 100 - time.monotonic()))
                last, written = f"event number {100 * second + 99}.", time.monotonic()
                while last not in line.inner_text():
                    pass
                late.append(time.monotonic() - written)
        writer.finish(house(0.3))
    return [Figure("100 events a second: delay, the longest", 1000 * max(late), 1000, "ms")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000, help="how many runs (default 10,000)")
    many = parser.parse_args().runs
    figures: list[Figure] = []
    works: list[tuple[str, Callable[[Path], list[Figure]]]] = [("fast", fast), ("large", large)]
    with tempfile.TemporaryDirectory(prefix="view-") as place:
        for name, work in works:
            (folder := Path(place) / name).mkdir()
            figures += work(folder)
        (folder := Path(place) / "many").mkdir()
        written_runs(folder, many)
        figures += gallery(folder, many)
    for one in figures:
        print(f"{one.name:<50} {one.value:8.1f} {one.unit:<3} (limit {one.limit:g}){'' if one.holds else '  MISSED'}")
    return 0 if all(one.holds for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
