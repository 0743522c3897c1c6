# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextAnswerDegradedItem = Literal[
    "keyword_partial", "model_mismatch", "phrase_too_long", "rerank", "semantic", "semantic_partial"
]


def check_context_answer_degraded_item(value: str) -> ContextAnswerDegradedItem:
    return cast(ContextAnswerDegradedItem, value)
