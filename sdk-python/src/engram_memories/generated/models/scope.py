# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

Scope = Literal["admin", "delete", "read", "search", "write"]


def check_scope(value: str) -> Scope:
    return cast(Scope, value)
