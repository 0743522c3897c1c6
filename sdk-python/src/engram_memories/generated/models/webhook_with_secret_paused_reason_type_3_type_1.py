# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookWithSecretPausedReasonType3Type1 = Literal["failing", "gone"]


def check_webhook_with_secret_paused_reason_type_3_type_1(value: str) -> WebhookWithSecretPausedReasonType3Type1:
    return cast(WebhookWithSecretPausedReasonType3Type1, value)
