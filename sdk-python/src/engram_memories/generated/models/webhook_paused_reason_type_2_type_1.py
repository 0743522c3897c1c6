# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookPausedReasonType2Type1 = Literal["failing", "gone"]


def check_webhook_paused_reason_type_2_type_1(value: str) -> WebhookPausedReasonType2Type1:
    return cast(WebhookPausedReasonType2Type1, value)
