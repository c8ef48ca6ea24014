"""What a generator may know of a profile: broad words only. Checked in code, not hoped for."""

from __future__ import annotations

from redraft.blackbox_scoring.profile import TasteProfile

__all__ = ["check_hints", "forbidden_terms"]


def forbidden_terms(profile: TasteProfile) -> tuple[str, ...]:
    """What the summary must not contain, for its prompt: the motifs and names of the likes, one each. Colour words
    are forbidden too, all of them, and are not listed here."""
    raise NotImplementedError


def check_hints(text: str, profile: TasteProfile) -> str:
    """The summary, stripped, when nothing forbidden is in it.

    Raises:
        AbstractionError: `invalid_profile_abstraction: …`, naming each colour, motif, artist or n-gram (n ≥ 2) of the
            likes, and the like that it comes from; or the summary is empty or longer than 2,000 characters.
    """
    raise NotImplementedError
