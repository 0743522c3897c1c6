# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookAttemptErrorType2Type1 = Literal[
    "connection_closed",
    "connection_failed",
    "invalid_response",
    "name_not_resolved",
    "no_response",
    "redirect",
    "secret_unreadable",
    "status",
    "timeout",
    "tls_failed",
    "url_refused",
]


def check_webhook_attempt_error_type_2_type_1(value: str) -> WebhookAttemptErrorType2Type1:
    return cast(WebhookAttemptErrorType2Type1, value)
