"""The API's documents of jobs: one job, the history of its bounds, a page of jobs."""

from __future__ import annotations

from pydantic import Field, computed_field

from core.puzzle.moves import MoveSequence, to_letters
from core.services.states import JobState, Queue
from web.api.documents import Code, Document, PackedTiles, Seconds, Told, batch_address, job_address


class BuildingDocument(Document):
    """A pattern database that is being built."""

    partition: str = Field(
        description="The board's size and how many tiles are looked at together",
        examples=["5x5 6-6-6-6"],
    )
    share: float = Field(description="Share that is built, 0 to 1", examples=[0.4])


class TryDocument(Document):
    """A try at a shorter solution that is under way, or waits for a worker."""

    kind: str = Field(
        description="`beam`: a beam over a view of the whole board; `fresh`: the same, bettered on "
        "its own; `windows`: windows of a stretch of the best solution",
        examples=["windows"],
    )
    width: int = Field(description="Boards that its beam keeps of each level", examples=[1000])
    view: int | None = Field(description="Of a beam: which view; 0 is the board as it is")
    first: int | None = Field(description="Of windows: where the stretch begins")
    count: int | None = Field(description="Of windows: moves of the stretch")
    length: int | None = Field(description="Of windows: moves of each")


class PayDocument(Document):
    """What a kind of try has cost and gained on this board."""

    kind: str
    length: int | None = Field(description="Of windows: moves of each")
    tries: int
    seconds: float = Field(description="Summed over workers")
    gained: int = Field(description="Moves by which the best solution became shorter")


class ImprovementDocument(Document):
    """How the search for shorter solutions of a large board goes."""

    tries: int = Field(description="Begun so far, also for earlier jobs")
    trying: list[TryDocument]
    paid: list[PayDocument]
    improved_at: Seconds | None = Field(description="Of the last gain")


class BriefJobDocument(Document):
    """A job and where it stands, without its boards."""

    id: str
    state: JobState
    width: int
    height: int
    target: str
    gap_asked: float
    algorithm: str
    heuristic: str
    time_limit_s: float | None
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    lower_bound: int = Field(description="No solution is shorter; proved", examples=[97])
    upper_bound: int | None = Field(
        description="Length of the best solution so far", examples=[103]
    )
    gap: float | None = Field(description="(upper − lower) / lower")
    ratio: float | None = Field(description="upper / lower", examples=[1.41])
    threshold: int | None = Field(
        description="Solutions of up to so many moves are being looked for; null before a search "
        "in slices",
        examples=[97],
    )
    progress: float = Field(
        description="Share of the present threshold's tree that is searched, 0 to 1; parts of "
        "equal share may take very different time",
        examples=[0.37],
    )
    nodes: int = Field(description="Boards looked at so far", examples=[48_113_209_776])
    nodes_per_s: float = Field(
        description="Over all workers: of the last seconds while the job runs, over the whole "
        "search after",
        examples=[118_400_000.0],
    )
    seconds_left: float | None = Field(
        description="An estimate of the time to the proof of the optimum if all goes on as now; "
        "null where nothing useful can be said",
        examples=[240.0],
    )
    seconds_left_factor: float | None = Field(
        description="The time left is expected between seconds_left divided by this and "
        "seconds_left times this",
        examples=[2.1],
    )
    threshold_seconds_left: float | None = Field(
        description="An estimate of the time to the end of the present threshold, should no "
        "solution be met in it; null where nothing useful can be said",
        examples=[95.0],
    )
    threshold_seconds_left_factor: float | None = Field(
        description="As seconds_left_factor, for threshold_seconds_left",
        examples=[1.6],
    )
    engine: str | None = Field(
        description="What the last finished slice searched with: the board's size, the parts of "
        "its pattern databases (or `lines` for linear conflicts), the rules against doubles",
        examples=["5x5 6-6-6-6 r10"],
    )
    improvement: ImprovementDocument | None = Field(
        description="Of boards of 25 cells or more: what is tried for a shorter solution, and what "
        "has paid"
    )
    building: BuildingDocument | None = Field(
        description="A better pattern database for boards of this size that is being built; the "
        "search takes it up when it is ready"
    )
    queue: Queue
    queue_position: int | None
    cached: bool
    version: str
    batch_id: str | None
    message: Told
    message_code: Code = Field(validation_alias="message")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the job."""
        address = job_address(self.id)
        links = {"self": address, "history": f"{address}/history"}
        if self.upper_bound is not None:
            links["solution"] = f"{address}/solution"
            if self.state.terminal:
                links["certificate"] = f"{address}/certificate"
        if self.batch_id is not None:
            links["batch"] = batch_address(self.batch_id)
        return links


class JobDocument(BriefJobDocument):
    """A job and where it stands."""

    board: PackedTiles = Field(validation_alias="board_bytes")
    goal: PackedTiles = Field(validation_alias="goal_bytes")


class SolvedJobDocument(JobDocument):
    """A job that was answered at once, with its solution."""

    moves: str | None = Field(
        None, description="As in a solution; null where it is long: follow links.solution"
    )

    def with_moves(self, moves: MoveSequence) -> SolvedJobDocument:
        """Add the solution."""
        self.moves = to_letters(moves)
        return self


class JobsDocument(Document):
    """A page of jobs, newest first."""

    jobs: list[JobDocument]
    next: str | None = Field(description="Address of the page after this one")


class BoundEventDocument(Document):
    """A moment at which a bound improved, and the nodes spent by then."""

    time: Seconds
    lower_bound: int
    upper_bound: int | None
    nodes: int


class HistoryDocument(Document):
    """How a job's bounds improved, in the order of time."""

    events: list[BoundEventDocument]
