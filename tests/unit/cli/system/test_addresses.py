import socket

import pytest

from tilework.core.cli.system import processes
from tilework.core.cli.system.processes import reserve_port
from tilework.core.errors import OptionError


def test_next_free_port_is_used_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr(processes, "DEFAULT_PORT", port)
        free_port, reservation = reserve_port("127.0.0.1", None)
        reservation.close()
        assert port < free_port < port + 100


def test_simultaneous_reservations_get_different_ports() -> None:
    from tilework.web.server.__main__ import listen

    port, reservation = reserve_port("127.0.0.1", None)
    other_port, other_reservation = reserve_port("127.0.0.1", None)
    with reservation, other_reservation:
        assert port != other_port
        with pytest.raises(OptionError, match=f"port {port} of 127.0.0.1.*in use.*choose another"):
            reserve_port("127.0.0.1", port)
        with pytest.raises(OSError, match="in use"):
            listen("127.0.0.1", port, shared=False)
        with (
            listen("127.0.0.1", port, shared=True) as server,
            socket.create_connection(("127.0.0.1", port)),
        ):
            server.accept()[0].close()
