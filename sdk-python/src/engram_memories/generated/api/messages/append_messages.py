# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._request import Request, body_of, idempotent, path_of
from ...models.appended_messages import AppendedMessages
from ...models.new_message import NewMessage
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    messages: Sequence[NewMessage | Mapping[str, Any]],
    wait: Literal["indexed"] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[AppendedMessages]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/{conversation_id}/messages",
            conversation_id=conversation_id,
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            messages=messages,
            wait=wait,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> AppendedMessages:
    response_201 = AppendedMessages.from_dict(body)

    return response_201
