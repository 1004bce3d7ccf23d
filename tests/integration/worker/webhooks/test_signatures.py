import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.integration.worker.webhooks.conftest import CallbackFixture

API_PAGE = Path(__file__).parents[4] / "docs" / "api.md"


def test_documented_verification_accepts_only_recent_calls_with_the_secret(
    callbacks: CallbackFixture,
) -> None:
    clock, client = callbacks.service.clock, callbacks.service.client
    [example] = re.findall(r"(?ms)^```python\n(.*?)^```$", API_PAGE.read_text())
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
