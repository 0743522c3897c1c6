# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ReplayDegradedItem = Literal[
    "keyword_partial", "model_mismatch", "phrase_too_long", "rerank", "semantic", "semantic_partial"
]


def check_replay_degraded_item(value: str) -> ReplayDegradedItem:
    return cast(ReplayDegradedItem, value)
