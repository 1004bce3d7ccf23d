"""Minimise the losses, with a penalty on the difference from Manhattan distance."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.optimize import minimize

from tools.training.losses import Loss
from tools.training.parameters import Parameters, Reals, Tables


def fit(
    parameters: Parameters,
    losses: Sequence[Loss],
    start: Reals,
    *,
    penalty: float,
    iterations: int,
    threads: int,
) -> Reals:
    """Minimise the sum of the losses and a ridge penalty with L-BFGS."""
    origin = parameters.make_start()
    with ThreadPoolExecutor(threads) as pool:
        curvature = sum(pool.map(lambda loss: loss.curvature(), losses), Tables.zero())
        ridge = penalty * parameters.penalties
        # This scaling makes all directions about equally steep.
        scale = 1 / np.sqrt(parameters.apply_transpose(curvature) + ridge)

        def objective(scaled: Reals) -> tuple[float, Reals]:
            vector = scaled * scale
            tables = parameters.tables(vector)
            difference = vector - origin
            total, slope = float(ridge @ difference**2) / 2, ridge * difference
            sums = Tables.zero()
            for value, gradient in pool.map(lambda loss: loss.at(tables), losses):
                total += value
                sums += gradient
            return total, (slope + parameters.apply_transpose(sums)) * scale

        minimum = minimize(
            objective, start / scale, jac=True, method="L-BFGS-B",
            options={"maxiter": iterations, "maxcor": 10, "maxfun": 2 * iterations},
        )  # fmt: skip
    return np.asarray(minimum.x * scale)
