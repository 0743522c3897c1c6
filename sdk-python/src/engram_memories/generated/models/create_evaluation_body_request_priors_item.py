# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateEvaluationBodyRequestPriorsItem = Literal["answer", "date", "hidden", "number", "question", "speaker", "time"]


def check_create_evaluation_body_request_priors_item(value: str) -> CreateEvaluationBodyRequestPriorsItem:
    return cast(CreateEvaluationBodyRequestPriorsItem, value)
