"""Making a claim again: the same slice, searched here, must come to the same."""

from __future__ import annotations

from pathlib import Path

from core.errors import ProofError
from core.puzzle.board import Board
from core.solver.optimal.cursor import Cursor
from core.solver.optimal.proof import Claim, splits_into
from core.solver.optimal.slice import search_slice


def redo(board: Board, goal: Board, claim: Claim, pdb_folder: Path | None = None) -> None:
    """Search a slice again and compare its nodes, its least f and what remained.

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
        If the slice's engine is not to be had here.
    """
    record = claim.record
    # One node more than were needed shows that a slice came to its end by itself.
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
        raise ProofError(f"{claim.name}: it holds a solution of {len(outcome.moves)} moves")
    if outcome.nodes != record.nodes:
        raise ProofError(f"{claim.name}: it takes {outcome.nodes} nodes, not {record.nodes}")
    if outcome.next_threshold != record.next_threshold:
        raise ProofError(
            f"{claim.name}: its least f is {outcome.next_threshold}, not {record.next_threshold}"
        )
    whole = [Cursor.from_bytes(rest.cursor) for rest in outcome.remaining]
    as_claimed = splits_into(whole[0], claim.remains) if whole else not claim.remains
    if not as_claimed:
        raise ProofError(f"{claim.name}: what remains of it is not what was handed back")
