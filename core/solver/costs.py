"""What beams over large boards cost, before any was measured, and how wide the next may be."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.board import Size

ONE_BEAM_CELLS = 200  # up to so many cells a learned beam is soon there without any first solution
TWO_BEAMS_CELLS = 600  # up to so many it finds the shortest solutions; beyond, a staged beam does
GROWTH = 3
LEAST_GROWTH = 1.5  # a beam that is hardly wider finds hardly anything new
FIRST_SHARE = 0.25  # of the time that is left for the first beam: its cost is only guessed
BEAM_SHARE = 0.7  # of the time left that a beam may take; the rest is for windows of what it finds
POLISH_SHARE = 0.25  # what windows may take after a beam, of its effort, before the next beam
_LEARNED_NODES = 2.2  # of a learned beam, for each move of the solution and board of the width

# Of a node, on boards of up to 200 cells; in proportion to the cells beyond
_LEARNED_SECONDS = 0.2e-6
_STAGED_NODES = 3.0  # of a staged beam, for each cell of the board and path of the width
STAGED_SECONDS = 5e-6  # processor time of the same
_SWEEP_SECONDS = 1.7e-9  # processor time of sweeps, a square of the cells
HALF_SWEEPS = 4.0  # how much longer they take with a share of a half
_MOST_FOR_HALF_SWEEPS = 20_000


@dataclass(frozen=True, slots=True)
class BeamCosts:
    """What beams of any width take on boards of one size."""

    # Narrower ones find nothing; where the widths begin, if there is time
    least_width: int
    first_width: int
    board_bytes: int  # memory for each board of the width, all arrays together
    nodes: float  # for each board of the width, before any was measured
    seconds: float  # likewise, of processor time
    before: float = 0.0  # seconds that a beam of any width takes besides


def beam_costs(size: Size, expected_moves: int) -> BeamCosts:
    """Return what the beams cost that boards of a size are improved with."""
    if size.cells > TWO_BEAMS_CELLS:
        return BeamCosts(
            least_width=30,
            first_width=300,
            board_bytes=1_000,
            nodes=_STAGED_NODES * size.cells,
            seconds=STAGED_SECONDS * size.cells,
            before=sweep_seconds(size, sweep_share(size)),
        )
    slower = max(1.0, size.cells / 200)
    return BeamCosts(
        least_width=100,
        first_width=150,
        # Two levels of labels and of codes with a border; candidates, hashes, and origins.
        board_bytes=4 * size.cells + 2 * (size.width + 1) * (size.height + 2) + 600,
        nodes=_LEARNED_NODES * expected_moves,
        seconds=_LEARNED_NODES * expected_moves * _LEARNED_SECONDS * slower,
    )


def sweep_seconds(size: Size, share: float = 1.0) -> float:
    """Return the processor time that sweeps of full reach take, about."""
    return _SWEEP_SECONDS * size.cells**2 * (HALF_SWEEPS if share <= 0.5 else 1.0)


def sweep_share(size: Size) -> float:
    """How much of each sweep is played before the next: half serves beams best, for more time."""
    return 0.5 if size.cells <= _MOST_FOR_HALF_SWEEPS else 1.0


def next_width(costs: BeamCosts, widest: int, fitting: int, most: int) -> int | None:
    """Return the width of the next beam; None where none fits that is worth it."""
    least = max(costs.least_width, int(LEAST_GROWTH * widest))
    if min(most, fitting) < least:
        return None
    if widest == 0:
        return min(costs.first_width, fitting, most)
    width = GROWTH * widest
    if fitting < width + GROWTH * width:
        width = fitting
    return min(width, most)
