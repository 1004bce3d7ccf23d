"""Writes the types of the TypeScript client, or checks that they match the API's description.

    python -m tools.devtools.typescript_types [--check]

The first line of the file has a digest of the description, so the check does not need Node.js.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tilework.core.assembly import Services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.web.app import create_app
from tilework.web.openapi import describe_api

CLIENT: Final = Path(__file__).parents[2] / "clients/typescript"
TYPES: Final = CLIENT / "src/schema.ts"


def describe() -> str:
    """Return the API's description as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        app = create_app(settings, Services(settings, NoTickets()))
        return json.dumps(describe_api(app))


def expected_first_line(description: str) -> str:
    digest = hashlib.sha256(description.encode()).hexdigest()
    return f"// Written by `make client` from the API's description ({digest[:16]}).\n"


def generate(description: str) -> str:
    """Return the types, which openapi-typescript generates."""
    command = ["npm", "run", "--silent", "generate"]
    types = subprocess.run(  # noqa: S603
        command, cwd=CLIENT, input=description, stdout=subprocess.PIPE, text=True, check=True
    )
    return expected_first_line(description) + types.stdout


def main(arguments: list[str]) -> None:
    description = describe()
    if arguments != ["--check"]:
        TYPES.write_text(generate(description))
    elif not TYPES.read_text().startswith(expected_first_line(description)):
        sys.exit(f"{TYPES.name} does not match the API; run: make client")


if __name__ == "__main__":
    main(sys.argv[1:])
