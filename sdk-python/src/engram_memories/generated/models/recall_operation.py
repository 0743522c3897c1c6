# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecallOperation = Literal["getContext", "search", "searchMemories"]


def check_recall_operation(value: str) -> RecallOperation:
    return cast(RecallOperation, value)
