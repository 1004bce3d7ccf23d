from tests.integration.damage.damaged_service import damage_and_read


def test_damaged_data_is_never_returned(sqlite_url, tmp_path):
    damage_and_read(sqlite_url, tmp_path, trials=8, seed=1)
