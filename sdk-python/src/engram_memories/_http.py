"""Sends requests, with retries. The decisions are made once, for the client that waits and for the one with await."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import httpx

from ._request import Request
from ._retry import backoff, seconds_before_retry
from .errors import ConnectionError, to_api_error

T = TypeVar("T")
log = logging.getLogger("engram_memories")


@dataclass(frozen=True)
class Policy:
    """Limits of calls."""

    timeout: float = 30.0
    deadline: float = 120.0
    max_retries: int = 2


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The result of a call with the response itself."""

    data: T
    response: httpx.Response

    @property
    def etag(self) -> str | None:
        """Version of the conversation or memory; pass it as `if_match`."""
        return _header(self.response, "etag")

    @property
    def request_id(self) -> str | None:
        """Id of the request, which is also in the log of the service."""
        return _header(self.response, "x-request-id")


def _header(response: httpx.Response, name: str) -> str | None:
    value: str | None = response.headers.get(name)
    return value


latest_response: ContextVar[list[httpx.Response] | None] = ContextVar("latest_response", default=None)
"""Where `with_response` finds the response of the call that it makes."""

Steps = Generator["float | None", "httpx.Response | httpx.HTTPError | None", httpx.Response]
"""Yields None to send the request, or the seconds to wait before that. Returns the last response."""


def _attempts(request: Request[Any], policy: Policy) -> Steps:
    deadline = time.monotonic() + policy.deadline
    key = request.headers.get("idempotency-key")
    may_have_applied = False
    retries = 0
    while True:
        started = time.monotonic()
        outcome = yield None
        assert outcome is not None
        pause = _pause(outcome, retries) if request.repeatable and retries < policy.max_retries else None
        if pause is not None and time.monotonic() + pause >= deadline:
            pause = None
        _log(request, outcome, retries + 1, started, pause)
        if pause is None:
            break
        # Only a 429 guarantees that the attempt had no effect.
        may_have_applied |= isinstance(outcome, httpx.HTTPError) or outcome.status_code != 429
        retries += 1
        yield pause
    if isinstance(outcome, httpx.HTTPError):
        raise connection_error(request, outcome) from outcome
    if not outcome.is_success:
        raise to_api_error(outcome, idempotency_key=key, may_have_applied=may_have_applied)
    if (responses := latest_response.get()) is not None:
        responses.append(outcome)
    return outcome


def _pause(outcome: httpx.Response | httpx.HTTPError, retries: int) -> float | None:
    if isinstance(outcome, httpx.HTTPError):
        return backoff(retries)
    return seconds_before_retry(outcome.status_code, outcome.headers, retries)


def connection_error(request: Request[Any], cause: httpx.HTTPError) -> ConnectionError:
    """The message leaves out the query of the URL, which may contain user data."""
    is_timeout = isinstance(cause, httpx.TimeoutException)
    return ConnectionError(
        f"No response to {request.method} {request.path} ({str(cause) or type(cause).__name__})",
        code="timeout" if is_timeout else "no_answer",
        idempotency_key=request.headers.get("idempotency-key"),
    )


def _log(
    request: Request[Any],
    outcome: httpx.Response | httpx.HTTPError,
    attempt: int,
    started: float,
    pause: float | None,
) -> None:
    """A line contains no key, header, query or body."""
    failed = isinstance(outcome, httpx.HTTPError) or outcome.status_code >= 500
    level = logging.WARNING if pause is not None else logging.ERROR if failed else logging.DEBUG
    result = type(outcome).__name__ if isinstance(outcome, httpx.HTTPError) else outcome.status_code
    text = "%s %s %s, attempt %d, %d ms" + ("" if pause is None else f", again in {pause:.1f} s")
    log.log(level, text, request.method, request.path, result, attempt, (time.monotonic() - started) * 1_000)


def _result(request: Request[T], response: httpx.Response) -> T:
    try:
        body = json.loads(response.content)
    except ValueError:
        raise to_api_error(response, idempotency_key=request.headers.get("idempotency-key")) from None
    return request.parse(response.status_code, body)


@dataclass(frozen=True)
class _Connection:
    base_url: str
    headers: Mapping[str, str]
    policy: Policy

    def _arguments(self, request: Request[Any]) -> dict[str, Any]:
        return {
            "method": request.method,
            "url": self.base_url + request.path,
            "params": dict(request.query),
            "headers": {**self._types(request), **self.headers, **request.headers},
            "content": request.content,
        }

    def _types(self, request: Request[Any]) -> dict[str, str]:
        accept = {"accept": "application/json"}
        return accept if request.content is None else {**accept, "content-type": "application/json"}


@dataclass(frozen=True)
class Http(_Connection):
    """Sends the requests of a client that waits for each response."""

    client: httpx.Client

    def with_policy(self, policy: Policy) -> Http:
        return replace(self, policy=policy)

    def call(self, request: Request[T]) -> T:
        steps = _attempts(request, self.policy)
        outcome: httpx.Response | httpx.HTTPError | None = None
        try:
            while True:
                pause = steps.send(outcome)
                if pause is None:
                    outcome = self._once(request)
                else:
                    outcome = None
                    time.sleep(pause)
        except StopIteration as done:
            return _result(request, done.value)

    def _once(self, request: Request[Any]) -> httpx.Response | httpx.HTTPError:
        try:
            return self.client.request(**self._arguments(request), timeout=self.policy.timeout)
        except httpx.HTTPError as error:
            return error

    @contextmanager
    def lines(self, request: Request[Any]) -> Iterator[Iterator[str]]:
        """The lines of a response as they arrive. A failure is not retried."""
        try:
            with self.client.stream(**self._arguments(request), timeout=self.policy.timeout) as response:
                if not response.is_success:
                    response.read()
                    raise to_api_error(response)
                yield _lines(response.iter_bytes())
        except httpx.HTTPError as error:
            raise connection_error(request, error) from error


@dataclass(frozen=True)
class AsyncHttp(_Connection):
    """Sends the requests of a client whose calls are awaited."""

    client: httpx.AsyncClient

    def with_policy(self, policy: Policy) -> AsyncHttp:
        return replace(self, policy=policy)

    async def call(self, request: Request[T]) -> T:
        steps = _attempts(request, self.policy)
        outcome: httpx.Response | httpx.HTTPError | None = None
        try:
            while True:
                pause = steps.send(outcome)
                if pause is None:
                    outcome = await self._once(request)
                else:
                    outcome = None
                    await asyncio.sleep(pause)
        except StopIteration as done:
            return _result(request, done.value)

    async def _once(self, request: Request[Any]) -> httpx.Response | httpx.HTTPError:
        try:
            return await self.client.request(**self._arguments(request), timeout=self.policy.timeout)
        except httpx.HTTPError as error:
            return error

    @asynccontextmanager
    async def lines(self, request: Request[Any]) -> AsyncIterator[AsyncIterator[str]]:
        """The lines of a response as they arrive. A failure is not retried."""
        try:
            async with self.client.stream(**self._arguments(request), timeout=self.policy.timeout) as response:
                if not response.is_success:
                    await response.aread()
                    raise to_api_error(response)
                yield _async_lines(response.aiter_bytes())
        except httpx.HTTPError as error:
            raise connection_error(request, error) from error


class _LineBuffer:
    """Splits bytes at line feeds alone: httpx also does at characters that JSON may contain, such as U+2028."""

    def __init__(self) -> None:
        self._rest = b""

    def add(self, data: bytes) -> list[str]:
        """The lines that are complete. What is after the last line feed is incomplete."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode() for line in lines]


def _lines(chunks: Iterator[bytes]) -> Iterator[str]:
    buffer = _LineBuffer()
    for chunk in chunks:
        yield from buffer.add(chunk)


async def _async_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    buffer = _LineBuffer()
    async for chunk in chunks:
        for line in buffer.add(chunk):
            yield line


def check_base_url(base_url: str | None) -> str:
    """The URL of the service, from the argument or `ENGRAM_URL`."""
    url = base_url or os.environ.get("ENGRAM_URL")
    if not url:
        raise TypeError(
            "base_url is missing: pass the URL of the service, such as http://127.0.0.1:26366, or set ENGRAM_URL"
        )
    parsed = httpx.URL(url)
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError("base_url must be an http or https URL, such as http://127.0.0.1:26366")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise ValueError("base_url must be an http or https URL without user, query and fragment")
    if parsed.path.rstrip("/").endswith("/v1"):
        raise ValueError("base_url must be the URL of the service: leave out /v1, which the client adds")
    return url.rstrip("/")


def authorization(api_key: str | None) -> dict[str, str]:
    """The header with the key, from the argument or `ENGRAM_API_KEY`. The text of an error never contains the key."""
    key = api_key or os.environ.get("ENGRAM_API_KEY")
    if not key:
        raise TypeError(
            "api_key is missing: pass a key of the service, such as engram_sk_live_…, or set ENGRAM_API_KEY"
        )
    if not all("!" <= character <= "~" for character in key):
        raise ValueError("api_key must be a key: visible ASCII characters without blanks, line breaks or …")
    return {"authorization": f"Bearer {key}"}
