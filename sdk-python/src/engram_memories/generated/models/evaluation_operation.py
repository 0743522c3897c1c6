# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EvaluationOperation = Literal["search", "searchMemories"]


def check_evaluation_operation(value: str) -> EvaluationOperation:
    return cast(EvaluationOperation, value)
