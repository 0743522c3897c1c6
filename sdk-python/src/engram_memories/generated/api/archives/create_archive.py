# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.create_archive_operation import CreateArchiveOperation
from ...types import UNSET, Unset


def request(
    *,
    expires_in_days: int | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[CreateArchiveOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/archives",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            expires_in_days=expires_in_days,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> CreateArchiveOperation:
    response_202 = CreateArchiveOperation.from_dict(body)

    return response_202
