# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.member import Member
from ...models.role import Role
from ...types import UNSET, Unset


def request(
    member_id: str,
    *,
    name: str | Unset = UNSET,
    role: Role | Unset = UNSET,
    email: str | None | Unset = UNSET,
) -> Request[Member]:
    return Request(
        "PATCH",
        path_of(
            "/v1/members/{member_id}",
            member_id=member_id,
        ),
        parse,
        content=body_of(
            name=name,
            role=role,
            email=email,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Member:
    response_200 = Member.from_dict(body)

    return response_200
