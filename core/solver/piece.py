"""A part of a threshold's tree, and the outcome of searching one."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.moves import Moves


@dataclass(frozen=True, slots=True)
class Piece:
    """A cursor as it is stored, and the part of the threshold's tree under it, 0..1."""

    cursor: bytes
    share: float


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """What a slice of search proved.

    Attributes
    ----------
    nodes : int
        Nodes generated.
    next_threshold : int or None
        Least f above the threshold that was cut off; None where nothing was. Once nothing of a
        threshold remains, the least over all of its slices is the next lower bound.
    moves : Moves or None
        A path to the goal of at most `threshold` moves; it ends the slice.
    remaining : tuple of Piece
        What is still to be searched, where the budget ran out or the slice was cancelled; empty
        after a path was found.
    engine : str
        Which engine searched; see `tilework.core.solver.optimal.engines`.
    """

    nodes: int
    next_threshold: int | None
    moves: Moves | None
    remaining: tuple[Piece, ...]
    engine: str
