"""The heap with one entry a state, against a sorted list."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilework.core.lab.algorithms.indexed_heap import IndexedHeap
from tilework.core.lab.problem import Node

# A state and its f to put in, or None to take one out.
ACTS = st.lists(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 30)), max_size=60)


@given(ACTS)
def test_it_holds_the_least_entry_of_each_state_and_gives_the_least_of_all(acts):
    heap, expected, number = IndexedHeap(), {}, count()
    for act in acts:
        if act is not None:
            state, f = act
            entry = (f, 0, -next(number), Node((state,), None, -1, 0))
            if state not in expected or entry < expected[state]:
                expected[state] = entry
                heap.put(entry)
        elif expected:
            least = min(expected.values())
            del expected[least[-1].state[0]]
            assert heap.pop() is least
        assert len(heap) == len(expected)
        assert sorted(heap) == sorted(expected.values())


def test_an_empty_heap_has_nothing_to_take():
    with pytest.raises(IndexError):
        IndexedHeap().pop()
