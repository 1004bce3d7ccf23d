"""Claims slices: many small boards together, long searches one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.solves import Claim
from tilework.core.model.farm.workload import CLAIM_SIZE, claim_weight
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue, SliceState
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.solves import find_puzzle


class Leasing:
    """Claims the slices that are next in a queue."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._settings = settings
        self._clock = storage.clock

    def lease(self, queue: Queue, owner: str, max_cells: int | None = None) -> list[Claim]:
        """Claim slices of a queue under a lease; return none if nothing is ready.

        ``max_cells``: larger boards are left to other workers.

        Raises DamagedSolveError if a solve has to start again instead of being claimed.
        """
        with self._storage.reading() as session:
            if not session.slices.has_ready(queue, max_cells):
                return []
        now = self._clock()
        limit = 1 if queue is Queue.SEARCH else CLAIM_SIZE
        with self._storage.writing() as session:
            claims = self._limit_claims(session.slices.next(queue, limit, max_cells))
            for claim in claims:
                if find_puzzle(claim.puzzle) != claim.puzzle:
                    raise DamagedSolveError(claim.slice.solve_id)
            if claims:
                ids = [claim.slice.id for claim in claims]
                session.slices.lease(ids, Holder(owner, now + self._settings.lease_s), now)
        return [
            replace(
                claim,
                slice=replace(
                    claim.slice,
                    state=SliceState.LEASED,
                    owner=owner,
                    attempts=claim.slice.attempts + 1,
                ),
            )
            for claim in claims
        ]

    def give_back(self, claims: Sequence[Claim]) -> None:
        """Return claims that were not started."""
        now = self._clock()
        with self._storage.writing() as session:
            session.slices.release([claim.slice.lease for claim in claims], now)

    def _limit_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        chosen: list[Claim] = []
        capacity = CLAIM_SIZE
        for claim in claims:
            if claim.slice.expiries or claim.slice.kind.proves:
                # A slice that may crash its worker is claimed alone, so that other leases are not
                # lost.
                return chosen or [claim]
            capacity -= claim_weight(claim.puzzle.cells)
            if capacity < 0 and chosen:
                break
            chosen.append(claim)
        return chosen
