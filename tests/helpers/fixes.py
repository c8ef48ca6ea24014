"""Fixes for tests of the fix memory."""
