import tracemalloc

from tests.integration.services.farm.test_real_solver import fan
from tests.support.services.fixtures import house, make_house
from tests.support.services.staging import searching_job
from tilework.core.services.certificates.make import ReadCertificate

__all__ = ["house", "make_house"]

MANY = 30_000


def test_the_certificate_of_a_long_search_takes_little_memory(house):
    job = searching_job(house)
    house.cancel(job.id, house.client)
    fan(house, job, MANY)
    read = ReadCertificate(house.database, house.settings)
    tracemalloc.start()
    try:
        size, lines = 0, 0
        for piece in read(job.id).pieces:
            size += len(piece)
            lines += piece.count('"cursor"')
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == MANY + 1
    assert size > 7_000_000
    assert peak < 5_000_000
