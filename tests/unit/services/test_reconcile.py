from tests.support.services.staging import bounded
from tilework.core.model.states import JobState, Queue, SolveState
from tilework.core.puzzle.board import Board

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)


def test_a_job_past_its_deadline_expires_where_nothing_is_known(house):
    job = house.ask(BOARD, seconds=5)
    house.clock.turn(4.9)
    house.reconcile.run_once()
    assert house.read.view(job.id).state is JobState.QUEUED
    house.clock.turn(0.2)
    house.tickets.broken = True
    house.ask(OTHER)
    house.reconcile.run_once()  # though the broker is away
    done = house.read.view(job.id)
    assert (done.state, done.finished_at) == (JobState.EXPIRED, house.clock())
    assert house.slices_of(job) == {}
    assert house.solve_of(job).state is SolveState.IDLE


def test_a_job_past_its_deadline_is_bounded_where_there_is_a_solution(house):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD, seconds=5)
    other = house.ask(BOARD, seconds=50)
    house.work("interactive")
    house.clock.turn(6)
    house.reconcile.run_once()
    assert house.read.view(job.id).state is JobState.BOUNDED
    assert house.read.view(other.id).state in {JobState.QUEUED, JobState.RUNNING}
    house.work("search")
    assert house.read.view(other.id).state is JobState.OPTIMAL
    assert house.read.view(job.id).state is JobState.BOUNDED


def test_flushed_tickets_are_minted_again_and_never_too_many(house):
    house.ask(BOARD)
    house.tickets.sent.clear()
    house.tickets.broken = True
    house.ask(OTHER)
    house.tickets.broken = False
    for _ in range(3):
        house.reconcile.run_once()
    assert house.tickets.sent == {Queue.INTERACTIVE: 2}


def test_a_lease_of_a_cancelled_job_is_not_given_out_again(house):
    job = house.ask(BOARD)
    house.claim()
    house.cancel(job.id, house.client)
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.slices_of(job) == {}
    assert house.work() == 0


def test_a_solve_without_work_is_given_some(house):
    job = house.ask(BOARD)
    with house.database.writing() as session:
        session.slices.drop_all(job.solve_id)
    house.reconcile.run_once()
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL
