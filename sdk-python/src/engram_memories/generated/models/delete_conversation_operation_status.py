# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteConversationOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_conversation_operation_status(value: str) -> DeleteConversationOperationStatus:
    return cast(DeleteConversationOperationStatus, value)
