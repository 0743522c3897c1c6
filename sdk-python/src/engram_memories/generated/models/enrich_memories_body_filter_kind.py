# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EnrichMemoriesBodyFilterKind = Literal["note", "summary"]


def check_enrich_memories_body_filter_kind(value: str) -> EnrichMemoriesBodyFilterKind:
    return cast(EnrichMemoriesBodyFilterKind, value)
