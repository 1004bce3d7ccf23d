"""Searching slices of a threshold's record again: the result must be the same.

Long ones are searched in a process of its own, which this file is.
"""

from __future__ import annotations

import json
import logging
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import TypeAdapter

from tilework.core.errors import InputError, OptionError, ProofError, TileworkError
from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import nodes as nodes_of
from tilework.core.solver.optimal.proof.claims import Claim, claims_of
from tilework.core.solver.optimal.slice import engine_of, search_slice

MOST_SLICES: Final = 10  # slices of a threshold that are searched again
SHARE: Final = 0.02  # of the threshold's nodes that they have, unless even the smallest has more

# From so many nodes on, a minute of one core, a process of its own costs little: some seconds
SUBPROCESS_NODES: Final = 2_000_000_000

_logger = logging.getLogger(__name__)


def find_fault(
    board: Board,
    goal: Board,
    record: ThresholdRecord,
    seed: str,
    *,
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> Message | None:
    """Return what is wrong with the record of a threshold's search; None if nothing was found."""
    try:
        claims = claims_of(board, goal, record.next, [record])
        # What was only cut in parts was searched in its parts.
        searched = [claim for claim in claims if claim.record.engine is not None]
        chosen = [
            searched[place] for place in draw_slices([one.record.nodes for one in searched], seed)
        ]
        check = recheck_claims_in_subprocess if record.nodes >= SUBPROCESS_NODES else recheck_claims
        left_out = check(board, goal, chosen, pdb_folder, cancelled)
    except ProofError as error:
        return error.message
    if left_out:
        _logger.warning(
            "%d slices of threshold %d could not be searched again: their databases are not there",
            left_out,
            record.threshold,
        )
    return None


def draw_slices(nodes: Sequence[int], seed: str) -> list[int]:
    """Draw some slices by their nodes, which together have few of them; return their places."""
    left = SHARE * sum(nodes)
    chosen: list[int] = []
    for place in random.Random(seed).sample(range(len(nodes)), len(nodes)):
        if nodes[place] <= left:
            chosen.append(place)
            left -= nodes[place]
        if len(chosen) == MOST_SLICES:
            break
    return chosen or sorted(range(len(nodes)), key=nodes.__getitem__)[:1]


def recheck_claim(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
    """Search what a slice searched; compare its nodes and its next threshold.

    Where the slice stopped is no matter: what it left is left out here, whatever the order was in
    which it came to the rest.
    """
    record = claim.record
    searched = claim.searched()
    _pass_no_solution(board, goal, claim, pdb_folder)
    try:
        outcome = search_slice(
            board,
            goal,
            claim.threshold,
            searched.residual,
            # One node more than claimed shows whether that was all.
            max(0, record.nodes - searched.passed) + 1,
            pdb_folder=pdb_folder,
            engine=record.engine,
        )
    except OptionError:
        raise
    except InputError as error:
        raise claim.refuted(error.message) from None
    if outcome.moves is not None:
        raise _contains(claim, len(outcome.moves))
    if outcome.remaining:
        raise claim.refuted(
            Message("slice-more-nodes", "it takes more than {nodes}", nodes=nodes_of(record.nodes))
        )
    if (nodes := outcome.nodes + searched.passed) != record.nodes:
        raise claim.refuted(
            Message(
                "slice-nodes",
                "it takes {nodes}, not {claimed}",
                nodes=nodes_of(nodes),
                claimed=record.nodes,
            )
        )
    if outcome.next_threshold != record.next_threshold:
        raise claim.refuted(
            Message(
                "slice-next",
                "its least f over the threshold is {least}, not {claimed}",
                least=outcome.next_threshold,
                claimed=record.next_threshold,
            )
        )


def _pass_no_solution(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None) -> None:
    """Check that nothing on the way to what was handed back is the goal: it is not searched."""
    for rest in claim.remains:
        root, end = rest.ends(board, goal)
        engine = engine_of(root, end, pdb_folder, claim.record.engine)
        start = engine.start(root)
        for path, _ in rest.positions:
            estimates = engine.estimates_along(start, np.frombuffer(path, dtype=np.uint8))
            if (goals := np.flatnonzero(estimates == 0)).size:
                raise _contains(claim, int(goals[0]))


def _contains(claim: Claim, length: int) -> ProofError:
    return claim.refuted(
        Message("slice-solution", "it contains a solution of {moves}", moves=moves_of(length))
    )


def recheck_claims(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> int:
    """Search slices again in this process; return how many could not be."""
    left_out = 0
    for claim in claims:
        if cancelled():
            break
        try:
            recheck_claim(board, goal, claim, pdb_folder)
        except OptionError:
            # Its databases were taken away; that they were sound when it ended was checked then.
            left_out += 1
    return left_out


_LOOK_EVERY_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class _Order:
    """What the other process is given, as JSON."""

    width: int
    board: list[int]
    goal: list[int]
    folder: Path
    claims: tuple[Claim, ...]


_ORDERS: Final = TypeAdapter(_Order)


def recheck_claims_in_subprocess(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> int:
    """Search slices again in another process; return how many could not be."""
    order = _Order(
        board.width, board.cells.tolist(), goal.cells.tolist(), pdb_folder, tuple(claims)
    )
    command = [sys.executable, "-m", "tilework.core.solver.optimal.proof.recheck"]
    with subprocess.Popen(  # noqa: S603 -- our own command
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            answer = _answer(process, _ORDERS.dump_json(order), cancelled)
        finally:
            process.kill()
    if answer is None:
        return 0
    if not answer:
        raise TileworkError(
            "recheck-process",
            "the process that searches slices again ended with code {code}",
            code=process.returncode,
        )
    found = json.loads(answer)
    if found["fault"] is not None:
        raise ProofError(Message.from_json(found["fault"]))
    return int(found["left_out"])


def _answer(
    process: subprocess.Popen[bytes], order: bytes, cancelled: Callable[[], bool]
) -> bytes | None:
    """Return what a process says; None where nobody waits for it any more."""
    given: bytes | None = order
    while True:
        try:
            return process.communicate(given, timeout=_LOOK_EVERY_S)[0]
        except subprocess.TimeoutExpired:
            # What was given is on its way.
            given = None
        if cancelled():
            return None


def main() -> None:
    order = _ORDERS.validate_json(sys.stdin.buffer.read())
    height = len(order.board) // order.width
    board, goal = (Board(cells, order.width, height) for cells in (order.board, order.goal))
    fault, left_out = None, 0
    try:
        left_out = recheck_claims(board, goal, order.claims, order.folder, lambda: False)
    except ProofError as error:
        fault = error.message.to_json()
    json.dump({"fault": fault, "left_out": left_out}, sys.stdout)


if __name__ == "__main__":
    main()
