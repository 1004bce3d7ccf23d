"""Leases are checked and renewed by one thread."""

import threading

from tilework.core.model.leases import HeldLeases, LeaseThread


def test_one_thread_renews_leases_one_after_another():
    lease_thread, threads, errors = LeaseThread(), [], [OSError("no database")]

    def check():
        threads.append(threading.get_ident())
        if errors:
            raise errors.pop()
        return 0.0

    for _ in range(3):
        renewed = threading.Event()
        leases = HeldLeases(check, renewed.set, lease_s=0.0, first_pause_s=0.0)
        with lease_thread.hold(leases):
            assert renewed.wait(30)
        count = len(threads)
        leases.check()
        assert len(threads) == count  # nothing is checked after the end
    assert len(threads) > 3
    assert len({*threads}) == 1
