"""Beams that look for a solution of one length alone, the narrowest first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.search.clock import search_clock
from tilework.core.search.limits import Limits
from tilework.core.solver.aiming import LEAST_AIMED_WIDTH
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.outcome import Outcome

PARTS = (16, 4, 1)
"""By these the width is divided. Narrow beams often find what wide ones do, and cost a third."""


def aim(
    board: Board,
    goal: Board,
    length: int,
    width: int,
    *,
    limits: Limits | None = None,
    pdb_folder: Path | None = None,
) -> Outcome:
    """Look for a solution of a length, in beams of up to a width.

    Boards that can only be on a longer solution are dropped: a beam of the same width takes less
    than half the nodes, and finds a solution of that length about as often.

    Parameters
    ----------
    board, goal, pdb_folder
        As for `beam_search`.
    length : int
        In moves.
    width : int
        Of the last beam.
    limits : Limits, optional
        Of all beams together.

    Returns
    -------
    Outcome
        Its solution may even be shorter.
    """
    began = search_clock()
    limits = limits or Limits()
    nodes = 0
    widths = [width // part for part in PARTS if part == 1 or width >= part * LEAST_AIMED_WIDTH]
    for each in widths:
        seconds = search_clock() - began
        found = beam_search(
            board,
            goal,
            each,
            limits=replace(
                limits,
                seconds=None if limits.seconds is None else limits.seconds - seconds,
                nodes=None if limits.nodes is None else limits.nodes - nodes,
            ),
            pdb_folder=pdb_folder,
            upper_bound=length + 1,
        )
        nodes += found.nodes
        if found.moves is not None or found.stopped_by is not None:
            break
    return Outcome(found.moves, nodes, search_clock() - began, found.stopped_by)
