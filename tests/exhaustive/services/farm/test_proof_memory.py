import tracemalloc

from tests.integration.services.farm.test_real_solver import replace_with_children_of_one_root
from tests.support.services.scripted_solver import start_search
from tilework.core.services.certificates.reader import CertificateReader

SLICES = 30_000


def test_certificate_of_a_long_search_needs_little_memory(service):
    job = start_search(service)
    service.cancel(job.id, service.client)
    replace_with_children_of_one_root(service, job, SLICES)
    read = CertificateReader(service.database)
    tracemalloc.start()
    try:
        size, lines = 0, 0
        for chunk in read(job.id).chunks:
            size += len(chunk)
            lines += chunk.count('"cursor"')
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == SLICES + 1
    assert size > 7_000_000
    assert peak < 5_000_000
