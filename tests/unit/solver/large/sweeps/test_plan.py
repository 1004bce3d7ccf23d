"""Efforts: more time gives a wider beam, and sweeps only where nothing else fits."""

from __future__ import annotations

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.large.sweeps.plan import plan_for


@pytest.mark.parametrize("side", [10, 32, 100, 256, 1000])
def test_more_time_is_never_a_narrower_beam_or_a_shorter_reach(side):
    efforts = [plan_for(Size(side, side), seconds) for seconds in (0.1, 1, 10, 100, 1000, 10_000)]
    reaches = [effort.sweeps.reach for effort in efforts]
    widths = [effort.width or 0 for effort in efforts]
    assert reaches == sorted(reaches)
    assert widths == sorted(widths)


def test_a_huge_board_in_a_short_time_is_swept_alone():
    effort = plan_for(Size(1000, 1000), 30.0)
    assert effort.width is None
    assert effort.sweeps.reach < 100
