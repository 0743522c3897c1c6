# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

RetentionRuleBy = Literal["created_at", "last_message_at", "updated_at"]


def check_retention_rule_by(value: str) -> RetentionRuleBy:
    return cast(RetentionRuleBy, value)
