"""Sends callbacks over HTTP to validated addresses, with a time limit for each.

A host name is resolved and its addresses are checked here; the connection goes to exactly the
checked address. Redirects and proxies are not followed, and no body is read.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from ipaddress import ip_address
from typing import Any

import httpx2

from tilework.core.services.callback_rules import CallbackRules, IpAddress, Origin
from tilework.core.services.tasks.callbacks import MAX_PARALLEL, CallbackRequest
from tilework.core.settings import Settings

# Enough that lookups that hang leave room for others.
_MAX_LOOKUPS = 4 * MAX_PARALLEL

# Its info messages contain complete URLs, whose query can contain a secret of the receiver.
logging.getLogger("httpx2").setLevel(logging.WARNING)


class HttpCallbackSender:
    """Sends callbacks, from any number of threads; each takes at most the time in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._rules = CallbackRules(settings)
        self._timeout_s = settings.callback_timeout_s
        # Their own threads, because a lookup can take longer than the leases of the callbacks.
        self._resolver = ThreadPoolExecutor(_MAX_LOOKUPS, thread_name_prefix="resolver")
        self._lookups: dict[Origin, Future[list[Any]]] = {}
        self._lock = threading.Lock()

    def __call__(self, call: CallbackRequest) -> int | str:
        """Send a callback; return the status of the response, or why there is none.

        Clients read this: it says nothing of the operator's network, nor what a receiver sent.
        """
        host, deadline = call.url.origin.host, time.monotonic() + self._timeout_s
        try:
            addresses = self._resolve(call.url.origin)
            if not all(self._rules.may_connect(call.url.origin, ip) for ip in addresses):
                return f"{host} has an address that is not public"
            return asyncio.run(self._send(call, addresses, deadline - time.monotonic()))
        except (TimeoutError, httpx2.TimeoutException):
            return f"no answer within {self._timeout_s:g} s"
        except socket.gaierror:
            return f"{host} was not found"
        except httpx2.ConnectError as error:
            is_known = "CERTIFICATE_VERIFY_FAILED" not in str(error)
            return f"{host} {'cannot be reached' if is_known else 'has no valid certificate'}"
        except httpx2.HTTPError:
            return f"{host} sent no valid answer"

    def _resolve(self, origin: Origin) -> list[IpAddress]:
        if origin.ip is not None:
            return [origin.ip]
        with self._lock:
            # A host whose lookups hang takes one thread.
            lookup = self._lookups.get(origin)
            if lookup is None or lookup.done():
                lookup = self._lookups[origin] = self._resolver.submit(
                    socket.getaddrinfo, origin.host, origin.port, type=socket.SOCK_STREAM
                )
        return [ip_address(address[0]) for *_, address in lookup.result(self._timeout_s)]

    async def _send(
        self, call: CallbackRequest, addresses: list[IpAddress], timeout_s: float
    ) -> int:
        *others, last = addresses
        # Limits the whole request; the client's timeout limits only the wait for each byte.
        async with (
            asyncio.timeout(timeout_s),
            httpx2.AsyncClient(
                verify=self._tls, trust_env=False, follow_redirects=False, timeout=timeout_s
            ) as client,
        ):
            for ip in others:
                with suppress(httpx2.ConnectError):
                    return await self._post(client, call, ip)
            return await self._post(client, call, last)

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
