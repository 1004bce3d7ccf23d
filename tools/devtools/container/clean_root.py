"""Builds an image without a container engine: each stage in a root of its own.

A root has the programs and libraries of this machine's ``/usr``, read-only, and this Python, in
place of the base image; all else begins empty. What a step writes is the image's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tools.devtools.container import enter
from tools.devtools.container.context import copy_context
from tools.devtools.container.dockerfile import Config, DockerfileError, Instruction, Stage, stages
from tools.devtools.container.enter import Entry

PATH: Final = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"

_FOLDERS: Final = ("dev/shm", "etc", "home", "local/bin", "opt", "proc", "root", "run", "var/tmp")
_ETC: Final = (
    "ca-certificates",
    "default",
    "hosts",
    "ld.so.cache",
    "login.defs",
    "nsswitch.conf",
    "resolv.conf",
    "ssl",
)
_ACCOUNTS: Final = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\n",
    "group": "root:x:0:\n",
    "shadow": "root:*:1::::::\n",
    "gshadow": "root:*::\n",
}
_PROGRAMS: Final = ("unshare", "nsenter", "mount", "useradd")

# What reaches a package registry from this machine, as an engine hands proxies to a build.
_NETWORK: Final = ("PIP_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


@dataclass(frozen=True)
class Image:
    """A root with what was built in it, and how its containers start."""

    root: Path
    config: Config

    def entry(
        self,
        command: list[str],
        environment: Mapping[str, str] | None = None,
        *,
        alone: bool = False,
        joins: bool = False,
    ) -> Entry:
        """Return how to run a command in it, with more in its environment; see `Entry`."""
        config = self.config
        return Entry(
            str(self.root),
            _shared(self.root),
            config.user,
            config.folder,
            config.environment | dict(environment or {}),
            command,
            alone,
            joins,
        )


def lacks() -> str:
    """Say what this machine lacks for it; nothing where it can."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"no {missing[0]}"
    if os.geteuid() != 0:
        return "only root may make a root"
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--fork", "true"], check=False, capture_output=True
    )
    return "" if done.returncode == 0 else "no right to make namespaces"


def build(source: Path, folder: Path) -> Image:
    """Follow the Dockerfile of a folder, every step of it.

    Parameters
    ----------
    folder : Path
        Gets a folder for each stage.

    Returns
    -------
    Image
        The last stage's.
    """
    context = folder / "context"
    copy_context(source, context)
    built: dict[str, Path] = {}
    for number, stage in enumerate(stages((source / "Dockerfile").read_text("utf-8"))):
        image = _build_stage(stage, folder / f"stage-{number}", context, built)
        built[stage.name] = image.root
    return image


def command_of(entry: Entry) -> list[str]:
    """Return what starts a command in new namespaces, as the first of their processes."""
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    if entry.alone:
        words.append("--net")
    return [*words, *entering(entry)]


def entering(entry: Entry) -> list[str]:
    """Return what becomes a command, in namespaces that are there."""
    return [sys.executable, enter.__file__, json.dumps(asdict(entry))]


def _build_stage(stage: Stage, root: Path, context: Path, built: Mapping[str, Path]) -> Image:
    _lay_out(root)
    image = Image(root, Config({"PATH": PATH}))
    for step in stage.steps:
        print(f"{step.line}: {step.name} {step.value}", flush=True)
        if step.name == "RUN":
            _run(image, step)
        elif step.name == "COPY":
            _copy(image, step, built[step.flags["from"]] if "from" in step.flags else context)
        else:
            image.config.take(step)
            _in(image, image.config.folder).mkdir(parents=True, exist_ok=True)
    return image


def _lay_out(root: Path) -> None:
    for name in _FOLDERS:
        (root / name).mkdir(parents=True)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    for name in _ETC:
        path = Path("/etc") / name
        if path.is_dir():
            shutil.copytree(path, root / "etc" / name, symlinks=True)
        elif path.exists():
            shutil.copy(path, root / "etc" / name)
    for name, text in _ACCOUNTS.items():
        (root / "etc" / name).write_text(text, encoding="utf-8")
    (root / "local/bin/python").symlink_to("/usr/bin/python3")


def _run(image: Image, step: Instruction) -> None:
    given = {name: value for name, value in os.environ.items() if name.startswith(_NETWORK)}
    entry = image.entry(step.command(), given)
    code = subprocess.run(command_of(entry), check=False).returncode
    if code != 0:
        raise DockerfileError(f"line {step.line}: RUN ended with exit code {code}")


def _copy(image: Image, step: Instruction, source: Path) -> None:
    *names, last = map(image.config.expanded, step.words())
    target = _in(image, last)
    into = last.endswith("/")
    for name in names:
        path = source / name.strip("/")
        if path.is_dir():
            # What is in a folder is copied, not the folder.
            shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
        elif path.exists():
            (target if into else target.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target / path.name if into else target)
        else:
            raise DockerfileError(f"line {step.line}: there is no {name!r} to copy")


def _in(image: Image, path: str) -> Path:
    return image.root / os.path.join(image.config.folder, path).lstrip("/")


def _shared(root: Path) -> dict[str, str]:
    # What the distribution has put into /usr is as in the base image; /usr/local is not.
    prefix = sys.base_prefix
    if prefix == "/usr":
        return {"/usr": "/usr", "/usr/local": str(root / "local")}
    # By its own name too, as programs have the places of their libraries in them.
    return {"/usr": "/usr", "/usr/local": prefix, prefix: prefix}
