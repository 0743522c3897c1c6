# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteMemoriesBodyFilterKind = Literal["note", "summary"]


def check_delete_memories_body_filter_kind(value: str) -> DeleteMemoriesBodyFilterKind:
    return cast(DeleteMemoriesBodyFilterKind, value)
