"""The effective branching factor against a published value and the sum that defines it."""

from __future__ import annotations

import pytest

from tilework.core.lab.branching import effective_branching


def test_the_example_of_the_textbook():
    assert round(effective_branching(52, 5), 2) == 1.92


@pytest.mark.parametrize(
    ("nodes", "depth"), [(10, 2), (13, 4), (483_563, 31), (27_231, 31), (3, 5)]
)
def test_the_tree_holds_the_nodes(nodes, depth):
    factor = effective_branching(nodes, depth)
    assert sum(factor**level for level in range(1, depth + 1)) == pytest.approx(nodes, rel=1e-6)


@pytest.mark.parametrize("branching", [1, 2, 3, 10])
@pytest.mark.parametrize("depth", [1, 2, 7])
def test_a_full_tree_has_its_own_factor(branching, depth):
    nodes = sum(branching**level for level in range(1, depth + 1))
    assert effective_branching(nodes, depth) == pytest.approx(branching)


def test_nothing_branches_where_nothing_was_made():
    assert effective_branching(0, 0) == 0
    assert effective_branching(0, 5) == 0
    assert effective_branching(4, 0) == 0


def test_a_very_deep_search_hardly_branches():
    factor = effective_branching(300_000, 100_000)
    assert 1 < factor < 1.001
