"""Settings of all roles, read from ``TILEWORK_…`` environment variables."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from tilework.core.errors import OptionError
from tilework.core.redaction import hide, hide_secrets, redact
from tilework.core.validation import describe_error


def _parse_days(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() == "never" else value


# None, or "never" in the environment, means unlimited.
Days = Annotated[float | None, BeforeValidator(_parse_days)]


_SERVER = r"(.*@)?(\[[^\]]*\]|[^\s:/?#@\[\]]*)(:\d{1,5})?"
_KEY_VALUE_SERVER = _SERVER + r"([,;].*|/{0,2}\d*)(\?.*)?"  # or several, with any path


def _require_address(pattern: str, example: str) -> AfterValidator:
    def check(value: str) -> str:
        if value and not re.fullmatch(pattern, value):
            raise PydanticCustomError("example", "{example}", {"example": example})
        return value

    return AfterValidator(check)


def _check_rate(value: str) -> str:
    from limits import parse

    try:
        parse(value)
    except ValueError:
        raise PydanticCustomError("example", "{example}", {"example": "3000/minute"}) from None
    return value


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="TILEWORK_", env_ignore_empty=True)

    # The folder for all data of a single-machine system
    data_dir: Path = Path("data")
    # SQLAlchemy URL of a SQLite file or a PostgreSQL database; by default a SQLite file in
    # ``data_dir``
    database_url: Annotated[
        str,
        _require_address(
            rf"sqlite:///(?!:memory:)[^?].*|postgres(ql)?(\+psycopg)?://{_SERVER}([/?].*)?",
            "postgresql://user@host/name",
        ),
    ] = Field(default="", repr=False)
    # Redis or Valkey; if the web has none, only the workers' reconcilers send tickets
    broker_url: Annotated[
        str,
        _require_address(
            rf"(rediss?|sentinel)://{_KEY_VALUE_SERVER}|redis\+socket:///.+", "redis://host:6379/0"
        ),
    ] = Field(default="", repr=False)
    pdb_dir: Path | None = None  # pattern databases; None is ``pdb`` in ``data_dir``
    pdb_budget: int = Field(
        default=5_000_000_000,
        ge=0,
        description="maximum size of the default pattern databases on disk",
    )
    pdb_build: bool = Field(
        default=True,
        description="whether workers build missing default databases, and `tilework solve` builds "
        "those that save time",
    )

    # Limits of one request
    max_cells: int = Field(
        default=90_000, ge=1, description="largest board that the service accepts"
    )
    max_body_bytes: int = Field(default=8 * 2**20, ge=1)
    max_batch: int = Field(default=10_000, ge=1, description="maximum number of boards in a batch")
    max_time_limit_s: float = Field(default=7 * 86_400.0, gt=0)

    # Limits of lab runs
    lab_max_memory_bytes: int = Field(default=2**30, ge=1)
    lab_max_cells: int = Field(default=400, ge=1, description="largest board of the lab")

    # Limits of all requests together
    jobs_per_client: int = Field(
        default=20_000, ge=1, description="maximum number of unfinished jobs of a client"
    )
    depth_cap: int = Field(
        default=100_000, ge=1, description="maximum number of unfinished jobs of all clients"
    )
    rate_limit: Annotated[str, AfterValidator(_check_rate)] = Field(
        default="3000/minute", description="maximum rate of writing requests of a client"
    )
    rate_storage_url: Annotated[
        str,
        _require_address(
            rf"memory://.*|(redis|valkey)s?(\+cluster)?://{_KEY_VALUE_SERVER}"
            r"|(redis|valkey)\+(sentinel|unix)://.+",
            "redis://host:6379/1",
        ),
    ] = Field(
        default="memory://",
        repr=False,
        description="where requests are counted; the web processes of a cluster share redis://…",
    )
    max_waiters: int = Field(
        default=64, ge=0, description="maximum number of long polls of a web process"
    )
    max_streams: int = Field(
        default=1_000,
        ge=0,
        le=10_000,
        description="maximum number of event streams of a web process",
    )
    max_streams_per_client: int = Field(
        default=20, ge=0, description="maximum number of event streams of one client among them"
    )
    max_streams_of_one: int = Field(
        default=250, ge=0, description="maximum number of event streams from one address among them"
    )

    # Handling of slow clients by one web process
    client_patience_s: float = Field(
        default=20.0,
        gt=0,
        description="time to send the head of a request, and maximum delay behind 4 kB/s after it",
    )
    max_connections: int = Field(default=4_000, ge=1, description="from all clients")
    max_connections_of_one: int = Field(default=1_000, ge=1, description="from one address")

    # Callbacks
    callback_hosts: str = Field(
        default="",
        description="allowed hosts, as in example.com or http://10.0.0.5:9000",
    )
    callback_secret: SecretStr | None = Field(
        default=None, description="for deriving the secrets that sign callbacks"
    )
    callback_private: bool = Field(
        default=False, description="whether host names may resolve to private addresses"
    )
    callback_timeout_s: float = Field(
        default=10.0, gt=0, description="time limit of a callback request"
    )
    callback_patience_s: float = Field(
        default=86_400.0, ge=0, description="how long a failing callback is retried"
    )

    # Workers
    lease_s: float = Field(
        default=15.0, gt=0, description="time after which a claim that is not renewed expires"
    )
    open_slice_s: float = Field(
        default=1.5, gt=0, description="time limit of the first, interactive search of a board"
    )
    search_slice_s: float = Field(
        default=1.0, gt=0, description="planned time of a slice of a long search, with few workers"
    )

    # Retention in days; solutions, bounds and certificates are never deleted
    keep_jobs_days: Days = Field(
        default=90.0, ge=1, description="jobs, counted from their deadline, and their batches"
    )
    keep_comparisons_days: Days = Field(
        default=30.0,
        ge=1,
        description="comparisons, runs without comparisons, and analyses",
    )

    # The web
    secret_key: SecretStr | None = Field(
        default=None, description="signs cookies; by default a key in a file of the data folder"
    )
    operator_token: SecretStr | None = Field(
        default=None,
        description="opens the operator's page by a link; `tilework up` creates one",
    )
    secure_cookies: bool = False
    trusted_hosts: str = Field(
        default="",
        description="host names of the web, as in example.com or .example.org; by default all",
    )
    hsts_s: int = Field(
        default=0,
        ge=0,
        description="how long browsers must use HTTPS (Strict-Transport-Security)",
    )
    trusted_proxies: int = Field(
        default=0, ge=0, description="number of reverse proxies in front of the web"
    )

    tracing: bool = Field(
        default=False, description="whether web and workers send traces to OpenTelemetry"
    )

    def model_post_init(self, _context: object) -> None:
        """Hide all secrets from the logs."""
        for value in self.__dict__.values():
            if isinstance(value, SecretStr):
                hide(value.get_secret_value())
        for url in (self.database_url, self.broker_url, self.rate_storage_url):
            hide_secrets(url)

    @property
    def host_names(self) -> list[str]:
        return [name.strip() for name in self.trusted_hosts.split(",") if name.strip()]

    @property
    def database(self) -> str:
        """The URL of the database, with the default filled in."""
        return self.database_url or f"sqlite:///{self.data_dir.resolve() / 'tilework.sqlite'}"

    @property
    def database_folder(self) -> Path | None:
        """The folder of a SQLite database; None for PostgreSQL."""
        dialect, _, file = self.database.partition(":///")
        is_file = dialect.startswith("sqlite")
        return Path(file.partition("?")[0]).resolve().parent if is_file else None

    @property
    def broker(self) -> str:
        """The URL of the broker, by default that of `tilework up` in the data folder if it runs."""
        socket = self.data_dir.resolve() / "broker" / "valkey.sock"
        if self.broker_url or not socket.exists():
            return self.broker_url
        # In a deep folder, it is a link to a socket with a shorter path.
        return f"redis+socket://{quote(str(socket.resolve()))}"

    @property
    def pdb_folder(self) -> Path:
        """The folder of the pattern databases, with the default filled in."""
        return self.pdb_dir or self.data_dir.resolve() / "pdb"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
        given = str(details["input"])
        hide_secrets(given)
        variable = "_".join(("TILEWORK", *map(str, details["loc"]))).upper()
        raise OptionError(describe_error({**details, "input": redact(given)}, variable)) from None
