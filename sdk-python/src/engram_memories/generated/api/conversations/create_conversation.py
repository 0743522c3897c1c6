# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.conversation import Conversation
from ...types import UNSET, Unset


def request(
    *,
    external_id: str | None | Unset = UNSET,
    title: str | None | Unset = UNSET,
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    shared: bool | None | Unset = UNSET,
    tags: Sequence[str] | Unset = UNSET,
    metadata: Any | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Conversation]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            external_id=external_id,
            title=title,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            metadata=metadata,
            expires_at=expires_at,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Conversation:
    response_201 = Conversation.from_dict(body)

    return response_201
