# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.conversation import Conversation
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    sequence: int | Unset = UNSET,
    external_id: str | None | Unset = UNSET,
    title: str | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Conversation]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/{conversation_id}/fork",
            conversation_id=conversation_id,
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            sequence=sequence,
            external_id=external_id,
            title=title,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Conversation:
    response_201 = Conversation.from_dict(body)

    return response_201
