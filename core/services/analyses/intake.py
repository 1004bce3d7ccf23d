"""Taking an analysis in: it is stored if there is room, and queued."""

from __future__ import annotations

from typing import Final, Generic

from tilework.core.errors import OptionError, OverloadError, QuotaError
from tilework.core.messages import plural
from tilework.core.model.questions import AnalysisView, NewAnalysis, S
from tilework.core.model.states import Queue, RunState, new_id
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.services.ports import Tickets
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

TURN_S: Final = 5.0
"""Seconds of service that one unfinished analysis counts for when turns are given out: those of a
client who asks for many are spread over time, with others' in between."""

_TRIED_AGAIN: Final = (RunState.FAILED, RunState.CANCELLED)


class Intake(Generic[S]):
    """Stores what clients ask for, of one kind.

    Parameters
    ----------
    asked : type
        As of `ReadAnalyses`.
    """

    def __init__(
        self, storage: Database, tickets: Tickets, settings: Settings, asked: type[S]
    ) -> None:
        self._storage = storage
        self._read: ReadAnalyses[S] = ReadAnalyses(storage, asked, settings)
        self._tickets = tickets
        self._settings = settings

    def take(self, client_id: str, spec: S, queue: Queue) -> AnalysisView[S]:
        """Return the analysis of what is asked, which waits unless it has ended.

        The same question of the same client is the same analysis; one that failed or was cancelled
        is tried again.

        Raises
        ------
        QuotaError, OverloadError
            For too many unfinished analyses, of the client or of all.
        """
        now = self._storage.clock()
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            before = session.analyses.unfinished_of(client_id)
            turn = now + before * TURN_S
            new = NewAnalysis(new_id(), client_id, spec.key, spec, queue, turn)
            found = session.analyses.obtain(new, now)
            again = found.state in _TRIED_AGAIN
            if again:
                session.analyses.queue(found.id, turn, now)
            if again or found.id == new.id:
                self._check_room(session, before)
        if not found.state.ended or again:
            announce(self._tickets, [queue])
        return self._read.view(found.id)

    def _check_room(self, session: Session, before: int) -> None:
        """Roll everything back if an analysis that was just stored is one too many."""
        most = self._settings.analyses_per_client
        if before >= most:
            raise QuotaError(
                plural(
                    "analysis-quota",
                    "you have {count} unfinished analysis; wait for its end, as {most} are allowed",
                    "you have {count} unfinished analyses; wait for one to end, as {most} are "
                    "allowed",
                    count=before,
                    most=most,
                )
            )
        if session.analyses.unfinished() > self._settings.analysis_depth_cap:
            raise OverloadError(
                "analysis-overload",
                "{count} analyses are unfinished, and no more are accepted for now",
                count=self._settings.analysis_depth_cap,
            )


def check_seconds(seconds: float, most: float) -> float:
    """Return a time limit that somebody named.

    Raises
    ------
    OptionError
        If it is over what the settings allow.
    """
    if not 0 < seconds <= most:
        raise OptionError(
            "time-limit",
            "invalid time limit {limit:g} s; give more than 0 and at most {most:g} s",
            limit=float(seconds),
            most=float(most),
        )
    return float(seconds)
