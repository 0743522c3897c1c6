# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateArchiveOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_create_archive_operation_status(value: str) -> CreateArchiveOperationStatus:
    return cast(CreateArchiveOperationStatus, value)
