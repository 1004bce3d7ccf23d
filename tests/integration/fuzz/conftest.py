from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tilework.core.assembly import make_services
from tilework.core.services.analyses.local_analyst import LocalAnalyst
from tilework.core.services.analyses.work import AnalysisWork
from tilework.core.services.lab.local_runner import LocalLabRunner
from tilework.core.services.lab.work import LabWork
from tilework.core.services.ports import NoTickets
from tilework.core.services.states import Queue
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app

BOARD = "1 2 3 4 5 6 0 7 8"


@dataclass(frozen=True)
class Target:
    """A running application: a job and a batch that nobody works on, a run and ways that are done.

    The comparison has that run, with a trace, and others that wait.
    """

    app: Flask
    job_id: str
    batch_id: str
    comparison_id: str
    run_id: str
    ways_id: str

    @property
    def entry_id(self) -> str:
        """The batch, in the history of whoever asked for it."""
        return self.batch_id


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path_factory.mktemp("fuzz"),
            "max_wait_s": 0.01,
            "max_cells": 400,
            "rate_limit": "1000000/second",
            "jobs_per_client": 1_000_000,
            "depth_cap": 1_000_000,
            "lab_runs_per_client": 1_000_000,
            "lab_depth_cap": 1_000_000,
            "lab_runs_per_comparison": 50,
        }
    )
    upgrade(settings.database)
    services = make_services(settings, NoTickets())
    app = create_app(settings, services)
    client = app.test_client()
    job = client.post("/api/v1/jobs", json={"board": BOARD}).json
    batch = client.post("/api/v1/batches", json=[BOARD]).json
    run_id = _run_once(client, settings)
    comparison = client.post("/api/v1/comparisons", json={"board": BOARD, "trace": {}}).json
    assert comparison["unfinished"] == comparison["total"] - 1
    ways_id = _ways_once(client, settings)
    yield Target(app, job["id"], batch["id"], comparison["id"], run_id, ways_id)
    services.storage.dispose()  # type: ignore[attr-defined]


def _run_once(client: FlaskClient, settings: Settings) -> str:
    options = {"board": BOARD, "methods": ["a-star:manhattan"], "trace": {}}
    run_id: str = client.post("/api/v1/comparisons", json=options).json["runs"][0]["id"]
    database = Database(settings.database)
    while LabWork(database, settings, LocalLabRunner()).serve("fuzz", lambda: False).more:
        pass
    database.dispose()
    return run_id


def _ways_once(client: FlaskClient, settings: Settings) -> str:
    ways_id: str = client.post("/api/v1/ways", json={"board": BOARD}).json["id"]
    database = Database(settings.database)
    analyst = LocalAnalyst(settings.pdb_folder)
    AnalysisWork(database, settings, analyst, Queue.QUICK_ANALYSIS).serve("fuzz", lambda: False)
    database.dispose()
    return ways_id
