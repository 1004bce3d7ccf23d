"""Chooses kinds of trials by their gains, by Thompson sampling."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilework.core.model.farm.improvement import TrialStatistics

_PRIOR_GAIN = 0.5
"""Moves that each kind is assumed to have gained before its first trial."""

_PRIOR_SECONDS = 5.0


def choose_kind(statistics: Mapping[str, TrialStatistics], seed: int, number: int) -> str:
    """Choose a kind of trial by the gains of each kind on this board so far.

    Parameters
    ----------
    statistics : mapping
        The statistics of at least one kind, by name.
    seed, number : int
        The choice is the same for the same seed, number and statistics.

    Notes
    -----
    A multi-armed bandit with one arm per kind: Thompson sampling (Thompson, "On the likelihood
    that one unknown probability exceeds another", 1933). Moves gained per second are modelled as a
    Poisson rate with a Gamma prior. A kind with few trials is uncertain and is tried again; a
    kind that never gains is chosen less and less often.
    """
    random = np.random.default_rng([seed, number])
    rates = {
        name: random.gamma(_PRIOR_GAIN + entry.recent_gained)
        / (_PRIOR_SECONDS + entry.recent_seconds)
        for name, entry in statistics.items()
    }
    return max(rates, key=lambda name: rates[name])
