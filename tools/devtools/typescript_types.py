"""Writes the types of the TypeScript client from the API's description: ``make client``."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tilework.core.assembly import Services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.web.app import create_app
from tilework.web.openapi import describe_api

CLIENT: Final = Path(__file__).parents[2] / "clients/typescript"


def write() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        description = json.dumps(
            describe_api(create_app(settings, Services(settings, NoTickets())))
        )
    command = ["npm", "run", "--silent", "generate"]
    with (CLIENT / "src/schema.ts").open("w") as types:
        subprocess.run(command, cwd=CLIENT, input=description, stdout=types, text=True, check=True)  # noqa: S603


if __name__ == "__main__":
    write()
