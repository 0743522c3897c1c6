# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.sign_in_code import SignInCode


def request() -> Request[SignInCode]:
    return Request(
        "POST",
        path_of(
            "/v1/sign-in-codes",
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> SignInCode:
    response_201 = SignInCode.from_dict(body)

    return response_201
