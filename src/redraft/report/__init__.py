"""The report page of a run: one self-contained file that shows how an artefact came about.

Pages are made from a run folder alone (`redraft.transcript.Run`), finished or not, and say nothing that is not in it.
Those of several runs are in `review`.
"""

from __future__ import annotations

from redraft.report.page import REPORT_FILE, render_page, write_page

__all__ = ["REPORT_FILE", "render_page", "write_page"]
