# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EntityKind = Literal[
    "amount", "command", "date", "email", "error_code", "file", "quoted_name", "symbol", "ticket", "url", "version"
]


def check_entity_kind(value: str) -> EntityKind:
    return cast(EntityKind, value)
