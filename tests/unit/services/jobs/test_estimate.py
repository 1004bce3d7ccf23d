import pytest

from tilework.core.model.farm.estimate import MAX_FACTOR, remaining_nodes, remaining_threshold_nodes
from tilework.core.model.farm.solves import Iteration


def is_within(estimate, nodes):
    assert 1 <= estimate.factor <= MAX_FACTOR
    return estimate.nodes / estimate.factor <= nodes <= estimate.nodes * estimate.factor


def make_iterations(growth, covered):
    """Return iterations that grow evenly, with exact shares; `covered` of the last is complete."""
    iterations = []
    for index in range(4):
        size = round(10_000 * growth**index)
        marks = tuple((round(size * part / 10), part / 10) for part in range(1, 10))
        iterations.append(Iteration(60 + 2 * index, size, 1.0, marks))
    last = iterations[-1]
    iterations[-1] = Iteration(last.threshold, round(last.nodes * covered), 1.0)
    return iterations, last.nodes


def test_even_growth_is_extrapolated_to_future_thresholds():
    for covered in (0.01, 0.5, 0.99):
        iterations, size = make_iterations(6.0, covered)
        threshold = iterations[-1].threshold
        near = remaining_nodes(iterations, covered, threshold + 2)
        assert is_within(near, size * (1 - covered))
        assert near.factor < 6
        whole = remaining_threshold_nodes(iterations, covered)
        assert whole.nodes == pytest.approx(size * (1 - covered), rel=0.2)
        assert is_within(whole, size * (1 - covered))
        assert near.nodes < whole.nodes  # the last threshold can end early
    iterations, size = make_iterations(6.0, 0.5)
    far = remaining_nodes(iterations, 0.5, iterations[-1].threshold + 6)
    assert is_within(far, size * (0.5 + 6 + 36))


def test_nothing_is_estimated_without_data():
    for iterations in ([], [Iteration(60)]):
        assert remaining_nodes(iterations, 0.0, 80) is None
        assert remaining_threshold_nodes(iterations, 0.0) is None
    iterations, _ = make_iterations(6.0, 0.5)
    for end in (None, iterations[-1].threshold + 40):
        assert remaining_nodes(iterations, 0.5, end) is None
