# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EnrichMemoriesOperationStatus = Literal["canceled", "failed", "running", "succeeded"]


def check_enrich_memories_operation_status(value: str) -> EnrichMemoriesOperationStatus:
    return cast(EnrichMemoriesOperationStatus, value)
