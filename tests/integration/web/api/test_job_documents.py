"""What is said of a job while it is searched for long, and how little a poll may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.work import Work
from tilework.core.services.ports import NoTickets
from tilework.core.solver.pdb.progress import Building, BuildingNote
from tilework.core.storage.database import Database

JOBS = "/api/v1/jobs"
HARD_5X5 = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8"
SEARCH_FACTS = (
    "threshold",
    "seconds_left",
    "seconds_left_factor",
    "threshold_seconds_left",
    "threshold_seconds_left_factor",
    "engine",
    "building",
)
BOARDS = {"board", "goal"}


@pytest.fixture
def place(client: FlaskClient) -> str:
    """The address of a job that waits."""
    return client.post(JOBS, json={"board": EASY_3X3}).headers["Location"]


@pytest.fixture
def searched(make_app: MakeApp) -> Iterator[tuple[FlaskClient, str, Callable[[], None]]]:
    """A 5×5 job after its first try, its address, and a way to search a slice of it."""
    app = make_app(open_slice_s=0.1, search_slice_s=0.1, run_s=0.1)
    settings = app.extensions["tilework"].settings
    database = Database(settings.database)
    working = Work(database, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    client = app.test_client()
    place = client.post(JOBS, json={"board": HARD_5X5}).headers["Location"]
    working.serve("interactive", "test", lambda: False)
    yield client, place, lambda: working.serve("search", "test", lambda: False)
    database.dispose()


def test_a_job_that_waits_has_nothing_to_say_of_a_search(client: FlaskClient, place: str) -> None:
    job = client.get(place).json
    assert [job[name] for name in SEARCH_FACTS] == [None] * len(SEARCH_FACTS)
    assert (job["progress"], job["nodes"], job["nodes_per_s"]) == (0, 0, 0)


def test_what_a_search_knows_of_itself_is_told(
    app: Flask, client: FlaskClient, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = app.extensions["tilework"].read
    view = replace(
        read.view(place.rpartition("/")[2]),
        threshold=97,
        progress=0.37,
        nodes_per_s=1.5e8,
        seconds_left=240.0,
        seconds_left_factor=2.1,
        threshold_seconds_left=95.0,
        threshold_seconds_left_factor=1.6,
        engine="5x5 6-6-6-6 r10",
        building=Building("5x5 6-6-6-6", 0.4, 1.0),
    )
    monkeypatch.setattr(read, "view", lambda _id, *, brief: view)
    job = client.get(place).json
    building = {"partition": "5x5 6-6-6-6", "share": 0.4}
    told = (97, 240.0, 2.1, 95.0, 1.6, "5x5 6-6-6-6 r10", building)
    assert tuple(job[name] for name in SEARCH_FACTS) == told
    assert (job["progress"], job["nodes_per_s"]) == (0.37, 1.5e8)


def test_a_long_search_is_told_as_it_goes(
    searched: tuple[FlaskClient, str, Callable[[], None]],
) -> None:
    client, place, search = searched
    first = client.get(place).json
    assert first["state"] == "running"
    assert first["lower_bound"] == first["threshold"] < first["upper_bound"]
    search()
    later = client.get(place).json
    assert later["engine"].startswith("5x5 ")
    assert later["nodes"] > first["nodes"]
    assert later["nodes_per_s"] > 0
    assert later["threshold_seconds_left"] > 0
    assert later["threshold_seconds_left_factor"] >= 1
    assert later["version"] != first["version"]
    events = client.get(f"{place}/history").json["events"]
    assert len(events) > 1
    for event, following in pairwise(events):
        assert event["lower_bound"] <= following["lower_bound"]
        assert (event["upper_bound"] or 1_000) >= following["upper_bound"]


def test_what_is_being_built_is_told_of_boards_of_that_size(
    searched: tuple[FlaskClient, str, Callable[[], None]],
) -> None:
    client, place, _ = searched
    pdb_folder = client.application.extensions["tilework"].settings.pdb_folder
    pdb_folder.mkdir(exist_ok=True)
    with BuildingNote(pdb_folder, "5x5 6-6-6-6"):
        assert client.get(place).json["building"] == {"partition": "5x5 6-6-6-6", "share": 0.0}
    with BuildingNote(pdb_folder, "4x4 7-8"):
        assert client.get(place).json["building"] is None


@pytest.mark.parametrize("wait", ["", "&wait=0.01", "&wait=0.01&since=0"])
def test_a_brief_poll_is_the_job_without_its_boards(
    client: FlaskClient, place: str, wait: str
) -> None:
    whole = client.get(f"{place}?brief=false{wait}")
    brief = client.get(f"{place}?brief=true{wait}")
    assert brief.headers["ETag"] == whole.headers["ETag"]
    assert set(whole.json) - set(brief.json) == BOARDS
    assert {name: whole.json[name] for name in brief.json} == brief.json


def test_a_brief_poll_of_a_large_board_is_short(make_app: MakeApp) -> None:
    client = make_app().test_client()
    tiles = [*range(1, 300 * 300 - 1), 0, 300 * 300 - 1]
    place = client.post(JOBS, json={"board": tiles}).headers["Location"]
    assert len(client.get(f"{place}?brief=true").data) < 2_000


@pytest.mark.parametrize("word", ["maybe", "", "2"])
def test_brief_is_yes_or_no(client: FlaskClient, place: str, word: str) -> None:
    answer = client.get(f"{place}?brief={word}")
    assert (answer.status_code, answer.json["type"]) == (422, "urn:tilework:problem:fields")
    (fault,) = answer.json["errors"]
    assert fault["pointer"] == "/brief"
    assert repr(word) in fault["detail"]
