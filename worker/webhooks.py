"""Sends callbacks over HTTP to validated addresses, with a time limit for each.

A host name is resolved and its addresses are checked here; the connection goes to exactly the
checked address. Redirects and proxies are not followed, and no body is read.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from ipaddress import ip_address

import httpx2

from tilework.core.services.callback_rules import CallbackRules, IpAddress, Origin
from tilework.core.services.tasks.callbacks import MAX_PARALLEL, CallbackRequest
from tilework.core.settings import Settings

# Enough that lookups that hang, from several rounds, leave room for others.
_MAX_LOOKUPS = 4 * MAX_PARALLEL

# Its info messages contain complete URLs, whose query can contain a secret of the receiver.
logging.getLogger("httpx2").setLevel(logging.WARNING)


class HttpCallbackSender:
    """Sends callbacks in parallel; each takes at most the time limit in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._rules = CallbackRules(settings)
        self._timeout_s = settings.callback_timeout_s
        # Not that of the event loop, which waits for all lookups at its end: one can take longer
        # than the leases of the callbacks.
        self._resolver = ThreadPoolExecutor(_MAX_LOOKUPS, thread_name_prefix="resolver")

    def __call__(self, calls: Sequence[CallbackRequest]) -> list[int | str]:
        """Send callbacks; return for each the status of the response, or why there is none."""
        return asyncio.run(self._send_all(calls))

    async def _send_all(self, calls: Sequence[CallbackRequest]) -> list[int | str]:
        async with httpx2.AsyncClient(
            verify=self._tls,
            trust_env=False,
            follow_redirects=False,
            timeout=self._timeout_s,
            # Connections are not reused, because another host at the same address has another
            # certificate.
            limits=httpx2.Limits(max_keepalive_connections=0),
        ) as client:
            return await asyncio.gather(*(self._try_send(client, call) for call in calls))

    async def _try_send(self, client: httpx2.AsyncClient, call: CallbackRequest) -> int | str:
        try:
            # Limits the whole request; the client's timeout limits only the wait for each byte.
            async with asyncio.timeout(self._timeout_s):
                return await self._send(client, call)
        except TimeoutError:
            return f"no answer within {self._timeout_s:g} s"
        except (OSError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            return str(error) or type(error).__name__

    async def _send(self, client: httpx2.AsyncClient, call: CallbackRequest) -> int | str:
        origin = call.url.origin
        addresses = await self._resolve(origin)
        if not all(self._rules.may_connect(origin, ip) for ip in addresses):
            # Clients read this, so it does not say where the host is in the operator's network.
            return f"{origin.host} has an address that is not public"
        *others, last = addresses
        for ip in others:
            with suppress(httpx2.ConnectError):
                return await self._post(client, call, ip)
        return await self._post(client, call, last)

    async def _resolve(self, origin: Origin) -> list[IpAddress]:
        if origin.ip is not None:
            return [origin.ip]
        look_up = partial(socket.getaddrinfo, origin.host, origin.port, type=socket.SOCK_STREAM)
        entries = await asyncio.get_running_loop().run_in_executor(self._resolver, look_up)
        return [ip_address(address[0]) for *_, address in entries]

    async def _post(self, client: httpx2.AsyncClient, call: CallbackRequest, ip: IpAddress) -> int:
        origin, target = call.url.origin, call.url.target
        url = f"{origin.scheme}://{_format_host(ip)}:{origin.port}{target}"
        headers = {**call.headers, "Host": origin.authority}
        extensions = {"sni_hostname": origin.host}
        async with client.stream(
            "POST", url, content=call.body, headers=headers, extensions=extensions
        ) as response:
            return response.status_code

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


def _format_host(ip: IpAddress) -> str:
    return f"[{ip}]" if ip.version == 6 else str(ip)
