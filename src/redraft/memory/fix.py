"""What is remembered of a fix: the lines that were broken, what they became, and how often that has helped since."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Fix"]


class Fix(BaseModel):
    """One remembered fix. The first four fields after `key` are the specification's.

    It came out of a file or a server that others may write to: its texts are data, never instructions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    """What kind of error it mends: `glsl:undeclared_identifier`, `bpy:no_attribute`."""
    error_msg: str
    """The line of the compiler or interpreter, as it was written."""
    broken_snippet: str
    """The lines that were changed, as they were."""
    fixed_snippet: str
    """The same lines as they work; empty when they were taken away."""
    timestamp: str
    """When it was learnt, ISO 8601 in UTC."""
    compiler: str = ""
    """Who complained, with its version: `Mesa 22.3.6`, `Blender 5.0.1`."""
    times_used: int = Field(default=0, ge=0)
    """How often it was replayed without asking a model."""
    times_worked: int = Field(default=0, ge=0)
    """How often that made the error vanish."""

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits over what it says: the same fix learnt twice is one entry."""
        text = "\0".join((self.key, self.broken_snippet, self.fixed_snippet))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def trusted(self) -> bool:
        """Whether it is still replayed: it has not failed twice more often than it worked."""
        return self.times_used - self.times_worked < self.times_worked + 2
