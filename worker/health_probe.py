"""``python -m tilework.worker.health_probe``: checks the broker for ``tilework doctor``."""

from __future__ import annotations

import sys
from typing import Final

from kombu import Connection

from tilework.core.settings import get_settings

_TIMEOUT_S: Final = 3.0


def main() -> None:
    """Print one line; if the broker does not respond, exit with the reason."""
    options = {"max_retries": 1, "socket_timeout": _TIMEOUT_S, "socket_connect_timeout": _TIMEOUT_S}
    try:
        with Connection(get_settings().broker_url, transport_options=options) as connection:
            server = connection.default_channel.client.info("server")
    except Exception as error:  # clients raise various exceptions
        sys.exit(str(error).partition("\n")[0] or type(error).__name__)
    name = "Valkey" if "valkey_version" in server else "Redis"
    print(f"{name} {server.get('valkey_version') or server['redis_version']} responds")


if __name__ == "__main__":
    main()
