"""A server in this process for programs that use `tilework.Client`."""

from tests.support.here import running

__all__ = ["running"]
