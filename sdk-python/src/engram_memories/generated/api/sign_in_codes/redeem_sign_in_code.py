# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.api_key_with_secret import ApiKeyWithSecret


def request() -> Request[ApiKeyWithSecret]:
    return Request(
        "POST",
        path_of(
            "/v1/sign-in-codes/redeem",
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> ApiKeyWithSecret:
    response_201 = ApiKeyWithSecret.from_dict(body)

    return response_201
