"""Pages of runs: self-contained files that show how an artifact came about.

Pages are made from run folders alone (`redraft.record.transcript.Run`), finished or not, and say nothing that is not
in them.
"""

from __future__ import annotations

from redraft.report.page import REPORT_FILE, render_page, write_page

__all__ = ["REPORT_FILE", "render_page", "write_page"]
