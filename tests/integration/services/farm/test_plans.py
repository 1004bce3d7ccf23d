"""No statement that runs per slice, per poll or per post walks through a table that only grows."""

from tests.support.filling import analyze, fill
from tests.support.plans import efforts, recorded, walks
from tests.support.services import house as solving
from tests.support.services.staging import ANY, BOARD, bounded, cancelled, in_parts, nothing
from tests.unit.services.lab import conftest as comparing
from tests.unit.services.lab.staging import A_STAR, until_cancelled
from tilework.core.errors import InputError
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.certificates.make import ReadCertificate
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.lease_renewer import LeaseRenewer
from tilework.core.services.farm.state_machine.events import Started
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.services.jobs.read_batch import ReadBatch
from tilework.core.services.jobs.submission import Submission
from tilework.core.solver.target import Target, TargetKind

# Few for a second's work, yet so many that no planner takes an index for not worth its while.
ROWS = 20_000

# A page of fifty jobs is more of either; to go through a tenth of the rows is much more.
MOST_MORE = {"sqlite": 10_000, "postgresql": 400}

GOAL = blank_last(Size(3, 2))
OTHERS = [
    Board([4, 1, 2, 5, 0, 3], 3, 2),
    Board([1, 2, 3, 0, 4, 5], 3, 2),
    Board([1, 0, 3, 4, 2, 5], 3, 2),
    Board([0, 1, 3, 4, 2, 5], 3, 2),
]
EIGHT = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])


def solve_boards(house):
    """All that the services do, once: posts, polls, claims, ends of every kind, cures."""
    house.solver.openings.append(bounded)
    first = house.ask(BOARD, key="again")
    house.ask(BOARD, key="again")
    poll(house, first.id)
    house.work("interactive")
    # A search in parts, looked after by its keeper, that a cancelled job parks.
    house.solver.runnings.append(in_parts(0.5, 0.25))
    house.worker().serve("search", "worker", lambda: len(house.solver.searched) > 0)
    assert house.claim("search") == 1
    look_after(house, first)
    house.cancel(first.id, house.client)
    # Leases that run out, until the slice is poison; work that raises; an option that is refused.
    again = house.ask(BOARD)
    for _ in range(4):
        house.clock.turn(house.settings.lease_s + 1)
        house.reconcile.run_once()
        house.claim("search")
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    house.work()
    poll(house, again.id)
    ReadCertificate(house.database, house.settings)(again.id)
    house.solver.openings.extend([ValueError("broken"), ValueError("broken")])
    broken = house.ask(OTHERS[0])
    house.work()
    house.ask(OTHERS[0])
    house.solver.openings.append(InputError("not offered"))
    house.ask(OTHERS[1])
    house.work()
    house.solver.openings.append(cancelled)
    house.ask(OTHERS[2], Target(TargetKind.GAP, 0.5))
    house.work()
    house.ask(OTHERS[2], ANY)
    # A deadline, and a solve whose slice is gone.
    house.solver.openings.append(nothing)
    due = house.ask(EIGHT, seconds=1.0)
    house.clock.turn(2.0)
    house.reconcile.run_once()
    house.read.view(due.id)
    orphan = house.ask(OTHERS[3])
    with house.database.writing() as session:
        session.slices.drop_all(orphan.solve_id)
    house.reconcile.run_once()
    house.work()
    batch = house.submit_batch(
        Submission(client_id=house.client, boards=[(BOARD, GOAL), (OTHERS[1], GOAL)])
    )
    house.work()
    house.read_batch.view(batch.id)
    list(ReadBatch(house.database, house.settings).results(batch.id))
    assert house.read.view(broken.id).message
    visit(house)
    return first


def poll(house, job_id):
    view = house.read.view(job_id)
    house.read.view(job_id, brief=True)
    house.read.wait(job_id, view.version, 0.0)
    house.read.history(job_id)
    house.read.solution(job_id)
    house.read.find_solution(BOARD, GOAL)


def look_after(house, job):
    """What the keeper's thread does for a claim."""
    lives = StateMachine(house.database, house.settings)
    keeper = LeaseRenewer(
        house.database, house.tickets, house.settings, (Queue.INTERACTIVE,), lives
    )
    solve = house.solve_of(job)
    keeper.look(solve.id)
    with house.database.writing() as session:
        [piece] = session.slices.expired(house.clock() + 2 * house.settings.lease_s)
        assert session.slices.wanted([piece.id], "lost") == {piece.id}
        session.slices.renew([piece.lease], house.clock() + house.settings.lease_s)
    assert house.settle(Started(piece)).done
    presence = Heartbeat(house.database, "worker", house.clock)
    presence.tell()
    presence.leave()


def visit(house):
    """What visitors and machines look at without a job."""
    jobs = house.read.jobs_of(house.client)
    house.read.jobs_of(house.client, before=jobs[-1].id)
    house.read.queues()
    house.health.check()
    _, secret = house.clients.create_key("machine", house.client)
    assert house.clients.authenticate(secret) == house.client
    [key] = house.clients.list_keys(house.client)
    house.clients.revoke_key(key.id)


def compare_methods(lab):
    """All that the lab does, once."""
    first = lab.ask()
    lab.ask()
    lab.read.wait(first.id, lab.read.version(first.id), 0.0)
    for _ in range(3):
        lab.claim()
        lab.clock.turn(lab.settings.lease_s + 1)
        lab.reconcile.run_once()
    lab.runner.scripts.append(ValueError("broken"))
    lab.work()
    lab.runner.scripts.append(until_cancelled)
    other = lab.ask(EIGHT, goal=blank_last(Size(3, 3)), methods=[A_STAR])
    lab.work(stopping=iter([False, False, True, True, True]).__next__)
    with lab.database.writing() as session:
        now = lab.clock()
        [claim] = session.tasks.claim(Queue.LAB, Holder("worker", now + 1), now)
        assert session.tasks.held(claim.lease)
        session.tasks.renew(claim.lease, now + 2)
    lab.cancel(other.id, lab.client)
    lab.ask(EIGHT, goal=blank_last(Size(3, 3)), methods=[A_STAR])
    lab.work()
    [*_, last] = lab.read.of_client(lab.client)
    lab.read.run(last.runs[0].id)
    lab.read.trace(last.runs[0].id)


def test_no_statement_walks_through_what_has_ended(database, tmp_path):
    house = solving.furnish(database, tmp_path)
    with recorded(database) as statements:
        job = solve_boards(house)
        compare_methods(comparing.furnish(database, tmp_path))
    assert len(statements) > 60
    before = efforts(database, statements)
    fill(database, ROWS, solve_id=house.solve_of(job).id, client_id=house.client)
    assert walks(database, statements) == []
    analyze(database)
    assert walks(database, statements) == []
    # PostgreSQL may take a page of rows for all of them before it has analyzed.
    after = efforts(database, statements)
    most = MOST_MORE[database.dialect]
    assert [text for text in after if after[text] > before[text] + most] == []
