"""Settings of all roles, read from ``TILEWORK_…`` environment variables."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from tilework.core.errors import OptionError
from tilework.core.redaction import hide, hide_secrets_of, redacted


def _parse_days(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() == "never" else value


# None, or "never" in the environment, means unlimited.
Days = Annotated[float | None, BeforeValidator(_parse_days)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="TILEWORK_", env_ignore_empty=True)

    # The folder of all data of a single-machine system
    data_dir: Path = Path("data")
    # SQLAlchemy URL of a SQLite file or a PostgreSQL database; by default a SQLite file in
    # ``data_dir``
    database_url: str = Field(default="", repr=False)
    # Redis or Valkey; without a broker, the reconciler alone finds work
    broker_url: str = Field(default="", repr=False)
    databases_dir: Path | None = None  # pattern databases; None is ``pdb`` in ``data_dir``
    pdb_budget: int = Field(
        default=5_000_000_000, ge=0, description="for the default pattern databases, on disk"
    )
    pdb_build: bool = Field(
        default=True,
        description="whether workers build missing default databases, and solve those that pay",
    )

    # Limits of one request
    max_cells: int = Field(
        default=90_000, ge=1, description="largest board the service takes, in cells"
    )
    max_body_bytes: int = Field(default=8 * 2**20, ge=1)
    max_batch: int = Field(default=10_000, ge=1, description="most boards in one batch")
    default_time_limit_s: float = Field(default=3_600.0, gt=0)
    max_time_limit_s: float = Field(default=7 * 86_400.0, gt=0)

    # Limits of lab runs
    lab_seconds: float = Field(default=10.0, gt=0, description="of a run that names no limit")
    lab_max_seconds: float = Field(default=60.0, gt=0)
    lab_nodes: int = Field(default=2_000_000, ge=1)
    lab_max_nodes: int = Field(default=20_000_000, ge=1)
    lab_memory_bytes: int = Field(default=512 * 2**20, ge=1)
    lab_max_memory_bytes: int = Field(default=2**30, ge=1)
    lab_max_cells: int = Field(default=400, ge=1, description="largest board of the lab")
    lab_runs_per_comparison: int = Field(default=1_000, ge=1)
    lab_runs_per_client: int = Field(default=4_000, ge=1, description="unfinished, of one client")
    lab_depth_cap: int = Field(
        default=40_000, ge=1, description="unfinished runs of the whole service"
    )

    # Limits of game analyses, and of searches for all shortest solutions
    analysis_seconds: float = Field(
        default=10.0, gt=0, description="of a board of over 16 cells, where none are named"
    )
    analysis_max_seconds: float = Field(default=60.0, gt=0)
    ways_max_memory_bytes: int = Field(
        default=512 * 2**20, ge=2**20, description="of the boards that a search for all ways keeps"
    )
    analyses_per_client: int = Field(default=100, ge=1, description="unfinished, of one client")
    analysis_depth_cap: int = Field(
        default=2_000, ge=1, description="unfinished analyses of the whole service"
    )

    # Limits of all requests together
    jobs_per_client: int = Field(default=20_000, ge=1, description="unfinished jobs of one client")
    depth_cap: int = Field(
        default=100_000, ge=1, description="unfinished jobs of the whole service"
    )
    rate_limit: str = Field(default="3000/minute", description="writing requests of one client")
    rate_storage_url: str = Field(
        default="memory://",
        repr=False,
        description="where rates are counted; a cluster's webs share redis://…",
    )
    max_wait_s: float = Field(default=20.0, ge=0, description="longest long-poll")
    max_waiters: int = Field(default=64, ge=0, description="long-polls held by one web process")

    # Handling of slow clients by one web process
    client_patience_s: float = Field(
        default=20.0,
        gt=0,
        description="for the head of a request, and for being slower with the rest than 4 kB/s",
    )
    max_connections: int = Field(default=4_000, ge=1, description="of all clients")
    max_connections_of_one: int = Field(default=1_000, ge=1, description="of one address")

    web_connections: int = Field(
        default=20, ge=2, description="to the database, of one web process at most"
    )

    # Callbacks
    callback_hosts: str = Field(
        default="",
        description="hosts that may be called, as in example.com or http://10.0.0.5:9000",
    )
    callback_secret: SecretStr | None = Field(default=None, description="signs these calls")
    callback_private: bool = Field(
        default=False, description="whether their names may be of private addresses"
    )
    callback_timeout_s: float = Field(default=10.0, gt=0, description="for one call, in all")
    callback_patience_s: float = Field(
        default=86_400.0, ge=0, description="how long a call that fails is tried again"
    )

    # Workers
    lease_s: float = Field(
        default=15.0, gt=0, description="a claim that is not renewed ends after this"
    )
    open_slice_s: float = Field(default=1.5, gt=0, description="first, interactive try at a board")
    search_slice_s: float = Field(
        default=1.0, gt=0, description="aim for one slice of a long search, with few workers"
    )
    search_slice_most_s: float = Field(
        default=5.0, gt=0, description="aim for one slice of a long search, with hundreds"
    )
    trial_memory_bytes: int = Field(
        default=500_000_000,
        ge=10_000_000,
        description="what a worker may take for one try at a shorter solution of a large board",
    )
    run_s: float = Field(default=1.0, gt=0, description="one ticket's worth of claiming")
    claim_size: int = Field(default=16, ge=1, description="small boards claimed at once")
    spare_slices: int = Field(
        default=4, ge=1, description="fewest ready slices below which cursors are split"
    )
    poison_rest_s: float = Field(
        default=3_600.0, ge=0, description="how long a slice stays quarantined"
    )
    reconcile_s: float = Field(default=1.0, gt=0, description="pause between two reconciliations")
    unclaimed_s: float = Field(
        default=30.0, gt=0, description="wait after which /readyz turns false"
    )

    # Retention in days; solutions, bounds and certificates are never deleted
    keep_jobs_days: Days = Field(
        default=90.0, ge=1, description="jobs, from their deadline on, and their batches"
    )
    keep_keys_days: Days = Field(
        default=7.0, ge=1, description="idempotency keys; never longer than their jobs"
    )
    keep_comparisons_days: Days = Field(
        default=30.0, ge=1, description="comparisons of the lab, and runs that none of them holds"
    )
    keep_analyses_days: Days = Field(default=30.0, ge=1, description="analyses of games")
    keep_clients_days: Days = Field(
        default=400.0, ge=1, description="clients who have nothing any more, not even an API key"
    )

    least_free_bytes: int = Field(
        default=32 * 2**20,
        ge=0,
        description="room on the disk of a SQLite database below which /readyz turns false",
    )

    # The web
    secret_key: SecretStr | None = Field(
        default=None, description="signs cookies; None is a file's"
    )
    secure_cookies: bool = False
    trusted_hosts: str = Field(
        default="",
        description="names under which the web answers, as in example.com or .example.org; "
        "without any it answers under all",
    )
    hsts_s: int = Field(
        default=0,
        ge=0,
        description="how long browsers shall insist on https (Strict-Transport-Security)",
    )
    trusted_proxies: int = Field(default=0, ge=0, description="reverse proxies in front of the web")

    def model_post_init(self, _context: object) -> None:
        """Hide all secrets from the logs."""
        for value in self.__dict__.values():
            if isinstance(value, SecretStr):
                hide(value.get_secret_value())
        for url in (self.database_url, self.broker_url, self.rate_storage_url):
            hide_secrets_of(url)

    @property
    def host_names(self) -> list[str]:
        return [name.strip() for name in self.trusted_hosts.split(",") if name.strip()]

    @property
    def database(self) -> str:
        """The URL of the database, with the default filled in."""
        return self.database_url or f"sqlite:///{self.data_dir.resolve() / 'tilework.sqlite'}"

    @property
    def pdb_folder(self) -> Path:
        """The folder of the pattern databases, with the default filled in."""
        return self.databases_dir or self.data_dir.resolve() / "pdb"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False)[0]
        raise OptionError(
            "setting",
            "{variable} cannot be {given!r}: {reason}",
            variable="_".join(("TILEWORK", *map(str, fault["loc"]))).upper(),
            given=redacted(str(fault["input"])[:100]),
            reason=fault["msg"],
        ) from None
