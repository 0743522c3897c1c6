# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.sign_in_code import SignInCode


def request(
    member_id: str,
) -> Request[SignInCode]:
    return Request(
        "POST",
        path_of(
            "/v1/members/{member_id}/sign-in-codes",
            member_id=member_id,
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> SignInCode:
    response_201 = SignInCode.from_dict(body)

    return response_201
