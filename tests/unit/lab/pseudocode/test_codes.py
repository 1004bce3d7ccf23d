"""What the pages light is what an algorithm's file begins with, and has a line for every step."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest

from tilework.core.lab.method import DEFAULT_HEURISTIC, Method
from tilework.core.lab.names import ALGORITHMS, LabAlgorithm, LabHeuristic
from tilework.core.lab.pseudocode.codes import PSEUDOCODE
from tilework.core.lab.pseudocode.lines import Moment
from tilework.core.lab.run import run
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

ALL = pytest.mark.parametrize("name", list(LabAlgorithm))
START, GOAL = Board([7, 5, 8, 2, 3, 4, 1, 0, 6]), Board([1, 2, 3, 4, 5, 6, 7, 8, 0])
ALWAYS = {Moment.START, Moment.TAKE, Moment.EXPAND, Moment.NEW, Moment.GOAL, Moment.EXHAUSTED}
# Two lines for one successor: the old entry goes, the new one comes.
TWICE = {(LabAlgorithm.A_STAR_REPLACE, Moment.CHEAPER)}


def test_every_algorithm_has_its_code() -> None:
    assert list(PSEUDOCODE) == list(LabAlgorithm)


@ALL
def test_the_code_is_what_its_file_begins_with(name: LabAlgorithm) -> None:
    module = import_module(f"tilework.core.lab.algorithms.{name.replace('-', '_')}")
    assert module.__doc__ is not None
    block = module.__doc__.split("\n\n")[1]
    assert block.splitlines() == [
        "    " * (line.depth + 1) + line.words for line in PSEUDOCODE[name]
    ]


@ALL
def test_a_line_is_one_step_in_at_most(name: LabAlgorithm) -> None:
    depths = [line.depth for line in PSEUDOCODE[name]]
    assert depths[0] == 0
    for line, depth, below in zip(PSEUDOCODE[name], depths, depths[1:], strict=False):
        assert below <= depth + line.words.endswith(":")


@ALL
def test_each_moment_has_one_line(name: LabAlgorithm) -> None:
    lines = Counter(moment for line in PSEUDOCODE[name] for moment in line.moments)
    assert set(lines) >= ALWAYS
    for moment, count in lines.items():
        assert count == 1 + ((name, moment) in TWICE)


@ALL
@pytest.mark.parametrize("heuristic", [DEFAULT_HEURISTIC, LabHeuristic.FAULTY])
def test_what_a_run_comes_to_has_a_line(name: LabAlgorithm, heuristic: LabHeuristic) -> None:
    if not ALGORITHMS[name].informed and heuristic is not DEFAULT_HEURISTIC:
        return
    method = Method.of(name, heuristic if ALGORITHMS[name].informed else None)
    result = run(START, GOAL, method, Limits(nodes=3_000), TraceWindow(1_000, 0))
    assert result.trace is not None
    outcomes = {child.outcome for step in result.trace.steps for child in step.children}
    lines = {moment.value for line in PSEUDOCODE[name] for moment in line.moments}
    assert {outcome.value for outcome in outcomes} <= lines
    restarts = sum(step.parent is None and not step.backward for step in result.trace.steps) > 1
    assert not restarts or Moment.AGAIN in lines


def test_outcomes_have_the_same_names() -> None:
    assert {outcome.value for outcome in Outcome} <= {moment.value for moment in Moment}
