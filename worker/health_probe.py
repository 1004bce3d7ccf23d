"""``python -m tilework.worker.health_probe``: checks a broker for ``tilework doctor``, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from tilework.worker.celery_app import QUEUES, create_publisher
from tilework.worker.message_validation import rejection_reason

_TIMEOUT_S: Final = 3.0

# Messages checked per queue; there are hardly ever more than eight.
_MAX_CHECKED: Final = 100


def probe(broker_url: str) -> dict[str, Any]:
    app = create_publisher(broker_url, _TIMEOUT_S)
    try:
        with app.connection_for_write() as connection:
            client = connection.default_channel.client
            server = client.info("server")
            waiting, invalid = {}, 0
            for queue in QUEUES:
                if client.type(queue) not in {b"list", b"none"}:
                    invalid += 1
                    continue
                waiting[queue] = int(client.llen(queue))
                messages = client.lrange(queue, 0, _MAX_CHECKED - 1)
                invalid += sum(rejection_reason(message, queue) is not None for message in messages)
    finally:
        app.close()
    name = "Valkey" if "valkey_version" in server else "Redis"
    version = server.get("valkey_version") or server.get("redis_version")
    return {"server": f"{name} {version}", "waiting": waiting, "foreign": invalid}


def main() -> int:
    from tilework.core.settings import get_settings

    try:
        report = probe(get_settings().broker_url)
    except Exception as error:  # clients raise various exceptions
        report = {"error": str(error).partition("\n")[0] or type(error).__name__}
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
