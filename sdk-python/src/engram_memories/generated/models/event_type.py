# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

EventType = Literal[
    "conversation.created",
    "conversation.deleted",
    "conversation.updated",
    "key.created",
    "key.revoked",
    "key.rotated",
    "memory.created",
    "memory.deleted",
    "memory.updated",
    "messages.appended",
    "messages.deleted",
    "messages.indexed",
    "messages.updated",
    "operation.updated",
    "summary.created",
]


def check_event_type(value: str) -> EventType:
    return cast(EventType, value)
