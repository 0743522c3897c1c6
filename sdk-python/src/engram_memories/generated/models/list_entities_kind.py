# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListEntitiesKind = Literal[
    "amount", "command", "date", "email", "error_code", "file", "quoted_name", "symbol", "ticket", "url", "version"
]


def check_list_entities_kind(value: str) -> ListEntitiesKind:
    return cast(ListEntitiesKind, value)
