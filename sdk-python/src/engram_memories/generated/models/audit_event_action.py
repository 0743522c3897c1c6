# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

AuditEventAction = Literal[
    "archive.created",
    "archive.deleted",
    "archive_schedule.updated",
    "conversation.deleted",
    "conversations.deleted",
    "data.exported",
    "delivery.skipped",
    "grant.created",
    "grant.deleted",
    "hold.created",
    "hold.lifted",
    "items.expired",
    "key.created",
    "key.revoked",
    "key.rotated",
    "member.created",
    "member.deleted",
    "member.sign_in_code.created",
    "member.updated",
    "memories.deleted",
    "memory.deleted",
    "message.deleted",
    "messages.replaced",
    "organization.deleted",
    "organization.move.started",
    "organization.restored",
    "organization.updated",
    "retention.applied",
    "retention.created",
    "retention.deleted",
    "retention.updated",
    "tombstone.deleted",
    "user.deleted",
    "webhook.created",
    "webhook.deleted",
    "webhook.paused",
    "webhook.resumed",
    "webhook.rotated",
    "webhook.updated",
]


def check_audit_event_action(value: str) -> AuditEventAction:
    return cast(AuditEventAction, value)
