# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.index_status import IndexStatus
from ...types import UNSET, Unset


def request(
    *,
    conversation_id: str | Unset = UNSET,
) -> Request[IndexStatus]:
    return Request(
        "GET",
        path_of(
            "/v1/index",
        ),
        parse,
        query=query_of(
            conversation_id=conversation_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> IndexStatus:
    response_200 = IndexStatus.from_dict(body)

    return response_200
