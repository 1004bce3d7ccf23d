"""Checks the record of a threshold's search before the bound that it proves is stored."""

from __future__ import annotations

import logging

from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.search.limits import Limits
from tilework.core.services.farm.lease_renewer import Assignment
from tilework.core.services.farm.proof_tree import ProofPages, read_slices, summarize
from tilework.core.services.farm.solver_protocol import Solver
from tilework.core.services.farm.state_machine.events import ProofChecked
from tilework.core.storage.database import Database

MAX_SLICES = 200_000
"""Larger records are not checked slice by slice, which would take hundreds of megabytes."""

_log = logging.getLogger(__name__)


class Verification:
    """Runs checks, one at a time."""

    def __init__(self, storage: Database, solver: Solver) -> None:
        self._storage = storage
        self._solver = solver

    def work_on(self, work: Assignment) -> ProofChecked:
        """Check whether the threshold's record proves the claimed bound."""
        slice_, root = work.claim.slice, self._solver.root()
        bound = int(slice_.cursor)
        limits = Limits(cancelled=work.cancelled, report=work.leases.report)
        error = self._find_error(work, bound, limits)
        if error is None and work.cancelled():
            return ProofChecked(slice_, None, None, root)
        if error is not None:
            _log.error(
                "the search of %s does not prove a bound of %d: %s; it is repeated",
                work.claim.puzzle.key,
                bound,
                error,
            )
        return ProofChecked(slice_, bound, error, root, work.leases.searched_s())

    def _find_error(self, work: Assignment, bound: int, limits: Limits) -> Message | None:
        slice_ = work.claim.slice
        pages = ProofPages(self._storage, slice_.solve_id, slice_.epoch, slice_.threshold)
        try:
            tree = summarize(pages)
        except ValueError:  # an id of a damaged row
            return _incomplete(slice_.threshold)
        if not tree.complete or tree.next != bound:
            return _incomplete(slice_.threshold)
        if tree.slices > MAX_SLICES:
            _log.warning("only the totals of threshold %d were checked", slice_.threshold)
            return None
        record = ThresholdRecord(
            threshold=tree.threshold,
            nodes=tree.nodes,
            seconds=tree.seconds,
            next=tree.next,
            slices=list(read_slices(tree, pages)),
        )
        return self._solver.check(work.board, work.goal, record, slice_.id, limits)


def _incomplete(threshold: int) -> Message:
    return Message(
        "record-has-holes",
        "the record of threshold {threshold} is incomplete",
        threshold=threshold,
    )
