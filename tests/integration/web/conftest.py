import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr
from sqlalchemy import delete

from tests.support.api_schema import CheckingClient
from tests.support.pending_work import make_worker
from tilework.core.assembly import Services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.models import metadata
from tilework.web.app import create_app

SOLVED_3X3 = "1 2 3 4 5 6 7 8 0"
EASY_3X3 = "1 2 3 4 5 6 0 7 8"
FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"  # 31 moves
UNSOLVABLE_3X3 = "1 2 3 4 5 6 8 7 0"
PORTUGUESE = {"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"}

OPERATOR_TOKEN = "a-token"
OPERATOR_LINK = f"/operator?token={OPERATOR_TOKEN}"

MakeApp = Callable[..., Flask]
DoWork = Callable[[], None]


def _create_app(settings: Settings, services: Services) -> Flask:
    app = create_app(settings, services)
    app.test_client_class = CheckingClient
    return app


@pytest.fixture
def make_app(tmp_path: Path, sqlite_template: Path) -> Iterator[MakeApp]:
    """A function that creates an application with these settings and a new database."""
    all_services: list[Services] = []
    shutil.copy(sqlite_template, tmp_path / "tilework.sqlite")

    def make(**options: object) -> Flask:
        settings = Settings.model_validate({"data_dir": tmp_path, **options})
        services = Services(settings, NoTickets())
        all_services.append(services)
        return _create_app(settings, services)

    yield make
    for services in all_services:
        services.storage.dispose()  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Flask]:
    """The application of all tests that need no special settings, because creating one is slow."""
    folder = tmp_path_factory.mktemp("web")
    shutil.copy(sqlite_template, folder / "tilework.sqlite")
    settings = Settings(
        data_dir=folder, rate_limit="1000000/second", operator_token=SecretStr(OPERATOR_TOKEN)
    )
    services = Services(settings, NoTickets())
    yield _create_app(settings, services)
    services.storage.dispose()  # type: ignore[attr-defined]


@pytest.fixture
def app(shared_app: Flask) -> Flask:
    """An application over an empty database."""
    services = shared_app.extensions["tilework"]
    with services.storage.engine(writes=True).begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))
    services.read._statistics = None  # they are cached for a few seconds
    return shared_app


@pytest.fixture
def services(app: Flask) -> Services:
    return app.extensions["tilework"]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def operator(app: Flask) -> FlaskClient:
    """Another client, which has opened the operator's link."""
    operator = app.test_client()
    assert operator.get(OPERATOR_LINK).status_code == 303
    return operator


@pytest.fixture
def work(app: Flask) -> DoWork:
    """A function that does all available work, as workers would."""
    return make_worker(app.extensions["tilework"])
