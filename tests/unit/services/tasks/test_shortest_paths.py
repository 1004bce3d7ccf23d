from dataclasses import replace
from itertools import islice

import pytest
from sqlalchemy import update

from tilework.core.errors import MoveError, ReplayError
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import Progress
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.shortest_paths import find, graph
from tilework.core.solver.shortest_paths.find import find_shortest_paths
from tilework.core.solver.slides.find import find_slides
from tilework.core.storage.models import task

FARTHEST = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
"""This board is 31 moves from GOAL, the maximum for 3×3 boards, and has 40 shortest solutions."""
GOAL = blank_last(Size(3, 3))


def overwrite(service, **values):
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(task).values(**values))


def format_solutions(solutions):
    return [to_letters(solution) for solution in solutions]


def test_all_shortest_solutions_are_found_and_stored(service):
    view, reports = service.request_ways(FARTHEST), []
    service.engine.scripts.append(
        lambda spec, limits, _: service.engine.solver(spec, limits, reports.append)
    )
    assert (view.state, view.result) == (RunState.QUEUED, None)
    assert service.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    assert service.work() == 1
    layers = [layer for layer in reports if layer.total == 31]
    assert layers == [Progress(depth, 31, 31, 31) for depth in range(1, 32)]
    result = service.ways.view(view.id).result
    paths = find_shortest_paths(FARTHEST, GOAL).graph
    assert (result["length"], result["count"]) == (31, 40)
    assert (result["listed"], result["drawn"], result["stopped_by"]) == (40, True, None)
    assert result["fewest_turns"]["slides"] == count_slides(paths.fewest_slides())
    assert result["fewest_slides"]["slides"] == find_slides(FARTHEST, GOAL).slides
    expected = format_solutions(paths.solutions())
    assert format_solutions(service.ways.solutions(view.id, 38, 10)) == expected[38:]
    stored, graph = service.ways.graph(view.id), paths.graph()
    assert (stored.boards[0], stored.boards[-1]) == (FARTHEST, GOAL)
    assert stored.depths == graph.depths
    assert list_moves(stored) == list_moves(graph)


def list_moves(graph):
    """Return the moves between boards, each board with its number of solutions."""
    nodes = list(zip(graph.boards, graph.path_counts, strict=True))
    return {(nodes[a], nodes[b], letter) for a, b, letter in graph.moves}


def test_only_the_first_of_very_many_solutions_are_stored(service, monkeypatch):
    for module in (graph, find):
        monkeypatch.setattr(module, "MAX_LISTED", 30)
    view = service.request_ways(FARTHEST)
    service.work()
    result = service.ways.view(view.id).result
    assert (result["count"], result["listed"]) == (40, 30)
    paths = find_shortest_paths(FARTHEST, GOAL).graph
    solutions = service.ways.solutions(view.id)
    assert format_solutions(solutions) == format_solutions(islice(paths.solutions(), 30))


def test_wrong_count_is_not_stored(service):
    def miscount(spec, limits, report):
        end = service.engine.solver(spec, limits, report)
        result = replace(end.result, document=end.result.document | {"count": 41})
        return replace(end, result=result)

    service.engine.scripts.extend([miscount, miscount])
    view = service.request_ways(FARTHEST)
    service.work()
    rejected = service.ways.view(view.id)
    assert rejected.state is RunState.FAILED
    assert "contradict their count" in str(rejected.message)


def test_invalid_stored_solutions_are_never_shown(service):
    view = service.request_ways(FARTHEST)
    other = service.request_ways(Board([6, 4, 7, 8, 5, 0, 3, 2, 1]))
    service.work()
    with service.database.reading() as session:
        result = session.tasks.result(other.id)
    overwrite(service, solutions=result.solutions, detail=result.detail)
    for read in (service.ways.solutions, service.ways.graph):
        with pytest.raises(ReplayError):
            read(view.id)
    overwrite(service, solutions=b"damaged", detail=b"damaged")
    with pytest.raises(MoveError):
        service.ways.solutions(view.id)
    with pytest.raises(ReplayError):
        service.ways.graph(view.id)
