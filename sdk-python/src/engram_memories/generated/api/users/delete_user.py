# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.delete_user_operation import DeleteUserOperation


def request(
    user_id: str,
) -> Request[DeleteUserOperation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/users/{user_id}",
            user_id=user_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeleteUserOperation:
    response_202 = DeleteUserOperation.from_dict(body)

    return response_202
