# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.delete_memories_body_filter import DeleteMemoriesBodyFilter
from ...models.delete_memories_operation import DeleteMemoriesOperation
from ...models.memories_counted import MemoriesCounted
from ...types import UNSET, Unset


def request(
    *,
    filter: DeleteMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
    all: bool | Unset = UNSET,
    dry_run: bool | Unset = UNSET,
    forget: bool | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[MemoriesCounted | DeleteMemoriesOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/memories/delete",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            filter=filter,
            all=all,
            dry_run=dry_run,
            forget=forget,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> MemoriesCounted | DeleteMemoriesOperation:
    if status == 200:
        response_200 = MemoriesCounted.from_dict(body)

        return response_200
    response_202 = DeleteMemoriesOperation.from_dict(body)

    return response_202
