"""The complete path of a board through the service with the real solver, and its certificate."""

import threading

import pytest
from sqlalchemy import select, update

from tests.integration.services.certificates.test_certificates import (
    BOARD,
    CHECK_ALL,
    GOAL,
    certify,
)
from tests.integration.services.conftest import SmallSlices, read_certificate_text
from tests.support.damage import update_checksums
from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.certificates.verifier import examine
from tilework.core.services.farm import proof_tree
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.state_machine import slice_events
from tilework.core.solver.optimal import subtrees
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.subtrees import get_root_depth
from tilework.core.storage.models import slice_


def test_large_board_ends_with_bounds(real_service):
    service, goal = real_service, blank_last(Size(8, 7))
    board = scramble(goal.size, goal, 1)
    job = service.request(board)
    service.work("interactive")
    first = service.read.view(job.id)
    assert first.state is JobState.RUNNING
    # Runs several beam searches and window searches.
    service.worker().run("search", "w", lambda: service.read_solve(job).improvement.trial_count > 6)
    service.advance_time()
    view = service.read.view(job.id)
    assert view.state is JobState.BOUNDED
    assert 0 < view.lower_bound < view.upper_bound < first.upper_bound
    replay(board, service.read.solution(job.id).moves, goal)


def test_workers_that_share_a_search_produce_one_proof(service, pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.model.farm.workload.MIN_UNIT_S", 1e-6)
    job = service.request(BOARD, goal=GOAL)
    barrier = threading.Barrier(3)

    def search_together(name):
        Heartbeat(service.database, name, service.clock).beat()
        barrier.wait()
        worker = service.worker(SmallSlices(pattern_databases))
        while not service.read.view(job.id).finished:
            for queue in ("interactive", "search"):
                worker.run(queue, name, lambda: False)

    threads = [threading.Thread(target=search_together, args=(f"w{index}",)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert service.read.view(job.id).state is JobState.OPTIMAL
    certificate = certify(service, job)
    assert any(record.engine is None for tree in certificate.thresholds for record in tree.slices)
    assert examine(certificate, CHECK_ALL).error is None


def test_ordered_tree_is_proven_with_its_ancestors(service, pattern_databases, monkeypatch):
    for module in (slice_events, subtrees):
        monkeypatch.setattr(module, "MIN_ORDERED_NODES", 100)
    monkeypatch.setattr(subtrees, "ORDERING_NODES", 50)
    service.solver = SmallSlices(pattern_databases)
    job = service.request(BOARD, goal=GOAL)
    service.work()
    assert service.read.view(job.id).state is JobState.OPTIMAL
    certificate = certify(service, job)
    assert certificate.thresholds
    tree = certificate.thresholds[-1]
    [root] = [record for record in tree.slices if record.parent is None]
    parts = [Cursor.from_bytes(bytes.fromhex(record.cursor)) for record in tree.slices[1:]]
    assert root.engine is not None
    assert {len(path) for path, _ in parts[0].positions} == {get_root_depth(GOAL.size.cells)}
    assert examine(certificate, CHECK_ALL).error is None


def solve_in_slices(service):
    job = service.request(BOARD, goal=GOAL)
    service.work()
    return job


def test_page_size_and_order_of_ids_do_not_change_the_certificate(sliced_service, monkeypatch):
    job = solve_in_slices(sliced_service)
    text = read_certificate_text(sliced_service, job)
    monkeypatch.setattr(proof_tree, "PAGE", 100_000)
    assert read_certificate_text(sliced_service, job) == text
    # Hosts whose clocks differ give children ids that seem older than their parents'.
    with sliced_service.database.engine(writes=True).begin() as connection:
        for index, id_ in enumerate(connection.execute(select(slice_.c.id)).scalars().all()):
            new_id = f"{99_999_999 - index:08d}{id_[8:]}"
            for column in (slice_.c.id, slice_.c.parent_id):
                connection.execute(
                    update(slice_).where(column == id_).values({column.name: new_id})
                )
    update_checksums(sliced_service.database)
    monkeypatch.setattr(proof_tree, "PAGE", 3)
    first = read_certificate(text)
    second = read_certificate(read_certificate_text(sliced_service, job))
    assert examine(second, CHECK_ALL).error is None
    assert second.proof is Proof.SLICES
    for trees in zip(first.thresholds, second.thresholds, strict=True):
        assert replace_ids_with_cursors(trees[0]) == replace_ids_with_cursors(trees[1])
    records = [record for tree in second.thresholds for record in tree.slices]
    assert any(record.parent is not None and record.parent > record.id for record in records)


def replace_ids_with_cursors(tree):
    """Return a threshold whose slices are identified by their cursors instead of ids."""
    cursors = {record.id: record.cursor for record in tree.slices}
    records = {
        (record.cursor, cursors.get(record.parent), record.nodes, record.next_threshold)
        for record in tree.slices
    }
    return tree.threshold, tree.nodes, tree.next, records


@pytest.mark.parametrize("parts_read", [0, 5])
def test_search_deleted_during_reading_raises_an_error(sliced_service, parts_read):
    job = solve_in_slices(sliced_service)
    text = CertificateReader(sliced_service.database)(job.id).chunks
    for _ in range(parts_read):
        next(text)
    with sliced_service.database.writing() as session:
        session.slices.delete_from(job.solve_id)
    with pytest.raises(UnavailableError, match=r"discarded .* try again"):
        list(text)
