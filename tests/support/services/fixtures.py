from functools import partial

import pytest

from tests.support.services.house import furnish


@pytest.fixture
def make_house(database, tmp_path):
    return partial(furnish, database, tmp_path)


@pytest.fixture
def house(make_house):
    return make_house()
