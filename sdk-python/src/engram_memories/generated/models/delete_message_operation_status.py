# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteMessageOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_message_operation_status(value: str) -> DeleteMessageOperationStatus:
    return cast(DeleteMessageOperationStatus, value)
