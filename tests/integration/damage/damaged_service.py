"""A whole service over a database whose rows are damaged repeatedly."""

import random
from contextlib import suppress

from flask.testing import FlaskClient

from tests.integration.damage.row_damage import DamagedValue, damage
from tests.support import naive
from tests.support.services.scripted_solver import (
    ScriptedSolver,
    from_letters,
    shortest_solution,
    solve_bounded,
    solve_optimally,
)
from tilework.core.assembly import Services
from tilework.core.errors import DamagedSolveError
from tilework.core.model.states import CounterName
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.web.app import create_app

DISTANCES = naive.distances(naive.solved_tiles(3, 2), 3)
FAR_BOARDS = sorted(board for board, length in DISTANCES.items() if length >= 12)
LOSS_CODES = ("record-damaged", "solution-withdrawn")


class Slicer(ScriptedSolver):
    """A solver that may leave the proof to slices, only one of which finds the solution."""

    def __init__(self, rng):
        super().__init__()
        self._rng = rng

    def solve(self, board, goal, **options):
        self.solve_scripts.append(self._rng.choice([solve_optimally, solve_bounded, solve_bounded]))
        return super().solve(board, goal, **options)

    def search(self, board, goal, threshold, cursor, **options):
        name, _, share = cursor.partition(b":")
        if name == b"root" or self._rng.random() < 0.2:
            half = float(share) / 2
            units = tuple(WorkUnit(b"%s%s:%f" % (name, end, half), half) for end in (b"a", b"b"))
            return SliceOutcome(10, threshold + 2, None, units, "scripted")
        moves = shortest_solution(board, goal)
        if len(moves) <= threshold and set(name[4:]) == {ord("b")}:
            return SliceOutcome(10, None, from_letters(moves), (), "scripted")
        return SliceOutcome(10, threshold + 2, None, (), "scripted")


class DamagedService:
    """The service, the posted boards, and the oracle for its answers."""

    def __init__(self, folder, url, seed):
        self.rng = random.Random(seed)
        settings = Settings(data_dir=folder, database_url=url, rate_limit="1000000/minute")
        services = Services(settings, NoTickets())
        self.database = services.storage
        self.client: FlaskClient = create_app(settings, services).test_client()
        self._work = SliceWorker(self.database, NoTickets(), settings, Slicer(self.rng))
        self._reconcile = Reconciler(self.database, NoTickets())
        self.jobs: dict[str, tuple[int, ...]] = {}
        self.damaged_values: list[DamagedValue] = []

    def post(self, tiles):
        response = self._request("/api/v1/jobs", 200, 202, json={"board": format_board(tiles)})
        self.jobs[response.json["id"]] = tiles
        self._check(response.json, tiles)

    def work(self, slices=10**9):
        """Work until nothing is left, or for this many slices."""
        remaining = iter(range(slices))

        def should_stop():
            return next(remaining, None) is None

        for queue in ("interactive", "batch", "search"):
            while not should_stop() and self._run(queue, should_stop):
                pass

    def _run(self, queue, should_stop):
        try:
            return self._work.run(queue, "worker", should_stop).has_more
        except DamagedSolveError:  # which a worker logs
            return True

    def run_trial(self):
        """Post, work a little, damage a value, read everything; then finish and check all jobs."""
        for tiles in self.rng.sample(FAR_BOARDS, 2):
            self.post(tiles)
        self.work(self.rng.randrange(8))
        last = list(self.jobs.items())[-4:]
        damaged_value = damage(self.database, self.rng, [job_id for job_id, _ in last])
        if damaged_value is None:
            return
        self.damaged_values.append(damaged_value)
        self.rng.shuffle(last)
        for job_id, tiles in last:
            self.rng.choice([self.read, self.check_pages])(job_id, tiles)
        # Twice: a leased slice without an owner is only found when it is the last one.
        for _ in range(2):
            with suppress(DamagedSolveError):
                self._reconcile.run_once()
            self.work()
        for job_id, tiles in last:
            self.read(job_id, tiles, ended=True)
            self.check_pages(job_id, tiles)
        for tiles in {tiles for _, tiles in last[:2]}:
            self.post(tiles)
            self.work()
            self.read(next(reversed(self.jobs)), tiles, ended=True, may_be_lost=False)
        self._request("/api/v1/jobs", 200)
        self._request("/api/v1/statistics", 200)

    def read(self, job_id, tiles, *, ended=False, may_be_lost=True):
        """Read a job and its solution, and compare both with the oracle."""
        job = self._request(f"/api/v1/jobs/{job_id}", 200).json
        is_reported = may_be_lost and job["message_code"] in LOSS_CODES
        if not is_reported:
            self._check(job, tiles)
            assert not ended or job["state"] == "optimal", self._describe(job)
        for part in ("certificate", "solution?format=json"):
            response = self._request(f"/api/v1/jobs/{job_id}/{part}", 200, 404, 409)
            if response.status_code == 200:
                self._check_moves(response.json, tiles)

    def check_pages(self, job_id, tiles):
        """Read the stored solution of the board, and the job's page and history."""
        query = {"board": format_board(tiles)}
        response = self._request("/api/v1/solutions", 200, 404, query_string=query)
        if response.status_code == 200:
            self._check_moves(response.json, tiles)
        for path in (f"/jobs/{job_id}", f"/api/v1/jobs/{job_id}/history"):
            self._request(path, 200)

    def _check(self, job, tiles):
        length = DISTANCES[tiles]
        lower, upper = job["lower_bound"], job["upper_bound"]
        assert lower <= length, self._describe(job)
        assert upper is None or upper >= length, self._describe(job)
        assert job["state"] != "optimal" or lower == upper == length, self._describe(job)
        assert tuple(job["board"]) == tiles, self._describe(job)
        if job.get("moves") is not None:
            self._check_moves(job, tiles)

    def _check_moves(self, job, tiles):
        letters, length = job["moves"], DISTANCES[tiles]
        assert naive.apply_moves(tiles, 3, letters) == naive.solved_tiles(3, 2), self._describe(job)
        assert not job.get("optimal") or len(letters) == length, self._describe(job)
        assert job["lower_bound"] <= length, self._describe(job)

    def _request(self, path, *expected, **options):
        method = "POST" if "json" in options else "GET"
        response = self.client.open(path, method=method, **options)
        if response.status_code == 503:  # the solve starts again
            response = self.client.open(path, method=method, **options)
        assert response.status_code in expected, self._describe(f"{path}: {response.text[:400]}")
        return response

    def _describe(self, step):
        return f"{step} (after {self.damaged_values[-1] if self.damaged_values else 'nothing'})"


def damage_and_read(url, folder, *, trials, seed):
    """Damage values one after another, and check that nothing wrong is served."""
    service = DamagedService(folder, url, seed)
    while len(service.damaged_values) < trials:
        service.run_trial()
    with service.database.reading() as session:
        assert session.operation.counters()[CounterName.DAMAGED_SOLVES, ""] > trials / 3
    service.database.dispose()


def format_board(tiles: tuple[int, ...]) -> str:
    return " ".join(map(str, tiles[:3])) + " / " + " ".join(map(str, tiles[3:]))
