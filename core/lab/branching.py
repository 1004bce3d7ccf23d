"""The effective branching factor: how wide a search was, whatever its depth."""

from __future__ import annotations

_TOLERANCE = 1e-9


def effective_branching(nodes: int, depth: int) -> float:
    """Return b where a tree of that depth, b children to a node, holds so many nodes and its root.

    Parameters
    ----------
    nodes : int
        Generated, so that ``nodes + 1 = 1 + b + b² + … + b^depth``.
    depth : int
        At least 0; at depth 0 the factor is 0.

    Notes
    -----
    Russell, Norvig, *Artificial Intelligence: A Modern Approach*, section on the effect of
    heuristic accuracy on performance.
    """
    if depth == 0 or nodes == 0:
        return 0.0
    low, high = 0.0, float(nodes)
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        if _size(middle, depth, nodes) < nodes:
            low = middle
        else:
            high = middle
    return high


def _size(branching: float, depth: int, enough: int) -> float:
    """Return the nodes under the root, or the count so far once it exceeds ``enough``."""
    total = level = 0.0
    level = 1.0
    for _ in range(depth):
        level *= branching
        total += level
        if total > enough or level < _TOLERANCE:
            break
    return total
