from __future__ import annotations

from tests.support.services.fixtures import house, make_house
from tests.unit.services.certificates.test_make import ALL, Crumbs, certificate_of
from tests.unit.solver.optimal.walks import walked
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.services.certificates.check import examine
from tilework.core.services.farm.life import searching
from tilework.core.services.states import JobState
from tilework.core.solver.optimal import ordering

__all__ = ["house", "make_house"]


def test_a_tree_from_the_goal_is_proved_as_well_as_one_from_the_start(
    house, pattern_databases, monkeypatch
):
    for room in (searching, ordering):
        monkeypatch.setattr(room, "LEAST_ORDERED_NODES", 1_000)
    for name in ("COUNTED_NODES", "COMPARED_NODES"):
        monkeypatch.setattr(ordering, name, 500)
    # Its tree from the goal is thirty times smaller.
    board, goal = walked(blank_last(Size(5, 5)), 110, 4), blank_last(Size(5, 5))
    house.solver = Crumbs(pattern_databases)
    house.solver.nodes = 10_000
    job = house.ask(board, goal=goal)
    house.work()
    done = house.read.view(job.id)
    assert (done.state, done.upper_bound) == (JobState.OPTIMAL, 62)
    replay(board, house.read.solution(job.id).moves, goal)
    certificate = certificate_of(house, job)
    [root, *others] = certificate.thresholds[-1].slices
    assert root.cursor.startswith("02")
    assert {one.cursor[:4] for one in others} == {f"03{goal.blank:02x}"}
    assert examine(certificate, ALL).fault is None
