# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.api_key_with_secret import ApiKeyWithSecret
from ...models.scope import Scope
from ...types import UNSET, Unset


def request(
    *,
    name: str,
    scopes: Sequence[Scope],
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    expires_at: str | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[ApiKeyWithSecret]:
    return Request(
        "POST",
        path_of(
            "/v1/keys",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            name=name,
            scopes=scopes,
            agent_id=agent_id,
            user_id=user_id,
            expires_at=expires_at,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ApiKeyWithSecret:
    response_201 = ApiKeyWithSecret.from_dict(body)

    return response_201
