# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RetentionRuleKind = Literal["audit_events", "conversations", "events", "memories", "recalls", "usage"]


def check_retention_rule_kind(value: str) -> RetentionRuleKind:
    return cast(RetentionRuleKind, value)
