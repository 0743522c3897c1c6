# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, body_of, conditional, path_of
from ...models.conversation import Conversation
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    title: str | None | Unset = UNSET,
    shared: bool | Unset = UNSET,
    tags: Sequence[str] | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    if_match: str | Unset = UNSET,
) -> Request[Conversation]:
    return Request(
        "PATCH",
        path_of(
            "/v1/conversations/{conversation_id}",
            conversation_id=conversation_id,
        ),
        parse,
        headers={
            **conditional(if_match),
        },
        content=body_of(
            title=title,
            shared=shared,
            tags=tags,
            metadata=metadata,
            expires_at=expires_at,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Conversation:
    response_200 = Conversation.from_dict(body)

    return response_200
