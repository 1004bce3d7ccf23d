"""Every step of a search belongs to a line of the algorithm's pseudocode."""

from collections import Counter

import pytest

from tests.unit.lab.runs import run_method
from tilework.core.lab.methods import ALGORITHMS, LabAlgorithm, Method
from tilework.core.lab.pseudocode import PSEUDOCODE, Moment
from tilework.core.lab.result import TraceWindow
from tilework.core.search.limits import Limits

ALWAYS = {Moment.START, Moment.TAKE, Moment.EXPAND, Moment.NEW, Moment.GOAL, Moment.EXHAUSTED}
# Two lines handle this event: one deletes the old entry, the other pushes the new one.
TWO_LINES = {(LabAlgorithm.A_STAR_REPLACE, Moment.CHEAPER)}


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_code_has_a_line_for_each_event(name) -> None:
    code = PSEUDOCODE[name]
    lines = Counter(moment for line in code for moment in line.moments)
    assert set(lines) >= ALWAYS
    assert all(count == 1 + ((name, moment) in TWO_LINES) for moment, count in lines.items())
    for heuristic in ("manhattan", "faulty") if ALGORITHMS[name].informed else (None,):
        method, window = Method.of(name, heuristic), TraceWindow(1_000, 0)
        start, limits = (7, 5, 8, 2, 3, 4, 1, 0, 6), Limits(nodes=3_000)
        steps = run_method(start, method, limits=limits, window=window).trace.steps
        outcomes = {child.outcome.value for step in steps for child in step.children}
        assert outcomes <= {moment.value for moment in lines}
        restarts = sum(step.parent is None and not step.backward for step in steps) > 1
        assert not restarts or Moment.AGAIN in lines
