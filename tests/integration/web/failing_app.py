"""Run by tests: the web as its server has it, with an address that fails with all it knows."""

from __future__ import annotations

import json
import sys

from flask import request

from tilework.core.settings import get_settings
from tilework.web.serving import serve


def main() -> None:
    app = serve()

    def fail() -> str:
        kept = dict(request.headers)
        settings = get_settings()
        told = json.dumps([kept, settings.database_url, settings.broker_url])
        raise ValueError(f"{told} {settings!r} {request.environ}")

    app.add_url_rule("/api/fail", view_func=fail)
    app.add_url_rule("/fail", view_func=fail, endpoint="page_fail")
    client = app.test_client()
    headers = json.loads(sys.argv[1])
    for path in ("/api/fail", "/fail"):
        # Their proxy's address says it again.
        answer = client.get(path, headers=headers)
        print(json.dumps({"status": answer.status_code, "text": answer.text}))


if __name__ == "__main__":
    main()
