# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

Role = Literal["admin", "owner", "reader", "writer"]


def check_role(value: str) -> Role:
    return cast(Role, value)
