from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import delete, update

from tests.support.checksums import update_checksums
from tests.support.instances import instances
from tests.support.services.scripted_solver import ANY
from tilework.core.errors import NotFoundError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.certificates.slides import VerifyOptions
from tilework.core.services.certificates.verifier import examine
from tilework.core.services.farm import proof_tree
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.target import Algorithm
from tilework.core.storage.models import slice_

ALL = VerifyOptions(None, 0)
GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
HARD = scramble(GOAL.size, GOAL, 1, moves=60)

KORF = next(iter(instances("korf100_15puzzle.txt")))


def certify(service, job):
    view = CertificateReader(service.database, service.settings)(job.id)
    return None if view is None else read_certificate("".join(view.chunks))


class SmallSlices(LocalSolver):
    """Leaves all of the proof to the search in slices, and makes these small."""

    nodes = 800

    def __init__(self, pdb_folder):
        super().__init__(pdb_folder)
        self.solve = partial(self.construct, self.solve)

    @staticmethod
    def construct(solve, board, goal, **options):
        options |= {"target": ANY, "algorithm": Algorithm.CONSTRUCTIVE}
        return solve(board, goal, **options)

    def search(self, *arguments, nodes, cancelled):
        return super().search(*arguments, nodes=min(nodes, self.nodes), cancelled=cancelled)


@pytest.fixture
def slicing(service, pattern_databases, monkeypatch):
    service.solver = SmallSlices(pattern_databases)
    monkeypatch.setattr(proof_tree, "PAGE", 3)
    return service


def forget(service, threshold):
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(delete(slice_).where(slice_.c.threshold == threshold))


def test_search_in_slices_is_proven_as_far_as_stored(slicing):
    job = slicing.request(HARD, goal=GOAL)
    assert certify(slicing, job) is None
    slicing.work()
    assert slicing.read.view(job.id).state is JobState.OPTIMAL
    whole = certify(slicing, job)
    assert (whole.proof, whole.optimal) == (Proof.SLICES, True)
    assert (whole.board, whole.goal) == (HARD.cells.tolist(), GOAL.cells.tolist())
    replay(HARD, from_letters(whole.moves), GOAL)
    assert any(len(tree.slices) > 4 for tree in whole.thresholds)
    assert examine(whole, ALL).error is None
    # Start and goal exchanged: the same puzzle backwards.
    disguised = slicing.request(GOAL, goal=HARD)
    assert disguised.cached
    other = certify(slicing, disguised)
    assert other.thresholds == whole.thresholds
    assert other.moves != whole.moves
    assert examine(other, ALL).error is None
    # Thresholds before a gap are left out.
    forget(slicing, whole.thresholds[1].threshold)
    certificate = certify(slicing, job)
    assert certificate.thresholds == whole.thresholds[2:]
    assert examine(certificate, ALL).error is None
    # A bound beyond the last threshold is proved again in one process.
    forget(slicing, certificate.thresholds[-1].threshold)
    certificate = certify(slicing, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    assert examine(certificate, ALL).error is None


def test_search_with_stored_databases_is_proven(slicing, pattern_databases):
    slicing.solver.nodes = 3_000
    job = slicing.request(Board(KORF.tiles, 4, 4), goal=blank_first(Size(4, 4)))
    slicing.work()
    certificate = certify(slicing, job)
    assert (certificate.proof, certificate.length) == (Proof.SLICES, KORF.length)
    assert sum(len(tree.slices) for tree in certificate.thresholds) > 10
    assert examine(certificate, replace(ALL, pdb_folder=pattern_databases)).error is None


def until_bound(service, job, lower_bound):
    """Search until a lower bound is proved, then stop all work."""
    service.work("interactive")
    worker = service.worker()
    assert worker.run(
        "search", "worker", lambda: service.read.view(job.id).lower_bound >= lower_bound
    ).done
    service.cancel(job.id, service.client)
    return service.read.view(job.id)


def test_second_job_continues_the_proof_of_a_bounded_one(slicing):
    first = slicing.request(HARD, goal=GOAL)
    ended = until_bound(slicing, first, 26)
    before = certify(slicing, first)
    assert (before.proof, before.optimal) == (Proof.SLICES, False)
    assert 26 <= before.lower_bound == ended.lower_bound < before.length
    assert before.thresholds[-1].next == ended.lower_bound
    assert examine(before, ALL).error is None
    second = slicing.request(HARD, goal=GOAL)
    slicing.work()
    certificate = certify(slicing, second)
    assert certificate.optimal
    assert certificate.thresholds[: len(before.thresholds)] == before.thresholds
    assert examine(certificate, ALL).error is None
    assert certify(slicing, first) == certificate


def test_slice_that_crashed_workers_is_proven_by_its_halves(slicing):
    job = slicing.request(HARD, goal=GOAL)
    slicing.work("interactive")
    for _ in range(3):
        assert slicing.claim("search") == 1
        slicing.clock.advance(slicing.settings.lease_s + 1)
        slicing.reconcile.run_once()
    slicing.work()
    certificate = certify(slicing, job)
    assert certificate.optimal
    (root,) = [record for record in certificate.thresholds[0].slices if record.parent is None]
    assert (root.nodes, root.engine) == (0, None)
    assert examine(certificate, ALL).error is None


def update_slices(service, **values):
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(slice_).values(**values))
    update_checksums(service.database)


@pytest.mark.parametrize("lost", ["engine", "parent_id"])
def test_rows_without_parents_and_engines_make_an_incomplete_record(slicing, lost):
    """Rows like those of searches that started before these columns existed."""
    job = slicing.request(HARD, goal=GOAL)
    slicing.work()
    update_slices(slicing, **{lost: None})
    certificate = certify(slicing, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.INCOMPLETE, [])
    assert "incomplete" in str(examine(certificate, ALL).error)


def test_searches_in_one_process_are_proven_again(service, pattern_databases):
    service.solver = LocalSolver(pattern_databases)
    for board in (
        Board([8, 6, 7, 2, 5, 4, 3, 0, 1]),
        Board([1, 2, 3, 4, 5, 6, 0, 7, 8]),
        Board([1, 2, 3, 4, 5, 6, 7, 8, 0]),
        Board([1, 2, 3, 0], 4, 1),
    ):
        job = service.request(board)
        service.work()
        certificate = certify(service, job)
        assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
        assert certificate.search.algorithm
        assert examine(certificate, ALL).error is None
    with pytest.raises(NotFoundError, match="nowhere"):
        CertificateReader(service.database, service.settings)("nowhere")
