# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.hold import Hold
from ...models.hold_filter import HoldFilter
from ...types import UNSET, Unset


def request(
    *,
    reason: str,
    ids: Sequence[str] | Unset = UNSET,
    filter: HoldFilter | Mapping[str, Any] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Hold]:
    return Request(
        "POST",
        path_of(
            "/v1/holds",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            reason=reason,
            ids=ids,
            filter=filter,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Hold:
    response_201 = Hold.from_dict(body)

    return response_201
