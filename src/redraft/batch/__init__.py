"""Many runs from one file of briefs: on the processors of this machine, or on a Ray cluster."""

from redraft.batch.briefs import Line, PlannedRun, read_briefs
from redraft.batch.driver import acarry_out, carry_out
from redraft.batch.rows import Row

__all__ = ["Line", "PlannedRun", "Row", "acarry_out", "carry_out", "read_briefs"]
