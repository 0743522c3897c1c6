"""Webhooks are verified as Standard Webhooks 1.0 states."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import pytest

from engram_memories import WebhookError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
EVENT: dict[str, Any] = {
    "id": "evt_1",
    "sequence": 7,
    "type": "messages.appended",
    "conversation_id": "conv_1",
    **dict.fromkeys(["memory_id", "operation_id", "key_id", "agent_id", "user_id"]),
    "first_sequence": 1,
    "last_sequence": 2,
    "created_at": "2026-01-01T00:00:00.000Z",
}
BODY = json.dumps({"type": EVENT["type"], "timestamp": EVENT["created_at"], "data": EVENT}).encode()


def signed(body: bytes = BODY, secret: str = SECRET, age: float = 0, **changes: str) -> dict[str, str]:
    timestamp = str(int(time.time() - age))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, b"msg_1." + timestamp.encode() + b"." + body, hashlib.sha256)
    headers = {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}",
    }
    return {name: value for name, value in {**headers, **changes}.items() if value}


def test_agrees_with_the_vector_of_standard_webhooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1614265330.0)
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    # The signature is right, but the body is no event.
    with pytest.raises(WebhookError) as refused:
        verify_webhook(b'{"test": 2432232314}', headers, SECRET)
    assert refused.value.code == "invalid_body"


def test_returns_the_event() -> None:
    event = verify_webhook(BODY, signed(), SECRET)
    assert (event.id, event.type, event.conversation_id, event.last_sequence) == (
        "evt_1",
        "messages.appended",
        "conv_1",
        2,
    )
    assert verify_webhook(BODY.decode(), signed(), ["whsec_AAAA", SECRET]) == event
    other = signed()["Webhook-Signature"]
    assert verify_webhook(BODY, signed(**{"Webhook-Signature": f"v1,AAAA v2,x {other}"}), SECRET) == event


def test_returns_an_event_of_a_type_that_a_later_service_has() -> None:
    body = json.dumps({"data": {**EVENT, "type": "thing.created"}}).encode()
    assert verify_webhook(body, signed(body), SECRET).type == "thing.created"


@pytest.mark.parametrize(
    ("code", "body", "signing", "secret"),
    [
        ("wrong_signature", BODY, {"secret": "whsec_AAAA"}, SECRET),
        ("wrong_signature", BODY + b" ", {}, SECRET),
        ("wrong_signature", BODY, {"Webhook-Id": "msg_2"}, SECRET),
        ("wrong_signature", BODY, {"Webhook-Signature": "v1,é"}, SECRET),
        ("missing_header", BODY, {"Webhook-Signature": ""}, SECRET),
        ("timestamp_out_of_range", BODY, {"age": 301}, SECRET),
        ("timestamp_out_of_range", BODY, {"age": -301}, SECRET),
        ("no_secret", BODY, {}, ""),
        ("no_secret", BODY, {}, []),
        ("no_raw_body", {"data": EVENT}, {}, SECRET),
        ("invalid_body", b"[]", {"body": b"[]"}, SECRET),
    ],
)
def test_refuses(code: str, body: Any, signing: dict[str, Any], secret: Any) -> None:
    with pytest.raises(WebhookError) as refused:
        verify_webhook(body, signed(**signing), secret)
    assert refused.value.code == code


def test_refuses_a_malformed_secret() -> None:
    for secret in ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_!!"):
        with pytest.raises(ValueError):
            verify_webhook(BODY, signed(), secret)
