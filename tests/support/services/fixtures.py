from functools import partial

import pytest

from tests.support.services.service_fixture import make_service_fixture


@pytest.fixture
def make_service(database, tmp_path):
    return partial(make_service_fixture, database, tmp_path)


@pytest.fixture
def service(make_service):
    return make_service()
