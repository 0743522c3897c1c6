# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, conditional, path_of, query_of
from ...models.delete_memory_operation import DeleteMemoryOperation
from ...types import UNSET, Unset


def request(
    memory_id: str,
    *,
    forget: bool | Unset = UNSET,
    if_match: str | Unset = UNSET,
) -> Request[DeleteMemoryOperation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/memories/{memory_id}",
            memory_id=memory_id,
        ),
        parse,
        query=query_of(
            forget=forget,
        ),
        headers={
            **conditional(if_match),
        },
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeleteMemoryOperation:
    response_202 = DeleteMemoryOperation.from_dict(body)

    return response_202
