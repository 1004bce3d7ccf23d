"""The cheapest assignment, against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from tilework.core.pictures.assignment import cheapest_assignment


@pytest.mark.parametrize("count", [1, 2, 3, 9, 25, 100])
@pytest.mark.parametrize("seed", range(3))
def test_it_costs_no_more_than_any_other(count: int, seed: int) -> None:
    costs = np.random.default_rng(seed).exponential(5, (count, count)).round(1)
    columns = cheapest_assignment(costs)
    assert sorted(columns) == list(range(count))
    rows, best = linear_sum_assignment(costs)
    assert costs[np.arange(count), columns].sum() == pytest.approx(costs[rows, best].sum())
