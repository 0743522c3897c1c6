# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextAnswerStableChangedType1 = Literal["deleted", "edited", "ended", "new", "over_share", "unknown_previous"]


def check_context_answer_stable_changed_type_1(value: str) -> ContextAnswerStableChangedType1:
    return cast(ContextAnswerStableChangedType1, value)
