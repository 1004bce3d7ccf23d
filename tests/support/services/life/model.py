"""A solve in plain lists: what the storage does with a decision, told again without a database."""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from dataclasses import dataclass, field, replace

from tilework.core.messages import Message
from tilework.core.model import changes as effects
from tilework.core.model.changes import Decision, WorkGroup
from tilework.core.model.jobs import Job
from tilework.core.model.solves import Course, Slice, Solve
from tilework.core.model.states import SliceKind, SliceState, SolveState
from tilework.core.services.farm.life.live import live
from tilework.core.services.farm.life.rules import Rules

RULES = Rules(quarantine_s=100.0, slice_s=1.0, trial_memory_bytes=10**8)


@dataclass
class Situation:
    solve: Solve
    jobs: list[Job]
    work: list[WorkGroup]

    def twin_of(self, job: Job) -> Job | None:
        same = [(one.course, one.target) == (job.course, job.target) for one in self.jobs]
        return self.jobs[same.index(True)] if any(same) else None


@dataclass
class Model:
    """One solve, its jobs and its slices.

    ``touched`` holds when a slice was last changed, ``messages`` why it was quarantined.
    """

    solve: Solve
    jobs: dict[str, Job] = field(default_factory=dict)
    ended: dict[str, object] = field(default_factory=dict)
    slices: dict[str, Slice] = field(default_factory=dict)
    done: list[Slice] = field(default_factory=list)
    touched: dict[str, float] = field(default_factory=dict)
    messages: dict[str, Message | None] = field(default_factory=dict)

    def copy(self) -> Model:
        facts = {name: copy(fact) for name, fact in vars(self).items() if name != "solve"}
        return Model(self.solve, **facts)

    def situation(self, but: str | None) -> Situation:
        groups = defaultdict(list)
        for piece in self.slices.values():
            if piece.id != but:
                key = (piece.kind, piece.state, piece.course)
                groups[key].append(piece)
        work = [
            WorkGroup(
                *key,
                len(pieces),
                max(
                    filter(None, (self.messages.get(one.id) for one in pieces)),
                    key=Message.to_json,
                    default=None,
                ),
                min(self.touched.get(one.id, 0.0) for one in pieces),
            )
            for key, pieces in groups.items()
        ]
        jobs = list(self.jobs.values()) if self.solve.state is SolveState.ACTIVE else []
        return Situation(self.solve, jobs, work)

    def settle(self, event, now: float) -> Decision:
        piece = getattr(event, "piece", None)
        decision = live(self.situation(piece and piece.id), event, now, RULES)
        self.apply(decision, now)
        return decision

    def apply(self, decision: Decision, now: float) -> bool:
        kept = self.copy()
        for effect in decision.effects:
            if not self.do(effect, now):
                self.__dict__.update(kept.__dict__)
                return False
        self.solve = decision.solve
        return True

    def do(self, effect, now: float) -> bool:
        match effect:
            case effects.Keep(piece) | effects.Overdue(piece):
                return self.holds(piece)
            case effects.Finish(piece) | effects.Drop(piece) | effects.Return(piece) if (
                not self.holds(piece)
            ):
                return False
            case effects.Finish(piece):
                self.done.append(self.slices.pop(piece.id))
            case effects.Drop(piece):
                del self.slices[piece.id]
            case effects.Return(piece, state, expiries, message):
                self.put(replace(piece, state=state, expiries=expiries, owner=None), now, message)
            case effects.AddJob(job):
                if job.state.terminal:
                    self.ended[job.id] = job.state
                else:
                    self.jobs[job.id] = job
            case effects.EndJob(ending):
                assert ending.job.id not in self.ended
                del self.jobs[ending.job.id]
                self.ended[ending.job.id] = ending.state
            case effects.AddSlices(pieces):
                for piece in pieces:
                    self.put(piece, now)
            case effects.AddProof(piece):
                self.done.append(piece)
            case effects.Revive(course, _, rested_before, _):
                for piece in self.of_lane(course):
                    rested = self.touched.get(piece.id, 0.0) <= rested_before
                    if piece.state is SliceState.PARKED or (
                        piece.state is SliceState.QUARANTINED and rested
                    ):
                        self.put(replace(piece, state=SliceState.READY, expiries=0), now)
            case effects.DropTrials():
                for piece in self.of_lane(None):
                    if piece.kind is SliceKind.IMPROVE and piece.state is not SliceState.LEASED:
                        del self.slices[piece.id]
            case effects.Park():
                for piece in self.of_lane(None):
                    if piece.kind.proves and piece.state is SliceState.READY:
                        self.put(replace(piece, state=SliceState.PARKED), now)
            case effects.Withdraw(courses):
                for course in courses:
                    for piece in self.of_lane(course):
                        if piece.state in (SliceState.READY, SliceState.PARKED):
                            del self.slices[piece.id]
            case effects.DropUnfinished():
                self.slices.clear()
            case effects.Forget(threshold):
                self.done = [one for one in self.done if one.threshold < threshold]
                for piece in list(self.slices.values()):
                    if piece.threshold >= threshold:
                        del self.slices[piece.id]
            case effects.StartJobs() | effects.MoveJobs() | effects.Charge():
                pass
            case _:
                raise AssertionError(effect)
        return True

    def holds(self, piece: Slice) -> bool:
        there = self.slices.get(piece.id)
        return there is not None and there.state is SliceState.LEASED and there.lease == piece.lease

    def of_lane(self, course: Course | None) -> list[Slice]:
        def belongs(piece: Slice) -> bool:
            opens = piece.kind is SliceKind.OPEN
            return opens and piece.course == course if course else not opens

        return [piece for piece in self.slices.values() if belongs(piece)]

    def put(self, piece: Slice, now: float, message: Message | None = None) -> None:
        self.slices[piece.id] = piece
        self.touched[piece.id] = now
        self.messages[piece.id] = message or self.messages.get(piece.id)

    def take(self, piece: Slice, owner: str = "w") -> Slice:
        taken = replace(piece, state=SliceState.LEASED, owner=owner, attempts=piece.attempts + 1)
        self.slices[piece.id] = taken
        return taken
