# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.event_page import EventPage
from ...models.list_events_type_item import ListEventsTypeItem
from ...types import UNSET, Unset


def request(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    wait_seconds: int | Unset = UNSET,
    type: Sequence[ListEventsTypeItem] | Unset = UNSET,
    conversation_id: str | Unset = UNSET,
    agent_id: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> Request[EventPage]:
    return Request(
        "GET",
        path_of(
            "/v1/events",
        ),
        parse,
        query=query_of(
            after=after,
            limit=limit,
            wait_seconds=wait_seconds,
            type=type,
            conversation_id=conversation_id,
            agent_id=agent_id,
            user_id=user_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> EventPage:
    response_200 = EventPage.from_dict(body)

    return response_200
