from dataclasses import replace

import pytest

from tests.support import naive
from tests.support.services.house import options
from tests.support.services.staging import ANY, best, bounded
from tilework.core.errors import (
    BoardError,
    ConflictError,
    OptionError,
    OverloadError,
    QuotaError,
    UnsolvableError,
)
from tilework.core.model.states import JobState, Queue, SliceState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.audit import Audit
from tilework.core.services.jobs.intake import LARGE_TURN_S
from tilework.core.services.jobs.submission import Submission
from tilework.core.solver.target import Algorithm, Target, TargetKind

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
    # A bound that needs no search, the same for a board on its side.
    for asked in (job, house.ask(Board([3, 2, 1, 0, 5, 4, 6, 7], 2, 4))):
        tiles, goal = asked.board.cells.tolist(), asked.goal.cells.tolist()
        assert asked.lower_bound == naive.manhattan(tiles, goal, asked.width)
    same = house.ask(BOARD)
    assert house.work() == 2
    done = house.read.view(job.id)
    assert (done.state, house.read.view(same.id).state) == (JobState.OPTIMAL, JobState.OPTIMAL)
    assert done.progress == 1.0
    assert done.lower_bound == done.upper_bound == len(best(BOARD, GOAL))
    assert done.version != job.version
    solution = house.read.solution(job.id)
    assert solution.optimal
    replay(BOARD, solution.moves, GOAL)


def test_a_fresh_search_is_made_though_the_answer_is_known(house):
    house.ask(BOARD)
    house.work()
    known = house.ask(BOARD, algorithm=Algorithm.A_STAR)
    assert known.cached
    assert "a-star was not run" in str(known.message)
    assert house.ask(BOARD).message is None
    fresh = [house.ask(BOARD, algorithm=Algorithm.A_STAR, fresh=True, key=key) for key in "aab"]
    assert len({job.id for job in fresh}) == 2
    assert {(job.state, job.cached) for job in fresh} == {(JobState.QUEUED, False)}
    house.work()
    ended = house.read.view(fresh[0].id)
    assert (ended.state, ended.lower_bound) == (JobState.OPTIMAL, len(best(BOARD, GOAL)))
    assert ended.nodes == 100
    assert house.solver.algorithms[-2:] == [Algorithm.A_STAR] * 2
    assert Audit(house.database, house.settings)().damaged == 0


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
    pairs = [(BOARD, GOAL), (GOAL, BOARD), (mirrored, mirrored_goal)]
    for start, goal in (*pairs, (renamed, renamed_goal), (transposed, transposed_goal)):
        job = house.ask(start, goal=goal)
        assert (job.state, job.cached) == (JobState.OPTIMAL, True)
        solution = house.read.solution(job.id)
        assert len(solution.moves) == len(best(BOARD, GOAL))
        replay(start, solution.moves, goal)
    assert len(house.solver.opened) == 1


def test_what_is_answered_at_once_is_what_is_stored(house):
    house.solver.openings.append(bounded)
    house.ask(BOARD, ANY)
    house.work()
    for target in (ANY, Target(TargetKind.GAP, 10.0), Target()):
        if target == Target():
            assert house.ask(BOARD).state is JobState.QUEUED
            house.work()
        for brief in (False, True):
            submission = Submission(
                client_id=house.client, boards=[(GOAL, BOARD)], options=options(target, 30)
            )
            view = house.submit(submission, brief=brief)
            assert view.cached
            assert replace(view, solution=None) == house.read.view(view.id, brief=brief)
            stored = house.read.solution(view.id)
            assert view.solution.moves.tolist() == stored.moves.tolist()
            assert view.solution.lower_bound == stored.lower_bound
            replay(GOAL, view.solution.moves, BOARD)


def test_a_job_ends_when_its_target_is_met_and_serves_who_asks_for_no_more(house):
    house.solver.openings.extend([bounded] * 4)
    targets = [ANY, Target(TargetKind.GAP, 10.0), Target(TargetKind.GAP, 0.01), Target()]
    jobs = [house.ask(BOARD, target) for target in targets]
    house.work("interactive")
    states = [house.read.view(job.id).state for job in jobs]
    assert states[:2] == [JobState.BOUNDED] * 2
    assert set(states[2:]) <= {JobState.QUEUED, JobState.RUNNING}
    assert house.ask(BOARD, ANY).cached
    assert house.ask(BOARD).upper_bound == len(best(BOARD, GOAL)) + 2
    house.work("search")
    states = [house.read.view(job.id).state for job in jobs]
    assert states == [JobState.BOUNDED] * 2 + [JobState.OPTIMAL] * 2


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


def test_small_boards_go_before_large_ones_that_came_a_little_earlier(house):
    goal = blank_last(Size(5, 5))
    large = [house.ask(scramble(goal.size, goal, seed), goal=goal) for seed in range(3)]
    small = house.ask(BOARD)
    positions = [house.read.view(job.id).queue_position for job in (small, *large)]
    assert positions == [0, 1, 2, 3]
    house.clock.turn(LARGE_TURN_S)
    later = house.ask(OTHER)
    assert house.read.view(later.id).queue_position == 4


def test_boards_and_limits_that_are_refused(make_house):
    house = make_house(max_cells=6)
    with pytest.raises(UnsolvableError) as refused:
        house.ask(Board([2, 1, 3, 4, 5, 0], 3, 2))
    assert "nversions" in str(refused.value.explanation)
    with pytest.raises(BoardError, match="3×2"):
        house.ask(BOARD, goal=blank_last(Size(2, 3)))
    with pytest.raises(OptionError, match="7 cells"):
        house.ask(Board([1, 2, 3, 4, 5, 0, 6], 7, 1))
    for seconds in (0, -1, 1e9, float("nan")):
        with pytest.raises(OptionError, match="time limit"):
            house.ask(BOARD, seconds=seconds)
    assert house.read.jobs_of(house.client) == []


def test_quotas_of_a_client_and_the_depth_of_the_service(make_house):
    house = make_house(jobs_per_client=1, depth_cap=2)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER, key="k")
    assert house.ask(OTHER, client=house.clients.new()).state is JobState.QUEUED
    with pytest.raises(OverloadError):
        house.ask(GOAL, goal=BOARD, client=house.clients.new())
    house.work()
    # What was refused has not used up its key.
    assert house.ask(OTHER, key="k").cached


def test_an_idempotency_key_gives_the_same_job_for_the_same_request(house):
    job = house.ask(BOARD, key="k")
    board, goal = next(BOARD.neighbors()), next(GOAL.neighbors())
    others = [{"target": ANY}, {"goal": goal}, {"seconds": 7.0}, {"algorithm": Algorithm.IDA_STAR}]
    for asked in [{"board": board}, *others]:
        with pytest.raises(ConflictError, match="'k'"):
            house.ask(**{"board": BOARD, "key": "k"} | asked)
    house.work()
    assert house.ask(BOARD, key="k").id == job.id
    assert house.ask(BOARD, key="other").id != job.id
    assert house.ask(BOARD, key="k", client=house.clients.new()).id != job.id


def test_what_no_algorithm_can_do_is_refused_at_the_door(house):
    goal = blank_last(Size(5, 5))
    board, words = next(goal.neighbors()), "limited to 16 cells and a board of 5×5 has 25"
    with pytest.raises(OptionError, match=words):
        house.ask(board, goal=goal, algorithm=Algorithm.A_STAR)
    batch = Submission(
        client_id=house.client,
        boards=[(board, goal)],
        options=options(algorithm=Algorithm.A_STAR),
    )
    with pytest.raises(OptionError, match=f"^board 1 of the batch: .*{words}"):
        house.submit_batch(batch)
    assert house.read.jobs_of(house.client) == []
