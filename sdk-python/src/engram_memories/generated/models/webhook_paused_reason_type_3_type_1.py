# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookPausedReasonType3Type1 = Literal["failing", "gone"]


def check_webhook_paused_reason_type_3_type_1(value: str) -> WebhookPausedReasonType3Type1:
    return cast(WebhookPausedReasonType3Type1, value)
