"""Answers of the offline model for a toy, in a module as studios name one."""

from redraft.models.base import Request


def _drawn(request: Request) -> str:
    return "drawn"


ANSWERS = {"sketch.draft": _drawn}
