"""``tilework up`` with two web processes: they share a port and are as one for who asks."""

from __future__ import annotations

import http.client
import json
import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.system.up.test_up import Up, await_that
from tilework.core.cli.system import web_processes
from tilework.core.cli.system.web_processes import web_count, web_programs
from tilework.core.errors import OptionError
from tilework.core.settings import Settings

RATE = 30
BOARD = "1 2 3 4 5 6 0 7 8"

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shares a port")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path) -> Iterator[Up]:
    folder = tmp_path_factory.mktemp("two") / "data"
    options = ("--web-processes", "2")
    up = Up(folder, pattern_databases, *options, TILEWORK_RATE_LIMIT=f"{RATE}/hour")
    await_that(lambda: len(listening(up)) == 2)
    yield up
    if up.process.poll() is None:
        up.end()
    if up.process.stdout is not None:
        up.process.stdout.close()


def listening(up: Up) -> dict[str, psutil.Process]:
    """Return the web processes that take connections, by name."""
    found = {}
    for process in up.descendants():
        try:
            words = process.cmdline()
            if "tilework.web.server" in words and any(
                connection.status == psutil.CONN_LISTEN
                for connection in process.net_connections("tcp")
            ):
                found[words[words.index("--name") + 1]] = process
        except psutil.NoSuchProcess:
            continue
    return found


def connect(up: Up, source: str = "127.0.0.1") -> http.client.HTTPConnection:
    host, port = up.url.removeprefix("http://").split(":")
    return http.client.HTTPConnection(host, int(port), timeout=30, source_address=(source, 0))


def post(connection: http.client.HTTPConnection) -> tuple[int, Any]:
    body = json.dumps({"board": BOARD})
    connection.request("POST", "/api/v1/jobs", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.load(answer)


def get(up: Up, path: str) -> tuple[int, str]:
    with closing(connect(up)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def answered(up: Up, name: str, **labels: str) -> float:
    """Return a metric, as whichever process answers tells it."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(get(up, "/metrics")[1])
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


@linux
def test_both_answer(two: Up) -> None:
    with ExitStack() as stack:
        # Each its own client, so that their rate is no matter.
        clients = [
            stack.enter_context(closing(connect(two, f"127.0.1.{number}")))
            for number in range(1, 41)
        ]
        jobs = {post(client)[1]["id"] for client in clients}
        assert len(jobs) == 40
        port = int(two.url.rsplit(":", 1)[1])
        held = {
            name: sum(
                connection.status == psutil.CONN_ESTABLISHED and connection.laddr.port == port
                for connection in process.net_connections("tcp")
            )
            for name, process in listening(two).items()
        }
    assert sorted(held) == ["web-1", "web-2"]
    assert all(held.values())
    assert sum(held.values()) == 40
    # What one of them took in, both know.
    for job in jobs:
        assert get(two, f"/api/v1/jobs/{job}")[0] == 200


@linux
def test_the_rate_of_a_client_counts_over_both(two: Up) -> None:
    statuses: Counter[int] = Counter()
    for _ in range(RATE + 10):
        with closing(connect(two, "127.0.2.1")) as connection:
            statuses[post(connection)[0]] += 1
    assert statuses[429] == 10
    assert statuses.total() - statuses[429] == RATE


@linux
def test_a_client_is_known_to_both(two: Up) -> None:
    # This is a first start: the key that signs cookies was made by whichever came first.
    with closing(connect(two, "127.0.4.1")) as connection:
        body = json.dumps({"board": BOARD})
        connection.request("POST", "/api/v1/jobs", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        job = json.load(answer)["id"]
        cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
    for _ in range(20):
        with closing(connect(two)) as connection:
            connection.request("GET", "/api/v1/jobs", headers={"Cookie": cookie})
            assert [one["id"] for one in json.load(connection.getresponse())["jobs"]] == [job]


@linux
def test_a_broker_that_ends_takes_no_post_with_it(two: Up) -> None:
    (broker,) = [process for process in two.descendants() if "valkey" in process.name()]
    broker.send_signal(signal.SIGKILL)
    for number in range(1, 21):
        with closing(connect(two, f"127.0.5.{number}")) as connection:
            assert post(connection)[0] < 300
    await_that(lambda: get(two, "/readyz")[0] == 200)


@linux
def test_metrics_are_those_of_both_whoever_is_asked(two: Up) -> None:
    route = {"method": "GET", "route": "/api/v1/queues"}
    before = answered(two, "tilework_http_requests_total", **route)
    for _ in range(50):
        assert get(two, "/api/v1/queues")[0] == 200
    counts = {answered(two, "tilework_http_requests_total", **route) for _ in range(12)}
    assert counts == {before + 50}
    assert answered(two, "tilework_http_request_seconds_count", **route) == before + 50
    assert answered(two, "tilework_http_request_seconds_bucket", **route, le="+Inf") == before + 50
    # What the database tells is told once.
    text = get(two, "/metrics")[1]
    for name in ("tilework_search_workers", "tilework_nodes_total"):
        assert len(re.findall(rf"^{name} ", text, re.MULTILINE)) == 1


@linux
def test_a_killed_one_comes_back_and_the_other_serves_on(two: Up) -> None:
    route = {"method": "GET", "route": "/api/v1/queues"}
    for _ in range(20):
        get(two, "/api/v1/queues")
    before = answered(two, "tilework_http_requests_total", **route)
    killed = listening(two)["web-1"]
    other = listening(two)["web-2"]
    killed.send_signal(signal.SIGKILL)
    # Until the last of its threads has ended, the system still gives it connections.
    await_that(lambda: not killed.is_running(), 10)
    served = 0
    while "web-1" not in listening(two) or served < 30:
        assert get(two, "/api/v1/queues")[0] == 200
        served += 1
    back = listening(two)
    assert back["web-1"].pid != killed.pid
    assert back["web-2"] == other
    # Nothing that the killed one had counted is lost.
    assert answered(two, "tilework_http_requests_total", **route) == before + served
    restarts = {"program": "web-1"}
    await_that(lambda: answered(two, "tilework_restarts_total", **restarts) == 1, 15)


@linux
def test_ctrl_c_amid_long_polls_ends_both(two: Up) -> None:
    with closing(connect(two, "127.0.3.1")) as connection:
        hard = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"
        body = json.dumps({"board": hard, "goal": "blank-first"})
        connection.request("POST", "/api/v1/jobs", body, {"Content-Type": "application/json"})
        job = json.load(connection.getresponse())["id"]

    def poll() -> None:
        with suppress(OSError, http.client.HTTPException):  # it is cut off
            get(two, f"/api/v1/jobs/{job}?wait=20")

    polls = [threading.Thread(target=poll) for _ in range(10)]
    for thread in polls:
        thread.start()
    time.sleep(0.5)
    family = two.descendants()
    two.process.send_signal(signal.SIGINT)
    assert two.process.wait(timeout=30) == 0
    for thread in polls:
        thread.join(10)
    assert not any(process.is_running() for process in family)
    assert "did not stop" not in two.log()
    assert "Traceback" not in two.log()


@pytest.mark.parametrize(
    ("cores", "count"), [(1, 1), (3, 1), (4, 1), (7, 1), (8, 2), (12, 3), (16, 4), (128, 4)]
)
def test_how_many_there_are_by_themselves(
    cores: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_processes.sys, "platform", "linux")
    assert web_count(None, cores) == count
    assert web_count(3, cores) == 3


def test_where_a_port_is_not_shared_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_processes.sys, "platform", "darwin")
    assert web_count(None, 64) == web_count(2, 64) == 1


@pytest.mark.parametrize(
    ("broker", "given", "rates"),
    [
        ("redis://:x@host:6379/2", "memory://", "redis://:x@host:6379/2"),
        ("rediss://host/0", "memory://", "rediss://host/0"),
        ("redis+socket:///a%20b/valkey.sock", "memory://", "redis+unix:///a%20b/valkey.sock"),
        ("redis+socket:///a?virtual_host=1", "memory://", "redis+unix:///a"),
        ("sentinel://host:26379", "memory://", "memory://"),
        ("redis://host/0", "redis://other/1", "redis://other/1"),
    ],
)
def test_where_several_count_rates(broker: str, given: str, rates: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, rate_storage_url=given)
    environment = {"TILEWORK_BROKER_URL": broker}
    programs = web_programs(2, ["serve"], environment, settings)
    assert [program.name for program in programs] == ["web-1", "web-2"]
    for program in programs:
        assert program.environment["TILEWORK_RATE_STORAGE_URL"] == rates
    assert web_programs(1, ["serve"], environment, settings)[0].environment == environment


def test_old_counts_go_and_room_is_taken_for_new_ones(tmp_path: Path) -> None:
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_web-9.db").write_bytes(b"old")
    settings = Settings(data_dir=tmp_path)
    web_programs(2, ["serve"], {"TILEWORK_BROKER_URL": "redis://host/0"}, settings)
    files = sorted((tmp_path / "metrics").iterdir())
    assert [file.name for file in files] == [
        f"{kind}_web-{number}.db" for kind in ("counter", "histogram") for number in (1, 2)
    ]
    for file in files:
        status = file.stat()
        assert status.st_blocks * 512 >= status.st_size > 0


def test_a_folder_for_counts_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "metrics").write_text("a file")
    settings = Settings(data_dir=tmp_path)
    with pytest.raises(OptionError, match="nothing can be written in the folder"):
        web_programs(2, ["serve"], {"TILEWORK_BROKER_URL": "redis://host/0"}, settings)
