"""The complete path of a board through the service with the real solver, and its certificate."""

import json
import threading
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.integration.services.certificates.test_certificates import (
    BOARD,
    CHECK_ALL,
    GOAL,
    certify,
)
from tests.integration.services.conftest import SmallSlices, read_certificate_text
from tests.support.checksums import update_checksums
from tests.support.services.scripted_solver import start_search
from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.states import JobState, SliceState, SolveState
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
from tilework.core.storage.checksums import SLICE, SLICE_END
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


def replace_with_children_of_one_root(service, job, count):
    """Replace the slices of a search with a root and many children."""
    record = service.read_solve(job)
    with service.database.engine(writes=True).begin() as connection:
        belongs_to_solve = slice_.c.solve_id == record.id
        row = dict(connection.execute(select(slice_).where(belongs_to_solve)).mappings().one())
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
    values = row | {
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
        row |= {"checksum": SLICE.compute(row), "end_checksum": SLICE_END.compute(row)}
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(slice_.insert(), rows)


def test_root_can_be_on_the_last_page(service):
    job = start_search(service)
    service.cancel(job.id, service.client)
    replace_with_children_of_one_root(service, job, 1_500)
    document = json.loads(read_certificate_text(service, job))
    [tree] = document["thresholds"]
    assert (document["proof"], tree["nodes"], len(tree["slices"])) == ("slices", 4_503, 1_501)
    assert [record["id"] for record in tree["slices"]] == list(range(1_501))
    assert {record["parent"] for record in tree["slices"]} == {None, 1_500}
    assert tree["slices"][-1]["parent"] is None
    # The next threshold is the lowest of all slices on all pages.
    with service.database.engine(writes=True).begin() as connection:
        is_root = slice_.c.parent_id.is_(None)
        result = connection.execute(update(slice_).where(is_root).values(next_threshold=90))
        assert result.rowcount == 1
    update_checksums(service.database)
    assert len(json.loads(read_certificate_text(service, job))["thresholds"]) == 1
    # A tree with two roots proves nothing.
    with service.database.engine(writes=True).begin() as connection:
        is_first = slice_.c.id == "01900000-0000-7000-8000-000000000000"
        result = connection.execute(update(slice_).where(is_first).values(parent_id=None))
        assert result.rowcount == 1
    update_checksums(service.database)
    assert json.loads(read_certificate_text(service, job))["thresholds"] == []
