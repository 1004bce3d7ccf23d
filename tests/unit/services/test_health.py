from tilework.core.puzzle.board import Board
from tilework.core.services.health import Health
from tilework.core.settings import Settings

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)


def test_waiting_work_that_nobody_claims_is_a_reason(house):
    assert house.health.check().ready
    house.ask(BOARD)
    assert house.health.check().ready
    house.clock.turn(house.settings.unclaimed_s + 1)
    health = house.health.check()
    assert not health.ready
    assert "interactive" in health.reasons[0]
    # Work behind other work is none.
    house.claim()
    house.ask(Board([1, 2, 3, 0, 4, 5], 3, 2))
    assert house.health.check().ready


def test_a_broker_that_does_not_answer_is_a_reason(house):
    house.tickets.broken = True
    assert house.health.check().reasons == ("the broker does not answer",)
    house.tickets.broken = False
    assert house.health.check().ready


def test_a_disk_that_is_all_but_full_is_a_reason(house, tmp_path):
    for url, reasons in (
        ("sqlite:///x", ("the disk of the database is full",)),
        ("postgresql:///x", ()),
    ):
        settings = Settings(data_dir=tmp_path, database_url=url, least_free_bytes=2**60)
        assert Health(house.database, house.tickets, settings).check().reasons == reasons
