"""Loops over events and messages as they happen. Each continues after a lost connection."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from ._http import Policy
from ._retry import backoff
from .errors import ApiError, EngramError
from .generated.api.conversations import resource as conversations
from .generated.api.events import resource as events
from .generated.api.messages.resource import AsyncMessagesResource, MessagesResource
from .generated.models import Event, Message

_WAIT_SECONDS = 20
_POLICY = Policy(timeout=40.0, deadline=40.0, max_retries=0)
"""Of a request that waits. The loop repeats it."""


def _pause(error: EngramError, failures: int) -> float:
    """Seconds to wait after a failure. A refusal of the service ends the loop."""
    if isinstance(error, ApiError) and error.status not in (408, 429) and error.status < 500:
        raise error
    asked = error.retry_after if isinstance(error, ApiError) else None
    return backoff(min(failures, 6)) if asked is None else asked


class EventsResource(events.EventsResource):
    """List changes of the organization, or wait for them."""

    def listen(self, *, after: str | int = "now", **filters: Any) -> Iterator[Event]:
        """Yield events as they happen, in order and each once, until you leave the loop. Needs the scope `read`.

        After a lost connection, it continues from its position. To continue in a later process, store the `sequence` of
        the last event that you have processed, and pass it as `after`. `filters` are those of `list`.
        """
        patient, position, failures = events.EventsResource(self._http.with_policy(_POLICY)), str(after), 0
        while True:
            try:
                page = patient.list(after=position, limit=500, **_wait(position), **filters)
            except EngramError as error:
                time.sleep(_pause(error, failures))
                failures += 1
                continue
            yield from page.items
            position, failures = str(page.after), 0


class AsyncEventsResource(events.AsyncEventsResource):
    """List changes of the organization, or wait for them."""

    async def listen(self, *, after: str | int = "now", **filters: Any) -> AsyncIterator[Event]:
        """Yield events as they happen, as `Engram` does."""
        patient, position, failures = events.AsyncEventsResource(self._http.with_policy(_POLICY)), str(after), 0
        while True:
            try:
                page = await patient.list(after=position, limit=500, **_wait(position), **filters)
            except EngramError as error:
                await asyncio.sleep(_pause(error, failures))
                failures += 1
                continue
            for event in page.items:
                yield event
            position, failures = str(page.after), 0


def _wait(position: str) -> dict[str, Any]:
    """A request from `now` does not wait: if its response were lost, the next one would begin later."""
    return {} if position == "now" else {"wait_seconds": _WAIT_SECONDS}


class ConversationsResource(conversations.ConversationsResource):
    """Create, list, update, fork, follow and delete conversations."""

    def follow(self, conversation_id: str, *, after: int = 0) -> Iterator[Message]:
        """Yield the messages after a sequence number, and further ones as they are appended. Needs the scope `read`.

        No message comes twice, and none is missed, also across lost connections. The loop ends when the conversation is
        deleted.
        """
        messages, failures, has_begun = MessagesResource(self._http.with_policy(_POLICY)), 0, False
        while True:
            try:
                page = messages.list(conversation_id, from_sequence=after + 1, wait_seconds=_WAIT_SECONDS).page()
            except EngramError as error:
                if has_begun and isinstance(error, ApiError) and error.code == "not_found":
                    return
                time.sleep(_pause(error, failures))
                failures += 1
                continue
            has_begun, failures = True, 0
            for message in page.items:
                after = message.sequence
                yield message


class AsyncConversationsResource(conversations.AsyncConversationsResource):
    """Create, list, update, fork, follow and delete conversations."""

    async def follow(self, conversation_id: str, *, after: int = 0) -> AsyncIterator[Message]:
        """Yield the messages after a sequence number as they are appended, as `Engram` does."""
        messages, failures, has_begun = AsyncMessagesResource(self._http.with_policy(_POLICY)), 0, False
        while True:
            try:
                page = await messages.list(conversation_id, from_sequence=after + 1, wait_seconds=_WAIT_SECONDS).page()
            except EngramError as error:
                if has_begun and isinstance(error, ApiError) and error.code == "not_found":
                    return
                await asyncio.sleep(_pause(error, failures))
                failures += 1
                continue
            has_begun, failures = True, 0
            for message in page.items:
                after = message.sequence
                yield message
