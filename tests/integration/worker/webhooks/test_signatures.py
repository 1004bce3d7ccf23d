import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.integration.worker.webhooks.conftest import CallbackFixture
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submit import Submission

PAGE = (Path(__file__).parents[4] / "docs" / "api.md").read_text()


def test_call_is_the_documented_one(callbacks: CallbackFixture) -> None:
    service, receiver = callbacks.service, callbacks.receiver
    [example] = re.findall(r"(?ms)^```text\n(POST .*?)^```$", PAGE)
    head, documented = example.replace("example.com", receiver.url.partition("//")[2]).split("\n\n")
    board = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])
    callbacks.webhooks.rotate_secret(service.client)
    url = f"{receiver.url}/solved"
    boards = [(board, blank_last(board.size))]
    service.submit(Submission(boards=boards, client_id=service.client, callback_url=url))
    service.work()
    callbacks.send_due()
    [(path, headers, body)] = receiver.requests
    line, *fields = head.splitlines()
    assert line == f"POST {path} HTTP/1.1"
    for name, value in (field.split(": ", 1) for field in fields):
        assert re.fullmatch(re.escape(value).replace("…", ".+"), headers[name]), name
    expected, actual = json.loads(documented), json.loads(body)
    assert expected == {name: actual[name] for name in expected} | {"id": "…"}


def test_documented_verification_accepts_only_recent_calls_with_the_secret(
    callbacks: CallbackFixture,
) -> None:
    clock, client = callbacks.service.clock, callbacks.service.client
    [example] = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE)
    namespace: dict[str, Any] = {}
    exec(example, namespace)
    namespace["time"] = SimpleNamespace(time=clock)

    def verify(secret: str, **changes: str) -> bool:
        _, headers, body = callbacks.receiver.requests[-1]
        return bool(namespace["is_genuine"](secret, headers | changes, body))

    def call() -> None:
        callbacks.request()
        callbacks.service.work()
        assert callbacks.send_due() == 1

    first = callbacks.webhooks.rotate_secret(client)
    other_secret = callbacks.webhooks.rotate_secret(callbacks.service.clients.new())
    call()
    assert verify(first)
    assert not verify(other_secret)
    for name, value in (("id", "other"), ("timestamp", str(int(clock()) + 1)), ("signature", "")):
        assert not verify(first, **{f"webhook-{name}": value})
    clock.advance(301.7)
    assert not verify(first)
    second = callbacks.webhooks.rotate_secret(client)
    call()
    assert verify(second)
    assert not verify(first)
