"""``python -m tools.devtools.debug_server PORT``: the web server for development.

Errors show Werkzeug's debugger, with a console for each stack frame, and templates are reloaded
when they change. The console can run any code, so the server listens only on this machine, and no
option changes that.
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
    # The supervisor has reserved the port, which can be shared.
    with socket.create_server((HOST, port), reuse_port=True) as listener:
        debug_app = DebuggedApplication(app, evalex=True)
        make_server(HOST, port, debug_app, threaded=True, fd=listener.fileno()).serve_forever()


if __name__ == "__main__":
    main()
