"""Which beams are aimed at the thresholds of a search. Nothing here loads a solver."""

from __future__ import annotations

from tilework.core.solver.options import A_STAR_CELLS, BEAM_CELLS, IDA_STAR_CELLS

LEAST_AIMED_WIDTH = 4_000
"""A narrower beam would find nothing new after the opening's beams."""

MOST_BEAM_WIDTH = 1 << 20
"""Some 500 MB."""

_AIMED_SHARE = 4
_AIMED_NODES_A_MOVE = 1.0


def aimed_width(nodes: int, length: int) -> int | None:
    """Return the width of the beam that looks for a solution of a length before its threshold.

    It may take the nodes spent until that threshold starts, divided by 4: one of a beam takes three
    times as long as one of IDA*, yet the next threshold has eight times the nodes. Where solutions
    of one length alone are looked for, a beam makes about as many nodes a move as it is wide.

    Parameters
    ----------
    nodes : int
        Generated on this board until that threshold starts, or likely to be.
    length : int
        The threshold.

    Returns
    -------
    int or None
        None where the nodes are too few for a useful beam.
    """
    width = min(int(nodes / _AIMED_SHARE / (_AIMED_NODES_A_MOVE * max(length, 1))), MOST_BEAM_WIDTH)
    return width if width >= LEAST_AIMED_WIDTH else None


def aims_beams(cells: int) -> bool:
    """Whether beams are aimed at the thresholds of boards of so many cells."""
    return A_STAR_CELLS < cells <= min(IDA_STAR_CELLS, BEAM_CELLS)
