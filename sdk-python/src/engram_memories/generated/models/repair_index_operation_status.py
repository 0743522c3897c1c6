# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RepairIndexOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_repair_index_operation_status(value: str) -> RepairIndexOperationStatus:
    return cast(RepairIndexOperationStatus, value)
