"""Fakes for services: a manual clock, a ticket counter, and a storage with a hook."""


class ManualClock:
    """A clock that only moves when it is advanced."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class FakeTickets:
    """Counts tickets instead of sending them; ``broken`` makes the broker unreachable."""

    def __init__(self) -> None:
        self.sent: dict[str, int] = {}
        self.broken = False

    def send(self, queue: str, count: int = 1) -> None:
        if self.broken:
            raise ConnectionError("no broker")
        self.sent[queue] = self.sent.get(queue, 0) + count

    def depth(self, queue: str) -> int | None:
        if self.broken:
            raise ConnectionError("no broker")
        return self.sent.get(queue, 0)

    def is_available(self) -> bool:
        return not self.broken


class HookedStorage:
    """A storage that calls a hook once, just before its first write transaction."""

    def __init__(self, database, action):
        self._actions = [action]
        self._database = database
        self.reading, self.check_schema = database.reading, database.check_schema
        self.clock = database.clock

    def writing(self):
        while self._actions:
            self._actions.pop()()
        return self._database.writing()
