# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._request import Request, body_of, idempotent, path_of
from ...models.new_message import NewMessage
from ...models.replaced_messages import ReplacedMessages
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    expected_last_sequence: int,
    from_sequence: int,
    messages: Sequence[NewMessage | Mapping[str, Any]],
    wait: Literal["indexed"] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[ReplacedMessages]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/{conversation_id}/messages/replace",
            conversation_id=conversation_id,
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            expected_last_sequence=expected_last_sequence,
            from_sequence=from_sequence,
            messages=messages,
            wait=wait,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ReplacedMessages:
    response_200 = ReplacedMessages.from_dict(body)

    return response_200
