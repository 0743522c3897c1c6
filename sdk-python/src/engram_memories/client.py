"""The clients: `Engram` waits for each response, the calls of `AsyncEngram` are awaited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

import httpx

from ._http import Answer, AsyncHttp, Http, Policy, authorization, check_base_url, latest_response
from ._lines import LINES_MAX, ExportReader, ImportSummary, Part, Splitter
from ._retry import backoff
from .errors import ConnectionError
from .generated.models import ImportOperation
from .generated.resources import AsyncResources, Resources

P = ParamSpec("P")
T = TypeVar("T")
Lines = Iterable["Mapping[str, Any] | str"]
AsyncLines = AsyncIterable["Mapping[str, Any] | str"]


@contextmanager
def _responses() -> Iterator[list[httpx.Response]]:
    responses: list[httpx.Response] = []
    token = latest_response.set(responses)
    try:
        yield responses
    finally:
        latest_response.reset(token)


class Engram(Resources):
    """The client of an Engram service.

    Every call raises `ApiError` when the service returns an error, and `ConnectionError` when no response arrives.
    Transient failures are retried. A write takes effect once, however often it is retried.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        deadline: float = 120.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Create a client. Nothing is sent before the first call.

        Args:
            api_key: A key of an organization. Default: the environment variable `ENGRAM_API_KEY`.
            base_url: URL of the service. Default: the environment variable `ENGRAM_URL`.
            timeout: Seconds that an attempt waits for the connection, and for more data.
            deadline: Seconds after the start of a call after which it is not repeated any more.
            max_retries: How often a failed attempt is repeated; 0 for never.
            headers: Headers to send with every request.
            http_client: Sends the requests, for example through a proxy. `close` does not close it.
        """
        self._own_client = http_client is None
        all_headers = {**(headers or {}), **authorization(api_key)}
        policy = Policy(timeout, deadline, max_retries)
        super().__init__(Http(check_base_url(base_url), all_headers, policy, http_client or httpx.Client()))

    def with_options(
        self, *, timeout: float | None = None, deadline: float | None = None, max_retries: int | None = None
    ) -> Engram:
        """A client with other limits, which shares the connections of this one."""
        client = object.__new__(Engram)
        client._own_client = False
        Resources.__init__(client, self._http.with_policy(_changed(self._http.policy, timeout, deadline, max_retries)))
        return client

    def with_response(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """Call a method, and return its result with the ETag, the request id and the response."""
        with _responses() as responses:
            data = method(*args, **kwargs)
        return Answer(data, responses[-1])

    def export(self, **query: Any) -> Iterator[dict[str, Any]]:
        """Read each conversation followed by its messages, then each memory. Needs the scope `admin`.

        Yields one line (a dictionary) for each item as it arrives. After a broken connection, the export continues
        after the last line. `user_id` and `as_of` select what to export; `after`, `after_sequence` and `after_version`
        say where to begin.
        """
        reader, failures = ExportReader(query), 0
        while not reader.is_complete:
            try:
                with self._http.lines(reader.request()) as texts:
                    for text in texts:
                        if (line := reader.read(text)) is not None:
                            failures = 0
                            yield line
                    reader.check_end()
            except ConnectionError:
                if failures >= self._http.policy.max_retries:
                    raise
                time.sleep(backoff(failures))
                failures += 1

    def import_(
        self,
        lines: Lines,
        *,
        operation_id: str | None = None,
        on_progress: Callable[[ImportSummary], None] | None = None,
    ) -> ImportSummary:
        """Import the lines of an export, with their ids, sequence numbers and times. Needs the scope `admin`.

        Existing items are left unchanged, so importing twice has no further effect. Invalid lines are listed in
        `problems`. To continue an import that was interrupted, pass the id of its operation and the same lines.
        """
        summary = ImportSummary(operation_id=operation_id)
        splitter = Splitter(_lines_before(self.operations.get(operation_id)) if operation_id else 0)

        def send(part: Part) -> None:
            if summary.operation_id is None and not part.is_last:
                summary.operation_id = self.create_import().id
            if part.count or summary.operation_id:
                summary.add(part, self._http.call(part.request(summary.operation_id)))
                if on_progress:
                    on_progress(summary)

        for line in lines:
            if (part := splitter.add(line)) is not None:
                send(part)
        send(splitter.rest())
        return summary

    def close(self) -> None:
        """Close the connections."""
        if self._own_client:
            self._http.client.close()

    def __enter__(self) -> Engram:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncEngram(AsyncResources):
    """The client of an Engram service, whose calls are awaited. It has the methods of `Engram`."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        deadline: float = 120.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Create a client, with the arguments of `Engram`. Nothing is sent before the first call."""
        self._own_client = http_client is None
        client = http_client or httpx.AsyncClient()
        all_headers = {**(headers or {}), **authorization(api_key)}
        super().__init__(
            AsyncHttp(check_base_url(base_url), all_headers, Policy(timeout, deadline, max_retries), client)
        )

    def with_options(
        self, *, timeout: float | None = None, deadline: float | None = None, max_retries: int | None = None
    ) -> AsyncEngram:
        """A client with other limits, which shares the connections of this one."""
        client = object.__new__(AsyncEngram)
        client._own_client = False
        policy = _changed(self._http.policy, timeout, deadline, max_retries)
        AsyncResources.__init__(client, self._http.with_policy(policy))
        return client

    async def with_response(self, method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """Call a method, and return its result with the ETag, the request id and the response."""
        with _responses() as responses:
            data = await method(*args, **kwargs)
        return Answer(data, responses[-1])

    async def export(self, **query: Any) -> AsyncIterator[dict[str, Any]]:
        """Read each conversation followed by its messages, then each memory. See `Engram.export`."""
        reader, failures = ExportReader(query), 0
        while not reader.is_complete:
            try:
                async with self._http.lines(reader.request()) as texts:
                    async for text in texts:
                        if (line := reader.read(text)) is not None:
                            failures = 0
                            yield line
                    reader.check_end()
            except ConnectionError:
                if failures >= self._http.policy.max_retries:
                    raise
                await asyncio.sleep(backoff(failures))
                failures += 1

    async def import_(
        self,
        lines: Lines | AsyncLines,
        *,
        operation_id: str | None = None,
        on_progress: Callable[[ImportSummary], None] | None = None,
    ) -> ImportSummary:
        """Import the lines of an export, with their ids, sequence numbers and times. See `Engram.import_`."""
        summary = ImportSummary(operation_id=operation_id)
        splitter = Splitter(_lines_before(await self.operations.get(operation_id)) if operation_id else 0)

        async def send(part: Part) -> None:
            if summary.operation_id is None and not part.is_last:
                summary.operation_id = (await self.create_import()).id
            if part.count or summary.operation_id:
                summary.add(part, await self._http.call(part.request(summary.operation_id)))
                if on_progress:
                    on_progress(summary)

        async for line in _each(lines):
            if (part := splitter.add(line)) is not None:
                await send(part)
        await send(splitter.rest())
        return summary

    async def aclose(self) -> None:
        """Close the connections."""
        if self._own_client:
            await self._http.client.aclose()

    async def __aenter__(self) -> AsyncEngram:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _changed(policy: Policy, timeout: float | None, deadline: float | None, max_retries: int | None) -> Policy:
    given: dict[str, Any] = {"timeout": timeout, "deadline": deadline, "max_retries": max_retries}
    # A longer attempt needs a longer call.
    if timeout is not None and deadline is None:
        given["deadline"] = max(policy.deadline, timeout)
    return replace(policy, **{name: value for name, value in given.items() if value is not None})


def _lines_before(operation: object) -> int:
    """Lines that need not be sent again. The last 1,000 are: the response with their problems may have been lost."""
    processed = operation.lines_processed if isinstance(operation, ImportOperation) else 0
    return max(0, processed - LINES_MAX)


async def _each(lines: Lines | AsyncLines) -> AsyncIterator[Mapping[str, Any] | str]:
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
    else:
        for line in lines:
            yield line
