"""Taste profiles: YAML, JSON and CSV, read strictly."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.errors import BriefError, ProfileError
from redraft.ideas.profile import TasteProfile, load_profile

FULL = TasteProfile(loves=("tide pools",), likes=("fog, thick", "clocks"), dislikes=("clutter",), hates=("gore",))


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ProfileError) as caught:
        load_profile(path)
    assert isinstance(caught.value, BriefError)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("taste.yaml", "loves: [tide pools]\nlikes:\n  - fog, thick\n  - clocks\ndislikes: [clutter]\nhates: [gore]\n"),
        ("taste.yml", "love: [tide pools]\nlike: ['fog, thick', clocks]\ndislike: [clutter]\nhate: [gore]\n"),
        ("taste.yaml", '{"loves": ["tide pools"], likes: ["fog, thick", clocks], dislikes: [clutter], hates: [gore]}'),
        ("taste.json", FULL.model_dump_json()),
        ("taste", FULL.model_dump_json(indent=2)),
        ("taste.txt", "loves: [tide pools]\nlikes: ['fog, thick', clocks]\ndislikes: [clutter]\nhates: [gore]"),
        ("taste.csv", 'loves,likes,dislikes,hates\ntide pools,"fog, thick",clutter,gore\n,clocks,,\n'),
        ("taste.csv", '\ufeffhates,loves,likes,dislikes\r\ngore,tide pools,"fog, thick",clutter\r\n\r\n,,clocks\r\n'),
        ("taste.txt", 'love,like,dislike,hate\ntide pools,"fog, thick",clutter,gore\n,clocks\n'),
    ],
)
def test_every_form_gives_the_same_profile(tmp_path: Path, name: str, text: str) -> None:
    assert load_profile(written(tmp_path, name, text)) == FULL


def test_lists_may_be_left_out_or_empty(tmp_path: Path) -> None:
    path = written(tmp_path, "t.yaml", "likes: [fog]\nloves:\nhates: []\n")
    assert load_profile(path) == TasteProfile(likes=("fog",))
    assert load_profile(written(tmp_path, "t.csv", "dislikes\nclutter\n")) == TasteProfile(dislikes=("clutter",))
    assert load_profile(written(tmp_path, "t.json", '{"hates": ["gore"], "likes": null}')) == TasteProfile(
        hates=("gore",)
    )


def test_control_characters_are_taken_out_and_spaces_become_one(tmp_path: Path) -> None:
    text = "likes: ['fog \x07 over\x1b[2J  water', \"a\\u0007b\\nc\"]\n"
    assert load_profile(written(tmp_path, "t.yaml", text)).likes == ("fog over [2J water", "a b c")


ENTRY = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=20)
NAMES = st.sampled_from(["loves", "likes", "dislikes", "hates"])
PROFILES = st.dictionaries(NAMES, st.lists(ENTRY, min_size=1, max_size=4), min_size=1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROFILES)
def test_what_yaml_and_json_wrote_is_read_back(tmp_path: Path, lists: dict[str, list[str]]) -> None:
    expected = TasteProfile(**{name: tuple(entries) for name, entries in lists.items()})
    dumped = yaml.safe_dump(lists, allow_unicode=True)
    assert load_profile(written(tmp_path, "t.yaml", dumped)) == expected
    assert load_profile(written(tmp_path, "t.json", json.dumps(lists))) == expected


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["t.yaml", "t.json", "t.csv", "t"]))
def test_any_bytes_are_a_profile_or_a_profile_error(tmp_path: Path, raw: bytes, name: str) -> None:
    path = written(tmp_path, name, raw)
    try:
        found = load_profile(path)
    except ProfileError:
        return
    assert found.liked or found.disliked


def test_a_missing_file_a_folder_and_a_pipe_are_told_apart(tmp_path: Path) -> None:
    assert "file not found" in refusal(tmp_path / "none.yaml")
    (tmp_path / "folder").mkdir()
    assert "is a folder" in refusal(tmp_path / "folder")
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refusal(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("name", "raw", "told"),
    [
        ("t.yaml", b"", "is empty"),
        ("t.yaml", b" \n\t\n", "is empty"),
        ("t.yaml", b"\xef\xbb\xbf", "is empty"),
        ("t.yaml", b"likes: [a\x00b]", "byte 9 is 0"),
        ("t.yaml", "likes: [fog]".encode("utf-16"), "is in UTF-16; save it as UTF-8"),
        ("t.yaml", b"likes: [caf\xe9]", "byte 11 is 0xe9, which is not UTF-8"),
        ("t.png", b"\x89PNG\r\n\x1a\n", "not UTF-8"),
        ("t.yaml", b"# only a remark\n", "it holds nothing"),
        ("t.yaml", b"fog and clocks", "'fog and clocks' (text)"),
        ("t.yaml", b"- fog\n- clocks\n", "it holds a list"),
        ("t.yaml", b"likes: [fog\nloves: x", "the YAML is broken, line 2"),
        ("t.yaml", b"likes: [fog]\n---\nlikes: [x]\n", "the YAML is broken, line 2"),
        ("t.yaml", b"likes: [fog]\nloves: [x]\nlikes: [y]\n", "likes and likes (line 1 and line 3) are the same list"),
        ("t.yaml", b"likes: [fog]\nlike: [x]\n", "likes and like (line 1 and line 2) are the same list"),
        ("t.yaml", b"liks: [fog]\n", "line 1 has 'liks', which is not a list of a profile. Did you mean likes?"),
        ("t.yaml", b"likes: [a]\n? [x, y]\n: [fog]\n", "line 2 has a list for a name"),
        ("t.yaml", b"likes: fog\n", "likes is 'fog', a single text; make it a list: ['fog']"),
        ("t.yaml", b"likes: {a: b}\n", "likes is a mapping"),
        ("t.yaml", b"likes:\n- fog\n- 1984\n", "likes, line 3, is '1984' (int)"),
        ("t.yaml", b"likes: [no]\n", "'no' (bool)"),
        ("t.yaml", b"likes: [~]\n", "nothing (null)"),
        ("t.yaml", b"likes: [[fog]]\n", "likes, line 1, is a list"),
        ("t.yaml", b"likes: [!!python/object:os.system x]\n", "expected text"),
        ("t.yaml", b"likes: ['  ']\n", "line 1 of likes is blank"),
        ("t.yaml", b"likes: []\ndislikes: []\n", "no likes or dislikes"),
        ("t.json", b'{"likes": ["fog"],}', "the JSON is broken at line 1"),
        ("t.json", b'{"likes": ["fog"], "likes": ["x"]}', "likes and likes (key 1 and key 2) are the same list"),
        ("t.json", b'{"likes": "fog"}', "make it a list: ['fog']"),
        ("t.json", b'{"likes": [1984]}', "entry 1 of likes is a number"),
        ("t.json", b'{"likes": [' + b"9" * 5_000 + b"]}", "entry 1 of likes is a number"),
        ("t.json", b'{"likes": [true]}', "entry 1 of likes is true"),
        ("t.json", b'{"likes": [{"a": 1}]}', "entry 1 of likes is a mapping"),
        ("t.json", b'{"likes": ["\\ud800"]}', "half of a character"),
        ("t.json", b'{"likes": {"fog": 1}}', "likes is a mapping"),
        ("t.json", b'{"name": "me", "likes": ["fog"]}', "key 1 has 'name'"),
        ("t.csv", b"likes,notes\nfog,x\n", "line 1 has 'notes'"),
        ("t.csv", b"likes;dislikes\nfog;x\n", "line 1 has 'likes;dislikes'"),
        ("t.csv", b"likes,likes\nfog,x\n", "are the same list"),
        ("t.csv", b"likes,\nfog,x\n", "column 2 has no name"),
        ("t.csv", b"likes\nfog, and mist\n", "line 2 has 2 cells under 1 columns"),
        ("t.csv", b'likes\n"fog\n', "of the CSV is broken"),
        ("t.csv", b"likes\n\n", "no likes or dislikes"),
        ("t.yaml", b"likes: [" + b"[" * 1_000 + b"]", "nested too deep"),
        ("t.json", b'{"likes": ' + b"[" * 60_000 + b"}", "nested too deep"),
    ],
)
def test_what_is_no_profile_is_refused_in_words(tmp_path: Path, name: str, raw: bytes, told: str) -> None:
    assert told in refusal(written(tmp_path, name, raw))


def test_references_that_would_grow_without_end_are_refused_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert "a0" in refusal(written(tmp_path, "t.yaml", "\n".join(lines)))
    nested = "likes: [" + ", ".join(["&b [x]", "*b", "*b"]) + "]"
    assert "is a list" in refusal(written(tmp_path, "t.yaml", nested))


@pytest.mark.parametrize(
    ("lists", "told"),
    [
        ({"likes": ["x" * 290] * 300}, "more than 64,000 bytes"),
    ],
)
def test_limits_are_told_with_numbers(tmp_path: Path, lists: dict[str, Any], told: str) -> None:
    assert told in refusal(written(tmp_path, "t.json", json.dumps(lists)))


def test_many_likes_and_long_ones_are_read(tmp_path: Path) -> None:
    lists = {"likes": [f"{n} " + "x" * 60 for n in range(700)], "hates": ["y" * 3_000]}
    assert len(load_profile(written(tmp_path, "t.json", json.dumps(lists))).liked) == 700


def test_a_profile_in_python_takes_lists_and_no_single_text() -> None:
    assert TasteProfile.model_validate({"likes": ["fog"]}).likes == ("fog",)
    for odd in ("fog", [1984], {"fog": 1}, None):
        with pytest.raises(ValueError, match="likes"):
            TasteProfile.model_validate({"likes": odd})
