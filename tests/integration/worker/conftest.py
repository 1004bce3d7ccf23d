from tests.support.broker import broker, session_broker

__all__ = ["broker", "session_broker"]
