import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from werkzeug.wsgi import ClosingIterator

from tests.integration.fuzz.target import Target
from tests.integration.web.conftest import EASY_3X3, OPERATOR_LINK, OPERATOR_TOKEN
from tests.support.pending_work import make_worker
from tilework.core.assembly import Services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.web.app import create_app

UNLIMITED = 1_000_000


@pytest.fixture(scope="module")
def patches() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patches:
        yield patches


@pytest.fixture(scope="module")
def target(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, patches: pytest.MonkeyPatch
) -> Iterator[Target]:
    """A running application with an object of each kind."""
    folder = tmp_path_factory.mktemp("fuzz")
    shutil.copy(sqlite_template, folder / "tilework.sqlite")
    limits = {"max_cells": 400, "jobs_per_client": UNLIMITED, "depth_cap": UNLIMITED}
    limits |= {"rate_limit": f"{UNLIMITED}/second"}
    limits |= {"callback_hosts": "hooks.example", "callback_secret": "s"}
    limits |= {"operator_token": OPERATOR_TOKEN}
    for name, value in (
        ("core.services.comparisons.RUNS_PER_CLIENT", UNLIMITED),
        ("core.services.comparisons.MAX_UNFINISHED_RUNS", UNLIMITED),
        ("core.services.comparisons.MAX_RUNS", 50),
        ("web.api.polling.MAX_WAIT_S", 0.01),
    ):
        patches.setattr(f"tilework.{name}", value)
    settings = Settings.model_validate({"data_dir": folder, **limits})
    services = Services(settings, NoTickets())
    app = create_app(settings, services)
    client = app.test_client()
    board = {"board": EASY_3X3}

    def post(path: str, body: object) -> Any:
        return client.post(f"/api/v1/{path}", json=body).json

    comparison = post("comparisons", board | {"methods": ["a-star:manhattan"], "trace": {}})
    ways = post("ways", board)
    make_worker(services)()
    batch = post("batches", [EASY_3X3])
    ids = {
        "job_id": post("jobs", board)["id"],
        "batch_id": batch["id"],
        "comparison_id": post("comparisons", board | {"trace": {}})["id"],
        "run_id": comparison["runs"][0]["id"],
        "ways_id": ways["id"],
    }
    client.get(OPERATOR_LINK)
    yield Target(app, ids, f"tilework_operator={client.get_cookie('tilework_operator').value}")
    services.storage.dispose()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def description(target: Target) -> Any:
    def read_and_close(environ: Any, start_response: Any) -> list[bytes]:
        cookies = [environ.get("HTTP_COOKIE"), target.operator_cookie]
        environ["HTTP_COOKIE"] = "; ".join(filter(None, cookies))
        # Servers close responses; Schemathesis does not.
        with closing(ClosingIterator(target.app(environ, start_response))) as body:
            return list(body)

    return schemathesis.openapi.from_wsgi("/openapi/openapi.json", read_and_close)
