from dataclasses import replace

from sqlalchemy import delete

from tests.integration.services.conftest import read_certificate_text
from tests.support.instances import load_instances
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.verifier import VerifyOptions, examine
from tilework.core.storage.models import slice_

CHECK_ALL = VerifyOptions(None, 0)
GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)

KORF_INSTANCE = next(iter(load_instances("korf100_15puzzle.txt")))


def certify(service, job):
    text = read_certificate_text(service, job)
    return None if text is None else read_certificate(text)


def delete_threshold(service, threshold):
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(delete(slice_).where(slice_.c.threshold == threshold))


def test_sliced_search_is_certified_as_far_as_it_is_stored(sliced_service):
    job = sliced_service.request(BOARD, goal=GOAL)
    assert certify(sliced_service, job) is None
    sliced_service.work()
    assert sliced_service.read.view(job.id).state is JobState.OPTIMAL
    full_certificate = certify(sliced_service, job)
    assert (full_certificate.proof, full_certificate.optimal) == (Proof.SLICES, True)
    assert full_certificate.board == BOARD.cells.tolist()
    assert full_certificate.goal == GOAL.cells.tolist()
    replay(BOARD, from_letters(full_certificate.moves), GOAL)
    assert any(len(tree.slices) > 4 for tree in full_certificate.thresholds)
    assert examine(full_certificate, CHECK_ALL).error is None
    # The same puzzle with its start and goal exchanged.
    reversed_job = sliced_service.request(GOAL, goal=BOARD)
    assert reversed_job.cached
    reversed_certificate = certify(sliced_service, reversed_job)
    assert reversed_certificate.thresholds == full_certificate.thresholds
    assert reversed_certificate.moves != full_certificate.moves
    assert examine(reversed_certificate, CHECK_ALL).error is None
    # Thresholds before a gap are left out.
    delete_threshold(sliced_service, full_certificate.thresholds[1].threshold)
    certificate = certify(sliced_service, job)
    assert certificate.thresholds == full_certificate.thresholds[2:]
    assert examine(certificate, CHECK_ALL).error is None
    # A bound beyond the last threshold is proved again in one process.
    delete_threshold(sliced_service, certificate.thresholds[-1].threshold)
    certificate = certify(sliced_service, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    assert examine(certificate, CHECK_ALL).error is None


def test_search_with_stored_databases_is_certified(sliced_service, pattern_databases):
    sliced_service.solver.nodes = 3_000
    job = sliced_service.request(Board(KORF_INSTANCE.tiles, 4, 4), goal=blank_first(Size(4, 4)))
    sliced_service.work()
    certificate = certify(sliced_service, job)
    assert (certificate.proof, certificate.length) == (Proof.SLICES, KORF_INSTANCE.length)
    assert sum(len(tree.slices) for tree in certificate.thresholds) > 10
    assert examine(certificate, replace(CHECK_ALL, pdb_folder=pattern_databases)).error is None


def search_until_bound(service, job, lower_bound):
    """Search until a lower bound is proved, then stop all work."""
    service.work("interactive")
    worker = service.worker()

    def has_bound():
        return service.read.view(job.id).lower_bound >= lower_bound

    # On a busy machine, the bound may take longer than one call searches.
    while not has_bound():
        assert worker.run("search", "worker", has_bound).done
    service.cancel(job.id, service.client)
    return service.read.view(job.id)


def test_second_job_continues_the_proof_of_a_bounded_job(sliced_service):
    first = sliced_service.request(BOARD, goal=GOAL)
    view = search_until_bound(sliced_service, first, 26)
    first_certificate = certify(sliced_service, first)
    assert (first_certificate.proof, first_certificate.optimal) == (Proof.SLICES, False)
    assert 26 <= first_certificate.lower_bound == view.lower_bound < first_certificate.length
    assert first_certificate.thresholds[-1].next == view.lower_bound
    assert examine(first_certificate, CHECK_ALL).error is None
    second = sliced_service.request(BOARD, goal=GOAL)
    sliced_service.work()
    certificate = certify(sliced_service, second)
    assert certificate.optimal
    count = len(first_certificate.thresholds)
    assert certificate.thresholds[:count] == first_certificate.thresholds
    assert examine(certificate, CHECK_ALL).error is None
    assert certify(sliced_service, first) == certificate


def test_slice_that_crashed_workers_is_proved_by_its_halves(sliced_service):
    job = sliced_service.request(BOARD, goal=GOAL)
    sliced_service.work("interactive")
    for _ in range(3):
        assert sliced_service.claim("search") == 1
        sliced_service.clock.advance(sliced_service.settings.lease_s + 1)
        sliced_service.reconcile.run_once()
    sliced_service.work()
    certificate = certify(sliced_service, job)
    assert certificate.optimal
    (root,) = [record for record in certificate.thresholds[0].slices if record.parent is None]
    assert (root.nodes, root.engine) == (0, None)
    assert examine(certificate, CHECK_ALL).error is None
