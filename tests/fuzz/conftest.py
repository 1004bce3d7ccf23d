from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask

from core.assembly import build_services
from core.services.ports import NoTickets
from core.settings import Settings
from core.storage.schema import upgrade
from web.app import create_app


@dataclass(frozen=True)
class Target:
    """A running application with a job and a batch that nobody works on."""

    app: Flask
    job_id: str
    batch_id: str


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
        }
    )
    upgrade(settings.database)
    services = build_services(settings, NoTickets())
    app = create_app(settings, services)
    client = app.test_client()
    job = client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"}).json
    batch = client.post("/api/v1/batches", json=["1 2 3 4 5 6 0 7 8"]).json
    yield Target(app, job["id"], batch["id"])
    services.storage.dispose()  # type: ignore[attr-defined]
