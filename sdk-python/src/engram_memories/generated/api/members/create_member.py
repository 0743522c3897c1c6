# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.member import Member
from ...models.role import Role
from ...types import UNSET, Unset


def request(
    *,
    name: str,
    role: Role,
    email: str | None | Unset = UNSET,
    agent_id: str | None | Unset = UNSET,
    user_id: str | None | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Member]:
    return Request(
        "POST",
        path_of(
            "/v1/members",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            name=name,
            role=role,
            email=email,
            agent_id=agent_id,
            user_id=user_id,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Member:
    response_201 = Member.from_dict(body)

    return response_201
