# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.user import User


def request(
    user_id: str,
) -> Request[User]:
    return Request(
        "GET",
        path_of(
            "/v1/users/{user_id}",
            user_id=user_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> User:
    response_200 = User.from_dict(body)

    return response_200
