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
    message: dict[str, Any] = json.loads(broker.redis.rpop("search"))
    return message


def encode(content: Any) -> str:
    return base64.b64encode(json.dumps(content).encode()).decode()


def make_invalid_messages(ticket: dict[str, Any]) -> dict[str, bytes]:
    def change_ticket(**changes: Any) -> bytes:
        return json.dumps(ticket | changes).encode()

    def change_headers(**changes: Any) -> bytes:
        return change_ticket(headers=ticket["headers"] | changes)

    data = base64.b64encode(pickle.dumps([["search"], {}, {}])).decode()
    embed = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    return {
        "nothing": b"",
        "not text": b"\xff\xfe\x00\x80",
        "number": b"1" * 5_000,
        "deep": b"[" * 100_000,
        "deep and closed": b"[" * 9_000 + b"]" * 9_000,
        "no body": json.dumps({k: v for k, v in ticket.items() if k != "body"}).encode(),
        "body is a number": change_ticket(body=7),
        "body is not base64": change_ticket(body="!!!"),
        "body is no JSON": change_ticket(body=base64.b64encode(b"hello").decode()),
        "body is an object": change_ticket(body=encode({"queue": "search"})),
        "body is short": change_ticket(body=encode([["search"]])),
        "no headers": change_ticket(headers=None),
        "empty properties": change_ticket(properties={}),
        "odd encoding": change_ticket(
            properties={**ticket["properties"], "body_encoding": "rot13"}
        ),
        "unknown task": change_headers(task="os.system"),
        "another type": change_ticket(**{"content-type": "text/plain"}),
        "pickle": change_ticket(**{"content-type": "application/x-python-serialize"}, body=data),
        "binary": change_ticket(**{"content-encoding": "binary"}),
        "argument is a list": change_ticket(body=encode([[["search"]], {}, embed])),
        "two arguments": change_ticket(body=encode([["search", "search"], {}, embed])),
        "named argument": change_ticket(body=encode([[], {"queue": "search"}, embed])),
        "queue of others": change_ticket(body=encode([["lab"], {}, embed])),
        "huge": change_ticket(body=encode([["secret" * 1_000_000], {}, embed])),
    }


def test_worker_skips_invalid_messages(broker: Any, ticket: dict[str, Any], tmp_path: Path) -> None:
    assert rejection_reason(json.dumps(ticket).encode(), "search") is None
    messages = make_invalid_messages(ticket)
    accepted = [name for name, data in messages.items() if rejection_reason(data, "search") is None]
    assert accepted == []

    # Keys that the message library would act on.
    for key in ("unacked", "unacked_index", "unacked_mutex", "_kombu.binding.search"):
        broker.redis.set(key, "x")
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        broker.redis.lpush("search", *messages.values())
        CeleryTickets(broker.url).send("batch")
        broker.wait_for_rejections(len(messages))
        assert broker.wait_for_notes(1) == ["batch"]
        CeleryTickets(broker.url).send("search")
        assert broker.wait_for_notes(2) == ["batch", "search"]
        assert broker.redis.llen("search") == 0  # none is requeued
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    output = log.read_text()
    assert "rejected a foreign message" in output
    assert "secret" not in output
    assert max(map(len, output.splitlines())) < 250


def test_extra_instructions_in_a_ticket_are_ignored(broker: Any, ticket: dict[str, Any]) -> None:
    ticket["headers"] |= {"eta": "2999-01-01T00:00:00+00:00", "retries": 5, "expires": "yesterday"}
    ticket["properties"] |= {"reply_to": "elsewhere", "correlation_id": None}
    next_task = {"task": "tilework.work", "args": ["batch"], "options": {"queue": "batch"}}
    ticket["body"] = encode([["search"], {}, {"callbacks": [next_task], "chain": [next_task]}])
    with broker.recording_worker(QUEUES):
        broker.redis.lpush("search", json.dumps(ticket).encode())
        broker.wait_for_notes(1)
        CeleryTickets(broker.url).send("search")
        assert broker.wait_for_notes(2) == ["search", "search"]


def test_queue_of_the_wrong_type_is_set_aside(broker: Any) -> None:
    wrong_types = {
        "string": lambda: broker.redis.set("search", "x" * 100),
        "hash": lambda: broker.redis.hset("search", "x", "y"),
        "set": lambda: broker.redis.sadd("search", "x"),
    }
    # Senders set it aside, and so do workers, at their start and while they wait.
    queues: list[str] = []
    tickets = CeleryTickets(broker.url, lambda queue, reason, size: queues.append(queue))
    for kind, store in wrong_types.items():
        broker.redis.delete("search")
        store()
        tickets.send("search")
        assert tickets.depth("search") == 1, kind
    assert queues == ["search"] * len(wrong_types)
    broker.redis.delete("search", "foreign:search")
    wrong_types["string"]()
    with broker.recording_worker(QUEUES):
        broker.wait_for_rejections(1)
        wrong_types["hash"]()
        broker.wait_for_rejections(2)
        tickets.send("search")
        assert broker.wait_for_notes(1) == ["search"]
    assert broker.redis.keys("foreign:*") == ["foreign:search"]


def test_worker_waits_while_the_broker_rejects_commands(broker: Any, tmp_path: Path) -> None:
    """Like a broker whose disk is full."""
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        broker.redis.config_set("min-replicas-to-write", 1)
        try:
            wait_until(lambda: "refuses commands" in log.read_text())
            assert process.is_alive()
        finally:
            broker.redis.config_set("min-replicas-to-write", 0)
        CeleryTickets(broker.url).send("search")
        broker.wait_for_notes(1)
    first, second = log.read_text().splitlines()
    assert "refuses commands" in first
    assert "accepts commands again" in second
