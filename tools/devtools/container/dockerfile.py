"""Reads a Dockerfile: the instructions that ours uses, and an error for any other."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Final

KNOWN: Final = (
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "RUN",
    "USER",
    "VOLUME",
    "WORKDIR",
)

_FLAG: Final = re.compile(r"--([a-z-]+)=(\S+)\s+")


class DockerfileError(ValueError):
    """A Dockerfile says something that is not understood here."""


@dataclass(frozen=True)
class Instruction:
    """One instruction, its lines joined.

    Attributes
    ----------
    line : int
        Where it begins.
    flags : mapping
        Such as ``from`` of ``COPY --from=build``.
    value : str
        What follows.
    """

    line: int
    name: str
    flags: Mapping[str, str]
    value: str

    def words(self) -> list[str]:
        """Return the words of its value, given as JSON or as to a shell."""
        if self.value.startswith("["):
            words: list[str] = json.loads(self.value)
            return words
        return shlex.split(self.value)

    def command(self) -> list[str]:
        """Return what is to be run: JSON as it stands, anything else by a shell."""
        return self.words() if self.value.startswith("[") else ["/bin/sh", "-c", self.value]


@dataclass(frozen=True)
class Stage:
    """A ``FROM`` and what follows it."""

    base: str
    name: str
    steps: Sequence[Instruction]


@dataclass
class Config:
    """What an image says of the containers that it starts."""

    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)

    def take(self, step: Instruction) -> None:
        """Follow an instruction that changes no file; a volume is a folder like any other."""
        match step.name:
            case "ENV":
                pairs = [word.partition("=") for word in step.words()]
                found = {name: self.expanded(value) for name, _, value in pairs}
                self.environment |= found
            case "USER":
                self.user = self.expanded(step.value)
            case "WORKDIR":
                self.folder = self.expanded(step.value)
            case "ENTRYPOINT":
                self.entrypoint = step.command()
            case "CMD":
                self.command = step.command()
            case "HEALTHCHECK":
                keyword, _, command = step.value.partition(" ")
                if keyword != "CMD":
                    raise DockerfileError(f"line {step.line}: HEALTHCHECK needs CMD, not {keyword}")
                checked = Instruction(step.line, "CMD", {}, command.strip())
                self.healthcheck = checked.command()
            case "EXPOSE":
                self.ports += map(int, step.words())

    def expanded(self, text: str) -> str:
        """Put in the variables that a text names; one that is not set is an error."""
        try:
            return Template(text).substitute(self.environment)
        except KeyError as error:
            raise DockerfileError(f"the variable {error} of {text!r} is not set") from None


def stages(text: str) -> list[Stage]:
    """Return the stages of a Dockerfile.

    Raises
    ------
    DockerfileError
        Where it has an instruction that this tool does not know.
    """
    found: list[Stage] = []
    steps: list[Instruction] = []
    for step in _instructions(text):
        if step.name == "FROM":
            base, *rest = step.words()
            steps = []
            found.append(Stage(base, rest[1] if rest else "", steps))
        elif not found:
            raise DockerfileError(f"line {step.line}: {step.name} before any FROM")
        else:
            steps.append(step)
    return found


def _instructions(text: str) -> list[Instruction]:
    found = []
    begun, joined = 0, ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        begun = begun if joined else number
        joined += line.removesuffix("\\")
        if not line.endswith("\\"):
            found.append(_instruction(begun, joined))
            joined = ""
    return found


def _instruction(line: int, text: str) -> Instruction:
    name, _, value = text.partition(" ")
    if name not in KNOWN:
        raise DockerfileError(f"line {line}: {name!r} is none of {', '.join(KNOWN)}")
    flags = {}
    value = value.strip()
    while match := _FLAG.match(value):
        flags[match[1]] = match[2]
        value = value[match.end() :]
    return Instruction(line, name, flags, value)
