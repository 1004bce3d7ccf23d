"""Certificates are read as they are written: little memory, and never half of one for a whole."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.support.sealing import seal_all
from tests.support.services.house import furnish
from tests.support.services.staging import searching_job
from tests.unit.services.certificates.test_make import ALL, GOAL, HARD, Crumbs
from tilework.core.errors import UnavailableError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.make import ReadCertificate
from tilework.core.services.farm.trust import proof_tree
from tilework.core.services.states import SliceKind, SliceState, SolveState
from tilework.core.storage.damage.sealed import SLICE, SLICE_END
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_, solve

MANY = 50_000


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


def test_pages_make_no_difference(slicing, monkeypatch):
    job = solved(slicing)
    in_small_ones = text_of(slicing, job)
    monkeypatch.setattr(proof_tree, "PAGE", 100_000)
    assert text_of(slicing, job) == in_small_ones


def renamed(house, name):
    """Give the slices of a search other ids, as hosts would whose clocks differ."""
    with house.database.engine(writes=True).begin() as connection:
        rows = connection.execute(select(slice_.c.id, slice_.c.threshold)).all()
        for place, (id_, threshold) in enumerate(rows):
            new = name(place, id_, threshold)
            for column in (slice_.c.id, slice_.c.parent_id):
                connection.execute(update(slice_).where(column == id_).values({column.name: new}))
    seal_all(house.database)


def test_children_may_seem_older_than_their_parents(slicing):
    job = solved(slicing)
    before = read_certificate(text_of(slicing, job))
    renamed(slicing, lambda place, id_, threshold: f"{99_999_999 - place:08d}{id_[8:]}")
    certificate = read_certificate(text_of(slicing, job))
    assert examine(certificate, ALL).fault is None
    assert certificate.proof is Proof.SLICES
    backwards = 0
    for one, other in zip(before.thresholds, certificate.thresholds, strict=True):
        assert replaced(one) == replaced(other)
        backwards += sum(
            piece.parent is not None and piece.parent > piece.id for piece in other.slices
        )
    assert backwards


def replaced(tree):
    """A threshold without the numbers of its slices: each by its cursor and its parent's."""
    cursors = {piece.id: piece.cursor for piece in tree.slices}
    pieces = {
        (piece.cursor, cursors.get(piece.parent), piece.nodes, piece.next_threshold)
        for piece in tree.slices
    }
    return tree.threshold, tree.nodes, tree.next, pieces


@pytest.mark.parametrize("when", [0, 1, 5])
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

    def sealed(row):
        return row | {"seal": SLICE.of_values(row), "end_seal": SLICE_END.of_values(row)}

    with house.database.engine(writes=True).begin() as connection:
        connection.execute(slice_.insert(), [sealed(values | {"id": root, "parent_id": None})])
        for first in range(0, count, 10_000):
            rows = [
                sealed(values | {"id": f"01900000-0000-7000-8000-{number:012x}", "parent_id": root})
                for number in range(first, first + 10_000)
            ]
            connection.execute(slice_.insert(), rows)


def test_a_long_search_takes_little_memory(sqlite_template, tmp_path):
    url = f"sqlite:///{shutil.copyfile(sqlite_template, tmp_path / 'long.sqlite')}"
    house = furnish(Database(url), tmp_path)
    job = searching_job(house)
    house.cancel(job.id, house.client)
    fan(house, job, MANY)
    read = ReadCertificate(house.database, house.settings)
    tracemalloc.start()
    try:
        size, lines = 0, 0
        view = read(job.id)
        for piece in view.pieces:
            size += len(piece)
            lines += piece.count('"cursor"')
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == MANY + 1
    house.database.dispose()
    assert size > 12_000_000
    assert peak < 8_000_000


def test_the_root_may_stand_last(house):
    job = searching_job(house)
    house.cancel(job.id, house.client)
    fan(house, job, 10_000)
    document = json.loads(text_of(house, job))
    [tree] = document["thresholds"]
    assert (document["proof"], tree["nodes"], len(tree["slices"])) == ("slices", 30_003, 10_001)
    assert [piece["id"] for piece in tree["slices"]] == list(range(10_001))
    assert {piece["parent"] for piece in tree["slices"]} == {None, 10_000}
    assert tree["slices"][-1]["parent"] is None
