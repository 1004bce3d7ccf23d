"""Parts that the depth-first kernels share.

The loop that goes down and back stands in each kernel that keeps something of its own by depth:
what a move changes and how it is undone is woven into it, and it is kept in registers there.
"""

from __future__ import annotations

from tilework.core.compiling import part
from tilework.core.solver.kernels.constants import DEPTH, EXPANDED, GENERATED, INDEX, NEXT_THRESHOLD


@part
def blank_of(cells):
    """The blank's cell."""
    blank = 0
    while cells[blank] != 0:
        blank += 1
    return blank


@part
def enter(depth, move, following, allowed, path, untried, states):
    """Write down the move from a depth to the next, and what the rules let come after it."""
    at = INDEX(depth)
    state = following[INDEX(states[at]), INDEX(move)]
    path[at] = move
    states[INDEX(depth + 1)] = state
    untried[INDEX(depth + 1)] = allowed[INDEX(state)]


@part
def leave(report, depth, generated, expanded, next_threshold):
    """Write down where a call ends and what it took."""
    report[DEPTH] = depth
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
