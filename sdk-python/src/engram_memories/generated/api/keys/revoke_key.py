# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.api_key import ApiKey


def request(
    key_id: str,
) -> Request[ApiKey]:
    return Request(
        "DELETE",
        path_of(
            "/v1/keys/{key_id}",
            key_id=key_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> ApiKey:
    response_200 = ApiKey.from_dict(body)

    return response_200
