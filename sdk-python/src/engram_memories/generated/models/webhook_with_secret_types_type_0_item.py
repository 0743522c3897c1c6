# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookWithSecretTypesType0Item = Literal[
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


def check_webhook_with_secret_types_type_0_item(value: str) -> WebhookWithSecretTypesType0Item:
    return cast(WebhookWithSecretTypesType0Item, value)
