# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.memory_version_page import MemoryVersionPage
from ...types import UNSET, Unset


def request(
    memory_id: str,
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[MemoryVersionPage]:
    return Request(
        "GET",
        path_of(
            "/v1/memories/{memory_id}/versions",
            memory_id=memory_id,
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemoryVersionPage:
    response_200 = MemoryVersionPage.from_dict(body)

    return response_200
