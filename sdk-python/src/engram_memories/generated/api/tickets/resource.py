# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.

from ...._http import AsyncHttp, Http
from ...models.ticket import Ticket
from ...types import UNSET, Unset
from . import create_ticket as _create_ticket


class TicketsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        *,
        ttl_seconds: int | Unset = UNSET,
        conversation_id: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        origin: str | Unset = UNSET,
        include_key_events: bool | Unset = UNSET,
    ) -> Ticket:
        """Create a ticket.

        Creates a ticket, with which a browser opens `GET /v1/events/socket` without knowing a key. A ticket
        opens one socket, within a minute. The socket gets the events that the key could list, and closes when
        the key is revoked. It gets events of keys only with `include_key_events`.

        Needs the scope `read`.

        Args:
            ttl_seconds: Number of seconds in which the ticket can be used, at most 60. Default 60.
            conversation_id: The socket gets only events and broadcasts of this conversation.
            agent_id: The socket gets only what a key bound to this agent would get.
            user_id: The socket gets only what a key bound to this user would get.
            origin: The ticket opens a socket only for pages of this origin, in lower case and without a default
                port. Default: for any program.
            include_key_events: Whether the socket also gets events of keys, if the key has the scope `admin`.
                Default `false`.
        """
        return self._http.call(
            _create_ticket.request(
                ttl_seconds=ttl_seconds,
                conversation_id=conversation_id,
                agent_id=agent_id,
                user_id=user_id,
                origin=origin,
                include_key_events=include_key_events,
            )
        )


class AsyncTicketsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        *,
        ttl_seconds: int | Unset = UNSET,
        conversation_id: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        origin: str | Unset = UNSET,
        include_key_events: bool | Unset = UNSET,
    ) -> Ticket:
        """Create a ticket.

        Creates a ticket, with which a browser opens `GET /v1/events/socket` without knowing a key. A ticket
        opens one socket, within a minute. The socket gets the events that the key could list, and closes when
        the key is revoked. It gets events of keys only with `include_key_events`.

        Needs the scope `read`.

        Args:
            ttl_seconds: Number of seconds in which the ticket can be used, at most 60. Default 60.
            conversation_id: The socket gets only events and broadcasts of this conversation.
            agent_id: The socket gets only what a key bound to this agent would get.
            user_id: The socket gets only what a key bound to this user would get.
            origin: The ticket opens a socket only for pages of this origin, in lower case and without a default
                port. Default: for any program.
            include_key_events: Whether the socket also gets events of keys, if the key has the scope `admin`.
                Default `false`.
        """
        return await self._http.call(
            _create_ticket.request(
                ttl_seconds=ttl_seconds,
                conversation_id=conversation_id,
                agent_id=agent_id,
                user_id=user_id,
                origin=origin,
                include_key_events=include_key_events,
            )
        )
