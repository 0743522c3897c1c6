# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.message_page import MessagePage
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    from_sequence: int | Unset = UNSET,
    to_sequence: int | Unset = UNSET,
    newest: int | Unset = UNSET,
    wait_seconds: int | Unset = UNSET,
    as_of: str | Unset = UNSET,
) -> Request[MessagePage]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations/{conversation_id}/messages",
            conversation_id=conversation_id,
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            from_sequence=from_sequence,
            to_sequence=to_sequence,
            newest=newest,
            wait_seconds=wait_seconds,
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MessagePage:
    response_200 = MessagePage.from_dict(body)

    return response_200
