"""Responses with content in every part match the published schema, and its names are unique."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel
from sqlalchemy import update

from tests.integration.services.conftest import SmallSlices
from tests.integration.web.conftest import (
    EASY_3X3,
    FARTHEST_3X3,
    OPERATOR_LINK,
    OPERATOR_TOKEN,
    UNSOLVABLE_3X3,
    MakeApp,
)
from tests.support.api_schema import PublishedSchema
from tests.support.checksums import update_checksums
from tests.support.pending_work import make_worker
from tests.support.sample_pictures import draw_picture_file
from tilework.core.assembly import Services
from tilework.core.links import with_job_links
from tilework.core.model.states import Queue, SliceState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.tasks.callbacks import CallbackDelivery
from tilework.core.services.tickets import NoTickets
from tilework.core.solver.pdb.builds import BuildProgressFile
from tilework.core.storage.models import slice_

API = "/api/v1"
LARGE_5X5 = "21 4 11 6 24 20 13 5 17 10 14 23 16 3 12 18 8 1 9 19 2 22 7 15 0"
CALLBACK = "https://hooks.example/done"


def subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for subclass in model.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def test_each_name_is_that_of_one_schema(app: Flask, client: FlaskClient) -> None:
    """The components of an OpenAPI document are named after their classes."""
    models = {model for model in subclasses(BaseModel) if model.__module__.startswith("tilework.")}
    names = defaultdict(set)
    definitions = defaultdict(list)
    for model in models:
        names[model.__name__].add(model)
        # Those of its enumerations are among them.
        for name, definition in model.model_json_schema().get("$defs", {}).items():
            if definition not in definitions[name]:
                definitions[name].append(definition)
    assert len(names) > 100
    assert {name: same for name, same in names.items() if len(same) > 1} == {}
    assert {name: same for name, same in definitions.items() if len(same) > 1} == {}
    components = client.get("/openapi/openapi.json").json["components"]["schemas"]
    assert [name for name in components if "__" in name] == []  # pydantic's, for equal names


class Session:
    """A client whose responses are checked, and workers."""

    def __init__(self, app: Flask, schema: PublishedSchema) -> None:
        self.services: Services = app.extensions["tilework"]
        self.client, self.schema = app.test_client(), schema
        self.work = make_worker(self.services)
        self.client.get(OPERATOR_LINK)

    def send(self, method: str, path: str, **options: Any) -> Any:
        with self.client.open(f"{API}/{path}", method=method, **options) as response:
            assert response.status_code in {200, 202}, response.text
            self.schema.check(response)
            return response.json

    def get(self, *paths: str) -> Any:
        return [self.send("GET", path) for path in paths][-1]

    def post(self, path: str, **body: Any) -> Any:
        return self.send("POST", path, json=body)


def follow_jobs(session: Session) -> None:
    job = session.post("jobs", board=FARTHEST_3X3, callback_url=CALLBACK)
    few_slides = session.post("jobs?brief=true", board=EASY_3X3, metric="slides")
    batch = session.send("POST", "batches", json=[EASY_3X3, UNSOLVABLE_3X3])
    session.work()
    paths = ("", "/history", "/activity", "/solution", "/certificate")
    session.get(*(f"jobs/{job['id']}{path}" for path in paths))
    session.get(f"jobs/{few_slides['id']}", f"batches/{batch['id']}")
    session.get("jobs", "jobs?brief=true", f"solutions?board={EASY_3X3}", "history", "statistics")
    session.post("jobs", board=FARTHEST_3X3)
    session.post("jobs?brief=true", board=FARTHEST_3X3)
    session.post("hints", board=EASY_3X3)
    session.post("webhooks/secret")
    session.get("webhooks/deliveries")
    services = session.services
    delivery = CallbackDelivery(services.storage, services.settings, lambda _: 503, with_job_links)
    while delivery.run_once("w"):
        pass
    session.get("webhooks", "webhooks/deliveries")


def ask_questions(session: Session) -> None:
    for board in (FARTHEST_3X3, UNSOLVABLE_3X3, "1 2 x", "1 2 / 3"):
        session.post("boards/check", board=board)
    session.post("boards/scramble", width=3, height=3)
    session.get("daily/2026-01-01/3", "lab")
    picture = draw_picture_file(noise=60.0)
    session.send("POST", "pictures", data=picture, content_type="image/png")
    game = session.post("analyses", board=EASY_3X3, moves="LRLL", times_ms=[0, 300, 300, 900])
    ways = session.post("ways", board=FARTHEST_3X3)
    body = {"board": EASY_3X3, "methods": ["a-star:manhattan"]}
    comparison = session.post("comparisons", **body, trace={"first": 0})
    sweep = session.post(
        "comparisons", methods=["a-star:manhattan"], sweep={"width": 3, "height": 3, "boards": 2}
    )
    session.work()
    run = f"runs/{comparison['runs'][0]['id']}"
    session.get(f"analyses/{game['id']}", f"ways/{ways['id']}", f"ways/{ways['id']}/graph")
    session.get(
        f"comparisons/{comparison['id']}", run, f"{run}/trace", f"comparisons/{sweep['id']}"
    )
    session.get(f"comparisons/{comparison['id']}/results?format=json")
    for path in ("analyses", "ways", "comparisons"):
        entry = {"analyses": game, "ways": ways, "comparisons": comparison}[path]
        session.send("DELETE", f"{path}/{entry['id']}")


def operate(session: Session) -> None:
    """Read the state while workers search, prepare and fail."""
    services = session.services
    storage, settings = services.storage, services.settings
    worker = SliceWorker(storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    job = session.post("jobs", board=LARGE_5X5, time_limit_s=3600)
    goal = blank_last(Size(7, 6))
    larger_board = {"board": str(scramble(goal.size, goal, 1)), "time_limit_s": 3600}
    larger = session.post("jobs", **larger_board)
    heartbeat = Heartbeat(storage, "w")
    heartbeat.report_preparing(60)
    session.get(f"jobs/{job['id']}")
    heartbeat.report_ready()
    worker.run("interactive", "w", lambda: False)

    def has_tried() -> bool:
        trials = services.read.activity(larger["id"]).trials
        return trials is not None and bool(trials.statistics)

    while not has_tried():
        worker.run("search", "w", has_tried)
    while worker.lease(Queue.SEARCH, "w"):
        pass
    with BuildProgressFile(settings.pdb_folder, "5x5 6-6-6-6"):
        session.get(f"jobs/{job['id']}", f"jobs/{larger['id']}", "queues", "operator")
        session.get(f"jobs/{job['id']}/activity", f"jobs/{larger['id']}/activity")
    session.client.put(f"{API}/operator/suspensions/queue/lab")
    with storage.engine(writes=True).begin() as connection:
        values = {"state": SliceState.QUARANTINED, "lease_until": None, "expiries": 3}
        leased = slice_.c.state == SliceState.LEASED
        connection.execute(update(slice_).where(leased).values(values))
    update_checksums(storage)
    session.get("operator")
    session.send("PUT", f"operator/jobs/{job['id']}/priority", json={"priority": "high"})
    session.send("DELETE", f"operator/jobs/{job['id']}")
    session.send("DELETE", f"jobs/{job['id']}")


def test_every_part_of_every_response_matches_the_schema(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Certificates contain the slices of proofs.
    monkeypatch.setattr("tests.support.pending_work.LocalSolver", SmallSlices)
    app = make_app(
        callback_hosts="hooks.example", callback_secret="s", operator_token=OPERATOR_TOKEN
    )
    schema = PublishedSchema(app)
    for act in (follow_jobs, ask_questions, operate):
        act(Session(app, schema))
    assert schema.parts() - schema.seen == set()
