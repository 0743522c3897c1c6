# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

UpdateWebhookBodyTypesType0Item = Literal[
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


def check_update_webhook_body_types_type_0_item(value: str) -> UpdateWebhookBodyTypesType0Item:
    return cast(UpdateWebhookBodyTypesType0Item, value)
