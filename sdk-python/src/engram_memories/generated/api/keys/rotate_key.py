# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.api_key_with_secret import ApiKeyWithSecret
from ...types import UNSET, Unset


def request(
    key_id: str,
    *,
    overlap_seconds: int | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[ApiKeyWithSecret]:
    return Request(
        "POST",
        path_of(
            "/v1/keys/{key_id}/rotate",
            key_id=key_id,
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            overlap_seconds=overlap_seconds,
            expires_at=expires_at,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ApiKeyWithSecret:
    response_201 = ApiKeyWithSecret.from_dict(body)

    return response_201
