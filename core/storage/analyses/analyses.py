"""The ``analysis`` table: what clients ask about games and boards, and what was found of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from tilework.core.model.leases import Holder, Lease
from tilework.core.model.questions import (
    AnalysisClaim,
    AnalysisEnd,
    AnalysisStanding,
    AnalysisView,
    Answer,
    Kind,
    KnownAnalysis,
    NewAnalysis,
)
from tilework.core.model.states import Queue, RunState
from tilework.core.storage.analyses.rows import (
    SPEC,
    VIEW,
    check_result,
    read_answer,
    read_spec,
    read_view,
    unfinished_analysis,
    write_analysis,
    write_answer,
)
from tilework.core.storage.insertion import insert_if_absent
from tilework.core.storage.leases import Leases, token
from tilework.core.storage.models import analysis

_queued = (analysis.c.queue == bindparam("in_queue"), analysis.c.state == RunState.QUEUED)
_of_kind = analysis.c.kind == bindparam("of_kind")
_by_id = analysis.c.id == bindparam("analysis_id")
_changed = {"version": analysis.c.version + 1, "updated_at": bindparam("now")}
_LEASES = Leases(
    analysis,
    waiting=RunState.QUEUED,
    held=RunState.RUNNING,
    changed=_changed,
    taken={"started_at": bindparam("now")},
    returned={"started_at": None},
)
_KNOWN = select(analysis.c.id, analysis.c.client_id, analysis.c.state)
_LOCK = _KNOWN.where(_by_id).with_for_update(key_share=True)
_LOCK_BY_KEY = _KNOWN.where(
    analysis.c.client_id == bindparam("client_id"), analysis.c.key == bindparam("key")
).with_for_update(key_share=True)
_QUEUE = (
    update(analysis)
    .where(_by_id)
    .values(
        state=RunState.QUEUED,
        turn=bindparam("at"),
        attempts=0,
        message=None,
        started_at=None,
        finished_at=None,
        **dict.fromkeys(("result", "seal", "solutions", "onward")),
        **_changed,
    )
)
_NEXT = (
    select(analysis.c.id, analysis.c.attempts, *SPEC)
    .where(*_queued)
    .order_by(analysis.c.turn, analysis.c.id)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
)
_RETRY = (
    update(analysis)
    .where(*_LEASES.mine)
    .values(state=RunState.QUEUED, started_at=None, **_LEASES.ended)
)
_TELL = (
    update(analysis)
    .where(*_LEASES.mine)
    .values(
        settled=bindparam("known"),
        total=bindparam("boards"),
        lower_bound=bindparam("lower"),
        upper_bound=bindparam("upper"),
        **_changed,
    )
)
_FINISH = (
    update(analysis)
    .where(*_LEASES.mine)
    .values(
        state=bindparam("ended"),
        finished_at=bindparam("now"),
        message=bindparam("words"),
        result=bindparam("document"),
        seal=bindparam("sealed"),
        solutions=bindparam("listed"),
        onward=bindparam("graph"),
        **_LEASES.ended,
    )
)
_CANCEL = (
    update(analysis)
    .where(_by_id)
    .values(
        state=RunState.CANCELLED,
        finished_at=bindparam("now"),
        owner=None,
        lease_until=None,
        **_changed,
    )
)
_UNFINISHED = select(func.count()).select_from(analysis).where(unfinished_analysis())
_UNFINISHED_OF = _UNFINISHED.where(analysis.c.client_id == bindparam("client_id"))
_READY = select(func.count()).select_from(analysis).where(*_queued)
_VIEW = select(*VIEW, analysis.c.seal, analysis.c.result).where(_by_id, _of_kind)
_VERSION = select(analysis.c.version).where(_by_id, _of_kind)
_ANSWER = select(analysis.c.seal, analysis.c.result, analysis.c.solutions, analysis.c.onward).where(
    _by_id
)
_AMONG = select(*VIEW).where(analysis.c.id.in_(bindparam("ids", expanding=True)))
_OF_CLIENT = (
    select(*VIEW)
    .where(analysis.c.client_id == bindparam("client_id"), _of_kind)
    .order_by(analysis.c.id.desc())
    .limit(bindparam("most"))
)


class StoredAnalyses:
    """Analyses of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def obtain(self, new: NewAnalysis, now: float) -> KnownAnalysis:
        """Return the one analysis of a client and a key, locked; a new one waits."""
        values = {"client_id": new.client_id, "key": new.key}
        insert_if_absent(self._connection, analysis, write_analysis(new, now))
        row = self._connection.execute(_LOCK_BY_KEY, values).first()
        if row is None:
            # It was purged in between; the one that is inserted now cannot be.
            insert_if_absent(self._connection, analysis, write_analysis(new, now))
            row = self._connection.execute(_LOCK_BY_KEY, values).one()
        id_, client_id, state = row
        return KnownAnalysis(id_, client_id, RunState(state))

    def queue(self, analysis_id: str, turn: float, now: float) -> None:
        """Let a locked analysis wait for its turn again, without what was found of it."""
        self._connection.execute(_QUEUE, {"analysis_id": analysis_id, "at": turn, "now": now})

    def lock(self, analysis_id: str) -> KnownAnalysis | None:
        """Return an analysis, locked until the transaction ends."""
        row = self._connection.execute(_LOCK, {"analysis_id": analysis_id}).first()
        return None if row is None else KnownAnalysis(row[0], row[1], RunState(row[2]))

    def claim(self, queue: Queue, holder: Holder, now: float) -> AnalysisClaim | None:
        """Lease the analysis whose turn it is in a queue, past those that others have locked."""
        row = self._connection.execute(_NEXT, {"in_queue": queue}).first()
        if row is None:
            return None
        analysis_id, attempts, *spec = row
        _LEASES.take(self._connection, [analysis_id], holder, now)
        return AnalysisClaim(Lease(analysis_id, holder.owner, attempts + 1), read_spec(tuple(spec)))

    def renew(self, lease: Lease, until: float) -> None:
        """Renew a lease that is still held."""
        _LEASES.renew(self._connection, [lease], until)

    def held(self, lease: Lease) -> bool:
        """Whether a lease is still held: not so once the analysis was cancelled."""
        return _LEASES.holds(self._connection, lease)

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""
        return _LEASES.overdue(self._connection, lease, now)

    def release(self, lease: Lease, now: float) -> None:
        """Give an analysis back; the attempt is not counted."""
        _LEASES.release(self._connection, [lease], now)

    def retry(self, lease: Lease, now: float) -> None:
        """Let an analysis wait again after an attempt that came to nothing."""
        self._connection.execute(_RETRY, token(lease) | {"now": now})

    def tell(self, lease: Lease, standing: AnalysisStanding, now: float) -> None:
        """Store how far an analysis has come, where the lease is held."""
        values = token(lease) | {
            "known": standing.settled,
            "boards": standing.total,
            "lower": standing.lower,
            "upper": standing.upper,
            "now": now,
        }
        self._connection.execute(_TELL, values)

    def finish(self, lease: Lease, end: AnalysisEnd, now: float) -> bool:
        """Store how an analysis ended; False where the lease is lost."""
        answer = write_answer(lease.id, end.answer)
        values = token(lease) | {
            "ended": end.state,
            "now": now,
            "words": end.message,
            "document": answer["result"],
            "sealed": answer["seal"],
            "listed": answer["solutions"],
            "graph": answer["onward"],
        }
        return self._connection.execute(_FINISH, values).rowcount == 1

    def cancel(self, analysis_id: str, now: float) -> None:
        """End a locked analysis that has not ended."""
        self._connection.execute(_CANCEL, {"analysis_id": analysis_id, "now": now})

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""
        return _LEASES.expired(self._connection, now)

    def unfinished_of(self, client_id: str) -> int:
        """Count a client's unfinished analyses."""
        return self._connection.execute(_UNFINISHED_OF, {"client_id": client_id}).scalar_one()

    def unfinished(self) -> int:
        """Count the unfinished analyses of the whole service."""
        return self._connection.execute(_UNFINISHED).scalar_one()

    def ready(self, queue: Queue) -> int:
        """Count the analyses that wait in a queue."""
        return self._connection.execute(_READY, {"in_queue": queue}).scalar_one()

    def view(self, kind: Kind, analysis_id: str) -> AnalysisView[Any] | None:
        """Return an analysis of a kind.

        Raises
        ------
        DamagedRowError
            Here and in `answer`, if its result is not what was written.
        """
        values = {"analysis_id": analysis_id, "of_kind": kind}
        row = self._connection.execute(_VIEW, values).first()
        if row is None:
            return None
        *view, seal, result = row
        check_result(analysis_id, result, seal)
        return read_view(tuple(view), result)

    def version(self, kind: Kind, analysis_id: str) -> str | None:
        """Return only the version of an analysis's view."""
        values = {"analysis_id": analysis_id, "of_kind": kind}
        found = self._connection.execute(_VERSION, values).scalar()
        return None if found is None else str(found)

    def answer(self, analysis_id: str) -> Answer | None:
        """Return the whole answer of an analysis; None where there is none."""
        row = self._connection.execute(_ANSWER, {"analysis_id": analysis_id}).first()
        if row is None or row.result is None:
            return None
        seal, *answer = row
        check_result(analysis_id, row.result, seal)
        return read_answer(tuple(answer))

    def of_client(self, kind: Kind, client_id: str, most: int) -> list[AnalysisView[Any]]:
        """Return a client's analyses of a kind, newest first, without their results."""
        values = {"client_id": client_id, "of_kind": kind, "most": most}
        return [read_view(tuple(row), None) for row in self._connection.execute(_OF_CLIENT, values)]

    def among(self, ids: Collection[str]) -> list[AnalysisView[Any]]:
        """Return analyses of any kind by their ids, without their results."""
        if not ids:
            return []
        rows = self._connection.execute(_AMONG, {"ids": list(ids)})
        return [read_view(tuple(row), None) for row in rows]
