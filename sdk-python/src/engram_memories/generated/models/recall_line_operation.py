# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RecallLineOperation = Literal["getContext", "search", "searchMemories"]


def check_recall_line_operation(value: str) -> RecallLineOperation:
    return cast(RecallLineOperation, value)
