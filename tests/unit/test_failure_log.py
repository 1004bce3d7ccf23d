import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import structlog.testing
from kombu.message import Message

from tilework.core import logs
from tilework.core.errors import UnavailableError
from tilework.core.logs import FailureLog
from tilework.core.redaction import redact
from tilework.core.settings import Settings

REFUSAL = "DENIED Redis is running in protected mode. " * 30


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=1_000.0)
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def lines() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


def test_outage_is_logged_once_then_how_often_then_when_it_is_over(
    clock: SimpleNamespace, lines: list[Any]
) -> None:
    failures = FailureLog("sending tickets")
    failures.succeed()
    assert not lines
    for _ in range(9 * 60):
        failures.fail(REFUSAL)
        clock.now += 1
    failures.succeed()
    failures.succeed()
    assert [line.get("times") for line in lines] == [None, 60, 120, 240, None]
    assert {line["event"] for line in lines[:-1]} == {"sending tickets failed; will try again"}
    assert lines[-1]["event"] == "sending tickets works again"
    assert max(len(str(line)) for line in lines) < 400
    clock.now += 86_400
    failures.fail(UnavailableError("unavailable", "no broker"))
    assert (lines[-1]["log_level"], lines[-1]["reason"]) == ("warning", "no broker")


def test_attempts_of_libraries_are_logged_like_our_own(clock: SimpleNamespace) -> None:
    kept = []
    attempts = logs._LibraryFailures()
    for _ in range(9 * 12):
        record = logging.LogRecord(
            "celery.worker.consumer.consumer",
            logging.ERROR,
            "consumer.py",
            654,
            "consumer: Cannot connect to %s: %s.\n%s\n",
            ("redis://:**@broker:6379//", REFUSAL, "Trying again in 5.00 seconds..."),
            None,
        )
        if attempts.filter(record):
            kept.append(record.getMessage())
        clock.now += 5
    assert len(kept) == 4
    assert kept[1].endswith("(12 times)")
    assert all(len(line) < 300 and "\n" not in line for line in kept)
    record = logging.LogRecord("tilework", logging.ERROR, "x.py", 654, REFUSAL, (), None)
    assert all(attempts.filter(record) for _ in range(3))


@pytest.mark.parametrize("name", ["celery.worker.consumer.consumer", "celery.worker.request"])
def test_ticket_that_cannot_be_acknowledged_is_only_a_warning(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = ConnectionError("Connection reset by peer")
    message = Message(channel=Mock(basic_ack=Mock(side_effect=error)), delivery_tag="73395168")
    caplog.handler.addFilter(logs._LibraryFailures())
    message.ack_log_error(logging.getLogger(name), (ConnectionError,))
    [record] = caplog.records
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert "Connection reset by peer" in record.getMessage()


def test_only_urls_with_a_password_are_printed_with_a_hidden_one() -> None:
    assert redact("to redis://:**@broker:6379//") == "to redis://broker:6379//"
    assert redact("to redis://:pass@broker:6379//") == "to redis://:[hidden]@broker:6379//"
    assert redact("to redis://me:**@broker:6379//") == "to redis://me:[hidden]@broker:6379//"


CANARY = "k4n4r13n/v0g3l"


def test_apparent_secrets_are_hidden() -> None:
    for text in (
        f"Authorization: Bearer {CANARY}",
        f"{{'HTTP_AUTHORIZATION': 'Bearer {CANARY}'}}",
        f"('Cookie', 'language=en; tilework_client={CANARY}')",
        f"set-cookie: a={CANARY}; Path=/",
        f"X-Api-Key: {CANARY}",
        f"'HTTP_X_AUTH_TOKEN': b'{CANARY}'",
        f"Proxy-Authorization: Basic {CANARY}",
        f"cannot reach redis://:{CANARY}@broker:6379/0",
        f"cannot reach postgresql+psycopg://me:{CANARY}@db/tilework",
    ):
        assert CANARY not in redact(text)


def test_secrets_of_the_settings_are_hidden_also_if_quoted() -> None:
    # Not CANARY: a secret of the settings stays hidden in later tests.
    secret = "w4ch/t3r"
    for quoted in (secret, "w4ch%2Ft3r", "w4ch%2ft3r"):
        Settings(database_url=f"postgresql://me:{quoted}@db/tilework")
        assert redact(f"<{quoted}> <{secret}>") == "<[hidden]> <[hidden]>"


def test_other_text_is_unchanged() -> None:
    for text in (
        "[search-2] ready queues=batch",
        "http://127.0.0.1:8000/api/v1/jobs?before=1",
        "a basic search of 24 tiles at 12:30:59",
        "sqlite:////srv/data/tilework.sqlite",
        "redis://broker.example:6379/0",
    ):
        assert redact(text) == text
