"""What clients change in their history: names, and what is listed at all."""

from __future__ import annotations

from typing import Final

from tilework.core.errors import OptionError
from tilework.core.services.history.read import no_entry
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

MOST_NAME: Final = 80
"""Characters of a name."""


class HistoryEditor:
    """Names and removes entries of a client's history."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._clock = storage.clock

    def rename(self, client_id: str, entry_id: str, name: str) -> str | None:
        """Give an entry a name; white space counts once, and nothing else takes the name away.

        Returns
        -------
        str or None
            The name as it is kept.

        Raises
        ------
        OptionError
            If the name is too long, or has signs that cannot be shown.
        NotFoundError
            Here and below, if this client has no such entry, or has removed it.
        """
        kept = " ".join(name.split())
        if len(kept) > MOST_NAME:
            raise OptionError(
                "entry-name-length",
                "a name cannot have {count} characters; give at most {most}",
                count=len(kept),
                most=MOST_NAME,
            )
        if not kept.isprintable():
            raise OptionError(
                "entry-name-signs",
                "the name {text!r} contains characters that cannot be shown; use letters, "
                "digits and punctuation",
                text=kept,
            )
        now = self._clock()
        with self._storage.writing() as session:
            _check(session, client_id, entry_id)
            session.history.rename(client_id, entry_id, kept or None, now)
        return kept or None

    def remove(self, client_id: str, entry_id: str) -> None:
        """Take an entry out of the list.

        What it tells of stays for whoever has its address, as long as rows of its kind are kept:
        its board may be others' too, and what is under way goes on unless it is cancelled.
        """
        now = self._clock()
        with self._storage.writing() as session:
            _check(session, client_id, entry_id)
            session.history.remove(client_id, entry_id, now)


def _check(session: Session, client_id: str, entry_id: str) -> None:
    if session.history.head(client_id, entry_id) is None:
        raise no_entry(entry_id)
