"""Whether this system can serve."""
from __future__ import annotations

from core.services.ports import Clock, Storage, system_clock
from core.services.views import HealthView
from core.settings import Settings


class Health:
    def __init__(
        self, storage: Storage, settings: Settings, clock: Clock = system_clock
    ) -> None: ...

    def check(self) -> HealthView:
        """Never raises: a database that does not answer is a reason."""
        raise NotImplementedError
