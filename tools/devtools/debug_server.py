"""``python -m tools.devtools.debug_server PORT``: the web server for development.

An error shows Werkzeug's page with a console in each frame, and templates are reloaded when they
change. Such a console runs any code, so the server listens on this machine only, and no option
changes that.
"""

from __future__ import annotations

import socket
import sys
from typing import Final

from werkzeug.debug import DebuggedApplication
from werkzeug.serving import make_server

from tilework.core.logs import configure_logs
from tilework.web.app import create_app

HOST: Final = "127.0.0.1"


def main() -> None:
    configure_logs("web")
    app = create_app()
    app.debug = True
    port = int(sys.argv[1])
    # The supervisor holds the port, which can be shared.
    with socket.create_server((HOST, port), reuse_port=True) as listening:
        debugged = DebuggedApplication(app, evalex=True)
        make_server(HOST, port, debugged, threaded=True, fd=listening.fileno()).serve_forever()


if __name__ == "__main__":
    main()
