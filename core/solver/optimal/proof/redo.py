"""Repeating a claim: what the slice searched, searched here, must give the same result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tilework.core.errors import OptionError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import nodes as nodes_of
from tilework.core.solver.optimal.proof.claims import Claim
from tilework.core.solver.optimal.slice import search_slice


def redo(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
    """Search what a slice searched; compare its nodes and its next threshold.

    Where the slice stopped is no matter: what it left is left out here, whatever the order was in
    which it came to the rest.

    Parameters
    ----------
    board, goal : Board
        Canonical.
    claim : Claim
        With an engine.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Raises
    ------
    ProofError
        If anything differs, or a solution turns up.
    OptionError
        If the slice's engine is not available here.
    """
    record = claim.record
    searched = claim.searched()
    # A budget of one node more than claimed shows whether that was all.
    outcome = search_slice(
        board,
        goal,
        claim.threshold,
        searched.rest,
        max(0, record.nodes - searched.passed) + 1,
        pdb_folder=pdb_folder,
        engine=record.engine,
    )
    if outcome.moves is not None:
        raise claim.refuted(
            Message(
                "slice-solution",
                "it contains a solution of {moves}",
                moves=moves_of(len(outcome.moves)),
            )
        )
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


def redo_all(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> int:
    """Search slices again in this process; return how many could not be.

    Raises
    ------
    ProofError
        If one differs from what it claims.
    """
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
