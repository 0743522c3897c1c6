# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EvaluationRunDegradedItem = Literal[
    "keyword_partial", "model_mismatch", "phrase_too_long", "rerank", "semantic", "semantic_partial"
]


def check_evaluation_run_degraded_item(value: str) -> EvaluationRunDegradedItem:
    return cast(EvaluationRunDegradedItem, value)
