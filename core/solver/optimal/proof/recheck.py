"""Checking a threshold's record before its bound is told: all of it as algebra, some of it again.

Whether the slices cover the tree is checked for all of them; what a slice claims, for a sample.
Where much was searched, that is done by a process of its own: it opens the pattern databases anew,
and shares nothing with those that searched but the program.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tilework.core.errors import ProofError
from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.proof.claims import claims_of
from tilework.core.solver.optimal.proof.recheck_process import redo_all_apart
from tilework.core.solver.optimal.proof.redo import redo_all

MOST_SLICES: Final = 10
"""Slices of a threshold that are searched again."""

SHARE: Final = 0.02
"""Of the threshold's nodes that they have, unless even the smallest has more."""

APART_NODES: Final = 2_000_000_000
"""From so many nodes on, a minute of one core, a process of its own costs little: some seconds."""

_logger = logging.getLogger(__name__)


def fault_of(
    board: Board,
    goal: Board,
    record: ThresholdRecord,
    seed: str,
    *,
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> Message | None:
    """Return what is wrong with the record of a threshold's search; None if nothing was found.

    Parameters
    ----------
    board, goal : Board
        Canonical.
    record : ThresholdRecord
    seed : str
        Draws the same slices again.
    pdb_folder : Path
        Folder of the pattern databases.
    cancelled : callable
        True ends the check early, without a fault.
    """
    try:
        claims = claims_of(board, goal, record.next, [record])
        # What was only cut in parts was searched in its parts.
        searched = [claim for claim in claims if claim.record.engine is not None]
        chosen = [searched[place] for place in drawn([one.record.nodes for one in searched], seed)]
        apart = record.nodes >= APART_NODES
        check = redo_all_apart if apart else redo_all
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


def drawn(nodes: Sequence[int], seed: str) -> list[int]:
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
