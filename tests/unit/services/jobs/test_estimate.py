import pytest

from tilework.core.model.farm.estimate import MAX_FACTOR, remaining_nodes, remaining_threshold_nodes
from tilework.core.model.farm.solves import Iteration


def holds(left, truth):
    assert 1 <= left.factor <= MAX_FACTOR
    return left.nodes / left.factor <= truth <= left.nodes * left.factor


def grown(growth, covered, thresholds=4, first=10_000):
    """Iterations that grow evenly, with exact shares; `covered` of the last is done."""
    iterations = []
    for index in range(thresholds):
        size = round(first * growth**index)
        marks = tuple((round(size * part / 10), part / 10) for part in range(1, 10))
        iterations.append(Iteration(60 + 2 * index, size, 1.0, marks))
    last = iterations[-1]
    iterations[-1] = Iteration(last.threshold, round(last.nodes * covered), 1.0)
    return iterations, last.nodes


def test_even_growth_is_extrapolated_to_future_thresholds():
    for covered in (0.01, 0.5, 0.99):
        iterations, size = grown(6.0, covered)
        threshold = iterations[-1].threshold
        near = remaining_nodes(iterations, covered, threshold + 2)
        assert holds(near, size * (1 - covered))
        assert near.factor < 6
        whole = remaining_threshold_nodes(iterations, covered)
        assert whole.nodes == pytest.approx(size * (1 - covered), rel=0.2)
        assert holds(whole, size * (1 - covered))
        assert near.nodes < whole.nodes  # the last threshold can end early
    iterations, size = grown(6.0, 0.5)
    far = remaining_nodes(iterations, 0.5, iterations[-1].threshold + 6)
    assert holds(far, size * (0.5 + 6 + 36))


def test_nothing_is_estimated_without_data():
    for known in ([], [Iteration(60)]):
        assert remaining_nodes(known, 0.0, 80) is None
        assert remaining_threshold_nodes(known, 0.0) is None
    iterations, _ = grown(6.0, 0.5)
    for end in (None, iterations[-1].threshold + 40):
        assert remaining_nodes(iterations, 0.5, end) is None
