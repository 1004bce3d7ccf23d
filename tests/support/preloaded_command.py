"""A ``tilework`` command that starts immediately: it is forked from a process that has loaded it.

Loading the program takes a second, and checking the docs starts it a hundred times.
``PreloadedCommand`` puts a command named ``tilework`` in a folder; it passes its arguments,
environment, working folder and standard streams to a forked process, and exits with its code.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

# Modules that commands load lazily.
PRELOADED_MODULES = (
    "tilework.core.cli.commands",
    "tilework.core.solver.solve",
    "tilework.core.assembly",
)

_LENGTH_BYTES = 4
_STREAMS = 3

_COMMAND = """#!{python} -IS
import json, os, socket, sys
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    socket.send_fds(connection, [len(call).to_bytes({length})], range({streams}))
    connection.sendall(call)
    sys.exit(connection.recv(1)[0])
"""


class PreloadedCommand:
    """Runs the process to fork, and puts the command in ``folder``."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        address = folder / "socket"
        command = folder / "tilework"
        command.write_text(
            _COMMAND.format(
                python=sys.executable, address=str(address), length=_LENGTH_BYTES, streams=_STREAMS
            )
        )
        command.chmod(0o755)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.preloaded_command", str(address)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def _serve(address: str) -> None:
    for module in PRELOADED_MODULES:
        import_module(module)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(16)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for the forked processes
        print("ready", flush=True)
        while True:
            connection = listener.accept()[0]
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                head, streams, *_ = socket.recv_fds(connection, _LENGTH_BYTES, _STREAMS)
                data = b""
                while len(data) < int.from_bytes(head):
                    data += connection.recv(1 << 16)
                connection.send(bytes([_call(*json.loads(data), streams)]))
                os._exit(0)
            connection.close()


def _call(arguments: list[str], folder: str, variables: dict[str, str], streams: list[int]) -> int:
    from tilework.core.cli.main import main

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # The inherited stream objects do not match the new descriptors.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", 1 if os.isatty(1) else -1, closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    try:
        main(arguments)
    except SystemExit as error:
        code = error.code
    sys.stdout.flush()
    sys.stderr.flush()
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    _serve(sys.argv[1])
