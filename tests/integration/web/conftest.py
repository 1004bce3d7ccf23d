from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tilework.core.assembly import Services, make_services
from tilework.core.services.analyses.local_analyst import LocalAnalyst
from tilework.core.services.analyses.work import AnalysisWork
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.work import Work
from tilework.core.services.lab.local_runner import LocalLabRunner
from tilework.core.services.lab.work import LabWork
from tilework.core.services.ports import NoTickets
from tilework.core.services.states import ANALYSIS_QUEUES
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app

SOLVED_3X3 = "1 2 3 4 5 6 7 8 0"
EASY_3X3 = "1 2 3 4 5 6 0 7 8"
UNSOLVABLE_3X3 = "1 2 3 4 5 6 8 7 0"

MakeApp = Callable[..., Flask]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "tilework.sqlite"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def make_app(tmp_path: Path, empty_database: Path) -> Iterator[MakeApp]:
    """Make an application over a fresh database, with settings of one's own."""
    made: list[Services] = []
    shutil.copy(empty_database, tmp_path / "tilework.sqlite")

    def make(**options: object) -> Flask:
        settings = Settings.model_validate({"data_dir": tmp_path, **options})
        services = make_services(settings, NoTickets())
        made.append(services)
        return create_app(settings, services)

    yield make
    for services in made:
        services.storage.dispose()  # type: ignore[attr-defined]


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


@pytest.fixture
def services(app: Flask) -> Services:
    return app.extensions["tilework"]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def lab_work(app: Flask) -> Iterator[Callable[[], None]]:
    """Do all the work there is for the lab, as a worker would."""
    settings = app.extensions["tilework"].settings
    database = Database(settings.database)
    working = LabWork(database, settings, LocalLabRunner())

    def do_all() -> None:
        while working.serve("test", lambda: False).more:
            pass

    yield do_all
    database.dispose()


@pytest.fixture
def analysis_work(app: Flask) -> Iterator[Callable[[], None]]:
    """Do all analyses that wait, as workers would."""
    settings = app.extensions["tilework"].settings
    database = Database(settings.database)
    analyst = LocalAnalyst(settings.pdb_folder)
    works = [AnalysisWork(database, settings, analyst, queue) for queue in ANALYSIS_QUEUES]

    def do_all() -> None:
        for working in works:
            while working.serve("test", lambda: False).more:
                pass

    yield do_all
    database.dispose()


@pytest.fixture
def work(app: Flask) -> Iterator[Callable[[], None]]:
    """Do all the work there is, as a worker would."""
    settings = app.extensions["tilework"].settings
    database = Database(settings.database)
    working = Work(database, NoTickets(), settings, LocalSolver(settings.pdb_folder))

    def do_all() -> None:
        for queue in ("interactive", "batch", "search"):
            while working.serve(queue, "test", lambda: False).more:
                pass

    yield do_all
    database.dispose()
