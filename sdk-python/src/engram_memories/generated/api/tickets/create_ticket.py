# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.ticket import Ticket
from ...types import UNSET, Unset


def request(
    *,
    ttl_seconds: int | Unset = UNSET,
    conversation_id: str | None | Unset = UNSET,
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    origin: str | Unset = UNSET,
    include_key_events: bool | Unset = UNSET,
) -> Request[Ticket]:
    return Request(
        "POST",
        path_of(
            "/v1/tickets",
        ),
        parse,
        content=body_of(
            ttl_seconds=ttl_seconds,
            conversation_id=conversation_id,
            agent_id=agent_id,
            user_id=user_id,
            origin=origin,
            include_key_events=include_key_events,
        ),
        repeatable=False,
    )


def parse(status: int, body: Any) -> Ticket:
    response_201 = Ticket.from_dict(body)

    return response_201
