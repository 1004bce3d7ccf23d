"""The audit, which checks the stored rows of boards, work and results while the system runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tilework.core.services.farm.repair import Repair
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

TABLES: Final = (
    "solve", "job", "slice", "search_run", "comparison", "analysis", "batch", "webhook",
    "callback", "delivery",
)  # fmt: skip
"""The tables and parts of tables that are audited; the slices of each solve are counted with it.

No answer depends on the others: clients and their keys, the history of bounds, and which runs
belong to a job or a comparison.
"""

MAX_LISTED: Final = 1_000
"""The number of damaged rows that are listed; others are only counted."""

# Ids in memory at a time.
PAGE_SIZE = 500


@dataclass(frozen=True, slots=True)
class DamagedRow:
    """A damaged row, with the reason."""

    table: str
    row_id: str
    reason: str


@dataclass
class AuditReport:
    """The result of an audit so far.

    ``checked``: checked rows per table.
    ``damaged``: number of damaged rows, listed or not.
    """

    checked: dict[str, int] = field(default_factory=dict)
    damaged: int = 0
    listed: list[DamagedRow] = field(default_factory=list)

    def add(self, row: DamagedRow) -> None:
        """Count a damaged row, and list it while there is room."""
        self.damaged += 1
        if len(self.listed) < MAX_LISTED:
            self.listed.append(row)


class Audit:
    """Checks every row of `TABLES`: its checksum, bounds and boards, and its moves by a replay."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._repair = Repair(storage, settings)

    def __call__(
        self,
        *,
        reset: bool = False,
        on_progress: Callable[[str, int, int], object] = lambda *_: None,
    ) -> AuditReport:
        """Check all rows that exist when their page is read.

        ``reset``: whether damaged rows are set aside and rebuilt.
        ``on_progress``: called for each page with the table, the rows checked and the approximate
            total.
        """
        report = AuditReport()
        for table in TABLES:
            with self._storage.reading() as session:
                total = session.damage.total(table)
            report.checked[table] = 0
            for page in self._pages(table):
                for row_id in page:
                    self._check_row(report, table, row_id, reset=reset)
                report.checked[table] += len(page)
                on_progress(table, report.checked[table], max(total, report.checked[table]))
        return report

    def _pages(self, table: str) -> Iterator[list[str]]:
        after = ""
        while True:
            with self._storage.reading() as session:
                page = session.damage.ids(table, after, PAGE_SIZE)
            if not page:
                return
            yield page
            after = page[-1]

    def _check_row(self, report: AuditReport, table: str, row_id: str, *, reset: bool) -> None:
        for part in _PARTS.get(table, (table,)):
            with self._storage.reading() as session:
                if session.damage.find_damage(part, row_id) is None:
                    continue
            # The row may have been changing, so it is read again under the lock.
            reason = self._confirm_damage(table, part, row_id)
            if reason is None:
                continue
            report.add(DamagedRow(part, row_id, reason))
            if reset:
                self._repair.repair_row(part, row_id)

    def _confirm_damage(self, table: str, part: str, row_id: str) -> str | None:
        with self._storage.writing() as session:
            solve_id = row_id if table == "solve" else session.damage.find_solve_id(table, row_id)
            if solve_id is not None:
                session.damage.lock(solve_id)
            return session.damage.find_damage(part, row_id)


# A solve is also checked for damaged slices.
_PARTS: Mapping[str, tuple[str, ...]] = {"solve": ("solve", "work")}
