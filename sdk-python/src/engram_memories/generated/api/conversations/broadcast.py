# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.broadcast_result import BroadcastResult


def request(
    conversation_id: str,
    *,
    value: Any,
) -> Request[BroadcastResult]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/{conversation_id}/broadcasts",
            conversation_id=conversation_id,
        ),
        parse,
        content=body_of(
            value=value,
        ),
        repeatable=False,
    )


def parse(status: int, body: Any) -> BroadcastResult:
    response_200 = BroadcastResult.from_dict(body)

    return response_200
