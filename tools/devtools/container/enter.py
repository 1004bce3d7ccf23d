"""Run as the first program of new namespaces: makes a folder the root, then becomes a command.

``unshare --mount --pid --fork python enter.py JSON``; the JSON has the fields of `Entry`.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DEVICES: Final = ("full", "null", "random", "urandom", "zero")

_SET_FLAGS: Final = 0x8914
_UP: Final = 1


@dataclass(frozen=True)
class Entry:
    """What to run, and where.

    Attributes
    ----------
    root : str
        The folder that becomes ``/``.
    shared : mapping
        Where a folder of this machine is seen there, read-only; one after the other.
    user : str
        A name in the ``/etc/passwd`` of the new root.
    alone : bool
        Whether the network has but a loopback of its own, to be brought up.
    joins : bool
        Whether the namespaces are those of a container that runs, and all is mounted.
    """

    root: str
    shared: dict[str, str]
    user: str
    folder: str
    environment: dict[str, str]
    command: list[str]
    alone: bool = False
    joins: bool = False


def main() -> None:
    """Never returns: the command takes its place."""
    entry = Entry(**json.loads(sys.argv[1]))
    if not entry.joins:
        _mount(Path(entry.root), entry.shared)
    if entry.alone:
        _bring_up_loopback()
    os.chroot(entry.root)
    os.chdir(entry.folder)
    user, group, home = _account(entry.user)
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    environment = {"HOME": home} | entry.environment
    os.execvpe(entry.command[0], entry.command, environment)


def _mount(root: Path, shared: dict[str, str]) -> None:
    for seen, source in shared.items():
        place = root / seen.strip("/")
        place.mkdir(parents=True, exist_ok=True)
        _call("mount", "--bind", source, place)
        _call("mount", "-o", "remount,bind,ro", place)
    _call("mount", "-t", "proc", "proc", root / "proc")
    for name in _DEVICES:
        device = root / "dev" / name
        device.touch()
        _call("mount", "--bind", f"/dev/{name}", device)
    _call("mount", "-t", "tmpfs", "tmpfs", root / "dev/shm")


def _call(*words: str | Path) -> None:
    subprocess.run(words, check=True)


def _bring_up_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))


def _account(name: str) -> tuple[int, int, str]:
    for line in Path("/etc/passwd").read_text("utf-8").splitlines():
        fields = line.split(":")
        if fields[0] == name:
            return int(fields[2]), int(fields[3]), fields[5]
    raise SystemExit(f"the image has no user {name!r}")


if __name__ == "__main__":
    main()
