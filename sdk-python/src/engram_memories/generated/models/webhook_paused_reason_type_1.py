# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookPausedReasonType1 = Literal["failing", "gone"]


def check_webhook_paused_reason_type_1(value: str) -> WebhookPausedReasonType1:
    return cast(WebhookPausedReasonType1, value)
