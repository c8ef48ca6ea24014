"""The inbox: files out, files in, whoever answers, whatever they do to the files meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from asking import PNG, SCHEMA, make_request

from redraft.errors import ConfigError, ModelUnavailableError
from redraft.limits import INBOX_REPLY
from redraft.models.base import Reply, Request
from redraft.models.inbox import InboxModel, _state, answer, waiting  # pyright: ignore[reportPrivateUsage]

pytestmark = pytest.mark.anyio


class Time:
    """A clock that only sleeping moves; before each sleep ends, what is due is done."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, Callable[[], object]]] = []

    def at(self, moment: float, act: Callable[[], object]) -> None:
        self._due.append((moment, act))
        self._due.sort(key=lambda entry: entry[0])

    async def sleep(self, seconds: float) -> None:
        await anyio.lowlevel.checkpoint()
        self.now += seconds
        while self._due and self._due[0][0] <= self.now:
            self._due.pop(0)[1]()
        assert self.now < 100, "nobody answers, and the inbox would wait for ever"

    def clock(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    return tmp_path / "mail"


def model(inbox: Path, time: Time, *, run: str = "", waits: list[Path] | None = None) -> InboxModel:
    seen = waits if waits is not None else []
    return InboxModel(inbox, run=run, on_wait=seen.append, sleep=time.sleep, clock=time.clock)


def replace(path: Path, data: str | bytes) -> None:
    """Write under another name and rename, as the request asks for."""
    beside = path.with_name("draft.tmp")
    beside.write_bytes(data.encode() if isinstance(data, str) else data)
    beside.rename(path)


async def test_the_request_says_all_that_is_asked(inbox: Path, time: Time) -> None:
    request = make_request("Draw a cat.\n\nWith *ears*.", pictures=2, output_schema=SCHEMA)
    waits: list[Path] = []
    time.at(1, lambda: (inbox / "0001.reply.md").write_text("meow\n"))
    reply = await model(inbox, time, run="cat-run", waits=waits).ask(request)
    assert reply.text == "meow\n"
    text = (inbox / "0001.request.md").read_text()
    for part in ("You draw.", "Draw a cat.\n\nWith *ears*.", "0001-1.png", "0001-2.png", "0001.reply.md", "view-1.png"):
        assert part in text
    schema = json.loads(text.split("```json\n")[1].split("\n```")[0])
    assert (schema["properties"], "title" in schema) == (SCHEMA["properties"], False)
    header = text.split("---\n")[1]
    assert 'run: "cat-run"' in header
    assert 'path: "iteration-1/draft"' in header
    assert 'kind: "sketch.draft"' in header
    assert (inbox / "0001-2.png").read_bytes() == PNG + b"\1"
    assert waits == [inbox / "0001.request.md"]


async def test_nothing_is_invented_about_the_reply(inbox: Path, time: Time) -> None:
    time.at(1, lambda: replace(inbox / "0001.reply.md", "x"))
    reply = await model(inbox, time).ask(make_request())
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.cost) == (1, 0, None)
    assert model(inbox, time).info.sees
    assert str(inbox) not in str(reply) + str(model(inbox, time).info)


async def test_a_renamed_reply_is_taken_at_once_without_a_newline(inbox: Path, time: Time) -> None:
    time.at(1, lambda: replace(inbox / "0001.reply.md", "no newline"))
    assert (await model(inbox, time).ask(make_request())).text == "no newline"
    assert time.now < 1.5


async def test_a_reply_ending_in_a_newline_must_rest_for_a_second(inbox: Path, time: Time) -> None:
    reply = inbox / "0001.reply.md"
    time.at(1, lambda: reply.write_text("first line\n"))
    time.at(1.8, lambda: reply.write_text("first line\nsecond line\n"))
    time.at(2.6, lambda: reply.write_text("first line\nsecond line\nthird line\n"))
    assert (await model(inbox, time).ask(make_request())).text.endswith("third line\n")
    assert time.now >= 3.6


async def test_half_a_reply_is_never_taken_and_pointed_out(inbox: Path, time: Time) -> None:
    reply, problem = inbox / "0001.reply.md", inbox / "0001.problem.md"
    time.at(1, lambda: reply.write_text('{"half": '))
    told: list[str] = []
    time.at(5, lambda: told.append(str(problem.exists())))
    time.at(15, lambda: told.append(problem.read_text()))
    time.at(20, lambda: reply.write_text('{"half": "whole"}\n'))
    assert (await model(inbox, time).ask(make_request())).text == '{"half": "whole"}\n'
    assert told[0] == "False"
    assert "does not end in a newline" in told[1]
    assert not problem.exists()


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        ("caf\u00e9\n".encode("latin-1"), "not UTF-8: byte 3 is 0xe9"),
        ("meow\n".encode("utf-16"), "UTF-16"),
        (b"x" * (INBOX_REPLY.size + 1), "12,000,001 bytes"),
    ],
    ids=["nothing", "blank", "mark-only", "latin-1", "utf-16", "too-large"],
)
@pytest.mark.parametrize("renamed", [True, False])
async def test_unfit_replies_are_explained_and_waited_out(
    inbox: Path, time: Time, bad: bytes, why: str, renamed: bool
) -> None:
    reply, problem = inbox / "0001.reply.md", inbox / "0001.problem.md"
    told: list[str] = []
    time.at(1, lambda: replace(reply, bad) if renamed else reply.write_bytes(bad))
    time.at(20, lambda: told.append(problem.read_text()))
    time.at(21, lambda: reply.write_text("good\n"))
    assert (await model(inbox, time).ask(make_request())).text == "good\n"
    assert why in told[0]
    assert not problem.exists()


async def test_a_folder_in_the_place_of_the_reply(inbox: Path, time: Time) -> None:
    reply, told = inbox / "0001.reply.md", list[str]()
    time.at(1, reply.mkdir)
    time.at(3, lambda: told.append((inbox / "0001.problem.md").read_text()))
    time.at(4, reply.rmdir)
    time.at(5, lambda: replace(reply, "good"))
    assert (await model(inbox, time).ask(make_request())).text == "good"
    assert "It is a link, a folder or a device." in told[0]


async def test_a_link_in_the_place_of_the_reply_is_not_followed(inbox: Path, time: Time, tmp_path: Path) -> None:
    reply, told = inbox / "0001.reply.md", list[str]()
    secret = tmp_path / "secret"
    secret.write_text("a key\n")
    time.at(1, lambda: reply.symlink_to(secret))
    time.at(3, lambda: told.append((inbox / "0001.problem.md").read_text()))
    time.at(4, reply.unlink)
    time.at(5, lambda: replace(reply, "good"))
    assert (await model(inbox, time).ask(make_request())).text == "good"
    assert "It is a link, a folder or a device." in told[0]


async def test_a_reply_exchanged_for_a_link_as_it_is_read_is_not_followed(
    inbox: Path, time: Time, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply, secret = inbox / "0001.reply.md", tmp_path / "secret"
    secret.write_text("a key\n")
    real = _state

    def exchanged(path: Path) -> object:
        seen = real(path)
        if seen is not None and seen.regular and time.now < 3:
            reply.unlink()
            reply.symlink_to(secret)
        return seen

    monkeypatch.setattr("redraft.models.inbox._state", exchanged)
    time.at(1, lambda: replace(reply, "wrong\n"))
    time.at(5, lambda: replace(reply, "good\n"))
    assert (await model(inbox, time).ask(make_request())).text == "good\n"


async def test_requests_of_others_that_are_links_or_pipes_are_passed_over(
    inbox: Path, time: Time, tmp_path: Path
) -> None:
    asking = model(inbox, time)
    (inbox / "0001.request.md").symlink_to(tmp_path / "away")
    os.mkfifo(inbox / "0002.request.md")
    time.at(1, lambda: replace(inbox / "0003.reply.md", "good"))
    assert (await asking.ask(make_request())).text == "good"


async def test_a_reply_that_is_taken_away_again(inbox: Path, time: Time) -> None:
    reply = inbox / "0001.reply.md"
    time.at(1, lambda: reply.write_text("wrong one\n"))
    time.at(1.5, reply.unlink)
    time.at(3, lambda: reply.write_text("right one\n"))
    assert (await model(inbox, time).ask(make_request())).text == "right one\n"


async def test_the_text_is_data_as_it_is(inbox: Path, time: Time) -> None:
    text = "\ufeff```json\r\n{}\r\n```\r\n\x00 é 你\n"
    time.at(1, lambda: replace(inbox / "0001.reply.md", text))
    assert (await model(inbox, time).ask(make_request())).text == text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def cancelled(ask: Callable[[Request], Awaitable[Reply]], request: Request) -> None:
    with anyio.move_on_after(0.05) as scope:
        await ask(request)
    assert scope.cancelled_caught


def real(inbox: Path, run: str = "") -> InboxModel:
    return InboxModel(inbox, run=run)


async def test_a_cancelled_request_stays_and_is_found_again(inbox: Path, time: Time) -> None:
    await cancelled(real(inbox).ask, make_request())
    assert names(inbox) == ["0001.request.md"]
    time.at(1, lambda: replace(inbox / "0001.reply.md", "later"))
    assert (await model(inbox, time).ask(make_request())).text == "later"
    assert not (inbox / "0002.request.md").exists()


async def test_a_reply_that_came_while_nobody_waited_is_found(inbox: Path, time: Time) -> None:
    await cancelled(real(inbox).ask, make_request())
    (inbox / "0001.reply.md").write_text("meanwhile\n")
    assert (await model(inbox, time).ask(make_request())).text == "meanwhile\n"


async def test_a_reply_renamed_while_nobody_watched_is_taken_when_it_rests(inbox: Path, time: Time) -> None:
    await cancelled(real(inbox).ask, make_request())
    replace(inbox / "0001.reply.md", "no newline")
    assert (await model(inbox, time).ask(make_request())).text == "no newline"


async def test_times_tell_a_rename_too(inbox: Path, time: Time) -> None:
    """Where the kernel does not say it: the status changed later than the content."""
    reply = inbox / "0001.reply.md"

    def put() -> None:
        reply.write_text("no newline")
        os.utime(reply, (1_700_000_000, 1_700_000_000))

    time.at(1, put)
    assert (await model(inbox, time).ask(make_request())).text == "no newline"
    assert time.now < 3


async def test_any_name_of_a_run_is_found_again(inbox: Path, time: Time) -> None:
    run = 'a: "cat" \U0001f408 \x7f\n---\n'
    await cancelled(real(inbox, run).ask, make_request())
    time.at(1, lambda: replace(inbox / "0001.reply.md", "x"))
    await model(inbox, time, run=run).ask(make_request())
    assert not (inbox / "0002.request.md").exists()


@pytest.mark.slow
async def test_a_killed_run_leaves_its_request_to_the_next(inbox: Path, time: Time) -> None:
    program = (
        "import sys, anyio; sys.path.insert(0, sys.argv[2]); from asking import make_request\n"
        "from redraft.models.inbox import InboxModel\n"
        "anyio.run(InboxModel(sys.argv[1], on_wait=lambda p: print('waiting', flush=True)).ask, make_request())"
    )
    helpers = str(Path(__file__).parents[1] / "helpers")
    arguments = [sys.executable, "-c", program, str(inbox), helpers]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:  # noqa: ASYNC220
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        alive = InboxModel(inbox, sleep=time.sleep, clock=time.clock)
        time.at(1, lambda: replace(inbox / "0002.reply.md", "another"))
        assert (await alive.ask(make_request())).text == "another", "a request that is waited for is not shared"
        process.kill()
    time.at(5, lambda: replace(inbox / "0001.reply.md", "inherited"))
    assert (await model(inbox, time).ask(make_request())).text == "inherited"
    assert not (inbox / "0003.request.md").exists()


async def test_an_answer_is_taken_once(inbox: Path, time: Time) -> None:
    """A new run with the same brief and seed asks anew; it is not served yesterday's answer."""
    time.at(1, lambda: replace(inbox / "0001.reply.md", "first"))
    assert (await model(inbox, time).ask(make_request())).text == "first"
    time.at(3, lambda: replace(inbox / "0002.reply.md", "second"))
    assert (await model(inbox, time).ask(make_request())).text == "second"
    assert (inbox / "0001.taken").exists()


@pytest.mark.parametrize("change", [{"seed": 1}, {"path": "iteration-2/draft"}, {"kind": "sketch.edit"}])
async def test_another_request_is_another_letter(inbox: Path, time: Time, change: dict[str, object]) -> None:
    await cancelled(real(inbox).ask, make_request())
    time.at(1, lambda: replace(inbox / "0002.reply.md", "x"))
    await model(inbox, time).ask(make_request().model_copy(update=change))
    assert (inbox / "0002.request.md").exists()


async def test_another_run_is_another_letter(inbox: Path, time: Time) -> None:
    await cancelled(real(inbox, "one").ask, make_request())
    time.at(1, lambda: replace(inbox / "0002.reply.md", "x"))
    await model(inbox, time, run="two").ask(make_request())
    assert (inbox / "0002.request.md").exists()


def answer_open(inbox: Path, runs: list[str], done: set[str]) -> set[str]:
    """Answer every request that was not answered yet, with the name of its run; what was answered now."""
    new = [path for path in inbox.glob("*.request.md") if path.name not in done]
    for path in new:
        run = next(run for run in runs if f'run: "{run}"' in path.read_text())
        replace(path.with_name(path.name.replace("request", "reply")), f"for {run}")
    return {path.name for path in new}


async def test_runs_that_share_a_folder_get_their_own_answers(inbox: Path) -> None:
    answers: dict[str, str] = {}

    async def ask(run: str) -> None:
        answers[run] = (await real(inbox, run).ask(make_request(run, seed=len(run)))).text

    async def answer(count: int) -> None:
        done: set[str] = set()
        while len(done) < count:
            done |= answer_open(inbox, runs, done)
            await anyio.sleep(0.01)

    runs = [f"run-{'x' * n}" for n in range(8)]
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for run in runs:
                group.start_soon(ask, run)
            group.start_soon(answer, len(runs))
    assert answers == {run: f"for {run}" for run in runs}
    assert sum(name.endswith(".request.md") for name in names(inbox)) == len(runs)


async def test_numbers_are_never_used_again(inbox: Path, time: Time) -> None:
    """An old reply must not answer a new request, though the old request was deleted."""
    box = model(inbox, time)
    (inbox / "0041.reply.md").write_text("old\n")
    (inbox / "99.request.md").write_text("not one of ours")
    (inbox / "0007.request.md").write_bytes(b"\xff\xfe not one of ours either")
    time.at(1, lambda: replace(inbox / "0042.reply.md", "new"))
    assert (await box.ask(make_request())).text == "new"


@pytest.mark.slow
def test_processes_never_share_a_number(inbox: Path) -> None:
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); from asking import make_request\n"
        "from redraft.models.inbox import post\n"
        "print(*[post(Path(sys.argv[1]), make_request(seed=n), sys.argv[3]).number for n in range(25)])"
    )
    inbox.mkdir()
    helpers = str(Path(__file__).parents[1] / "helpers")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(inbox), helpers, str(n)], stdout=subprocess.PIPE, text=True
        )
        for n in range(3)
    ]
    numbers = [int(word) for process in processes for word in process.communicate()[0].split()]
    assert len(numbers) == 75
    assert len(set(numbers)) == 75
    assert len(list(inbox.glob("*.request.md"))) == 75


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file.*cannot be used"):
        InboxModel(tmp_path / "file")


async def test_the_home_folder_is_understood(own_environment: Path) -> None:
    await cancelled(InboxModel("~/mail").ask, make_request())
    assert names(own_environment / "mail") == ["0001.request.md"]


async def test_a_wait_ends_when_its_folder_is_removed(inbox: Path, time: Time) -> None:
    time.at(5, lambda: shutil.rmtree(inbox))
    with pytest.raises(ModelUnavailableError, match=r"mail was removed while 0001\.request\.md waited"):
        await model(inbox, time).ask(make_request())
    assert time.now < 6
    time.at(8, lambda: (inbox / "0001.reply.md").write_text("here\n"))
    assert (await model(inbox, time).ask(make_request())).text == "here\n"


async def test_a_person_sees_what_waits_and_answers_it(inbox: Path, time: Time) -> None:
    time.at(1, lambda: replace(inbox / "0001.reply.md", " "))  # is refused
    seen: list[list[int]] = []

    def look() -> None:
        (one,) = waiting(inbox, "house")
        assert (one.kind, len(one.pictures)) == (make_request().kind, 1)
        assert "It is empty" in one.problem
        assert not one.text.startswith("---")
        assert waiting(inbox, "another run") == []
        answer(inbox, one.number, "a better one")
        seen.append([one.number])

    time.at(2, look)
    reply = await model(inbox, time, run="house").ask(make_request(pictures=1))
    assert reply.text == "a better one\n"
    assert seen == [[1]]
    assert waiting(inbox, "house") == []
