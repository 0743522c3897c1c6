# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListEventsTypeItem = Literal[
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


def check_list_events_type_item(value: str) -> ListEventsTypeItem:
    return cast(ListEventsTypeItem, value)
