"""The storage's side of the bargain: one protocol a table, and the session that joins them.

Methods that change a row say by their result whether they did, so that every transition can be
a compare-and-set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from core.puzzle.moves import Moves
from core.services.records import ActiveJob, Claim, NewJob, Puzzle, Slice, Solve
from core.services.states import JobState, Queue, SolveState
from core.services.views import (
    ApiKeyView,
    BatchView,
    BoundEventView,
    JobView,
    QueueView,
    SizeStatistics,
)
