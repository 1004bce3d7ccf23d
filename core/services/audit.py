"""The audit, which checks the stored solves and their slices while the system runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tilework.core.storage.database import Database
from tilework.core.storage.solves import Fault

MAX_LISTED: Final = 1_000
"""The number of damaged rows that are listed; others are only counted."""

# Ids in memory at a time.
PAGE_SIZE = 500


@dataclass
class AuditReport:
    """The result of an audit so far.

    ``solves``, ``slices``: checked rows.
    ``damaged``: number of damaged rows, listed or not.
    """

    solves: int = 0
    slices: int = 0
    damaged: int = 0
    listed: list[Fault] = field(default_factory=list)


def audit(
    storage: Database, on_progress: Callable[[int, int], object] = lambda *_: None
) -> AuditReport:
    """Check the checksums, bounds and boards of all solves and slices, and replay all moves.

    ``on_progress``: called for each page with the solves checked and their approximate total.
    """
    report = AuditReport()
    with storage.reading() as session:
        total = session.solves.count()
    after = ""
    while True:
        with storage.reading() as session:
            page = session.solves.ids(after, PAGE_SIZE)
        if not page:
            return report
        after = page[-1]
        for solve_id in page:
            _check(storage, solve_id, report)
        on_progress(report.solves, max(total, report.solves))


def _check(storage: Database, solve_id: str, report: AuditReport) -> None:
    with storage.reading() as session:
        faults, slices = session.solves.check(solve_id)
    if faults:
        # The solve may have been changing, so it is read again under its lock.
        with storage.writing() as session:
            session.solves.lock_unread(solve_id)
            faults, slices = session.solves.check(solve_id)
    report.solves += 1
    report.slices += slices
    report.damaged += len(faults)
    report.listed += faults[: MAX_LISTED - len(report.listed)]
