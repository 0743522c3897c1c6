# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

TombstoneKind = Literal["conversation", "conversations", "memories", "memory", "message", "user"]


def check_tombstone_kind(value: str) -> TombstoneKind:
    return cast(TombstoneKind, value)
