import random

from tests.integration.damage.columns import Service, damage_each, list_cases


def test_damaged_value_affects_nothing_else(database_url, tmp_path):
    service = Service(database_url, tmp_path)
    assert damage_each(service, random.Random(3).sample(list_cases(), 30))
    service.database.dispose()
