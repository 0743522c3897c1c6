# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

MemorySearchAnswerDegradedItem = Literal[
    "keyword_partial", "model_mismatch", "phrase_too_long", "rerank", "semantic", "semantic_partial"
]


def check_memory_search_answer_degraded_item(value: str) -> MemorySearchAnswerDegradedItem:
    return cast(MemorySearchAnswerDegradedItem, value)
