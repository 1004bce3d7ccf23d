"""What others put into the broker: it is refused, counted and told in a line, and kills nobody."""

from __future__ import annotations

import base64
import json
import pickle
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.integration.worker.note_taker import take_notes
from tests.support.forked import Forked
from tilework.worker.tickets import CeleryTickets

QUEUES = "interactive,batch,search"


@contextmanager
def note_taker(broker: Any, queues: str = QUEUES) -> Iterator[Forked]:
    process = Forked(take_notes, broker.url, socket_of(broker), queues)
    try:
        assert any(broker.redis.blpop(["ready"], timeout=4) for _ in range(15))
        yield process
    finally:
        process.kill()
        process.wait()


def socket_of(broker: Any) -> str:
    return str(broker.redis.get_connection_kwargs()["path"])


def await_that(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.01)


def refused(broker: Any) -> int:
    return int(broker.redis.get("refused") or 0)


def own_ticket(broker: Any, queue: str = "search") -> dict[str, Any]:
    """Return a ticket as this version sends it, taken out of the broker again."""
    CeleryTickets(broker.url).send(queue)
    ticket: dict[str, Any] = json.loads(broker.redis.rpop(queue))
    return ticket


def encoded(content: Any) -> str:
    return base64.b64encode(json.dumps(content).encode()).decode()


def pickled() -> str:
    return base64.b64encode(pickle.dumps([["search"], {}, {}])).decode()


def bad_envelopes(good: dict[str, Any]) -> dict[str, bytes]:
    def changed(**changes: Any) -> bytes:
        return json.dumps(good | changes).encode()

    def headed(**changes: Any) -> bytes:
        return changed(headers=good["headers"] | changes)

    embed = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    return {
        "nothing": b"",
        "text": b"hello",
        "not text": b"\xff\xfe\x00\x80",
        "half of one": json.dumps(good).encode()[:200],
        "null": b"null",
        "number": b"1" * 5_000,
        "list": b"[]",
        "empty object": b"{}",
        "deep": b"[" * 100_000,
        "deep and closed": b"[" * 9_000 + b"]" * 9_000,
        "empty body": changed(body=""),
        "no body": json.dumps({k: v for k, v in good.items() if k != "body"}).encode(),
        "body is a number": changed(body=7),
        "body is not base64": changed(body="!!!"),
        "body is no JSON": changed(body=base64.b64encode(b"hello").decode()),
        "body is an object": changed(body=encoded({"queue": "search"})),
        "body is short": changed(body=encoded([["search"]])),
        "no headers": changed(headers=None),
        "headers are a list": changed(headers=[]),
        "empty headers": changed(headers={}),
        "no properties": changed(properties=None),
        "empty properties": changed(properties={}),
        "odd body encoding": changed(properties={**good["properties"], "body_encoding": "rot13"}),
        "unknown task": headed(task="os.system"),
        "task is a list": headed(task=["tilework.work"]),
        "another type": changed(**{"content-type": "text/plain"}),
        "pickle": changed(**{"content-type": "application/x-python-serialize"}, body=pickled()),
        "binary": changed(**{"content-encoding": "binary"}),
        "argument is a list": changed(body=encoded([[["search"]], {}, embed])),
        "argument is a number": changed(body=encoded([[1], {}, embed])),
        "no argument": changed(body=encoded([[], {}, embed])),
        "two arguments": changed(body=encoded([["search", "search"], {}, embed])),
        "named argument": changed(body=encoded([[], {"queue": "search"}, embed])),
        "unknown queue": changed(body=encoded([["elsewhere"], {}, embed])),
        "queue of others": changed(body=encoded([["lab"], {}, embed])),
        "long argument": changed(body=encoded([["x" * 1_000_000], {}, embed])),
    }


def test_no_foreign_message_ends_a_worker(broker: Any) -> None:
    bad = bad_envelopes(own_ticket(broker))
    with note_taker(broker) as process:
        for number, (name, envelope) in enumerate(bad.items(), start=1):
            broker.redis.lpush("search", envelope)
            await_that(lambda number=number: refused(broker) == number)
            assert process.is_alive(), name
        CeleryTickets(broker.url).send("search")
        await_that(lambda: broker.redis.llen("notes") > 0)
        assert broker.redis.lrange("notes", 0, -1) == ["search"]
        # None comes back.
        assert broker.redis.llen("search") == 0
        assert refused(broker) == len(bad)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    assert broker.redis.llen("search") == 0


def test_tickets_that_are_cut_and_changed_at_random(broker: Any) -> None:
    dice = random.Random(13)
    good = json.dumps(own_ticket(broker)).encode()
    with note_taker(broker) as process:
        for _ in range(1_500):
            text = bytearray(good)
            for _ in range(dice.randint(1, 4)):
                begin = dice.randrange(len(text) + 1)
                end = min(len(text), begin + dice.choice((0, 1, 1, 5, 50, 500)))
                text[begin:end] = dice.choice(
                    (b"", b"\x00", b'"', b"{}", b"[", b"null", b"-1e999", dice.randbytes(3))
                )
            broker.redis.lpush("search", bytes(text))
        await_that(lambda: broker.redis.llen("search") == 0)
        broker.redis.delete("notes")
        CeleryTickets(broker.url).send("batch")
        await_that(lambda: "batch" in broker.redis.lrange("notes", 0, -1))
        assert process.is_alive()
    assert refused(broker) > 500


def test_a_huge_message_is_told_in_a_short_line(broker: Any, tmp_path: Any) -> None:
    log = tmp_path / "log"
    ticket = own_ticket(broker)
    ticket["body"] = encoded([["secret" * 10_000_000], {}, {}])
    process = Forked(take_notes, broker.url, socket_of(broker), QUEUES, log)
    try:
        assert any(broker.redis.blpop(["ready"], timeout=4) for _ in range(15))
        broker.redis.lpush("search", json.dumps(ticket).encode())
        await_that(lambda: refused(broker) == 1)
        CeleryTickets(broker.url).send("search")
        await_that(lambda: broker.redis.llen("notes") > 0)
    finally:
        process.kill()
        process.wait()
    lines = log.read_text().splitlines()
    assert len(lines) == 1
    assert "foreign" in lines[0]
    assert "search" in lines[0]
    assert "secret" not in lines[0]
    assert len(lines[0]) < 250


def test_what_a_ticket_would_have_done_besides_is_not_done(broker: Any) -> None:
    """A ticket's own queue is all that is taken from it."""
    ticket = own_ticket(broker)
    ticket["headers"] |= {"eta": "2999-01-01T00:00:00+00:00", "retries": 5, "expires": "yesterday"}
    ticket["properties"] |= {"reply_to": "elsewhere", "correlation_id": None}
    follow = {"task": "tilework.work", "args": ["batch"], "options": {"queue": "batch"}}
    ticket["body"] = encoded([["search"], {}, {"callbacks": [follow], "chain": [follow]}])
    with note_taker(broker):
        broker.redis.lpush("search", json.dumps(ticket).encode())
        await_that(lambda: broker.redis.llen("notes") > 0)
        time.sleep(0.3)
        assert broker.redis.lrange("notes", 0, -1) == ["search"]


@pytest.mark.parametrize("kind", ["string", "hash", "set", "sorted set", "stream"])
def test_a_queue_of_the_wrong_type_is_set_aside(broker: Any, kind: str) -> None:
    def spoil() -> None:
        broker.redis.delete("search")
        match kind:
            case "string":
                broker.redis.set("search", "x" * 100)
            case "hash":
                broker.redis.hset("search", "x", "y")
            case "set":
                broker.redis.sadd("search", "x")
            case "sorted set":
                broker.redis.zadd("search", {"x": 1.0})
            case _:
                broker.redis.xadd("search", {"x": "y"})

    spoil()
    with note_taker(broker) as process:
        await_that(lambda: refused(broker) == 1)
        spoil()
        await_that(lambda: refused(broker) == 2)
        CeleryTickets(broker.url).send("search")
        await_that(lambda: broker.redis.llen("notes") > 0)
        assert process.is_alive()
    assert broker.redis.keys("foreign:*") == ["foreign:search"]


@pytest.mark.parametrize(
    "key", ["unacked", "unacked_index", "unacked_mutex", "_kombu.binding.search"]
)
def test_the_keys_of_the_message_library_do_not_matter(broker: Any, key: str) -> None:
    broker.redis.set(key, "x")
    with note_taker(broker):
        CeleryTickets(broker.url).send("search")
        await_that(lambda: broker.redis.llen("notes") > 0)
    assert refused(broker) == 0


def test_a_broker_that_refuses_for_a_while_is_waited_for(broker: Any, tmp_path: Any) -> None:
    """As one does whose disk is full."""
    log = tmp_path / "log"
    process = Forked(take_notes, broker.url, socket_of(broker), QUEUES, log)
    try:
        assert any(broker.redis.blpop(["ready"], timeout=4) for _ in range(15))
        broker.redis.config_set("min-replicas-to-write", 1)
        time.sleep(3)
        assert process.is_alive()
        broker.redis.config_set("min-replicas-to-write", 0)
        CeleryTickets(broker.url).send("search")
        await_that(lambda: broker.redis.llen("notes") > 0)
    finally:
        process.kill()
        process.wait()
    refusing, taking = log.read_text().splitlines()
    assert "refuses commands" in refusing
    assert "takes commands again" in taking


def test_a_sender_is_not_stopped_by_a_queue_of_the_wrong_type(broker: Any) -> None:
    seen: list[tuple[str, str]] = []
    tickets = CeleryTickets(broker.url, lambda queue, why, size: seen.append((queue, why)))
    broker.redis.set("lab", "x")
    tickets.send("lab")
    tickets.send("search")
    assert [tickets.depth(name) for name in ("lab", "search")] == [1, 1]
    assert [queue for queue, _why in seen] == ["lab"]
