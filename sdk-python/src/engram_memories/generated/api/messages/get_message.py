# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.message import Message
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    message_id: str,
    *,
    as_of: str | Unset = UNSET,
) -> Request[Message]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations/{conversation_id}/messages/{message_id}",
            conversation_id=conversation_id,
            message_id=message_id,
        ),
        parse,
        query=query_of(
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Message:
    response_200 = Message.from_dict(body)

    return response_200
