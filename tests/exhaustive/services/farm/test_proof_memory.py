"""Certificates of searches with many slices under one root."""

import json
import tracemalloc
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.integration.services.conftest import read_certificate_text
from tests.integration.services.farm.test_random_events import run_histories
from tests.support.damage import update_checksums
from tests.support.services.scripted_solver import start_search
from tests.support.services.state_machine.exploration import documented_transitions, explore_from
from tests.support.services.state_machine.initial_states import INITIAL_STATES
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.states import SliceState, SolveState
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.storage.checksums import SLICE, SLICE_END
from tilework.core.storage.models import slice_

SLICES = 30_000


def test_certificate_of_a_long_search_needs_little_memory(service):
    job = start_search(service)
    service.cancel(job.id, service.client)
    replace_with_children_of_one_root(service, job, SLICES)
    read = CertificateReader(service.database)
    tracemalloc.start()
    try:
        size, lines = 0, 0
        for chunk in read(job.id).chunks:
            size += len(chunk)
            lines += chunk.count('"cursor"')
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == SLICES + 1
    assert size > 7_000_000
    assert peak < 5_000_000


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


@pytest.mark.timeout(3_000)
def test_all_documented_transitions_and_no_others_are_reached():
    steps = {name: limit + 1 for name, (_, limit) in INITIAL_STATES.items()}
    assert explore_from(steps) == documented_transitions()


@pytest.mark.timeout(3_000)
def test_many_random_event_sequences(sqlite_template):
    run_histories(sqlite_template, 150)
