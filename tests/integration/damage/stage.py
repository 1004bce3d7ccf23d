"""A whole service over a database whose rows are damaged again and again, and what must hold."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.integration.damage.damaging import Blow, damage
from tests.support import naive
from tests.support.services.staging import ScriptedSolver, best, bounded, from_letters, optimal
from tilework.core.assembly import make_services
from tilework.core.puzzle.board import Board
from tilework.core.services.farm.work import Work
from tilework.core.services.ports import NoTickets
from tilework.core.services.reconcile import Reconcile
from tilework.core.settings import Settings
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.storage.database import Database
from tilework.web.app import create_app

WIDTH, HEIGHT = 3, 2
DISTANCES = naive.distances(naive.solved(WIDTH, HEIGHT), WIDTH)
FAR = sorted(board for board, length in DISTANCES.items() if length >= 12)
LOST = ("record-damaged", "solution-withdrawn")


class Slicer(ScriptedSolver):
    """A solver whose openings may leave the rest to slices, of which one alone has the solution."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self._dice = dice

    def solve(self, board: Board, goal: Board, **options: Any) -> Any:
        self.openings.append(self._dice.choice([optimal, bounded, bounded]))
        return super().solve(board, goal, **options)

    def search(
        self, board: Board, goal: Board, threshold: int, cursor: bytes, **options: Any
    ) -> SliceOutcome:
        name, _, share = cursor.partition(b":")
        if name == b"root" or self._dice.random() < 0.2:
            half = float(share) / 2
            pieces = tuple(Piece(b"%s%s:%f" % (name, end, half), half) for end in (b"a", b"b"))
            return SliceOutcome(10, threshold + 2, None, pieces, "scripted")
        way = best(board, goal)
        if len(way) <= threshold and set(name[4:]) == {ord("b")}:
            return SliceOutcome(10, None, from_letters(way), (), "scripted")
        return SliceOutcome(10, threshold + 2, None, (), "scripted")


class Stage:
    """The service, the boards that were posted, and the oracle.

    Attributes
    ----------
    wrong : list of str
        What was answered that is not true, or not an answer at all.
    """

    def __init__(self, database: Database, folder: Path, url: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.database = database
        settings = Settings(data_dir=folder, database_url=url, rate_limit="1000000/minute")
        self._services = make_services(settings, NoTickets())
        self.client: FlaskClient = create_app(settings, self._services).test_client()
        self._work = Work(database, NoTickets(), settings, Slicer(self.dice))
        self._reconcile = Reconcile(database, NoTickets(), settings)
        self.jobs: dict[str, tuple[int, ...]] = {}
        self.wrong: list[str] = []
        self.blows: list[Blow] = []

    def close(self) -> None:
        """Close what was opened here."""
        self._services.storage.dispose()  # type: ignore[attr-defined]

    def post(self, tiles: tuple[int, ...]) -> None:
        """Ask for a board."""
        answer = self._ask("POST", "/api/v1/jobs", json={"board": self._text(tiles)})
        if answer.status_code in (200, 202):
            self.jobs[answer.json["id"]] = tiles
            self._check(answer.json, tiles)
        else:
            self._say(f"post: {answer.status_code} {answer.text}")

    def work(self, slices: int | None = None) -> None:
        """Work until nothing is left, or for so many slices."""
        left = [slices if slices is not None else 10**9]

        def stopping() -> bool:
            left[0] -= 1
            return left[0] < 0

        for queue in ("interactive", "batch", "search"):
            while not stopping() and self._work.serve(queue, "worker", stopping).more:
                pass

    def trial(self) -> None:
        """Post, work a little, damage, read everything; then everything ends, and rightly."""
        for tiles in self.dice.sample(FAR, 2):
            self.post(tiles)
        self.work(self.dice.randrange(8))
        last = list(self.jobs.items())[-8:]
        blow = damage(self.database, self.dice, [job_id for job_id, _ in last])
        if blow is None:
            return
        self.blows.append(blow)
        self.dice.shuffle(last)
        for job_id, tiles in last:
            self.dice.choice([self.read, self.look])(job_id, tiles)
        self._reconcile.run_once()
        self.work()
        for job_id, tiles in last:
            self.read(job_id, tiles, ended=True)
            self.look(job_id, tiles)
        for tiles in {tiles for _, tiles in last[:4]}:
            self.post(tiles)
            self.work()
            job_id = next(reversed(self.jobs))
            self.read(job_id, tiles, ended=True, lost=False)
        self._ask("GET", "/api/v1/jobs")
        self._ask("GET", "/api/v1/statistics")

    def read(
        self, job_id: str, tiles: tuple[int, ...], *, ended: bool = False, lost: bool = True
    ) -> None:
        """Read a job and its solution, and compare both with the truth."""
        answer = self._ask("GET", f"/api/v1/jobs/{job_id}")
        if answer.status_code != 200:
            self._say(f"job: {answer.status_code} {answer.text}")
            return
        found = answer.json
        told = lost and found["message_code"] in LOST
        if not told:
            self._check(found, tiles)
        if ended and not told and found["state"] != "optimal":
            self._say(f"job {job_id} is {found['state']}: {found['message']}")
        certificate = self._ask("GET", f"/api/v1/jobs/{job_id}/certificate")
        if certificate.status_code == 200:
            self._check_moves(certificate.json, tiles)
        solution = self._ask("GET", f"/api/v1/jobs/{job_id}/solution?format=json")
        if solution.status_code == 200:
            self._check_moves(solution.json, tiles)
        elif solution.status_code not in (404, 409):
            self._say(f"solution: {solution.status_code} {solution.text}")

    def look(self, job_id: str, tiles: tuple[int, ...]) -> None:
        """See whether the board is known, and what the job's page and history say."""
        known = self._ask("GET", "/api/v1/solutions", query_string={"board": self._text(tiles)})
        if known.status_code == 200:
            self._check_moves(known.json, tiles)
        elif known.status_code != 404:
            self._say(f"known: {known.status_code} {known.text}")
        for address in (f"/jobs/{job_id}", f"/api/v1/jobs/{job_id}/history"):
            page = self._ask("GET", address)
            if page.status_code != 200:
                self._say(f"{address}: {page.status_code} {page.text[:400]}")

    def _check(self, found: dict[str, Any], tiles: tuple[int, ...]) -> None:
        length = DISTANCES[tiles]
        lower, upper = found["lower_bound"], found["upper_bound"]
        if lower > length or (upper is not None and upper < length):
            self._say(f"bounds {lower}, {upper} of a board of {length} moves")
        if found["state"] == "optimal" and not lower == upper == length:
            self._say(f"optimal {lower}, {upper} of a board of {length} moves")
        if tuple(found["board"]) != tiles:
            self._say(f"the board {found['board']} was {tiles}")
        if found.get("moves") is not None:
            self._check_moves(found, tiles)

    def _check_moves(self, found: dict[str, Any], tiles: tuple[int, ...]) -> None:
        letters, length = found["moves"], DISTANCES[tiles]
        if naive.played(tiles, WIDTH, letters) != naive.solved(WIDTH, HEIGHT):
            self._say(f"{letters} does not solve {tiles}")
        if found.get("optimal") and len(letters) != length:
            self._say(f"optimal with {len(letters)} moves for {length}")
        if found["lower_bound"] > length:
            self._say(f"lower bound {found['lower_bound']} of a board of {length} moves")

    def _ask(self, method: str, address: str, **options: Any) -> TestResponse:
        answer = self.client.open(address, method=method, **options)
        if answer.status_code >= 500:
            self._say(f"{method} {address}: {answer.status_code} {answer.text[:400]}")
        return answer

    def _say(self, fault: str) -> None:
        self.wrong.append(f"{fault} (after {self.blows[-1] if self.blows else 'nothing'})")

    def _text(self, tiles: tuple[int, ...]) -> str:
        rows = (tiles[start : start + WIDTH] for start in range(0, len(tiles), WIDTH))
        return " / ".join(" ".join(map(str, row)) for row in rows)
