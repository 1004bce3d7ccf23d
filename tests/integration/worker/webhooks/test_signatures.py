import re
from base64 import b64decode
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.integration.worker.webhooks.conftest import CallbackFixture
from tilework.core.model.webhooks import PREVIOUS_SECRET_S
from tilework.core.services.webhook_signatures import signature

API_PAGE = Path(__file__).parents[4] / "docs" / "api.md"


def test_signature_is_that_of_the_specification() -> None:
    # Published with its reference implementations.
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    value = signature([key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


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

    def call() -> dict[str, str]:
        callbacks.request()
        callbacks.service.work()
        assert callbacks.send_due() == 1
        return callbacks.receiver.requests[-1][1]

    first = callbacks.webhooks.rotate_secret(client)
    other_secret = callbacks.webhooks.rotate_secret(callbacks.service.clients.new())
    callbacks.webhooks.set_headers(client, {"Authorization": "Bearer t", "X-Team": "a b"})
    headers = call()
    assert (headers["Authorization"], headers["X-Team"]) == ("Bearer t", "a b")
    assert verify(first)
    assert not verify(other_secret)
    for name, value in (("id", "other"), ("timestamp", str(int(clock()) + 1)), ("signature", "")):
        assert not verify(first, **{f"webhook-{name}": value})
    clock.advance(301)
    assert not verify(first)
    second = callbacks.webhooks.rotate_secret(client)
    for accepts_previous_secret in (True, False):
        call()
        assert verify(second)
        assert verify(first) is accepts_previous_secret
        clock.advance(PREVIOUS_SECRET_S)
