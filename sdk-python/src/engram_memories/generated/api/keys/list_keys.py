# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.api_key_page import ApiKeyPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[ApiKeyPage]:
    return Request(
        "GET",
        path_of(
            "/v1/keys",
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ApiKeyPage:
    response_200 = ApiKeyPage.from_dict(body)

    return response_200
