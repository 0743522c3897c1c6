# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookTypesType0Item = Literal[
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


def check_webhook_types_type_0_item(value: str) -> WebhookTypesType0Item:
    return cast(WebhookTypesType0Item, value)
