# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextAnswerStableChangedType2Type1 = Literal["deleted", "edited", "ended", "new", "over_share", "unknown_previous"]


def check_context_answer_stable_changed_type_2_type_1(value: str) -> ContextAnswerStableChangedType2Type1:
    return cast(ContextAnswerStableChangedType2Type1, value)
