# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecallLineDegradedItem = Literal[
    "keyword_partial", "model_mismatch", "phrase_too_long", "rerank", "semantic", "semantic_partial"
]


def check_recall_line_degraded_item(value: str) -> RecallLineDegradedItem:
    return cast(RecallLineDegradedItem, value)
