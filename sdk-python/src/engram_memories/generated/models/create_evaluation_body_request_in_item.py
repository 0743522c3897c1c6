# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateEvaluationBodyRequestInItem = Literal["conversations", "memories", "summaries"]


def check_create_evaluation_body_request_in_item(value: str) -> CreateEvaluationBodyRequestInItem:
    return cast(CreateEvaluationBodyRequestInItem, value)
