# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.import_operation import ImportOperation
from ...types import UNSET, Unset


def request(
    *,
    lines: int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[ImportOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/imports",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            lines=lines,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ImportOperation:
    response_202 = ImportOperation.from_dict(body)

    return response_202
