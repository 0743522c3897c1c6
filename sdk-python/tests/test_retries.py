"""Calls are repeated, and writes are applied once."""

from __future__ import annotations

import logging
import time
from types import SimpleNamespace

import pytest

from engram_memories import ApiError, AsyncEngram, ConnectionError, Engram

from .fault_server import FaultServer, answer, cut_off, problem, reset

KEY = "engram_sk_live_x"


def client_of(faults: FaultServer, **options: float) -> Engram:
    return Engram(base_url=faults.url, api_key=KEY, **options)  # type: ignore[arg-type]


def append(client: Engram, **options: str) -> object:
    return client.messages.append("conv_1", messages=[{"role": "user", "content": "hi"}], **options)


APPENDED = {
    "conversation_id": "conv_1",
    "message_ids": ["msg_1"],
    "existing_ids": [],
    "first_sequence": 1,
    "last_sequence": 1,
    "indexed": False,
}


@pytest.mark.parametrize(
    "fault", [reset, cut_off, problem(503, "unavailable"), problem(429, "rate_limited"), answer(408, {})]
)
def test_repeats_a_write_with_the_same_idempotency_key(faults: FaultServer, fault: object) -> None:
    faults.behaviours = [fault, fault, answer(201, APPENDED)]  # type: ignore[list-item]
    append(client_of(faults))
    keys = {attempt.headers["idempotency-key"] for attempt in faults.attempts}
    assert len(faults.attempts) == 3
    assert len(keys) == 1
    assert len({attempt.body for attempt in faults.attempts}) == 1


def test_applies_a_write_once_when_its_response_is_lost(engram: Engram) -> None:
    conversation = engram.conversations.create()
    message = {"role": "user", "content": "once"}
    for _ in range(2):
        engram.messages.append(conversation.id, messages=[message], idempotency_key="k-1")
    assert [each.content for each in engram.messages.list(conversation.id)] == ["once"]


def test_does_not_repeat_what_a_repeat_cannot_mend(faults: FaultServer) -> None:
    for status in (400, 404, 409, 501, 507):
        faults.attempts.clear()
        faults.behaviours = [problem(status, "some_code")]
        with pytest.raises(ApiError):
            append(client_of(faults))
        assert len(faults.attempts) == 1


def test_does_not_repeat_a_post_without_idempotency_key_that_has_an_effect(faults: FaultServer) -> None:
    faults.behaviours = [problem(503, "unavailable")]
    with pytest.raises(ApiError):
        client_of(faults).conversations.broadcast("conv_1", value={"typing": True})
    assert len(faults.attempts) == 1


def test_says_whether_an_earlier_attempt_may_have_been_applied(faults: FaultServer) -> None:
    faults.behaviours = [reset, problem(404, "not_found")]
    with pytest.raises(ApiError) as lost:
        client_of(faults).conversations.delete("conv_1")
    assert lost.value.may_have_applied
    faults.attempts.clear()
    faults.behaviours = [problem(429, "rate_limited"), problem(404, "not_found")]
    with pytest.raises(ApiError) as refused:
        client_of(faults).conversations.delete("conv_1")
    assert not refused.value.may_have_applied


def test_obeys_retry_after_up_to_a_minute(faults: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    # Only here: threads of other packages sleep, too.
    clock = SimpleNamespace(sleep=waits.append, monotonic=time.monotonic)
    monkeypatch.setattr("engram_memories._http.time", clock)
    faults.behaviours = [
        problem(429, "rate_limited", {"retry-after": "3"}),
        problem(429, "rate_limited", {"retry-after-ms": "250"}),
        answer(201, APPENDED),
    ]
    append(client_of(faults))
    assert waits == [3.0, 0.25]
    faults.attempts.clear()
    faults.behaviours = [problem(429, "rate_limited", {"retry-after": "61"})]
    with pytest.raises(ApiError) as refused:
        append(client_of(faults))
    assert refused.value.retry_after == 61
    assert len(faults.attempts) == 1


def test_gives_up_after_the_retries_and_before_the_deadline(faults: FaultServer) -> None:
    faults.behaviours = [reset]
    with pytest.raises(ConnectionError) as lost:
        append(client_of(faults, max_retries=1), idempotency_key="k-2")
    assert (lost.value.code, lost.value.idempotency_key) == ("no_answer", "k-2")
    assert len(faults.attempts) == 2
    faults.attempts.clear()
    faults.behaviours = [problem(503, "unavailable", {"retry-after": "30"})]
    with pytest.raises(ApiError):
        append(client_of(faults, deadline=20.0))
    assert len(faults.attempts) == 1


def test_ends_an_attempt_that_gets_no_answer(faults: FaultServer) -> None:
    faults.behaviours = [faults.silence]
    with pytest.raises(ConnectionError) as lost:
        append(client_of(faults, timeout=0.05, max_retries=0))
    assert lost.value.code == "timeout"
    assert KEY not in str(lost.value)


@pytest.mark.anyio
async def test_repeats_with_await_too(faults: FaultServer) -> None:
    faults.behaviours = [reset, problem(503, "unavailable"), answer(201, APPENDED)]
    async with AsyncEngram(base_url=faults.url, api_key=KEY) as client:
        appended = await client.messages.append("conv_1", messages=[{"role": "user", "content": "hi"}])
    assert appended.message_ids == ["msg_1"]
    assert len({attempt.headers["idempotency-key"] for attempt in faults.attempts}) == 1


def test_logs_attempts_without_secrets(faults: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "engram_memories")
    faults.behaviours = [reset, answer(201, APPENDED)]
    append(client_of(faults))
    assert [record.levelname for record in caplog.records if record.name == "engram_memories"] == ["WARNING", "DEBUG"]
    assert KEY not in caplog.text
    assert "hi" not in caplog.text.replace("this", "")
