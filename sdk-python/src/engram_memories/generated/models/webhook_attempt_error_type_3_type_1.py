# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

WebhookAttemptErrorType3Type1 = Literal[
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


def check_webhook_attempt_error_type_3_type_1(value: str) -> WebhookAttemptErrorType3Type1:
    return cast(WebhookAttemptErrorType3Type1, value)
