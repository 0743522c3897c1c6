# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence

from ...._http import AsyncHttp, Http
from ...models.event_page import EventPage
from ...models.list_events_type_item import ListEventsTypeItem
from ...types import UNSET, Unset
from . import list_events as _list_events


class EventsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        after: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        wait_seconds: int | Unset = UNSET,
        type: Sequence[ListEventsTypeItem] | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> EventPage:
        """List events.

        Returns changes of the organization in order, each once. An event is written in the same transaction as
        its change: an append, a fork or an import of a conversation makes one event, and a bulk write one for
        each conversation or memory. A request that changes nothing makes none. The log has no last page: keep
        `after` of the response, and send it with the next request. With `wait_seconds`, a request without
        events waits for one. One request reads at most 2,400 events, so it may return none although later ones
        match; `caught_up` is then `false`. Events are kept for seven days, and at most a million of each
        organization. A position before the oldest event, or after the newest, gets 410 `cursor_expired`. Events
        of keys require the scope `admin`. A key that is bound to an agent or a user gets only events of its
        conversations, memories and operations, and of shared conversations and memories; none about a
        conversation or memory that is purged.

        Needs the scope `read`.

        Args:
            after: Position after which events are returned: `after` of the previous response, or the `sequence`
                of an event. `now`: the end of the log, for events from now on. Default: the oldest event in the
                log.
            limit: Maximum number of events; a response may have fewer. Default 100.
            wait_seconds: Seconds to wait for an event if there is none yet, at most 25. A new event is returned
                at once, usually within milliseconds of its change. Default 0.
            type: Only events of this type. Repeat the parameter for several types.
            conversation_id: Only events of this conversation and its messages.
            agent_id: Only events of conversations and memories of this agent.
            user_id: Only events of conversations and memories of this user, without shared ones.
        """
        return self._http.call(
            _list_events.request(
                after=after,
                limit=limit,
                wait_seconds=wait_seconds,
                type=type,
                conversation_id=conversation_id,
                agent_id=agent_id,
                user_id=user_id,
            )
        )


class AsyncEventsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        after: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        wait_seconds: int | Unset = UNSET,
        type: Sequence[ListEventsTypeItem] | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> EventPage:
        """List events.

        Returns changes of the organization in order, each once. An event is written in the same transaction as
        its change: an append, a fork or an import of a conversation makes one event, and a bulk write one for
        each conversation or memory. A request that changes nothing makes none. The log has no last page: keep
        `after` of the response, and send it with the next request. With `wait_seconds`, a request without
        events waits for one. One request reads at most 2,400 events, so it may return none although later ones
        match; `caught_up` is then `false`. Events are kept for seven days, and at most a million of each
        organization. A position before the oldest event, or after the newest, gets 410 `cursor_expired`. Events
        of keys require the scope `admin`. A key that is bound to an agent or a user gets only events of its
        conversations, memories and operations, and of shared conversations and memories; none about a
        conversation or memory that is purged.

        Needs the scope `read`.

        Args:
            after: Position after which events are returned: `after` of the previous response, or the `sequence`
                of an event. `now`: the end of the log, for events from now on. Default: the oldest event in the
                log.
            limit: Maximum number of events; a response may have fewer. Default 100.
            wait_seconds: Seconds to wait for an event if there is none yet, at most 25. A new event is returned
                at once, usually within milliseconds of its change. Default 0.
            type: Only events of this type. Repeat the parameter for several types.
            conversation_id: Only events of this conversation and its messages.
            agent_id: Only events of conversations and memories of this agent.
            user_id: Only events of conversations and memories of this user, without shared ones.
        """
        return await self._http.call(
            _list_events.request(
                after=after,
                limit=limit,
                wait_seconds=wait_seconds,
                type=type,
                conversation_id=conversation_id,
                agent_id=agent_id,
                user_id=user_id,
            )
        )
