# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateRetentionRuleBodyKind = Literal["audit_events", "conversations", "events", "memories", "recalls", "usage"]


def check_create_retention_rule_body_kind(value: str) -> CreateRetentionRuleBodyKind:
    return cast(CreateRetentionRuleBodyKind, value)
