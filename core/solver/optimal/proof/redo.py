"""Repeating a claim: the same slice, searched here, must give the same result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tilework.core.errors import OptionError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import nodes as nodes_of
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.proof.claims import Claim, splits_into
from tilework.core.solver.optimal.slice import search_slice


def redo(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
    """Search a slice again and compare its nodes, its next threshold and what remained.

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
    # A budget of one node more than needed shows whether a slice ended by itself.
    budget = record.nodes + (not claim.remains)
    outcome = search_slice(
        board,
        goal,
        claim.threshold,
        claim.cursor,
        budget,
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
    if outcome.nodes != record.nodes:
        raise claim.refuted(
            Message(
                "slice-nodes",
                "it takes {nodes}, not {claimed}",
                nodes=nodes_of(outcome.nodes),
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
    whole = [Cursor.from_bytes(rest.cursor) for rest in outcome.remaining]
    as_claimed = splits_into(whole[0], claim.remains) if whole else not claim.remains
    if not as_claimed:
        raise claim.refuted(
            Message("slice-rest", "the remaining cursors are not those that were recorded")
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
