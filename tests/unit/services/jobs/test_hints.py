import json

import pytest

from tests.support import naive
from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    ScriptedSolver,
    make_searched_event,
    solve_bounded,
    start_search,
)
from tilework.core.formats.certificate import Proof
from tilework.core.model.states import JobState, SolveState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.hint import DIRECTIONS
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import apply
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.jobs.hints import GiveHint
from tilework.core.solver.result import SliceOutcome

LETTERS = dict(zip(DIRECTIONS, "UDLR", strict=True))


def make_hints(service):
    return GiveHint(service.database, service.tickets, service.settings)


def get_hint(service, board, goal=GOAL):
    """Return a hint after completing all the work that it requested."""
    answer = make_hints(service)(service.client, board, goal)
    if answer.job_id is None:
        return answer
    service.work()
    return make_hints(service).refresh(answer, goal)


def follow(board, hint):
    """Return the board after a hint: the oracle moves the named tile in the named direction."""
    tiles = tuple(board.cells.tolist())
    neighbor = naive.apply_move(tiles, board.width, LETTERS[hint.direction])
    moved = [tile for tile, new in zip(tiles, neighbor, strict=True) if tile != new and tile]
    assert moved == [hint.tile]
    return Board(neighbor, board.width, board.height)


def distance(board, goal):
    return naive.distances(tuple(goal.cells.tolist()), goal.width)[tuple(board.cells.tolist())]


@pytest.mark.parametrize(
    ("goal", "seed"),
    [(GOAL, 2), (blank_first(Size(3, 2)), 3), (Board([2, 4, 0, 5, 3, 1], 2, 3), 6)],
)
def test_hints_are_immediate_and_lead_along_a_shortest_solution(service, goal, seed):
    board = scramble(goal.size, goal, seed=seed)
    length = distance(board, goal)
    board = follow(board, get_hint(service, board, goal).hint)
    for remaining in range(length - 1, 0, -1):
        answer = make_hints(service)(service.client, board, goal)
        assert answer.job_id is None
        assert answer.hint.lower_bound == answer.hint.upper_bound == remaining
        assert distance(board, goal) == remaining
        board = follow(board, answer.hint)
    last = make_hints(service)(service.client, board, goal)
    assert (last.hint.solved, last.hint.optimal, last.job_id) == (True, True, None)
    assert (last.hint.tile, last.hint.direction) == (None, None)
    assert len(service.solver.targets) == 1


def test_longer_solution_is_followed_and_only_proven_bounds_are_shown(service, monkeypatch):
    service.solver.solve_scripts.extend([solve_bounded] * 2)
    monkeypatch.setattr("tilework.core.services.jobs.submit.DEFAULT_TIME_LIMIT_S", 1.0)
    answer = make_hints(service)(service.client, BOARD, GOAL)
    service.work("interactive")
    first = make_hints(service).refresh(answer, GOAL).hint
    assert (first.lower_bound, first.upper_bound, first.optimal) == (LENGTH - 2, LENGTH + 2, False)
    board = follow(BOARD, first)
    second = make_hints(service)(service.client, board, GOAL)
    assert second.job_id is not None  # the search for a shortest solution continues
    assert to_letters(second.hint.moves) == to_letters(first.moves)[1:]
    assert second.hint.lower_bound <= distance(board, GOAL)


def test_search_ended_by_a_hint_has_no_incomplete_proof(service):
    """Part of a threshold's tree is searched, then another board provides the bounds."""
    # A board one move further away, whose only optimal move leads back.
    pending = make_hints(service)(service.client, apply(BOARD, from_letters("D")), GOAL)
    service.work("interactive")
    job = start_search(service)
    slice_ = service.lease_slice()
    assert slice_.threshold < LENGTH
    remaining = tuple(ScriptedSolver().split(BOARD, slice_.cursor))
    outcome = SliceOutcome(5, LENGTH, None, remaining, "scripted")
    service.apply_event(make_searched_event(slice_, outcome))
    service.complete_checks()
    assert not service.read_solve(job).settled
    make_hints(service).refresh(pending, GOAL)
    assert service.read_solve(job).state is SolveState.SETTLED
    ended_job = service.read.view(job.id)
    assert (ended_job.state, ended_job.lower_bound) == (JobState.OPTIMAL, LENGTH)
    certificate = CertificateReader(service.database)(job.id)
    assert json.loads("".join(certificate.chunks))["proof"] == Proof.ONE_PROCESS
