# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateEvaluationBodyRequestVisibilityItem = Literal["own", "shared"]


def check_create_evaluation_body_request_visibility_item(value: str) -> CreateEvaluationBodyRequestVisibilityItem:
    return cast(CreateEvaluationBodyRequestVisibilityItem, value)
