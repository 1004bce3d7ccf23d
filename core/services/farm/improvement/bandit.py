"""Which kind of try is next, by what each kind has paid on this board so far.

A bandit with one arm for each kind: Thompson sampling (Thompson, "On the likelihood that one
unknown probability exceeds another", 1933), with moves gained a second as a Poisson rate and a
Gamma distribution of what it may be. A kind that was hardly tried is uncertain and gets its chance;
one that never paid gets it more and more seldom.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilework.core.model.improvement import Pay

_PRIOR_GAIN = 0.5
"""Moves that a kind is taken to have gained, in the seconds below, before any try."""

_PRIOR_SECONDS = 5.0


def choose(pays: Mapping[str, Pay], seed: int, number: int) -> str:
    """Choose a kind.

    Parameters
    ----------
    pays : mapping
        By the names of the kinds, at least one.
    seed, number : int
        The same ones, with the same pays, choose the same kind.
    """
    random = np.random.default_rng([seed, number])
    rates = {
        name: random.gamma(_PRIOR_GAIN + pay.recent_gained) / (_PRIOR_SECONDS + pay.recent_seconds)
        for name, pay in pays.items()
    }
    return max(rates, key=lambda name: rates[name])
