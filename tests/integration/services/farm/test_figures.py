"""What a reader was shown of a running job never gets less, however its work is cut off."""

import threading

import pytest

from tests.support.services.detours import BOARD, GOAL, find_first_solution
from tests.support.waiting import wait_until
from tilework.core.messages import untranslated
from tilework.core.model.activity import ActivityView
from tilework.core.model.farm.workload import FarmState
from tilework.core.model.states import Queue
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.lease_renewer import LeaseSet
from tilework.core.services.farm.state_machine.events import (
    SliceFailed,
    TimePassed,
    TrialEnded,
)
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.solver.trial import TrialOutcome

STEP_NODES = 1_000


@pytest.fixture
def running_job(service, monkeypatch):
    """A running job that has its first solution, of which all nodes are reported at once."""
    monkeypatch.setattr(lease_renewer, "REPORT_INTERVAL_S", 0.0)
    service.solver.solve_scripts.append(find_first_solution)
    job = service.request(BOARD, goal=GOAL)
    service.work("interactive")
    return service.read.view(job.id)


class Trial:
    """A trial under way on another worker, which reports its nodes."""

    def __init__(self, service, owner):
        self.worker = service.worker()
        [claim] = self.worker.lease(Queue.SEARCH, owner)
        self.slice, self.service = claim.slice, service
        self.leases = LeaseSet(
            [claim], owner, self.worker._renewer.farm_state(claim.slice.solve_id)
        )
        self.leases.start(claim)

    def report(self, nodes):
        self.leases.report(nodes)
        self.worker._renewer._check(self.leases, set())

    def end(self, nodes):
        """End late, with the nodes since its last report."""
        self.leases.report(nodes)
        with self.leases.counting() as effort:
            outcome = TrialOutcome(None, nodes, complete=False)
            event = TrialEnded(self.slice, outcome, 1.0, FarmState(), effort=effort)
            return self.service.apply_event(event).is_applied


def let_deadline_pass(service, job, trial):
    service.clock.advance(1e6)
    report_event(service.database, job.solve_id, TimePassed())


def cancel(service, job, trial):
    service.cancel(job.id, service.client)


def kill_worker(service, job, trial):
    service.lose_leases()


def fail(service, job, trial):
    service.apply_event(SliceFailed(trial.slice, untranslated("out of memory")))


def give_back(service, job, trial):
    with service.database.writing() as session:
        session.slices.release([trial.slice.lease], service.clock())


@pytest.mark.parametrize("cut_off", [let_deadline_pass, cancel, kill_worker, fail, give_back])
def test_nodes_of_a_trial_that_is_cut_off_count_once(service, running_job, cut_off):
    trial = Trial(service, "w")
    trial.report(700)
    expected = running_job.nodes + 700
    assert service.read.activity(running_job.id).nodes == expected
    seconds = service.read_solve(running_job).seconds
    cut_off(service, running_job, trial)
    view = service.read.view(running_job.id)
    assert view.nodes == service.read.activity(running_job.id).nodes == expected
    assert service.read_solve(running_job).seconds >= seconds
    is_held = trial.end(900)
    assert is_held == (cut_off in (let_deadline_pass, cancel))
    # The solve counts what was searched after the job had ended; the job does not change.
    assert service.read_solve(running_job).nodes == expected + 200 * is_held
    assert service.read.view(running_job.id).nodes == expected
    if is_held:
        assert view.search_s > 0
        assert service.request(BOARD, goal=GOAL).nodes == expected + 200
    else:
        next_trial = Trial(service, "next")
        next_trial.report(5)
        assert service.read.activity(running_job.id).nodes == expected + 5


def test_figures_of_two_workers_never_fall(service, running_job):
    """Two workers run trials and one reader polls, until the deadline cuts them off."""
    ready = threading.Barrier(3, timeout=240.0)
    is_over = threading.Event()

    def search(start, end, limits):
        nodes = 0
        while not limits.cancelled():
            nodes += STEP_NODES
            limits.report(nodes)
            is_over.wait(0.01)
        return TrialOutcome(None, nodes, complete=False)

    service.solver.trial_scripts.extend([search] * 20)

    def work(owner):
        worker = service.worker()
        ready.wait()
        while not is_over.is_set():
            worker.run("search", owner, is_over.is_set)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("first", "second")]
    for thread in threads:
        thread.start()
    ready.wait()
    shown: list[int] = [running_job.nodes]

    def read():
        activity: ActivityView = service.read.activity(running_job.id)
        shown.append(activity.nodes)
        view = service.read.view(running_job.id)
        shown.append(view.nodes)
        return view

    def has_grown():
        read()
        return len(set(shown)) > 8

    wait_until(has_grown)
    service.clock.advance(1e6)
    service.reconcile.run_once()
    assert read().finished
    is_over.set()
    for thread in threads:
        thread.join()
    shown.append(service.read.view(running_job.id).nodes)
    assert shown == sorted(shown)
    with service.database.reading() as session:
        assert session.slices.running(running_job.solve_id) == []
