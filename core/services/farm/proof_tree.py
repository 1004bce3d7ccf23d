"""Reads the record of one threshold's search in pages and summarizes it.

Only 16 bytes per slice are kept in memory, because a certificate may contain millions of slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import SliceRecord, ThresholdHeader
from tilework.core.model.farm.solves import ProofSlice
from tilework.core.storage.database import Database

# Rows in memory at a time.
PAGE = 1_000

_Ids = npt.NDArray[np.bytes_]


class ProofTree:
    """The record of one threshold's search, and its totals.

    Its pages are read on demand, each on its own connection, and can be read repeatedly: finished
    slices of a proven threshold never change. They can only be deleted, together with their whole
    epoch.

    ``header``: the totals; ``next`` is the smallest f above the threshold, which is the lower bound
        that the search proves, or the threshold itself if there is no such f.
    ``complete``: whether everything that a proof needs is stored.
    """

    def __init__(self, storage: Database, solve_id: str, epoch: int, threshold: int) -> None:
        self._storage = storage
        self._key = solve_id, epoch, threshold
        ids: list[_Ids] = []
        parents: list[_Ids] = []
        without_engine: list[_Ids] = []
        roots = nodes = 0
        seconds = 0.0
        minimum: int | None = None
        for page in self._pages():
            ids.append(_pack_ids([slice_.id for slice_ in page]))
            page_parents = {slice_.parent_id for slice_ in page if slice_.parent_id is not None}
            parents.append(_pack_ids(list(page_parents)))
            # Slices without an engine were only split, so they must have children.
            split_ids = [slice_.id for slice_ in page if slice_.engine is None]
            without_engine.append(_pack_ids(split_ids))
            for slice_ in page:
                roots += slice_.parent_id is None
                nodes += slice_.nodes
                seconds += slice_.seconds
                if (next_threshold := slice_.next_threshold) is not None:
                    minimum = next_threshold if minimum is None else min(minimum, next_threshold)
        numbers, parent_ids = SliceNumbers(ids), _join(parents)
        has_known_parents = SliceNumbers([parent_ids]).contains(_join(without_engine))
        self.slices = len(numbers)
        self.header = ThresholdHeader(
            threshold=threshold,
            nodes=nodes,
            seconds=seconds,
            next=threshold if minimum is None else minimum,
        )
        self.complete = roots == 1 and has_known_parents and numbers.contains(parent_ids)

    def _pages(self) -> Iterator[list[ProofSlice]]:
        after = ""
        while True:
            with self._storage.reading() as session:
                page = session.slices.proof(*self._key, after, PAGE)
            if not page:
                return
            yield page
            after = page[-1].id

    def read_slices(self) -> Iterator[SliceRecord]:
        """Yield the slices in the order of their ids.

        Raises UnavailableError if they have been deleted.
        """
        slice_numbers = SliceNumbers(
            _pack_ids([slice_.id for slice_ in page]) for page in self._pages()
        )
        count = 0
        for page in self._pages():
            numbers = slice_numbers.find([slice_.id for slice_ in page])
            parent_ids = [slice_.parent_id for slice_ in page if slice_.parent_id is not None]
            parent_numbers = iter(slice_numbers.find(parent_ids))
            for number, slice_ in zip(numbers, page, strict=True):
                yield SliceRecord(
                    id=number,
                    parent=None if slice_.parent_id is None else next(parent_numbers),
                    cursor=slice_.cursor.hex(),
                    nodes=slice_.nodes,
                    next_threshold=slice_.next_threshold,
                    engine=slice_.engine,
                )
            count += len(page)
        if count != self.slices:
            raise record_deleted()


class SliceNumbers:
    """Numbers of slices, from 0, in the order of their ids, which is that of their creation.

    A parent can have a later id than its children, because ids contain the times of different
    hosts.
    """

    def __init__(self, ids: Iterable[_Ids]) -> None:
        self._ids = _join(ids)
        self._ids.sort()

    def __len__(self) -> int:
        return len(self._ids)

    def contains(self, ids: _Ids) -> bool:
        """Whether all of these ids have numbers."""
        if not len(self._ids):
            return not len(ids)
        positions = np.searchsorted(self._ids, ids)
        return bool((self._ids.take(positions, mode="clip") == ids).all())

    def find(self, ids: Sequence[str]) -> list[int]:
        """Return the numbers of slices.

        Raises UnavailableError if a slice has none.
        """
        packed = _pack_ids(ids)
        if not self.contains(packed):
            raise record_deleted()
        return [int(number) for number in np.searchsorted(self._ids, packed)]


def record_deleted() -> UnavailableError:
    """Return the error for a record that is deleted while being read."""
    return UnavailableError(
        "record-withdrawn",
        "the search of this board was discarded while its record was being read; try again",
    )


def _pack_ids(ids: Sequence[str]) -> _Ids:
    return np.array([bytes.fromhex(id_.replace("-", "")) for id_ in ids], dtype="S16")


def _join(parts: Iterable[_Ids]) -> _Ids:
    return np.concatenate([np.empty(0, dtype="S16"), *parts])
