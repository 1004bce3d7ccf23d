"""The claims of recorded slices, which together prove a lower bound.

Nothing is searched here. A slice claims that there is no solution in the part of the tree that its
cursor covers, excluding the cursors that it returned. If the first cursor is the whole tree, and
each later slice starts with a cursor that an earlier one returned, all claims together cover the
tree.
`tilework.core.solver.optimal.proof.recheck` verifies claims by searching again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.errors import InputError, ProofError
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.kernels.depth_first.search import MAX_DEPTH
from tilework.core.solver.optimal.cursor import Cursor, CursorDifference, depth_message, difference


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that a slice's part of the tree contains no solution within a threshold."""

    threshold: int  # no solution has at most this many moves
    record: SliceRecord
    children: tuple[SliceRecord, ...]  # slices of the returned cursors; empty if exhausted

    # Cursors are decoded each time, because those of a long search would not fit into memory.

    @property
    def cursor(self) -> Cursor:
        """The cursor that the slice started with."""
        return _decode_cursor(self.threshold, self.record)

    @property
    def remaining(self) -> tuple[Cursor, ...]:
        """The cursors that the slice returned."""
        return tuple(_decode_cursor(self.threshold, child) for child in self.children)

    def searched_part(self, board: Board, goal: Board) -> CursorDifference:
        """Return the part of the tree that the slice searched."""
        part = difference(self.cursor, self.remaining, board, goal)
        if part is None:
            raise self.error(
                Message("slice-remains", "the remaining cursors do not follow from its cursor")
            )
        return part

    def error(self, reason: Message) -> ProofError:
        return slice_error(self.threshold, self.record.id, reason)


def slice_error(threshold: int, slice_id: int, reason: Message) -> ProofError:
    """Return the error for an invalid slice."""
    return ProofError(
        Message(
            reason.code,
            "threshold {threshold}, slice {slice}: {error}",
            threshold=threshold,
            slice=slice_id,
            error=reason,
        )
    )


def derive_claims(
    board: Board, goal: Board, lower_bound: int, thresholds: Sequence[ThresholdRecord]
) -> list[Claim]:
    """Return the claims that must be true for the records to prove a lower bound.

    Each threshold is a separate proof: an exhausted tree proves that no solution is that short,
    regardless of earlier thresholds. So there is no condition on the first one.
    """
    if not thresholds:
        raise ProofError("no-thresholds", "the record has no thresholds")
    claims = []
    next_thresholds = [*(record.threshold for record in thresholds[1:]), lower_bound]
    for record, next_threshold in zip(thresholds, next_thresholds, strict=True):
        if (lower_bound - record.threshold) % 2:
            raise ProofError(
                "threshold-parity",
                "threshold {threshold} and the lower bound {lower} differ in parity",
                threshold=record.threshold,
                lower=lower_bound,
            )
        if not record.threshold < record.next == next_threshold:
            raise ProofError(
                "next-threshold",
                "threshold {threshold} leads to {next}, but {after} follows it",
                threshold=record.threshold,
                next=record.next,
                after=next_threshold,
            )
        claims += _derive_tree_claims(board, goal, record)
    return claims


def _derive_tree_claims(board: Board, goal: Board, tree: ThresholdRecord) -> list[Claim]:
    threshold = tree.threshold
    if threshold >= MAX_DEPTH:
        raise ProofError(depth_message())
    records = {record.id: record for record in tree.slices}
    if len(records) < len(tree.slices):
        raise ProofError(
            "slice-ids",
            "threshold {threshold} has two slices with the same id",
            threshold=threshold,
        )
    if sum(record.nodes for record in tree.slices) != tree.nodes:
        raise ProofError(
            "threshold-nodes",
            "threshold {threshold}: the nodes of its slices do not add up to {nodes}",
            threshold=threshold,
            nodes=tree.nodes,
        )
    thresholds = [
        record.next_threshold for record in tree.slices if record.next_threshold is not None
    ]
    if min(thresholds, default=None) != tree.next:
        raise ProofError(
            "threshold-least",
            "threshold {threshold}: the minimum f above the threshold in its slices is not {next}",
            threshold=threshold,
            next=tree.next,
        )
    children = defaultdict(list)
    for record in tree.slices:
        children[record.parent].append(record)
    roots = children[None]
    if len(roots) != 1 or _decode_cursor(threshold, roots[0]) != Cursor.root():
        raise ProofError(
            "threshold-root",
            "threshold {threshold} does not begin with the whole tree",
            threshold=threshold,
        )
    claims = []
    stack = [roots[0]]
    while stack:
        record = stack.pop()
        claim = Claim(threshold, record, tuple(children[record.id]))
        _check_claim(board, goal, claim)
        claims.append(claim)
        stack += children[record.id]
    if len(claims) < len(records):
        orphan = min(records.keys() - {claim.record.id for claim in claims})
        raise slice_error(
            threshold, orphan, Message("slice-origin", "it does not come from the whole tree")
        )
    return claims


def _check_claim(board: Board, goal: Board, claim: Claim) -> None:
    record = claim.record
    threshold = record.next_threshold
    if threshold is not None and (
        threshold <= claim.threshold or (threshold - claim.threshold) % 2
    ):
        raise claim.error(
            Message(
                "slice-least", "{min} cannot be its minimum f above the threshold", min=threshold
            )
        )
    try:
        # Every path must be legal on this board, or on its goal.
        cursor = claim.cursor
        cursor.ends(board, goal)
        cursor.share(board)
    except InputError as error:
        raise claim.error(error.message) from None
    part = claim.searched_part(board, goal)
    if record.engine is None and (record.nodes or part.inner_nodes or part.residual.positions):
        raise claim.error(Message("slice-engine", "the engine that searched it is not recorded"))


def _decode_cursor(threshold: int, record: SliceRecord) -> Cursor:
    try:
        return Cursor.from_bytes(bytes.fromhex(record.cursor))
    except InputError as error:
        raise slice_error(threshold, record.id, error.message) from None
