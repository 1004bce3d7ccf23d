"""What a supervisor has overcome, counted in the database of its system."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

from tilework.core.model.states import Tally
from tilework.core.services.tallies import Tallies
from tilework.core.settings import Settings

_SAVE_EVERY_S: Final = 1.0


class Tallied:
    """Counts at once, and saves from a thread of its own: the database may be away.

    Parameters
    ----------
    settings : Settings
        Name the database.
    """

    def __init__(self, settings: Settings) -> None:
        from tilework.core.storage.database import Database

        self._tallies = Tallies(Database(settings.database))
        self._thread = threading.Thread(target=self._run, name="tallies", daemon=True)

    def start(self) -> None:
        """Save from now on, every second."""
        self._thread.start()

    def restarted(self, program: str) -> None:
        """Count a program that ended by itself."""
        self._tallies.note(Tally.RESTARTS, program)

    def damaged(self) -> None:
        """Count files of the broker that were set aside."""
        self._tallies.note(Tally.DAMAGED_FILES, "broker")

    def _run(self) -> None:
        while True:
            with suppress(Exception):  # an unreachable database: the counts are kept
                self._tallies.save()
            threading.Event().wait(_SAVE_EVERY_S)
