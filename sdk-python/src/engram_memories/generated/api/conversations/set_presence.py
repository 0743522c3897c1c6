# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.presence import Presence
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    state: Any,
    ttl_seconds: int | Unset = UNSET,
) -> Request[Presence]:
    return Request(
        "PUT",
        path_of(
            "/v1/conversations/{conversation_id}/presence",
            conversation_id=conversation_id,
        ),
        parse,
        content=body_of(
            state=state,
            ttl_seconds=ttl_seconds,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Presence:
    response_200 = Presence.from_dict(body)

    return response_200
