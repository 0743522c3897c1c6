# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.memory_with_chunks import MemoryWithChunks
from ...types import UNSET, Unset


def request(
    memory_id: str,
    *,
    as_of: str | Unset = UNSET,
) -> Request[MemoryWithChunks]:
    return Request(
        "GET",
        path_of(
            "/v1/memories/{memory_id}",
            memory_id=memory_id,
        ),
        parse,
        query=query_of(
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemoryWithChunks:
    response_200 = MemoryWithChunks.from_dict(body)

    return response_200
