"""How fast a search by thresholds closes the gap."""

from __future__ import annotations

from tilework.core.services.farm.records import Solve

# A threshold takes at least so many times the seconds of the one before.
SURE_GROWTH = 2.0

STEP = 2
"""Moves by which a threshold raises the lower bound."""

_LEAST_S = 1.0


def expected_s(solve: Solve) -> float:
    """Return the seconds of all workers that the threshold just started takes at least."""
    return SURE_GROWTH * solve.iterations[-2].seconds if len(solve.iterations) > 1 else 0.0


def proof_rate(solve: Solve) -> float | None:
    """Return the moves a second by which thresholds raise the bound; None without a threshold."""
    if solve.threshold is None:
        return None
    present = solve.iterations[-1].seconds if solve.iterations else 0.0
    return STEP / max(_LEAST_S, expected_s(solve), present)
