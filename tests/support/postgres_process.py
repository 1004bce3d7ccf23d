"""A PostgreSQL server for one test, which can stop and restart it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg

from tests.support import servers


class PostgresProcess:
    """The server behind a URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._folder = Path(parse_qs(urlsplit(url).query)["host"][0])
        self._command = self._server().cmdline()
        self._restarted: subprocess.Popen[bytes] | None = None

    def stop(self) -> None:
        """Stop the server immediately, without waiting for its clients."""
        server = self._server()
        server.send_signal(signal.SIGQUIT)
        if self._restarted is not None:
            self._restarted.wait()
        server.wait()

    def start(self) -> None:
        """Restart it; return when it accepts connections."""
        with (self._folder / "log").open("ab") as log:
            self._restarted = subprocess.Popen(
                self._command,
                cwd=self._folder,
                user=servers.UNPRIVILEGED if os.geteuid() == 0 else None,
                stdout=log,
                stderr=log,
            )
        servers.wait_until_ready(
            lambda: psycopg.connect(self.url).close(), psycopg.OperationalError
        )

    def suspend(self) -> None:
        """Suspend all its processes: connections stay open without responses."""
        server = self._server()
        # The main process first, so that it starts no others.
        server.suspend()
        for process in server.children():
            process.suspend()

    def resume(self) -> None:
        """Resume all its processes."""
        server = self._server()
        for process in (*server.children(), server):
            process.resume()

    def close(self) -> None:
        if self._restarted is not None and self._restarted.poll() is None:
            self.stop()

    def _server(self) -> psutil.Process:
        lines = (self._folder / "data" / "postmaster.pid").read_text().splitlines()
        return psutil.Process(int(lines[0]))


@contextmanager
def postgres_process() -> Iterator[PostgresProcess]:
    """Run a server; yield it."""
    with servers.run_postgres(durable=True) as url:
        process = PostgresProcess(url)
        try:
            yield process
        finally:
            process.close()
