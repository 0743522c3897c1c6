# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateEvaluationBodyRequestMode = Literal["hybrid", "keyword", "semantic"]


def check_create_evaluation_body_request_mode(value: str) -> CreateEvaluationBodyRequestMode:
    return cast(CreateEvaluationBodyRequestMode, value)
