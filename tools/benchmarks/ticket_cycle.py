"""What a ticket costs a worker: Celery takes it from a Valkey, and its task sends the next.

Run as a program of its own, since Celery's worker takes the signals of its process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from tests.support import servers


def seconds_per_ticket(tickets: int) -> float:
    """Run a worker that does nothing with so many tickets; return its seconds for each."""
    with servers.valkey() as url:
        command = [sys.executable, "-m", "tools.benchmarks.ticket_cycle", url, str(tickets)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    from tilework.core.model.states import Queue
    from tilework.worker.celery_app import create_celery
    from tilework.worker.foreign import Refusals
    from tilework.worker.lifecycle import consume, register_task
    from tilework.worker.stopping import Stopping
    from tilework.worker.tickets import CeleryTickets

    url, tickets = sys.argv[1], int(sys.argv[2])
    times: list[float] = []

    def run(_queue: str) -> bool:
        times.append(time.perf_counter())
        if len(times) > tickets:
            os.kill(os.getpid(), signal.SIGTERM)
        return len(times) <= tickets

    app = create_celery(url, Refusals())
    sender = CeleryTickets(url)
    register_task(app, run, sender)
    consume(app, [Queue.SEARCH], Stopping(), lambda: sender.send(Queue.SEARCH))
    print((times[-1] - times[0]) / (len(times) - 1))


if __name__ == "__main__":
    main()
