"""An HTTP server in a thread, for requests to another site."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def serve(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Answer every request with a function; yield the origin of the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def do_POST(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def respond(
    request: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str
) -> None:
    """Send a response."""
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def read_body(request: BaseHTTPRequestHandler) -> bytes:
    return request.rfile.read(int(request.headers["Content-Length"]))
