"""``python -m tilework.worker.health_probe``: checks a broker for ``tilework doctor``, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from kombu import Connection

from tilework.worker.app import QUEUES

_TIMEOUT_S: Final = 3.0


def probe(broker_url: str) -> dict[str, Any]:
    options = {"max_retries": 1, "socket_timeout": _TIMEOUT_S, "socket_connect_timeout": _TIMEOUT_S}
    with Connection(broker_url, transport_options=options) as connection:
        client = connection.default_channel.client
        server = client.info("server")
        foreign = [name for name in QUEUES if client.type(name) not in {b"list", b"none"}]
        foreign += [key.decode() for key in client.scan_iter("foreign:*")]
        waiting = {name: client.llen(name) for name in QUEUES if name not in foreign}
    name = "Valkey" if "valkey_version" in server else "Redis"
    version = server.get("valkey_version") or server.get("redis_version")
    return {"server": f"{name} {version}", "waiting": waiting, "foreign": foreign}


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
