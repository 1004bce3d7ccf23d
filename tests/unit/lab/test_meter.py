import itertools
import tracemalloc
from types import SimpleNamespace

import pytest

from tests.unit.lab.runs import HARDEST, WHOLE, run_method
from tilework.core.search.limits import Limits, StopReason

HARD = HARDEST[0]
FAR = (14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)


@pytest.mark.parametrize("nodes", [1, 2, 499, 500, 501, 1234])
def test_node_limit_is_exceeded_by_at_most_one_expansion(nodes):
    for method in ("breadth-first", "iterative-deepening", "depth-first", "bidirectional"):
        result = run_method(HARD, method, limits=Limits(nodes=nodes))
        assert result.stopped_by is StopReason.NODES
        assert nodes <= result.statistics.generated < nodes + 4
        assert result.moves is None
    plural = "" if nodes == 1 else "s"
    assert str(result.message) == f"The limit of {nodes} node{plural} was reached."


def test_time_and_memory_limits(monkeypatch):
    result = run_method(HARD, "breadth-first", limits=Limits(seconds=0))
    assert (result.stopped_by, result.statistics.expanded) == (StopReason.TIME, 0)
    assert str(result.message) == "The limit of 0 s was reached."
    with monkeypatch.context() as patch:
        clock = SimpleNamespace(perf_counter=itertools.count(step=2.0).__next__)
        patch.setattr("tilework.core.lab.meter.time", clock)
        result = run_method(HARD, "breadth-first", limits=Limits(seconds=5))
    assert result.stopped_by is StopReason.TIME
    assert 0 < result.statistics.generated < 3_000
    result = run_method(HARD, "breadth-first", limits=Limits(memory_bytes=1_000_000))
    assert result.stopped_by is StopReason.MEMORY
    assert str(result.message) == "The limit of 0.953674 MiB was reached."
    assert 1_000_000 < result.statistics.memory_bytes < 1_500_000
    assert result.statistics.expanded > 500


def test_cancelled_run_ends_immediately_without_a_trace():
    checks = itertools.count()
    limits = Limits(cancelled=lambda: next(checks) == 3)
    result = run_method(HARD, "breadth-first", limits=limits, window=WHOLE)
    assert result.stopped_by is StopReason.CANCELLED
    assert str(result.message) == "The run was cancelled."
    assert 1000 <= result.statistics.generated < 3000
    assert result.trace is None


@pytest.mark.parametrize(
    "method",
    ["breadth-first", "bidirectional", "a-star:zero", "a-star-decrease-key", "beam:zero:1000"],
)
def test_memory_is_estimated_within_a_quarter(method):
    tracemalloc.start()
    try:
        result = run_method(HARD, method, limits=Limits(nodes=10_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.75 * peak < result.statistics.memory_bytes < 1.25 * peak


def test_limits_stop_a_beam_search_within_a_level():
    # The beam is wider than the level in which the limit of 1,000 nodes is reached.
    result = run_method(FAR, "beam:zero:100000", None, 4, Limits(nodes=1_000), WHOLE)
    assert result.stopped_by is StopReason.NODES
    assert 1_000 <= result.statistics.generated < 1_004
    children = [child for step in result.trace.steps for child in step.children]
    assert len(children) == result.statistics.generated
    # Memory includes the current level; it is checked every 500 nodes of about 300 bytes.
    result = run_method(FAR, "beam:manhattan:100000", None, 4, Limits(memory_bytes=200_000))
    assert result.stopped_by is StopReason.MEMORY
    assert result.statistics.memory_bytes < 400_000
    checks = iter([False, False, False, True])
    limits = Limits(cancelled=lambda: next(checks))
    result = run_method(FAR, "beam:manhattan:100000", None, 4, limits)
    assert result.stopped_by is StopReason.CANCELLED
    assert result.statistics.generated < 1_600
