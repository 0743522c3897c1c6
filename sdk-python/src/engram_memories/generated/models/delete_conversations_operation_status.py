# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteConversationsOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_conversations_operation_status(value: str) -> DeleteConversationsOperationStatus:
    return cast(DeleteConversationsOperationStatus, value)
