"""A board's whole path through the service with the real solver, and its certificate."""

import json
import threading
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.integration.services.certificates.test_certificates import (
    ALL,
    GOAL,
    HARD,
    SmallSlices,
    certify,
)
from tests.support import naive
from tests.support.checksums import update_checksums
from tests.support.services.scripted_solver import searching_job
from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.states import JobState, SliceState, SolveState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.certificates.verifier import examine
from tilework.core.services.farm import proof_tree
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.state_machine import threshold_search
from tilework.core.solver.optimal import subtrees
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.subtrees import get_root_depth
from tilework.core.storage.damage.checksums import SLICE, SLICE_END
from tilework.core.storage.models import slice_


@pytest.fixture
def real_solver_service(service, pattern_databases):
    service.solver = LocalSolver(pattern_databases)
    return service


def test_small_boards_end_optimal(real_solver_service):
    service, goal = real_solver_service, blank_last(Size(3, 3))
    depth = naive.distances(naive.solved_tiles(3, 3), 3)
    boards = [scramble(goal.size, goal, seed) for seed in range(8)]
    jobs = [service.request(board) for board in boards]
    service.work()
    for board, job in zip(boards, jobs, strict=True):
        view = service.read.view(job.id)
        assert view.state is JobState.OPTIMAL
        assert view.upper_bound == depth[tuple(board.cells.tolist())]
        replay(board, service.read.solution(job.id).moves, goal)


def test_search_in_slices_ends_optimal(make_service, pattern_databases):
    service = make_service(open_slice_s=0.001, search_slice_s=0.02)
    service.solver = LocalSolver(pattern_databases)
    goal = blank_first(Size(5, 3))
    board = scramble(Size(5, 3), goal, 3, moves=44)
    job = service.request(board, goal=goal)
    service.work()
    view = service.read.view(job.id)
    assert (view.state, view.progress) == (JobState.OPTIMAL, 1.0)
    replay(board, service.read.solution(job.id).moves, goal)
    assert view.upper_bound <= 44


def test_large_board_ends_bounded(real_solver_service):
    service, goal = real_solver_service, blank_last(Size(8, 7))
    board = scramble(goal.size, goal, 1)
    job = service.request(board)
    service.work("interactive")
    first = service.read.view(job.id)
    assert first.state is JobState.RUNNING
    # Some beams and windows.
    service.worker().run("search", "w", lambda: service.read_solve(job).improvement.begun > 6)
    service.advance_time()
    view = service.read.view(job.id)
    assert view.state is JobState.BOUNDED
    assert 0 < view.lower_bound < view.upper_bound < first.upper_bound
    replay(board, service.read.solution(job.id).moves, goal)


def test_workers_that_share_a_search_make_one_proof(service, pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.services.farm.splitting.MIN_UNIT_S", 1e-6)
    job = service.request(HARD, goal=GOAL)
    all_are_there = threading.Barrier(3)

    def help_search(name):
        Heartbeat(service.database, name, service.clock).beat()
        all_are_there.wait()
        worker = service.worker(SmallSlices(pattern_databases))
        while not service.read.view(job.id).finished:
            for queue in ("interactive", "search"):
                worker.run(queue, name, lambda: False)

    helpers = [threading.Thread(target=help_search, args=(f"w{index}",)) for index in range(3)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    assert service.read.view(job.id).state is JobState.OPTIMAL
    certificate = certify(service, job)
    assert any(record.engine is None for tree in certificate.thresholds for record in tree.slices)
    assert examine(certificate, ALL).error is None


def test_ordered_tree_is_proven_with_its_ancestors(service, pattern_databases, monkeypatch):
    for module in (threshold_search, subtrees):
        monkeypatch.setattr(module, "MIN_ORDERED_NODES", 100)
    monkeypatch.setattr(subtrees, "ORDERING_NODES", 50)
    service.solver = SmallSlices(pattern_databases)
    job = service.request(HARD, goal=GOAL)
    service.work()
    assert service.read.view(job.id).state is JobState.OPTIMAL
    certificate = certify(service, job)
    assert certificate.thresholds
    tree = certificate.thresholds[-1]
    [root] = [record for record in tree.slices if record.parent is None]
    parts = [Cursor.from_bytes(bytes.fromhex(record.cursor)) for record in tree.slices[1:]]
    assert root.engine is not None
    assert {len(path) for path, _ in parts[0].positions} == {get_root_depth(GOAL.size.cells)}
    assert examine(certificate, ALL).error is None


@pytest.fixture
def slicing(service, pattern_databases, monkeypatch):
    monkeypatch.setattr(proof_tree, "PAGE", 7)
    service.solver = SmallSlices(pattern_databases)
    return service


def certificate_text(service, job):
    return "".join(CertificateReader(service.database, service.settings)(job.id).chunks)


def solve_in_slices(service):
    job = service.request(HARD, goal=GOAL)
    service.work()
    return job


def test_pages_and_the_order_of_ids_make_no_difference(slicing, monkeypatch):
    job = solve_in_slices(slicing)
    text = certificate_text(slicing, job)
    monkeypatch.setattr(proof_tree, "PAGE", 100_000)
    assert certificate_text(slicing, job) == text
    # Hosts whose clocks differ give children ids that seem older than their parents'.
    with slicing.database.engine(writes=True).begin() as connection:
        for index, id_ in enumerate(connection.execute(select(slice_.c.id)).scalars().all()):
            new = f"{99_999_999 - index:08d}{id_[8:]}"
            for column in (slice_.c.id, slice_.c.parent_id):
                connection.execute(update(slice_).where(column == id_).values({column.name: new}))
    update_checksums(slicing.database)
    monkeypatch.setattr(proof_tree, "PAGE", 7)
    before, after = read_certificate(text), read_certificate(certificate_text(slicing, job))
    assert examine(after, ALL).error is None
    assert after.proof is Proof.SLICES
    assert [without_numbers(threshold) for threshold in after.thresholds] == [
        without_numbers(threshold) for threshold in before.thresholds
    ]
    records = [record for tree in after.thresholds for record in tree.slices]
    assert any(record.parent is not None and record.parent > record.id for record in records)


def without_numbers(tree):
    """A threshold whose slices are identified by their cursors and parents only."""
    cursors = {record.id: record.cursor for record in tree.slices}
    records = {
        (record.cursor, cursors.get(record.parent), record.nodes, record.next_threshold)
        for record in tree.slices
    }
    return tree.threshold, tree.nodes, tree.next, records


@pytest.mark.parametrize("when", [0, 5])
def test_search_deleted_meanwhile_leaves_no_partial_certificate(slicing, when):
    job = solve_in_slices(slicing)
    text = CertificateReader(slicing.database, slicing.settings)(job.id).chunks
    for _ in range(when):
        next(text)
    with slicing.database.writing() as session:
        session.slices.delete_from(job.solve_id)
    with pytest.raises(UnavailableError, match=r"discarded .* try again"):
        list(text)


def slices_with_one_parent(service, job, count):
    """Replace what remains of a search by a root and many slices below it."""
    record = service.read_solve(job)
    with service.database.engine(writes=True).begin() as connection:
        of_solve = slice_.c.solve_id == record.id
        left = dict(connection.execute(select(slice_).where(of_solve)).mappings().one())
    with service.database.writing() as session:
        session.slices.delete_from(record.id)
        session.solves.save(
            replace(
                record,
                bounds=Bounds(record.lower_bound + 2, record.upper_bound),
                state=SolveState.IDLE,
            ),
            1.0,
        )
    values = left | {
        "state": SliceState.DONE,
        "threshold": record.lower_bound,
        "nodes": 3,
        "next_threshold": record.lower_bound + 2,
        "engine": "tables",
        "cursor": bytes(range(90)),
    }
    ids = [f"01900000-0000-7000-8000-{number:012x}" for number in (2**48 - 1, *range(count))]
    rows = [values | {"id": id_, "parent_id": ids[0]} for id_ in ids]
    rows[0]["parent_id"] = None
    for row in rows:
        row |= {"seal": SLICE.compute(row), "end_seal": SLICE_END.compute(row)}
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(slice_.insert(), rows)


def test_root_can_come_last(service):
    job = searching_job(service)
    service.cancel(job.id, service.client)
    slices_with_one_parent(service, job, 1_500)
    document = json.loads(certificate_text(service, job))
    [tree] = document["thresholds"]
    assert (document["proof"], tree["nodes"], len(tree["slices"])) == ("slices", 4_503, 1_501)
    assert [record["id"] for record in tree["slices"]] == list(range(1_501))
    assert {record["parent"] for record in tree["slices"]} == {None, 1_500}
    assert tree["slices"][-1]["parent"] is None
    # The next threshold is the lowest of any slice, on any page.
    with service.database.engine(writes=True).begin() as connection:
        last = slice_.c.parent_id.is_(None)
        assert (
            connection.execute(update(slice_).where(last).values(next_threshold=90)).rowcount == 1
        )
    update_checksums(service.database)
    assert len(json.loads(certificate_text(service, job))["thresholds"]) == 1
    # A tree of two roots proves nothing.
    with service.database.engine(writes=True).begin() as connection:
        first = slice_.c.id == "01900000-0000-7000-8000-000000000000"
        assert connection.execute(update(slice_).where(first).values(parent_id=None)).rowcount == 1
    update_checksums(service.database)
    assert json.loads(certificate_text(service, job))["thresholds"] == []
