# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

MessageRole = Literal["assistant", "system", "tool", "user"]


def check_message_role(value: str) -> MessageRole:
    return cast(MessageRole, value)
