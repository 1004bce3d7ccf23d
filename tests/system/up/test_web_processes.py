"""``tilework up`` with two web processes: they share a port and behave like one."""

import http.client
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.running_system import RunningSystem
from tests.support.waiting import wait_until

RATE = 30
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ports can be shared only on Linux")


@pytest.fixture(scope="module")
def system(
    tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Iterator[RunningSystem]:
    folder = tmp_path_factory.mktemp("system") / "data"
    options = ("--web-processes", "2")
    system = RunningSystem(folder, pattern_databases, *options, TILEWORK_RATE_LIMIT=f"{RATE}/hour")
    wait_until(lambda: len(find_listeners(system)) == 2)
    yield system
    system.end()


def find_listeners(system: RunningSystem) -> dict[str, psutil.Process]:
    """Return the web processes that accept connections, by name."""
    processes = {}
    for process in system.find_descendants():
        try:
            arguments = process.cmdline()
            if "tilework.web.server" in arguments and any(
                connection.status == psutil.CONN_LISTEN
                for connection in process.net_connections("tcp")
            ):
                processes[arguments[arguments.index("--name") + 1]] = process
        except psutil.NoSuchProcess:
            continue
    return processes


def connect(system: RunningSystem, source: str = "127.0.0.1") -> http.client.HTTPConnection:
    host, port = system.url.removeprefix("http://").split(":")
    return http.client.HTTPConnection(host, int(port), source_address=(source, 0))


def post(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    text = '{"board": "1 2 3 4 5 6 0 7 8"}'
    connection.request("POST", "/api/v1/jobs", text, {"Content-Type": "application/json"})
    return connection.getresponse()


def get(system: RunningSystem, path: str, **headers: str) -> tuple[int, str]:
    with closing(connect(system)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def read_metric(system: RunningSystem, name: str, **labels: str) -> float:
    """Return a metric, from whichever process responds."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(get(system, "/metrics")[1])
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def count_connections(system: RunningSystem) -> dict[str, int]:
    """Return the number of connections of each process."""
    port = int(system.url.rsplit(":", 1)[1])
    return {
        name: sum(
            connection.status == psutil.CONN_ESTABLISHED and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
        for name, process in find_listeners(system).items()
    }


def test_both_processes_behave_like_one(system: RunningSystem) -> None:
    with ExitStack() as stack:
        # Each is a separate client, so the rate limit does not matter.
        clients = [
            stack.enter_context(closing(connect(system, f"127.0.1.{number}")))
            for number in range(1, 41)
        ]
        jobs = {json.load(post(client))["id"] for client in clients}
        assert len(jobs) == 40
        connections = count_connections(system)
    assert sorted(connections) == ["web-1", "web-2"]
    assert all(connections.values())
    assert sum(connections.values()) == 40
    # Each job can be read from both processes.
    for job in jobs:
        assert get(system, f"/api/v1/jobs/{job}")[0] == 200

    # The requests of a client are counted by both together.
    statuses: Counter[int] = Counter()
    for _ in range(RATE + 10):
        with closing(connect(system, "127.0.2.1")) as connection:
            statuses[post(connection).status] += 1
    assert statuses[429] == 10
    assert statuses.total() - statuses[429] == RATE

    # On the first start, the fastest process creates the key that signs cookies.
    with closing(connect(system, "127.0.4.1")) as connection:
        response = post(connection)
        job = json.load(response)["id"]
        cookie = (response.headers["Set-Cookie"] or "").partition(";")[0]
    for _ in range(20):
        jobs = json.loads(get(system, "/api/v1/jobs", Cookie=cookie)[1])["jobs"]
        assert [entry["id"] for entry in jobs] == [job]


def test_metrics_cover_both_processes_and_survive_a_crash(system: RunningSystem) -> None:
    route = {"method": "GET", "route": "/api/v1/queues"}
    count_before = read_metric(system, "tilework_http_requests_total", **route)
    for _ in range(50):
        assert get(system, "/api/v1/queues")[0] == 200
    counts = {read_metric(system, "tilework_http_requests_total", **route) for _ in range(12)}
    assert counts == {count_before + 50}
    assert read_metric(system, "tilework_http_request_seconds_count", **route) == count_before + 50
    # Values from the database occur once.
    assert len(re.findall(r"^tilework_nodes_total ", get(system, "/metrics")[1], re.MULTILINE)) == 1

    # After one is killed, the other continues, and no count is lost.
    listeners = find_listeners(system)
    web_1, web_2 = listeners["web-1"], listeners["web-2"]
    web_1.send_signal(signal.SIGKILL)
    # Until its last thread has exited, the operating system still sends it connections.
    wait_until(lambda: not web_1.is_running())
    requests = 0
    while "web-1" not in find_listeners(system) or requests < 30:
        assert get(system, "/api/v1/queues")[0] == 200
        requests += 1
    listeners = find_listeners(system)
    assert listeners["web-1"].pid != web_1.pid
    assert listeners["web-2"] == web_2
    count = read_metric(system, "tilework_http_requests_total", **route)
    assert count == count_before + 50 + requests
    wait_until(lambda: read_metric(system, "tilework_restarts_total", program="web-1") == 1)
