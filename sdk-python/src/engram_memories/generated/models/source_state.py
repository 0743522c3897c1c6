# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

SourceState = Literal["deleted", "edited", "intact"]


def check_source_state(value: str) -> SourceState:
    return cast(SourceState, value)
