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

from tests.support.waiting import wait_until
from tests.system.up.running_system import RunningSystem

RATE = 30
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="processes can share a port only on Linux"
)


@pytest.fixture(scope="module")
def system(
    tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Iterator[RunningSystem]:
    folder = tmp_path_factory.mktemp("two") / "data"
    options = ("--web-processes", "2")
    up = RunningSystem(folder, pattern_databases, *options, TILEWORK_RATE_LIMIT=f"{RATE}/hour")
    wait_until(lambda: len(find_listeners(up)) == 2)
    yield up
    up.end()


def find_listeners(up: RunningSystem) -> dict[str, psutil.Process]:
    """Return the web processes that accept connections, by name."""
    processes = {}
    for process in up.descendants():
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


def connect(up: RunningSystem, source: str = "127.0.0.1") -> http.client.HTTPConnection:
    host, port = up.url.removeprefix("http://").split(":")
    return http.client.HTTPConnection(host, int(port), source_address=(source, 0))


def post(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    text = '{"board": "1 2 3 4 5 6 0 7 8"}'
    connection.request("POST", "/api/v1/jobs", text, {"Content-Type": "application/json"})
    return connection.getresponse()


def get(up: RunningSystem, path: str, **headers: str) -> tuple[int, str]:
    with closing(connect(up)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def read_metric(up: RunningSystem, name: str, **labels: str) -> float:
    """Return a metric from whichever process answers."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(get(up, "/metrics")[1])
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def count_connections(up: RunningSystem) -> dict[str, int]:
    """Return how many connections each process holds."""
    port = int(up.url.rsplit(":", 1)[1])
    return {
        name: sum(
            connection.status == psutil.CONN_ESTABLISHED and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
        for name, process in find_listeners(up).items()
    }


def test_both_answer_and_behave_like_one(system: RunningSystem) -> None:
    with ExitStack() as stack:
        # Each is a separate client, so that rate limits do not matter.
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
    # Both know what one of them has accepted.
    for job in jobs:
        assert get(system, f"/api/v1/jobs/{job}")[0] == 200

    # A client's rate is counted over both.
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
        listed = json.loads(get(system, "/api/v1/jobs", Cookie=cookie)[1])["jobs"]
        assert [entry["id"] for entry in listed] == [job]


def test_metrics_cover_both_and_survive_one(system: RunningSystem) -> None:
    route = {"method": "GET", "route": "/api/v1/queues"}
    before = read_metric(system, "tilework_http_requests_total", **route)
    for _ in range(50):
        assert get(system, "/api/v1/queues")[0] == 200
    counts = {read_metric(system, "tilework_http_requests_total", **route) for _ in range(12)}
    assert counts == {before + 50}
    assert read_metric(system, "tilework_http_request_seconds_count", **route) == before + 50
    # Values from the database occur once.
    assert len(re.findall(r"^tilework_nodes_total ", get(system, "/metrics")[1], re.MULTILINE)) == 1

    # One is killed: the other continues, and no count is lost.
    killed, other = find_listeners(system)["web-1"], find_listeners(system)["web-2"]
    killed.send_signal(signal.SIGKILL)
    # Until its last thread has exited, the operating system still sends it connections.
    wait_until(lambda: not killed.is_running())
    served = 0
    while "web-1" not in find_listeners(system) or served < 30:
        assert get(system, "/api/v1/queues")[0] == 200
        served += 1
    restarted = find_listeners(system)
    assert restarted["web-1"].pid != killed.pid
    assert restarted["web-2"] == other
    assert read_metric(system, "tilework_http_requests_total", **route) == before + 50 + served
    wait_until(lambda: read_metric(system, "tilework_restarts_total", program="web-1") == 1)
