"""Proofs of lower bounds: the claims of recorded slices, and searches that repeat them.

A slice claims that there is no solution in the part of the tree that its cursor covers, excluding
the cursors that it returned. If the first cursor is the whole tree, and each later slice starts
with a cursor that an earlier one returned, all claims together cover the tree. A repeated search of
a slice must give the same results. Long ones run this module in a subprocess.
"""

from __future__ import annotations

import json
import logging
import random
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import numpy as np
from pydantic import TypeAdapter

from tilework.core.errors import (
    InputError,
    OptionError,
    ProofError,
    TileworkError,
    UnavailableError,
)
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as move_phrase
from tilework.core.puzzle.phrases import nodes as node_phrase
from tilework.core.search.limits import Limits
from tilework.core.solver.kernels.depth_first.search import MAX_DEPTH
from tilework.core.solver.optimal.cursor import Cursor, CursorDifference, depth_message, difference
from tilework.core.solver.optimal.slice import check_and_select_engine, search_slice


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


MAX_SLICES: Final = 10  # to recheck for a threshold
MAX_SHARE: Final = 0.02  # of the threshold's nodes, unless the smallest slice has more

# A recheck of this many nodes takes a minute, so the start of a subprocess hardly matters
SUBPROCESS_NODES: Final = 2_000_000_000

_logger = logging.getLogger(__name__)


def find_error(
    board: Board,
    goal: Board,
    record: ThresholdRecord,
    seed: str,
    *,
    pdb_folder: Path,
    limits: Limits,
) -> Message | None:
    """Return the error in the record of a threshold, if any; only cancellation stops the search."""
    try:
        claims = derive_claims(board, goal, record.next, [record])
        # Slices without an engine were only split.
        searched_claims = [claim for claim in claims if claim.record.engine is not None]
        drawn_claims = [
            searched_claims[index]
            for index in draw_slices([claim.record.nodes for claim in searched_claims], seed)
        ]
        check = recheck_claims_in_subprocess if record.nodes >= SUBPROCESS_NODES else recheck_claims
        skipped = check(board, goal, drawn_claims, pdb_folder, limits)
    except ProofError as error:
        return error.message
    if skipped:
        _logger.warning(
            "%d slices of threshold %d could not be searched again: their databases are missing",
            skipped,
            record.threshold,
        )
    return None


def draw_slices(nodes: Sequence[int], seed: str) -> list[int]:
    """Return the indices of random slices with few nodes in total."""
    budget = MAX_SHARE * sum(nodes)
    indices: list[int] = []
    for index in random.Random(seed).sample(range(len(nodes)), len(nodes)):
        if nodes[index] <= budget:
            indices.append(index)
            budget -= nodes[index]
        if len(indices) == MAX_SLICES:
            break
    return indices or sorted(range(len(nodes)), key=nodes.__getitem__)[:1]


def recheck_claim(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
    """Repeat the search of a slice; compare the number of nodes and the next threshold.

    The repeated search covers the same part of the tree, so its order does not matter.
    """
    record = claim.record
    part = claim.searched_part(board, goal)
    _check_inner_nodes(board, goal, claim, pdb_folder)
    try:
        outcome = search_slice(
            board,
            goal,
            claim.threshold,
            part.residual,
            # One more node than claimed, to detect whether there are more.
            max(0, record.nodes - part.inner_nodes) + 1,
            pdb_folder=pdb_folder,
            engine=record.engine,
        )
    except OptionError:
        raise
    except InputError as error:
        raise claim.error(error.message) from None
    if outcome.moves is not None:
        raise _solution_error(claim, len(outcome.moves))
    if outcome.remaining:
        raise claim.error(
            Message(
                "slice-more-nodes", "it needs more than {nodes}", nodes=node_phrase(record.nodes)
            )
        )
    if (nodes := outcome.nodes + part.inner_nodes) != record.nodes:
        raise claim.error(
            Message(
                "slice-nodes",
                "it needs {nodes}, not {claimed}",
                nodes=node_phrase(nodes),
                claimed=record.nodes,
            )
        )
    if outcome.next_threshold != record.next_threshold:
        raise claim.error(
            Message(
                "slice-next",
                "its minimum f above the threshold is {min}, not {claimed}",
                min=outcome.next_threshold,
                claimed=record.next_threshold,
            )
        )


def _check_inner_nodes(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None) -> None:
    """Check that no node above the returned cursors is the goal; they are not searched again."""
    for cursor in claim.remaining:
        root, end = cursor.ends(board, goal)
        engine = check_and_select_engine(root, end, pdb_folder, claim.record.engine)
        start = engine.start(root)
        for path, _ in cursor.positions:
            if len(path) < start.estimate:
                continue  # the goal is further away
            estimates = engine.estimates_along(start, np.frombuffer(path, dtype=np.uint8))
            if (goals := np.flatnonzero(estimates == 0)).size:
                raise _solution_error(claim, int(goals[0]))


def _solution_error(claim: Claim, length: int) -> ProofError:
    return claim.error(
        Message("slice-solution", "it contains a solution of {moves}", moves=move_phrase(length))
    )


def recheck_claims(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    limits: Limits,
) -> int:
    """Recheck claims; return how many were skipped."""
    nodes = skipped = 0
    for claim in claims:
        if limits.cancelled():
            break
        try:
            recheck_claim(board, goal, claim, pdb_folder)
        except OptionError:
            # The databases have been removed since the slice ended.
            skipped += 1
        else:
            nodes += claim.record.nodes
            limits.report(nodes)
    return skipped


_POLL_S: Final = 0.2
_STOPPED: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class _Request:
    """The input of the subprocess, as JSON."""

    width: int
    board: list[int]
    goal: list[int]
    folder: Path
    claims: tuple[Claim, ...]


_REQUEST_JSON: Final = TypeAdapter(_Request)


def recheck_claims_in_subprocess(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    limits: Limits,
) -> int:
    """Recheck claims in a subprocess; return how many were skipped.

    Raises UnavailableError if the subprocess was told to stop.
    """
    request = _Request(
        board.width, board.cells.tolist(), goal.cells.tolist(), pdb_folder, tuple(claims)
    )
    command = [sys.executable, "-m", "tilework.core.solver.optimal.proof"]
    # A file, because a `communicate` that continues after a timeout does not write the rest of a
    # request that is larger than the buffer of a pipe.
    with TemporaryFile() as request_file:
        request_file.write(_REQUEST_JSON.dump_json(request))
        request_file.seek(0)
        with subprocess.Popen(  # noqa: S603 -- our own command
            command, stdin=request_file, stdout=subprocess.PIPE
        ) as process:
            try:
                reply = _communicate(process, limits)
            finally:
                process.kill()
    if reply is None:
        return 0
    if process.returncode:
        message = Message(
            "recheck-process",
            "the process that repeats the search ended with code {code}",
            code=process.returncode,
        )
        # A shutdown signals this process together with its parent, which has not failed.
        raise (UnavailableError if -process.returncode in _STOPPED else TileworkError)(message)
    if reply["fault"] is not None:
        raise ProofError(Message.from_json(reply["fault"]))
    return int(reply["skipped"])


def _communicate(process: subprocess.Popen[bytes], limits: Limits) -> dict[str, Any] | None:
    """Report the nodes in each line that a process writes; return the last line.

    Return None if cancelled.
    """
    reply: dict[str, Any] = {}
    while process.returncode is None:
        try:
            output = process.communicate(timeout=_POLL_S)[0]
        except subprocess.TimeoutExpired as timeout:
            output = timeout.output
            if limits.cancelled():
                return None
        if output:
            reply = json.loads(output.splitlines()[-1])
            limits.report(reply["nodes"])
    return reply


def main() -> None:
    request = _REQUEST_JSON.validate_json(sys.stdin.buffer.read())
    height = len(request.board) // request.width
    board, goal = (Board(cells, request.width, height) for cells in (request.board, request.goal))
    reply: dict[str, Any] = {"nodes": 0, "fault": None, "skipped": 0}

    def report(nodes: int) -> None:
        reply["nodes"] = nodes
        print(json.dumps(reply), flush=True)

    limits = Limits(report=report)
    try:
        reply["skipped"] = recheck_claims(board, goal, request.claims, request.folder, limits)
    except ProofError as error:
        reply["fault"] = error.message.to_json()
    print(json.dumps(reply))


if __name__ == "__main__":
    main()
