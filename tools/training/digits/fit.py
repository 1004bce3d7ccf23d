"""Fit the network by Adam (Kingma and Ba, 2015) on its cross-entropy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.digits import CLASSES, FEATURES, Network
from tools.training.digits.samples import Samples

_BATCH: Final = 128
_RATE: Final = 2e-3
_DECAYS: Final = (0.9, 0.999)
_WEIGHT_DECAY: Final = 1e-4
_DROPPED: Final = 0.2
_SMOOTHING: Final = 0.02
"""Label smoothing."""


def fit(
    samples: Samples,
    units: int,
    rounds: int,
    random: np.random.Generator,
    say: Callable[[str], None],
) -> Network:
    """Fit a network with so many hidden units."""
    weights = [
        random.normal(0, (2 / FEATURES) ** 0.5, (FEATURES + 1, units)),
        random.normal(0, (2 / units) ** 0.5, (units + 1, CLASSES)),
    ]
    moments = [[np.zeros_like(weight) for weight in weights] for _ in _DECAYS]
    wanted = np.eye(CLASSES)[samples.labels] * (1 - _SMOOTHING) + _SMOOTHING / CLASSES
    features = samples.features.astype(np.float64)
    steps = rounds * (len(features) // _BATCH)
    step = 0
    for done in range(rounds):
        order = random.permutation(len(features))
        loss = 0.0
        for first in range(0, len(order) - _BATCH + 1, _BATCH):
            step += 1
            chosen = order[first : first + _BATCH]
            gradients, cost = _gradients(weights, features[chosen], wanted[chosen], random)
            loss += cost
            rate = _RATE * (1 - step / (steps + 1))
            for index, gradient in enumerate(gradients):
                mean, square = moments[0][index], moments[1][index]
                mean += (1 - _DECAYS[0]) * (gradient - mean)
                square += (1 - _DECAYS[1]) * (gradient**2 - square)
                unbiased = mean / (1 - _DECAYS[0] ** step)
                scale = np.sqrt(square / (1 - _DECAYS[1] ** step)) + 1e-8
                weights[index] -= rate * (unbiased / scale + _WEIGHT_DECAY * weights[index])
        say(f"round {done + 1} of {rounds}: {loss * _BATCH / len(order):.4f}")
    return Network(weights[0].astype(np.float32), weights[1].astype(np.float32))


def _gradients(
    weights: list[NDArray[np.float64]],
    features: NDArray[np.float64],
    wanted: NDArray[np.float64],
    random: np.random.Generator,
) -> tuple[list[NDArray[np.float64]], float]:
    """Return the gradient of the mean cross-entropy by each layer, and that mean."""
    count = len(features)
    hidden, output = weights
    given = np.column_stack((features, np.ones(count)))
    raw = given @ hidden
    on = (raw > 0) & (random.random(raw.shape) >= _DROPPED)
    units = np.column_stack((np.where(on, raw, 0) / (1 - _DROPPED), np.ones(count)))
    scores = units @ output
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares = powers / powers.sum(axis=1, keepdims=True)
    error = (shares - wanted) / count
    back = np.where(on, error @ output[:-1].T, 0) / (1 - _DROPPED)
    loss = -float((wanted * np.log(shares + 1e-12)).sum()) / count
    return [given.T @ back, units.T @ error], loss
