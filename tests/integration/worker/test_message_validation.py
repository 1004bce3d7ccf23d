import base64
import json
import pickle
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import wait_until
from tilework.worker.message_validation import rejection_reason
from tilework.worker.tickets import CeleryTickets

QUEUES = "interactive,batch,search"


@pytest.fixture
def ticket(broker: Any) -> dict[str, Any]:
    """A ticket of this version, read back from the broker."""
    CeleryTickets(broker.url).send("search")
    sent: dict[str, Any] = json.loads(broker.redis.rpop("search"))
    return sent


def encode(content: Any) -> str:
    return base64.b64encode(json.dumps(content).encode()).decode()


def bad_envelopes(good: dict[str, Any]) -> dict[str, bytes]:
    def change_ticket(**changes: Any) -> bytes:
        return json.dumps(good | changes).encode()

    def change_headers(**changes: Any) -> bytes:
        return change_ticket(headers=good["headers"] | changes)

    pickled = base64.b64encode(pickle.dumps([["search"], {}, {}])).decode()
    embed = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    return {
        "nothing": b"",
        "not text": b"\xff\xfe\x00\x80",
        "number": b"1" * 5_000,
        "deep": b"[" * 100_000,
        "deep and closed": b"[" * 9_000 + b"]" * 9_000,
        "no body": json.dumps({k: v for k, v in good.items() if k != "body"}).encode(),
        "body is a number": change_ticket(body=7),
        "body is not base64": change_ticket(body="!!!"),
        "body is no JSON": change_ticket(body=base64.b64encode(b"hello").decode()),
        "body is an object": change_ticket(body=encode({"queue": "search"})),
        "body is short": change_ticket(body=encode([["search"]])),
        "no headers": change_ticket(headers=None),
        "empty properties": change_ticket(properties={}),
        "odd body encoding": change_ticket(
            properties={**good["properties"], "body_encoding": "rot13"}
        ),
        "unknown task": change_headers(task="os.system"),
        "another type": change_ticket(**{"content-type": "text/plain"}),
        "pickle": change_ticket(**{"content-type": "application/x-python-serialize"}, body=pickled),
        "binary": change_ticket(**{"content-encoding": "binary"}),
        "argument is a list": change_ticket(body=encode([[["search"]], {}, embed])),
        "two arguments": change_ticket(body=encode([["search", "search"], {}, embed])),
        "named argument": change_ticket(body=encode([[], {"queue": "search"}, embed])),
        "queue of others": change_ticket(body=encode([["lab"], {}, embed])),
        "huge": change_ticket(body=encode([["secret" * 1_000_000], {}, embed])),
    }


def test_invalid_messages_do_not_stop_a_worker(
    broker: Any, ticket: dict[str, Any], tmp_path: Path
) -> None:
    good = json.dumps(ticket).encode()
    assert rejection_reason(good, "search") is None
    bad = bad_envelopes(ticket)
    assert [name for name in bad if rejection_reason(bad[name], "search") is None] == []

    # Keys of the message library, which would act on them.
    for key in ("unacked", "unacked_index", "unacked_mutex", "_kombu.binding.search"):
        broker.redis.set(key, "x")
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        broker.redis.lpush("search", *bad.values())
        CeleryTickets(broker.url).send("batch")
        broker.await_rejected(len(bad))
        assert broker.notes(1) == ["batch"]
        CeleryTickets(broker.url).send("search")
        assert broker.notes(2) == ["batch", "search"]
        assert broker.redis.llen("search") == 0  # none is requeued
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    logged = log.read_text()
    assert "rejected a foreign message" in logged
    assert "secret" not in logged
    assert max(map(len, logged.splitlines())) < 250


def test_extra_instructions_in_a_ticket_are_ignored(broker: Any, ticket: dict[str, Any]) -> None:
    ticket["headers"] |= {"eta": "2999-01-01T00:00:00+00:00", "retries": 5, "expires": "yesterday"}
    ticket["properties"] |= {"reply_to": "elsewhere", "correlation_id": None}
    # The next headers would take effect first.
    follow = {"task": "tilework.work", "args": ["batch"], "options": {"queue": "batch"}}
    ticket["body"] = encode([["search"], {}, {"callbacks": [follow], "chain": [follow]}])
    with broker.recording_worker(QUEUES):
        broker.redis.lpush("search", json.dumps(ticket).encode())
        broker.notes(1)
        CeleryTickets(broker.url).send("search")
        assert broker.notes(2) == ["search", "search"]


def test_queue_of_the_wrong_type_is_set_aside(broker: Any) -> None:
    spoil = {
        "string": lambda: broker.redis.set("search", "x" * 100),
        "hash": lambda: broker.redis.hset("search", "x", "y"),
        "set": lambda: broker.redis.sadd("search", "x"),
    }
    # A sender sets it aside, and so does a worker that finds it, or loses it.
    seen: list[str] = []
    tickets = CeleryTickets(broker.url, lambda queue, why, size: seen.append(queue))
    for kind, put in spoil.items():
        broker.redis.delete("search")
        put()
        tickets.send("search")
        assert tickets.depth("search") == 1, kind
    assert seen == ["search"] * len(spoil)
    broker.redis.delete("search", "foreign:search")
    spoil["string"]()
    with broker.recording_worker(QUEUES):
        broker.await_rejected(1)
        spoil["hash"]()
        broker.await_rejected(2)
        tickets.send("search")
        assert broker.notes(1) == ["search"]
    assert broker.redis.keys("foreign:*") == ["foreign:search"]


def test_worker_waits_for_a_refusing_broker(broker: Any, tmp_path: Path) -> None:
    """As a broker with a full disk."""
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        broker.redis.config_set("min-replicas-to-write", 1)
        try:
            wait_until(lambda: "refuses commands" in log.read_text())
            assert process.is_alive()
        finally:
            broker.redis.config_set("min-replicas-to-write", 0)
        CeleryTickets(broker.url).send("search")
        broker.notes(1)
    refusing, accepting = log.read_text().splitlines()
    assert "refuses commands" in refusing
    assert "accepts commands again" in accepting
