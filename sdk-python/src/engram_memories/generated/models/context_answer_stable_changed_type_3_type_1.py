# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextAnswerStableChangedType3Type1 = Literal["deleted", "edited", "ended", "new", "over_share", "unknown_previous"]


def check_context_answer_stable_changed_type_3_type_1(value: str) -> ContextAnswerStableChangedType3Type1:
    return cast(ContextAnswerStableChangedType3Type1, value)
