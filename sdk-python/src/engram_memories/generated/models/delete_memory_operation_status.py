# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteMemoryOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_memory_operation_status(value: str) -> DeleteMemoryOperationStatus:
    return cast(DeleteMemoryOperationStatus, value)
