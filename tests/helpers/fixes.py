"""Fixes for tests of the fix memory."""

from redraft.testing import a_fix

__all__ = ["a_fix"]
