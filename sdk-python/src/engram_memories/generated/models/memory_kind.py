# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

MemoryKind = Literal["note", "summary"]


def check_memory_kind(value: str) -> MemoryKind:
    return cast(MemoryKind, value)
