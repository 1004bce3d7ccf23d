from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import update

from tests.unit.services.lab.staging import A_STAR, GREEDY, OTHER
from tilework.core.errors import NotFoundError, ReplayError
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack
from tilework.core.services.health import Health
from tilework.core.services.jobs.read import ReadJob
from tilework.core.services.lab.sweep import Sweep
from tilework.core.services.ports import NoTickets
from tilework.core.services.states import Queue
from tilework.core.storage.models import search_run


def test_the_version_changes_with_every_change(lab):
    view = lab.ask()
    versions = [view.version]
    lab.claim()
    versions.append(lab.read.version(view.id))
    lab.clock.turn(lab.settings.lease_s + 1)
    lab.reconcile.run_once()
    versions.append(lab.read.version(view.id))
    lab.work()
    versions.append(lab.read.version(view.id))
    assert len(set(versions)) == 4
    assert lab.read.view(view.id).version == lab.ask().version == versions[-1]


def test_the_version_tells_of_a_cancellation(lab):
    lab.ask(client=lab.clients.new())
    view = lab.ask()
    assert lab.cancel(view.id, lab.client).version != view.version


def test_a_wait_ends_with_the_change(lab):
    view = lab.ask()
    thread = threading.Thread(target=lab.work)
    thread.start()
    try:
        while not view.finished:
            view = lab.read.wait(view.id, view.version, 30.0)
    finally:
        thread.join()
    assert view == lab.read.view(view.id)


def test_a_wait_without_a_change_ends_in_time(lab):
    view = lab.ask()
    began = time.monotonic()
    assert lab.read.wait(view.id, view.version, 0.05) == view
    assert time.monotonic() - began < 20
    assert lab.read.wait(view.id, "another", 60.0) == view


def test_a_clients_comparisons_the_newest_first(lab):
    asked = [lab.ask(), lab.ask(OTHER), lab.ask(None, sweep=Sweep(boards=3))]
    lab.ask(client=lab.clients.new())
    found = lab.read.of_client(lab.client)
    assert [view.id for view in found] == [view.id for view in reversed(asked)]
    assert [len(view.runs) for view in found] == [6, 2, 2]
    assert [view.id for view in lab.read.of_client(lab.client, limit=1)] == [asked[-1].id]
    assert lab.read.of_client("nobody") == []


def test_what_is_not_there(lab):
    for ask in (lab.read.view, lab.read.version, lab.read.run, lab.read.trace):
        with pytest.raises(NotFoundError, match="'nothing'"):
            ask("nothing")


def test_no_trace_where_none_was_asked_for(lab):
    view = lab.ask(methods=[A_STAR])
    assert lab.read.trace(view.runs[0].id) is None
    lab.work()
    run = lab.read.view(view.id).runs[0]
    assert lab.read.trace(run.id) is None
    assert not run.has_trace


def test_a_lone_run_is_judged_by_its_promise(lab):
    view = lab.ask(methods=[A_STAR, GREEDY])
    lab.work()
    assert [lab.read.run(run.id).run.optimal for run in view.runs] == [True, None]


def test_a_damaged_solution_is_not_shown(lab):
    view = lab.ask(methods=[A_STAR])
    lab.work()
    with lab.database.engine(writes=True).begin() as connection:
        connection.execute(update(search_run).values(moves=pack(from_letters("R"))))
    with pytest.raises(ReplayError):
        lab.read.run(view.runs[0].id)


def test_runs_count_as_work_of_their_queue(lab):
    queues = ReadJob(lab.database, lab.tickets, lab.settings).queues
    health = Health(lab.database, NoTickets(), lab.settings)
    lab.ask()
    lab.clock.turn(10)
    (waits,) = (queue for queue in queues() if queue.name is Queue.LAB)
    assert (waits.ready, waits.leased, waits.oldest_wait_s) == (2, 0, 10.0)
    lab.clock.turn(lab.settings.unclaimed_s)
    assert "lab" in health.check().reasons[0]
    lab.claim()
    (waits,) = (queue for queue in queues() if queue.name is Queue.LAB)
    assert (waits.ready, waits.leased) == (1, 1)
    assert health.check().ready
