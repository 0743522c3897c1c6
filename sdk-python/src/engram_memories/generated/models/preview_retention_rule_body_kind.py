# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

PreviewRetentionRuleBodyKind = Literal["audit_events", "conversations", "events", "memories", "recalls", "usage"]


def check_preview_retention_rule_body_kind(value: str) -> PreviewRetentionRuleBodyKind:
    return cast(PreviewRetentionRuleBodyKind, value)
