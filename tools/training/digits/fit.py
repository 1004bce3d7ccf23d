"""Fit the network with Adam (Kingma and Ba, 2015), minimising its cross-entropy."""

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
_DROPOUT: Final = 0.2
_SMOOTHING: Final = 0.02
"""Label smoothing."""


def fit(
    samples: Samples,
    units: int,
    rounds: int,
    random: np.random.Generator,
    say: Callable[[str], None],
) -> Network:
    """Fit a network with `units` hidden units."""
    weights = [
        random.normal(0, (2 / FEATURES) ** 0.5, (FEATURES + 1, units)),
        random.normal(0, (2 / units) ** 0.5, (units + 1, CLASSES)),
    ]
    moments = [[np.zeros_like(weight) for weight in weights] for _ in _DECAYS]
    targets = np.eye(CLASSES)[samples.labels] * (1 - _SMOOTHING) + _SMOOTHING / CLASSES
    features = samples.features.astype(np.float64)
    steps = rounds * (len(features) // _BATCH)
    step = 0
    for round_ in range(rounds):
        order = random.permutation(len(features))
        loss = 0.0
        for first in range(0, len(order) - _BATCH + 1, _BATCH):
            step += 1
            batch = order[first : first + _BATCH]
            gradients, cost = _compute_gradients(weights, features[batch], targets[batch], random)
            loss += cost
            rate = _RATE * (1 - step / (steps + 1))
            for index, gradient in enumerate(gradients):
                mean, square = moments[0][index], moments[1][index]
                mean += (1 - _DECAYS[0]) * (gradient - mean)
                square += (1 - _DECAYS[1]) * (gradient**2 - square)
                unbiased = mean / (1 - _DECAYS[0] ** step)
                scale = np.sqrt(square / (1 - _DECAYS[1] ** step)) + 1e-8
                weights[index] -= rate * (unbiased / scale + _WEIGHT_DECAY * weights[index])
        say(f"round {round_ + 1} of {rounds}: {loss * _BATCH / len(order):.4f}")
    return Network(weights[0].astype(np.float32), weights[1].astype(np.float32))


def _compute_gradients(
    weights: list[NDArray[np.float64]],
    features: NDArray[np.float64],
    targets: NDArray[np.float64],
    random: np.random.Generator,
) -> tuple[list[NDArray[np.float64]], float]:
    """Return the gradients of the mean cross-entropy with respect to each layer, and the mean."""
    count = len(features)
    hidden, output = weights
    inputs = np.column_stack((features, np.ones(count)))
    raw = inputs @ hidden
    is_active = (raw > 0) & (random.random(raw.shape) >= _DROPOUT)
    units = np.column_stack((np.where(is_active, raw, 0) / (1 - _DROPOUT), np.ones(count)))
    scores = units @ output
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
    error = (probabilities - targets) / count
    hidden_error = np.where(is_active, error @ output[:-1].T, 0) / (1 - _DROPOUT)
    loss = -float((targets * np.log(probabilities + 1e-12)).sum()) / count
    return [inputs.T @ hidden_error, units.T @ error], loss
