# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.enrich_memories_body_filter import EnrichMemoriesBodyFilter
from ...models.enrich_memories_operation import EnrichMemoriesOperation
from ...types import UNSET, Unset


def request(
    *,
    filter: EnrichMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[EnrichMemoriesOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/memories/enrich",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            filter=filter,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> EnrichMemoriesOperation:
    response_202 = EnrichMemoriesOperation.from_dict(body)

    return response_202
