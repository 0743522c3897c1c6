# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.message import Message
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    message_id: str,
    *,
    content: str | Unset = UNSET,
    metadata: Any | Unset = UNSET,
) -> Request[Message]:
    return Request(
        "PATCH",
        path_of(
            "/v1/conversations/{conversation_id}/messages/{message_id}",
            conversation_id=conversation_id,
            message_id=message_id,
        ),
        parse,
        content=body_of(
            content=content,
            metadata=metadata,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Message:
    response_200 = Message.from_dict(body)

    return response_200
