"""The table of a batch: which jobs are listed, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from tilework.core.model.batches import BatchFigures
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Size

_DEFAULT_COLUMN: Final = "number"
_KEYS: Final[Mapping[str, Callable[[BatchFigures], Any]]] = {
    _DEFAULT_COLUMN: lambda job: job.batch_index,
    "board": lambda job: (job.width * job.height, job.width),
    "state": lambda job: job.state,
    "moves": lambda job: job.upper_bound,
    "bound": lambda job: job.lower_bound,
    "nodes": lambda job: job.nodes,
    "seconds": lambda job: job.seconds,
}
"""The columns by which the table can be sorted."""


class BatchTable(NamedTuple):
    """The jobs that pass the filters, in the order of a column; ``first`` is counted from 1."""

    figures: Sequence[BatchFigures]
    sizes: Sequence[Size]  # of all boards, smallest first
    state: JobState | None
    size: Size | None
    sort: str
    descending: bool
    first: int

    @classmethod
    def from_query(cls, figures: Sequence[BatchFigures], query: Mapping[str, str]) -> Self:
        """Read the filters and the order from a URL; unknown values are ignored."""
        state = next((candidate for candidate in JobState if candidate == query.get("state")), None)
        sizes = sorted(
            {Size(job.width, job.height) for job in figures}, key=lambda size: size.cells
        )
        size = next((candidate for candidate in sizes if str(candidate) == query.get("size")), None)
        sort = query.get("sort", _DEFAULT_COLUMN)
        if sort not in _KEYS:
            sort = _DEFAULT_COLUMN
        descending = query.get("order") == "desc"
        matching_jobs = _sort_jobs(
            (
                job
                for job in figures
                if state in (None, job.state) and size in (None, Size(job.width, job.height))
            ),
            _KEYS[sort],
            descending=descending,
        )
        text = query.get("first", "")
        first = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
        return cls(
            matching_jobs,
            sizes,
            state,
            size,
            sort,
            descending,
            max(1, min(first, len(matching_jobs))),
        )

    @property
    def filters(self) -> dict[str, str]:
        """The filters as parameters of the URL."""
        filters = {"state": self.state, "size": self.size}
        return {name: str(value) for name, value in filters.items() if value is not None}

    @property
    def order(self) -> dict[str, str]:
        """The order as parameters of the URL."""
        if (self.sort, self.descending) == (_DEFAULT_COLUMN, False):
            return {}
        return {"sort": self.sort} | ({"order": "desc"} if self.descending else {})

    def order_by(self, column: str) -> dict[str, str]:
        """Return the parameters for sorting by a column, or reversing its order."""
        reverses = column == self.sort and not self.descending
        return self.filters | {"sort": column} | ({"order": "desc"} if reverses else {})

    def starting_at(self, first: int) -> dict[str, str]:
        """Return the parameters of another page of the table."""
        return self.filters | self.order | {"first": str(max(1, first))}

    def page(self, size: int) -> list[int]:
        """Return the indexes of the jobs on this page."""
        return [job.batch_index for job in self.figures[self.first - 1 :][:size]]


def _sort_jobs(
    jobs: Iterable[BatchFigures], key: Callable[[BatchFigures], Any], *, descending: bool
) -> list[BatchFigures]:
    """Sort jobs. Those without a value come last in both orders."""
    with_value: list[BatchFigures] = []
    without_value: list[BatchFigures] = []
    for job in jobs:
        (without_value if key(job) is None else with_value).append(job)
    return sorted(with_value, key=key, reverse=descending) + without_value
