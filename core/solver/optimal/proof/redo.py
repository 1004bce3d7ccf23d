"""Repeating a claim: what the slice searched, searched here, must give the same result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tilework.core.errors import InputError, OptionError, ProofError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import nodes as nodes_of
from tilework.core.solver.optimal.proof.claims import Claim
from tilework.core.solver.optimal.slice import engine_of, search_slice


def redo(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
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
            searched.rest,
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


def redo_all(
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
            redo(board, goal, claim, pdb_folder)
        except OptionError:
            # Its databases were taken away; that they were sound when it ended was checked then.
            left_out += 1
    return left_out
