"""Verifies requests of webhooks, as Standard Webhooks 1.0 states."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .generated.models import Event, WebhookTestEvent

_TOLERANCE_SECONDS = 5 * 60
_PREFIX = "whsec_"

WebhookErrorCode = Literal[
    "missing_header", "timestamp_out_of_range", "wrong_signature", "invalid_body", "no_raw_body", "no_secret"
]


class WebhookError(Exception):
    """A request that `verify_webhook` refused. Respond with the status 400, and do not use the request."""

    code: WebhookErrorCode
    """Why: a header is missing, the timestamp is more than five minutes from now, no signature was made with a given
    secret, the body is no event, the body was parsed before, or no secret was passed."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str]
) -> Event | WebhookTestEvent:
    """Verify a request of a webhook, and read its event.

    While a secret is rotated, requests have a signature of each secret, so either verifies them. An event can arrive
    more than once: `event.id` is the same each time.

    Args:
        body: The body as it arrived. A parsed body cannot be verified.
        headers: The headers of the request, in any case.
        secret: The secret of the webhook, such as `whsec_…`, or several.

    Raises:
        WebhookError: The request is not authentic.
        ValueError: A secret is malformed.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise WebhookError("no_secret", "A secret is missing: pass the webhook's secret, such as whsec_….")
    keys = [_key(each) for each in secrets]
    if not isinstance(body, (bytes, bytearray, str)):
        raise WebhookError("no_raw_body", "Pass the raw body, as text or bytes, before anything parses it.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    signed = f"{event_id}.{timestamp}.".encode() + raw
    if not any(_is_signed(key, signed, each) for key in keys for each in signatures.split(" ")):
        raise WebhookError("wrong_signature", "No signature was made with a given secret.")
    # Not earlier: the time of a request that is not authentic says nothing.
    seconds = int(timestamp) if re.fullmatch("[0-9]{1,15}", timestamp) else 0
    if abs(time.time() - seconds) > _TOLERANCE_SECONDS:
        raise WebhookError("timestamp_out_of_range", "The timestamp is more than five minutes from now.")
    return _event(raw)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(_PREFIX) or not key:
        raise ValueError("The secret of a webhook is `whsec_`, followed by base64.")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookError("missing_header", f"The request has no header `{name}`.")
    return value


def _is_signed(key: bytes, signed: bytes, signature: str) -> bool:
    version, _, text = signature.partition(",")
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
    return version == "v1" and hmac.compare_digest(expected, text.encode())


def _event(raw: bytes) -> Event | WebhookTestEvent:
    try:
        data: dict[str, Any] = json.loads(raw)["data"]
        return WebhookTestEvent.from_dict(data) if data["type"] == "webhook.test" else Event.from_dict(data)
    except (ValueError, KeyError, TypeError):
        raise WebhookError("invalid_body", "The body is not an event.") from None
