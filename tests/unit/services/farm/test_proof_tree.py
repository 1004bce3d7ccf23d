"""Certificates are read as they are written: little memory, and never half of one for a whole."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.support.sealing import seal_all
from tests.support.services.staging import searching_job
from tests.unit.services.certificates.test_make import ALL, GOAL, HARD, Crumbs
from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.make import ReadCertificate
from tilework.core.services.farm.trust import proof_tree
from tilework.core.services.states import SliceKind, SliceState, SolveState
from tilework.core.storage.damage.sealed import SLICE, SLICE_END
from tilework.core.storage.models import slice_, solve


@pytest.fixture
def slicing(house, pattern_databases, monkeypatch):
    monkeypatch.setattr(proof_tree, "PAGE", 7)
    house.solver = Crumbs(pattern_databases)
    return house


def text_of(house, job):
    return "".join(ReadCertificate(house.database, house.settings)(job.id).pieces)


def solved(house):
    job = house.ask(HARD, goal=GOAL)
    house.work()
    return job


def test_pages_and_the_order_of_ids_make_no_difference(slicing, monkeypatch):
    job = solved(slicing)
    text = text_of(slicing, job)
    monkeypatch.setattr(proof_tree, "PAGE", 100_000)
    assert text_of(slicing, job) == text
    # Hosts whose clocks differ give children ids that seem older than their parents'.
    with slicing.database.engine(writes=True).begin() as connection:
        for place, id_ in enumerate(connection.execute(select(slice_.c.id)).scalars().all()):
            new = f"{99_999_999 - place:08d}{id_[8:]}"
            for column in (slice_.c.id, slice_.c.parent_id):
                connection.execute(update(slice_).where(column == id_).values({column.name: new}))
    seal_all(slicing.database)
    monkeypatch.setattr(proof_tree, "PAGE", 7)
    before, after = read_certificate(text), read_certificate(text_of(slicing, job))
    assert examine(after, ALL).fault is None
    assert after.proof is Proof.SLICES
    assert [without_numbers(one) for one in after.thresholds] == [
        without_numbers(one) for one in before.thresholds
    ]
    pieces = [piece for tree in after.thresholds for piece in tree.slices]
    assert any(piece.parent is not None and piece.parent > piece.id for piece in pieces)


def without_numbers(tree):
    """A threshold whose slices are told by their cursors and their parents' alone."""
    cursors = {piece.id: piece.cursor for piece in tree.slices}
    pieces = {
        (piece.cursor, cursors.get(piece.parent), piece.nodes, piece.next_threshold)
        for piece in tree.slices
    }
    return tree.threshold, tree.nodes, tree.next, pieces


@pytest.mark.parametrize("when", [0, 5])
def test_what_is_taken_back_meanwhile_is_never_half_a_certificate(slicing, when):
    job = solved(slicing)
    pieces = ReadCertificate(slicing.database, slicing.settings)(job.id).pieces
    for _ in range(when):
        next(pieces)
    with slicing.database.writing() as session:
        session.slices.forget(session.jobs.solve_of(job.id))
    with pytest.raises(UnavailableError, match=r"withdrawn .* try again"):
        list(pieces)


def test_a_bound_that_was_taken_back_has_no_certificate(slicing, monkeypatch):
    job = solved(slicing)
    read = ReadCertificate(slicing.database, slicing.settings)
    lower = read(job.id).solution.lower_bound
    proving = read._proving

    def take_back_first(solve_id, bound):
        with slicing.database.engine(writes=True).begin() as connection:
            connection.execute(
                update(solve).values(
                    lower_bound=lower - 2, state=SolveState.ACTIVE, epoch=solve.c.epoch + 1
                )
            )
        seal_all(slicing.database)
        return proving(solve_id, bound)

    monkeypatch.setattr(read, "_proving", take_back_first)
    with pytest.raises(UnavailableError, match="withdrawn"):
        read(job.id)


def fan(house, job, count):
    """Put a root and so many slices under it in the place of what a search has left."""
    record = house.solve_of(job)
    with house.database.writing() as session:
        session.slices.forget(record.id)
        session.solves.save(
            replace(record, lower_bound=record.lower_bound + 2, state=SolveState.IDLE), 1.0
        )
    root = "01900000-0000-7000-8000-ffffffffffff"
    values = {
        "solve_id": record.id,
        "epoch": record.epoch,
        "kind": SliceKind.SEARCH,
        "queue": "search",
        "state": SliceState.DONE,
        "turn": 1.0,
        "threshold": record.lower_bound,
        "algorithm": "auto",
        "heuristic": "auto",
        "target": "optimal",
        "gap": 0.0,
        "share": 0.0,
        "attempts": 1,
        "expiries": 0,
        "nodes": 3,
        "next_threshold": record.lower_bound + 2,
        "created_at": 1.0,
        "updated_at": 1.0,
        "engine": "tables",
        "seconds": 1.0,
        "cursor": bytes(range(90)),
    }

    rows = [values | {"id": root, "parent_id": None}] + [
        values | {"id": f"01900000-0000-7000-8000-{number:012x}", "parent_id": root}
        for number in range(count)
    ]
    seals = ({"seal": SLICE.of_values(row), "end_seal": SLICE_END.of_values(row)} for row in rows)
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(
            slice_.insert(), [row | seal for row, seal in zip(rows, seals, strict=True)]
        )


def test_the_root_may_stand_last(house):
    job = searching_job(house)
    house.cancel(job.id, house.client)
    fan(house, job, 1_500)
    document = json.loads(text_of(house, job))
    [tree] = document["thresholds"]
    assert (document["proof"], tree["nodes"], len(tree["slices"])) == ("slices", 4_503, 1_501)
    assert [piece["id"] for piece in tree["slices"]] == list(range(1_501))
    assert {piece["parent"] for piece in tree["slices"]} == {None, 1_500}
    assert tree["slices"][-1]["parent"] is None
    # A tree of two roots proves nothing.
    with house.database.engine(writes=True).begin() as connection:
        first = slice_.c.id == "01900000-0000-7000-8000-000000000000"
        assert connection.execute(update(slice_).where(first).values(parent_id=None)).rowcount == 1
    seal_all(house.database)
    assert json.loads(text_of(house, job))["thresholds"] == []
