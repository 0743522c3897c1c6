# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ContextBodyLayout = Literal["single", "stable"]


def check_context_body_layout(value: str) -> ContextBodyLayout:
    return cast(ContextBodyLayout, value)
