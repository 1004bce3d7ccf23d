"""The record of one threshold's search, read page by page: whether it is whole, and its numbers.

Of each slice no more than its id is kept, 16 bytes: a certificate may tell of millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import SliceRecord
from tilework.core.model.solves import ProofSlice
from tilework.core.storage.database import Database

# Rows that are in memory at once.
PAGE = 1_000

_Ids = npt.NDArray[np.bytes_]


@dataclass(frozen=True, slots=True)
class Tree:
    """The search of one threshold, summed up.

    ``next``: least f over the threshold, which is then proved; the threshold where there is none.
    ``whole``: whether everything is there that a proof needs, as it is in rows of this version.
    """

    threshold: int
    slices: int
    nodes: int
    seconds: float
    next: int
    whole: bool


class ProofPages:
    """The pages of one threshold, each read when it is asked for, on a connection of its own.

    They can be read again: a done slice of a proved threshold never changes. It can only be
    deleted, together with its whole epoch.
    """

    def __init__(self, storage: Database, solve_id: str, epoch: int, threshold: int) -> None:
        self._storage = storage
        self._solve_id = solve_id
        self._epoch = epoch
        self.threshold = threshold

    def __iter__(self) -> Iterator[list[ProofSlice]]:
        after = ""
        while True:
            with self._storage.reading() as session:
                page = session.proofs.page(self._solve_id, self._epoch, self.threshold, after, PAGE)
            if not page:
                return
            yield page
            after = page[-1].id


class Numbers:
    """Numbers of slices from 0, by the order of their ids, which is that of their age.

    A parent need not be older than its children: the clocks of the hosts that made their ids may
    differ.
    """

    def __init__(self, ids: Iterable[_Ids]) -> None:
        self._ids = _joined(ids)
        self._ids.sort()

    @classmethod
    def of_pages(cls, pages: Iterable[Sequence[ProofSlice]]) -> Numbers:
        """Number the slices of some pages."""
        return cls(_packed([slice_.id for slice_ in page]) for page in pages)

    def __len__(self) -> int:
        return len(self._ids)

    def contains(self, ids: _Ids) -> bool:
        """Whether all of these have numbers."""
        if not len(self._ids):
            return not len(ids)
        places = np.searchsorted(self._ids, ids)
        return bool((self._ids.take(places, mode="clip") == ids).all())

    def numbers_of(self, ids: Sequence[str]) -> list[int]:
        """Return the numbers of slices.

        Raises UnavailableError if one has none.
        """
        packed = _packed(ids)
        if not self.contains(packed):
            raise deleted_meanwhile()
        return [int(number) for number in np.searchsorted(self._ids, packed)]


def summarize(pages: ProofPages) -> Tree:
    """Read a threshold from end to end and add it up."""
    ids: list[_Ids] = []
    parents: list[_Ids] = []
    untold: list[_Ids] = []
    roots = nodes = 0
    seconds = 0.0
    least: int | None = None
    for page in pages:
        ids.append(_packed([slice_.id for slice_ in page]))
        parents.append(_packed(list({one.parent_id for one in page if one.parent_id is not None})))
        # Only what was cut in parts is without an engine.
        untold.append(_packed([slice_.id for slice_ in page if slice_.engine is None]))
        for slice_ in page:
            roots += slice_.parent_id is None
            nodes += slice_.nodes
            seconds += slice_.seconds
            if slice_.next_threshold is not None:
                least = (
                    slice_.next_threshold if least is None else min(least, slice_.next_threshold)
                )
    own, of_parents = Numbers(ids), _joined(parents)
    told = Numbers([of_parents]).contains(_joined(untold))
    return Tree(
        threshold=pages.threshold,
        slices=len(own),
        nodes=nodes,
        seconds=seconds,
        next=pages.threshold if least is None else least,
        whole=roots == 1 and told and own.contains(of_parents),
    )


def slices_of(tree: Tree, pages: ProofPages) -> Iterator[SliceRecord]:
    """Yield the slices of a tree as they were when it was summed up, in the order of their ids.

    Raises UnavailableError if they are not there any more.
    """
    numbers = Numbers.of_pages(pages)
    written = 0
    for page in pages:
        own = numbers.numbers_of([slice_.id for slice_ in page])
        of_parents = iter(
            numbers.numbers_of([one.parent_id for one in page if one.parent_id is not None])
        )
        for number, slice_ in zip(own, page, strict=True):
            yield SliceRecord(
                id=number,
                parent=None if slice_.parent_id is None else next(of_parents),
                cursor=slice_.cursor.hex(),
                nodes=slice_.nodes,
                next_threshold=slice_.next_threshold,
                engine=slice_.engine,
            )
        written += len(page)
    if written != tree.slices:
        raise deleted_meanwhile()


def deleted_meanwhile() -> UnavailableError:
    """Return the error for a record that is deleted while it is read."""
    return UnavailableError(
        "record-withdrawn",
        "the search of this board was discarded while its record was being read; try again",
    )


def _packed(ids: Sequence[str]) -> _Ids:
    return np.array([bytes.fromhex(id_.replace("-", "")) for id_ in ids], dtype="S16")


def _joined(parts: Iterable[_Ids]) -> _Ids:
    return np.concatenate([np.empty(0, dtype="S16"), *parts])
