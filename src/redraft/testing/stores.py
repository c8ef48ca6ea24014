"""The contract of what keeps fixes across runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix, Store
from redraft.testing.studios import texts

__all__ = ["StoreContract", "a_fix"]

LIKE, UNLIKE = "a" * 16, "b" * 16
Open = Callable[[], Store]


def a_fix(number: int = 0, **changes: Any) -> Fix:
    """Return a fix; another number is another fix, learned later."""
    fields: dict[str, Any] = {
        "key": "glsl:undeclared_identifier",
        "error_msg": f"0:5(12): error: `tone{number}' undeclared",
        "broken_snippet": f"float a = tone{number};",
        "fixed_snippet": f"float a = tune{number};",
        "timestamp": f"2026-11-20T{number // 60:02}:{number % 60:02}:00+00:00",
        "compiler": "Mesa 22.3.6",
    }
    return Fix.model_validate({**fields, **changes})


class StoreContract:
    """A store of fixes: found by key, counted by all processes at once, and unchanged."""

    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Any:
        """A function that opens the store under test anew, as another process would; empty at first."""
        raise NotImplementedError("define the fixture `reopen`")

    @pytest.fixture
    def store(self, reopen: Open) -> Store:
        return reopen()

    def test_it_is_a_store(self, store: Store) -> None:
        assert isinstance(store, Store)

    def test_an_empty_one_holds_nothing(self, store: Store) -> None:
        assert store.find("glsl:undeclared_identifier", LIKE, 5) == []
        assert store.keys() == {}
        assert list(store.entries()) == []
        assert list(store.entries("glsl:undeclared_identifier")) == []
        assert store.forget() == 0
        assert store.forget("glsl:undeclared_identifier") == 0
        store.count(a_fix(), worked=True)  # of an entry that is gone, nothing
        assert store.keys() == {}

    def test_what_is_added_is_found_by_its_key_alone(self, store: Store, reopen: Open) -> None:
        fix, other = a_fix(1), a_fix(2, key="glsl:syntax_error")
        store.add(fix, LIKE)
        store.add(other, LIKE)
        again = reopen()
        assert again.find(fix.key, UNLIKE, 5) == [fix]
        assert again.find("glsl:undeclared", LIKE, 5) == []
        assert again.keys() == {fix.key: 1, "glsl:syntax_error": 1}

    def test_the_same_fix_twice_is_one_entry_and_keeps_its_counts(self, store: Store) -> None:
        store.add(a_fix(), LIKE)
        store.count(a_fix(), worked=True)
        store.add(a_fix(timestamp="2027-01-01T00:00:00+00:00", error_msg="another line"), LIKE)
        [kept] = store.find(a_fix().key, LIKE, 5)
        assert kept == a_fix(times_used=1, times_worked=1)

    def test_counts_add_up_over_all_who_count(self, store: Store, reopen: Open) -> None:
        store.add(a_fix(), LIKE)
        other = reopen()
        for one, worked in ((store, True), (other, False), (other, True), (store, True)):
            one.count(a_fix(), worked=worked)
        [kept] = reopen().entries()
        assert (kept.times_used, kept.times_worked) == (4, 3)

    def test_entries_come_with_the_counts_they_bring(self, store: Store) -> None:
        fix = a_fix(times_used=7, times_worked=5)
        store.add(fix, LIKE)
        assert list(store.entries()) == [fix]
        store.count(fix, worked=False)
        assert store.find(fix.key, LIKE, 1) == [a_fix(times_used=8, times_worked=5)]

    def test_find_gives_what_is_built_alike_before_what_worked_oftenest(self, store: Store) -> None:
        famous, useful, alike = a_fix(1, times_used=9, times_worked=9), a_fix(2, times_used=4, times_worked=3), a_fix(3)
        for fix, shape in ((famous, UNLIKE), (useful, LIKE), (alike, LIKE)):
            store.add(fix, shape)
        assert store.find(famous.key, LIKE, 5) == [useful, alike, famous]
        assert store.find(famous.key, LIKE, 1) == [useful]
        assert store.find(famous.key, "c" * 16, 2) == [famous, useful]

    def test_what_failed_too_often_comes_last_however_alike(self, store: Store) -> None:
        failed, fresh = a_fix(1), a_fix(2)
        store.add(failed, LIKE)
        store.add(fresh, UNLIKE)
        store.count(failed, worked=False)
        assert [fix.id for fix in store.find(failed.key, LIKE, 5)] == [failed.id, fresh.id]
        store.count(failed, worked=False)
        found = store.find(failed.key, LIKE, 5)
        assert [fix.id for fix in found] == [fresh.id, failed.id]
        assert [fix.trusted for fix in found] == [True, False]

    def test_entries_are_in_the_order_of_key_and_time(self, store: Store) -> None:
        fixes = [a_fix(3), a_fix(1), a_fix(2, key="bpy:no_attribute:fcurves"), a_fix(4, key="glsl:syntax_error")]
        assert store.add_all((fix, LIKE) for fix in fixes) == 4
        assert list(store.entries()) == [fixes[2], fixes[3], fixes[1], fixes[0]]
        assert list(store.entries("glsl:undeclared_identifier")) == [fixes[1], fixes[0]]

    def test_many_at_once_say_how_many_were_new(self, store: Store) -> None:
        fixes = [a_fix(n) for n in range(250)]
        assert store.add_all((fix, LIKE) for fix in fixes[:100]) == 100
        assert store.add_all((fix, LIKE) for fix in fixes) == 150
        assert store.add_all([]) == 0
        assert store.keys() == {fixes[0].key: 250}
        assert {fix.id for fix in store.entries()} == {fix.id for fix in fixes}

    def test_forget_takes_one_key_or_all(self, store: Store, reopen: Open) -> None:
        for n in range(3):
            store.add(a_fix(n), LIKE)
        other = a_fix(4, key="glsl:undeclared_identifier:pi")
        store.add(other, LIKE)
        assert store.forget("glsl:undeclared_identifier") == 3
        assert store.keys() == {other.key: 1}
        assert store.find("glsl:undeclared_identifier", LIKE, 5) == []
        assert reopen().forget() == 1
        assert store.keys() == {}

    def test_what_was_forgotten_can_be_learned_anew(self, store: Store) -> None:
        store.add(a_fix(), LIKE)
        store.count(a_fix(), worked=False)
        store.forget(a_fix().key)
        store.add(a_fix(), UNLIKE)
        assert store.find(a_fix().key, UNLIKE, 5) == [a_fix()]

    def test_any_text_comes_back_as_it_was(self, store: Store) -> None:
        for text in texts("float a = tone;"):
            if "\ud800" not in text:  # which UTF-8 cannot hold
                fix = a_fix(error_msg=text, broken_snippet=text, fixed_snippet=text[::-1], compiler=text)
                store.forget()
                store.add(fix, LIKE)
                assert store.find(fix.key, LIKE, 1) == [fix]
                assert list(store.entries()) == [fix]

    def test_it_is_used_from_other_threads(self, store: Store) -> None:
        errors: list[MemoryStoreError] = []

        def work(number: int) -> None:
            try:
                store.add(a_fix(number), LIKE)
                store.count(a_fix(number), worked=True)
            except MemoryStoreError as error:
                errors.append(error)

        store.keys()
        for number in range(4):
            thread = threading.Thread(target=work, args=(number,))
            thread.start()
            thread.join()
        assert errors == []
        assert [fix.times_worked for fix in store.entries()] == [1, 1, 1, 1]

    def test_closing_twice_does_no_harm(self, store: Store) -> None:
        store.add(a_fix(), LIKE)
        store.close()
        store.close()
        assert store.keys() == {a_fix().key: 1}  # opened again when needed
