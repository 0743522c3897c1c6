# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

CreateRetentionRuleBodyBy = Literal["created_at", "last_message_at", "updated_at"]


def check_create_retention_rule_body_by(value: str) -> CreateRetentionRuleBodyBy:
    return cast(CreateRetentionRuleBodyBy, value)
