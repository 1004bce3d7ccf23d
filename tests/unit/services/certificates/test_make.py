"""Certificates of jobs: what the work leaves behind proves the bound, and is told honestly."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import delete, update

from tests.support.instances import instances
from tests.support.sealing import seal_all
from tests.support.services.staging import ANY, BOARD
from tilework.core.errors import NotFoundError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.make import ReadCertificate
from tilework.core.services.certificates.options import VerifyOptions
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.states import JobState
from tilework.core.solver.names import Algorithm
from tilework.core.storage.models import slice_

ALL = VerifyOptions(None, 0)
GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
HARD = scramble(GOAL.size, GOAL, 1, moves=60)

KORF = next(iter(instances("korf100_15puzzle.txt")))


def certificate_of(house, job):
    view = ReadCertificate(house.database, house.settings)(job.id)
    return None if view is None else read_certificate("".join(view.pieces))


class Crumbs(LocalSolver):
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
def slicing(house, pattern_databases):
    house.solver = Crumbs(pattern_databases)
    return house


def test_a_search_in_slices_is_proved(slicing):
    job = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    assert slicing.read.view(job.id).state is JobState.OPTIMAL
    certificate = certificate_of(slicing, job)
    assert certificate.proof is Proof.SLICES
    assert certificate.optimal
    assert (certificate.board, certificate.goal) == (HARD.cells.tolist(), GOAL.cells.tolist())
    replay(HARD, from_letters(certificate.moves), GOAL)
    assert sum(len(tree.slices) for tree in certificate.thresholds) > 10
    assert any(len(tree.slices) > 4 for tree in certificate.thresholds)
    assert examine(certificate, ALL).fault is None


def test_a_search_with_stored_databases_is_proved(slicing, pattern_databases):
    slicing.solver.nodes = 3_000
    job = slicing.ask(Board(KORF.tiles, 4, 4), goal=blank_first(Size(4, 4)))
    slicing.work()
    certificate = certificate_of(slicing, job)
    assert (certificate.proof, certificate.length) == (Proof.SLICES, KORF.length)
    assert sum(len(tree.slices) for tree in certificate.thresholds) > 10
    assert examine(certificate, replace(ALL, pdb_folder=pattern_databases)).fault is None


def test_it_is_the_same_for_a_board_in_disguise(slicing):
    first = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    # Start and goal exchanged: the same puzzle backwards.
    second = slicing.ask(GOAL, goal=HARD)
    assert slicing.read.view(second.id).cached
    one, other = certificate_of(slicing, first), certificate_of(slicing, second)
    assert one.thresholds == other.thresholds
    assert one.moves != other.moves
    assert examine(other, ALL).fault is None


def until_bound(house, job, lower_bound):
    """Search until a lower bound is proved, then let nobody go on."""
    house.work("interactive")
    worker = house.worker()
    assert worker.serve(
        "search", "worker", lambda: house.read.view(job.id).lower_bound >= lower_bound
    ).done
    house.cancel(job.id, house.client)
    return house.read.view(job.id)


def test_a_job_that_ended_bounded_has_its_bound_proved(slicing):
    job = slicing.ask(HARD, goal=GOAL)
    ended = until_bound(slicing, job, 26)
    certificate = certificate_of(slicing, job)
    assert (certificate.proof, certificate.optimal) == (Proof.SLICES, False)
    assert 26 <= certificate.lower_bound == ended.lower_bound < certificate.length
    assert certificate.thresholds[-1].next == ended.lower_bound
    assert examine(certificate, ALL).fault is None


def test_what_a_second_job_goes_on_with_is_one_proof(slicing):
    first = slicing.ask(HARD, goal=GOAL)
    until_bound(slicing, first, 26)
    before = certificate_of(slicing, first)
    second = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    certificate = certificate_of(slicing, second)
    assert certificate.optimal
    assert certificate.thresholds[: len(before.thresholds)] == before.thresholds
    assert examine(certificate, ALL).fault is None
    assert certificate_of(slicing, first) == certificate


def test_a_slice_that_broke_its_workers_is_proved_by_its_halves(slicing):
    job = slicing.ask(HARD, goal=GOAL)
    slicing.work("interactive")
    for _ in range(3):
        assert slicing.claim("search") == 1
        slicing.clock.turn(slicing.settings.lease_s + 1)
        slicing.reconcile.run_once()
    slicing.work()
    certificate = certificate_of(slicing, job)
    assert certificate.optimal
    (root,) = [piece for piece in certificate.thresholds[0].slices if piece.parent is None]
    assert (root.nodes, root.engine) == (0, None)
    assert examine(certificate, ALL).fault is None


def altered(house, **values):
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(slice_).values(**values))
    seal_all(house.database)


@pytest.mark.parametrize("lost", ["engine", "parent_id"])
def test_rows_without_parents_and_engines_make_an_incomplete_record(slicing, lost):
    """As they are where the search began before these were kept."""
    job = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    altered(slicing, **{lost: None})
    certificate = certificate_of(slicing, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.INCOMPLETE, [])
    assert "incomplete" in str(examine(certificate, ALL).fault)


def forget(house, threshold):
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(delete(slice_).where(slice_.c.threshold == threshold))


def test_thresholds_before_a_gap_are_left_out(slicing):
    job = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    whole = certificate_of(slicing, job)
    forget(slicing, whole.thresholds[1].threshold)
    certificate = certificate_of(slicing, job)
    assert certificate.thresholds == whole.thresholds[2:]
    assert examine(certificate, ALL).fault is None


def test_a_bound_beyond_the_last_threshold_is_from_one_process(slicing):
    job = slicing.ask(HARD, goal=GOAL)
    slicing.work()
    forget(slicing, certificate_of(slicing, job).thresholds[-1].threshold)
    certificate = certificate_of(slicing, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    assert examine(certificate, ALL).fault is None


@pytest.mark.parametrize(
    "board",
    [
        Board([8, 6, 7, 2, 5, 4, 3, 0, 1]),
        Board([1, 2, 3, 4, 5, 6, 0, 7, 8]),
        Board([1, 2, 3, 4, 5, 6, 7, 8, 0]),
        Board([1, 2, 3, 0], 4, 1),
        scramble(Size(9, 9), blank_last(Size(9, 9)), 1),
    ],
    ids=lambda board: str(board.size),
)
def test_searches_in_one_process_are_proved_again(house, pattern_databases, board):
    house.solver = LocalSolver(pattern_databases)
    job = house.ask(board)
    house.work_for(1.0)
    house.let_time_pass()
    certificate = certificate_of(house, job)
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    assert certificate.search.algorithm
    assert examine(certificate, ALL).fault is None


def test_there_is_none_before_there_is_a_solution(house):
    assert certificate_of(house, house.ask(BOARD)) is None


def test_a_job_that_does_not_exist(house):
    with pytest.raises(NotFoundError, match="nowhere"):
        ReadCertificate(house.database, house.settings)("nowhere")
