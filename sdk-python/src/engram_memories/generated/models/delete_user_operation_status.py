# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

DeleteUserOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_delete_user_operation_status(value: str) -> DeleteUserOperationStatus:
    return cast(DeleteUserOperationStatus, value)
