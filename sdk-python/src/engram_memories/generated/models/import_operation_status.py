# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ImportOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_import_operation_status(value: str) -> ImportOperationStatus:
    return cast(ImportOperationStatus, value)
