from __future__ import annotations

import threading

import pytest

from core.errors import (
    BoardError,
    ConflictError,
    OptionError,
    OverloadError,
    QuotaError,
    UnsolvableError,
)
from core.puzzle.board import Board, Size
from core.puzzle.goals import blank_first, blank_last
from core.puzzle.moves import from_letters
from core.puzzle.replay import apply, replay
from core.puzzle.scramble import scramble
from core.services.jobs.intake import LARGE_TURN_S
from core.services.jobs.submission import BatchSubmission, Submission
from core.services.states import JobState, Queue, SliceState
from core.solver.names import Algorithm, Heuristic
from core.solver.target import Target, TargetKind
from tests import naive
from tests.core.services.staging import ANY, best, bounded

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
GOAL = blank_last(Size(3, 2))


def test_a_new_board_becomes_a_job_with_one_slice_and_one_ticket(house):
    job = house.ask(BOARD)
    assert (job.state, job.cached, job.queue) == (JobState.QUEUED, False, Queue.INTERACTIVE)
    assert (job.board, job.goal) == (BOARD, GOAL)
    assert job.queue_position == 0
    assert house.slices_of(job) == {SliceState.READY: 1}
    assert house.tickets.sent == {"interactive": 1}


def test_a_worked_job_is_optimal_and_its_moves_solve_the_board(house):
    job = house.ask(BOARD)
    assert house.work() == 1
    done = house.read.view(job.id)
    assert done.state is JobState.OPTIMAL
    assert done.progress == 1.0
    assert done.lower_bound == done.upper_bound == len(best(BOARD, GOAL))
    assert done.version != job.version
    solution = house.read.solution(job.id)
    assert solution.optimal
    replay(BOARD, solution.moves, GOAL)


def test_every_disguise_of_a_solved_board_is_answered_at_once(house):
    house.ask(BOARD)
    house.work()
    mirrored = Board(BOARD.cells.reshape(2, 3)[:, ::-1].reshape(-1), 3, 2)
    mirrored_goal = Board(GOAL.cells.reshape(2, 3)[:, ::-1].reshape(-1), 3, 2)
    names = [0, 3, 5, 1, 4, 2]
    renamed = Board([names[tile] for tile in BOARD.cells], 3, 2)
    renamed_goal = Board([names[tile] for tile in GOAL.cells], 3, 2)
    transposed = Board(BOARD.cells.reshape(2, 3).T.reshape(-1), 2, 3)
    transposed_goal = Board(GOAL.cells.reshape(2, 3).T.reshape(-1), 2, 3)
    for start, goal in (
        (BOARD, GOAL),
        (GOAL, BOARD),
        (mirrored, mirrored_goal),
        (renamed, renamed_goal),
        (transposed, transposed_goal),
    ):
        job = house.ask(start, goal=goal)
        assert (job.state, job.cached) == (JobState.OPTIMAL, True)
        solution = house.read.solution(job.id)
        assert len(solution.moves) == len(best(BOARD, GOAL))
        replay(start, solution.moves, goal)
    assert len(house.solver.opened) == 1


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize(
    ("opening", "target"),
    [(None, Target()), (bounded, ANY), (bounded, Target(TargetKind.GAP, 10.0))],
)
def test_what_is_answered_at_once_is_what_is_stored(house, opening, target, brief):
    if opening is not None:
        house.solver.openings.append(opening)
    house.ask(BOARD, target)
    house.work()
    options = Submission(
        start=GOAL, goal=BOARD, client_id=house.client, target=target, time_limit_s=30
    )
    accepted = house.submit.accept(options, brief=brief)
    assert accepted.view.cached
    assert accepted.view == house.read.view(accepted.view.id, brief=brief)
    stored = house.read.solution(accepted.view.id)
    assert accepted.solution.moves.tolist() == stored.moves.tolist()
    assert accepted.solution.lower_bound == stored.lower_bound
    replay(GOAL, accepted.solution.moves, BOARD)


def test_jobs_for_one_board_share_one_search(house):
    first, second = house.ask(BOARD), house.ask(BOARD)
    assert house.slices_of(first) == {SliceState.READY: 1}
    assert house.work() == 1
    assert {house.read.view(job.id).state for job in (first, second)} == {JobState.OPTIMAL}


def test_two_submits_at_once_make_one_solve(house):
    count = 8
    barrier = threading.Barrier(count)
    jobs, errors = [], []

    def ask() -> None:
        barrier.wait()
        try:
            jobs.append(house.ask(BOARD))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len({house.solve_of(job).id for job in jobs}) == 1
    assert house.slices_of(jobs[0]) == {SliceState.READY: 1}
    assert house.work() == 1


@pytest.mark.parametrize(
    ("target", "state"),
    [
        (ANY, JobState.BOUNDED),
        (Target(TargetKind.GAP, 10.0), JobState.BOUNDED),
        (Target(TargetKind.GAP, 0.01), JobState.OPTIMAL),
        (Target(), JobState.OPTIMAL),
    ],
)
def test_a_job_ends_when_its_target_is_met(house, target, state):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD, target)
    house.work()
    assert house.read.view(job.id).state is state


def test_a_bounded_answer_serves_who_asks_for_no_more(house):
    house.solver.openings.append(bounded)
    house.ask(BOARD, ANY)
    house.work()
    assert house.ask(BOARD, ANY).cached
    more = house.ask(BOARD)
    assert more.state is JobState.QUEUED
    assert more.upper_bound == len(best(BOARD, GOAL)) + 2
    house.work()
    assert house.read.view(more.id).state is JobState.OPTIMAL


def test_a_stricter_job_that_joins_is_served_too(house):
    house.solver.openings.append(bounded)
    easy = house.ask(BOARD, ANY)
    hard = house.ask(BOARD)
    house.work()
    assert house.read.view(easy.id).state is JobState.BOUNDED
    assert house.read.view(hard.id).state is JobState.OPTIMAL


def test_an_unsolvable_board_is_refused_with_the_reason(house):
    with pytest.raises(UnsolvableError) as refused:
        house.ask(Board([2, 1, 3, 4, 5, 0], 3, 2))
    assert "nversions" in str(refused.value.explanation)


def test_a_goal_of_another_size_is_refused(house):
    with pytest.raises(BoardError, match="3×2"):
        house.ask(BOARD, goal=blank_last(Size(2, 3)))


@pytest.mark.parametrize("seconds", [0, -1, 1e9, float("nan")])
def test_a_time_limit_out_of_range_is_refused(house, seconds):
    with pytest.raises(OptionError, match="time limit"):
        house.ask(BOARD, seconds=seconds)


def test_a_board_over_the_limit_is_refused(make_house):
    with pytest.raises(OptionError, match="6 cells"):
        make_house(max_cells=5).ask(BOARD)


def test_a_client_has_a_quota_and_others_do_not_pay_for_it(make_house):
    house = make_house(jobs_per_client=1)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER)
    assert house.ask(OTHER, client=house.clients.new()).state is JobState.QUEUED
    house.work()
    assert house.ask(OTHER).cached


def test_the_service_has_a_depth(make_house):
    house = make_house(depth_cap=1)
    house.ask(BOARD)
    with pytest.raises(OverloadError):
        house.ask(OTHER, client=house.clients.new())


def test_an_idempotency_key_gives_the_same_job(house):
    job = house.ask(BOARD, key="k")
    assert house.ask(BOARD, key="k").id == job.id
    house.work()
    assert house.ask(BOARD, key="k").id == job.id
    assert house.ask(BOARD, key="other").id != job.id
    assert house.ask(BOARD, key="k", client=house.clients.new()).id != job.id


def test_an_idempotency_key_is_for_one_request(house):
    house.ask(BOARD, key="k")
    with pytest.raises(ConflictError, match="'k'"):
        house.ask(BOARD, ANY, key="k")


def test_a_refused_request_does_not_use_up_its_key(make_house):
    house = make_house(jobs_per_client=1)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER, key="k")
    house.work()
    assert house.ask(OTHER, key="k").state is JobState.QUEUED


def test_a_broken_broker_loses_no_job(house):
    house.tickets.broken = True
    job = house.ask(BOARD)
    house.tickets.broken = False
    house.reconcile.run_once()
    assert house.tickets.sent["interactive"] == 1
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_an_answer_that_does_not_replay_is_never_given_and_found_anew(house):
    job = house.ask(BOARD)
    house.work()
    solve = house.solve_of(job)
    with house.database.writing() as session:
        moves = session.solves.moves(solve.id)
        session.solves.save_with_moves(solve, 0.0, moves[::-1].copy(), "poison")
    again = house.ask(BOARD)
    assert (again.state, again.cached, again.upper_bound) == (JobState.QUEUED, False, None)
    house.work()
    solution = house.read.solution(again.id)
    assert apply(BOARD, solution.moves) == GOAL


def test_other_goals_are_solved_as_given(house):
    goal = blank_first(Size(3, 2))
    board = apply(goal, from_letters("ULDLURD"))
    job = house.ask(board, goal=goal)
    house.work()
    replay(board, house.read.solution(job.id).moves, goal)


def test_a_waiting_job_tells_a_bound_that_needs_no_search(house):
    job = house.ask(BOARD)
    tiles = BOARD.cells.tolist()
    assert job.state is JobState.QUEUED
    assert job.lower_bound == naive.manhattan(tiles, GOAL.cells.tolist(), BOARD.width)


def test_the_bound_at_the_door_is_the_same_for_a_board_on_its_side(house):
    tall = Board([3, 2, 1, 0, 5, 4, 6, 7], 2, 4)
    job = house.ask(tall)
    tiles, goal = tall.cells.tolist(), job.goal.cells.tolist()
    assert job.lower_bound == naive.manhattan(tiles, goal, tall.width)


@pytest.mark.parametrize(
    ("size", "algorithm", "heuristic", "words"),
    [
        (Size(7, 7), Algorithm.A_STAR, Heuristic.AUTO, "choose from auto, beam, constructive"),
        (
            Size(5, 5),
            Algorithm.A_STAR,
            Heuristic.AUTO,
            "limited to 16 cells and a board of 5×5 has 25",
        ),
        (Size(7, 7), Algorithm.IDA_STAR, Heuristic.AUTO, "limited to 36 cells"),
        (Size(17, 17), Algorithm.BEAM, Heuristic.AUTO, "choose from auto, constructive"),
        (
            Size(4, 4),
            Algorithm.IDA_STAR,
            Heuristic.MANHATTAN,
            "does not support manhattan for boards of 4×4",
        ),
        (Size(7, 7), Algorithm.AUTO, Heuristic.PATTERN_DATABASE, "linear-conflict, manhattan"),
    ],
)
def test_what_no_algorithm_can_do_is_refused_at_the_door(house, size, algorithm, heuristic, words):
    goal = blank_last(size)
    board = next(goal.neighbors())
    with pytest.raises(OptionError, match=words):
        house.ask(board, goal=goal, algorithm=algorithm, heuristic=heuristic)
    submission = BatchSubmission(
        client_id=house.client,
        items=[(board, goal)],
        algorithm=algorithm,
        heuristic=heuristic,
    )
    with pytest.raises(OptionError, match=f"^board 1 of the batch: .*{words}"):
        house.submit_batch(submission)
    assert house.read.jobs_of(house.client) == []


def test_small_boards_go_before_large_ones_that_came_a_little_earlier(house):
    goal = blank_last(Size(5, 5))
    large = [house.ask(scramble(goal.size, goal, seed), goal=goal) for seed in range(3)]
    small = house.ask(BOARD)
    positions = [house.read.view(job.id).queue_position for job in (small, *large)]
    assert positions == [0, 1, 2, 3]
    house.clock.turn(LARGE_TURN_S)
    later = house.ask(OTHER)
    assert house.read.view(later.id).queue_position == 4
