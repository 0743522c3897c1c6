# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteMemoriesOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_memories_operation_status(value: str) -> DeleteMemoriesOperationStatus:
    return cast(DeleteMemoriesOperationStatus, value)
