import pytest

from tilework.core.search.limits import Limits, StopReason


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(), None),
        (Limits(seconds=2.01, nodes=101, memory_bytes=1000), None),
        (Limits(seconds=2.0), StopReason.TIME),
        (Limits(seconds=0), StopReason.TIME),
        (Limits(nodes=100), StopReason.NODES),
        (Limits(nodes=0), StopReason.NODES),
        (Limits(memory_bytes=999), StopReason.MEMORY),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ],
)
def test_a_bound_is_reached(limits, reason):
    assert limits.reached(seconds=2.0, nodes=100, memory_bytes=1000) is reason


def test_a_bound_on_nodes_is_named_before_one_on_time():
    # The first is the same at each run, the second depends on the machine.
    assert Limits(seconds=1, nodes=10).reached(5.0, nodes=10) is StopReason.NODES


def test_what_a_search_does_not_count_stops_it_only_where_nothing_is_allowed():
    assert Limits(nodes=1, memory_bytes=0).reached(0.0) is None
    assert Limits(nodes=0).reached(0.0) is StopReason.NODES
