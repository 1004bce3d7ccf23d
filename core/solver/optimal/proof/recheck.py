"""Rechecks recorded slices: repeated searches must give the same results.

Long rechecks run this module in a subprocess.
"""

from __future__ import annotations

import json
import logging
import random
import signal
import subprocess
import sys
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
from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as move_phrase
from tilework.core.puzzle.phrases import nodes as node_phrase
from tilework.core.search.limits import Limits
from tilework.core.solver.optimal.proof.claims import Claim, derive_claims
from tilework.core.solver.optimal.slice import check_and_select_engine, search_slice

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
    command = [sys.executable, "-m", "tilework.core.solver.optimal.proof.recheck"]
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
