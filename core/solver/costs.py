"""Initial cost estimates of beams on large boards, and the width of the next beam."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilework.core.puzzle.board import Size

ONE_BEAM_CELLS = 200  # up to this size a learned beam is fast, so no first solution is needed
# Up to this size learned beams find the best solutions, above it staged ones
TWO_BEAMS_CELLS = 1_100
# Larger boards get one solution, by sweeps, whose moves remain packed: beams would take minutes
HUGE_CELLS = 100_000
GROWTH = 3
MIN_GROWTH = 1.5  # a beam that is only slightly wider finds almost nothing new
FIRST_SHARE = 0.06  # share of the time for a first improvement
FIRST_MIN_SECONDS = 0.5  # for a first improvement, but at most half of the time
BEAM_SHARE = 0.7  # share of the remaining time for each beam; the rest is for windows
POLISH_SHARE = 0.25  # effort for windows between two beams, relative to that for the first beam
SUFFIX_MAX_CELLS = 600  # on larger boards, suffixes gain nothing
SUFFIX_MIN_BEAM = 2_000  # least width of beams after which suffixes gain more than wider beams
SUFFIX_SHARE = 1.0  # effort for suffixes between two beams, relative to that for the first beam
SUFFIX_WIDTH = 0.25  # of the beams that search suffixes, relative to the widest beam
BEAM_SHARE_WITH_SUFFIXES = 0.35  # instead of `BEAM_SHARE`
LEARNED_NODES = 2.2  # nodes of a learned beam, per move of the solution and unit of width
_LEARNED_SECONDS = 0.08e-6  # processor time of a learned beam, per node
WINDOW_SECONDS = 0.25e-6  # the same of windows
_STAGED_NODES = 3.0  # nodes of a staged beam, per cell of the board and unit of width
STAGED_SECONDS = 3e-6  # processor time of a staged beam, per cell and unit of width
_VIEWS = 8  # of boards on which the best of eight beams is shorter than that of one wide beam
_MAX_CELLS_FOR_VIEWS = 1_600
# On boards of more cells, narrow learned beams are too bad to begin with them
MIN_CELLS_FOR_LEARNED_VIEWS, _LEARNED_VIEWS, MIN_LEARNED_WIDTH = 600, 2, 250
# Processor time of sweeps: per square of the number of cells, and per cell and line
_SWEEP_SECONDS, _SWEEP_LINE_SECONDS = 0.6e-9, 55e-9
HALF_SWEEP_FACTOR = 4.0  # how many times longer sweeps take if only half of each is played
_MAX_FOR_HALF_SWEEPS = 20_000


@dataclass(frozen=True, slots=True)
class BeamCosts:
    """Costs of beams on boards of one size."""

    min_width: int  # narrower beams find nothing
    first_width: int  # width of the first beam, if there is time
    board_bytes: int  # memory per unit of width
    seconds: float  # estimated processor time per unit of width
    node_seconds: float  # estimated processor time per node
    fixed_seconds: float = 0.0  # independent of the width
    # Views to search with the first width, which is then as large as the time allows; 0 if widths
    # start small and grow
    views: int = 0
    min_views_width: int = 0  # narrower beams are worse than further sweeps


def beam_costs(size: Size, expected_moves: float) -> BeamCosts:
    """Return the costs of the beams that improve solutions of boards of this size."""
    if size.cells > TWO_BEAMS_CELLS:
        return BeamCosts(
            min_width=30,
            first_width=300,
            board_bytes=1_000,
            seconds=STAGED_SECONDS * size.cells,
            node_seconds=STAGED_SECONDS / _STAGED_NODES,
            fixed_seconds=sweep_seconds(size, sweep_share(size)),
            views=_VIEWS if size.cells <= _MAX_CELLS_FOR_VIEWS else 1,
        )
    many_cells = size.cells > MIN_CELLS_FOR_LEARNED_VIEWS
    return BeamCosts(
        min_width=100,
        first_width=600 if many_cells else 150,
        board_bytes=700,
        seconds=LEARNED_NODES * expected_moves * _LEARNED_SECONDS,
        node_seconds=_LEARNED_SECONDS,
        views=_LEARNED_VIEWS if many_cells else 0,
        min_views_width=MIN_LEARNED_WIDTH if many_cells else 0,
    )


def sweep_seconds(size: Size, share: float = 1.0) -> float:
    """Estimate the processor time of sweeps with full reach."""
    cell_seconds = _SWEEP_SECONDS * size.cells + _SWEEP_LINE_SECONDS * math.sqrt(size.cells)
    seconds = size.cells * cell_seconds
    return seconds * (HALF_SWEEP_FACTOR if share <= 0.5 else 1.0)


def sweep_share(size: Size) -> float:
    """Return the share of each sweep to play: half is better before beams, but takes longer."""
    return 0.5 if size.cells <= _MAX_FOR_HALF_SWEEPS else 1.0
