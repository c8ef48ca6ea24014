"""The words and numbers of a brief against what a run's actions set: each met exactly, waived with a reason, or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_board import part, small_board

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.board.execute import carried_out
from redraft.studios.board.parse import parse
from redraft.studios.board.placement import Placement, opened
from redraft.studios.board.validate import check
