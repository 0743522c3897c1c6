# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.repair_index_operation import RepairIndexOperation
from ...types import UNSET, Unset


def request(
    *,
    conversation_id: str | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[RepairIndexOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/index/repair",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            conversation_id=conversation_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> RepairIndexOperation:
    response_202 = RepairIndexOperation.from_dict(body)

    return response_202
