"""Exports and imports."""

from __future__ import annotations

import json

import pytest

from engram_memories import AsyncEngram, Engram

from .fault_server import FaultServer, answer, reset


def line(number: int) -> dict[str, object]:
    return {"type": "conversation", "id": f"conv_{number}"}


def ndjson(*lines: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def test_imports_what_was_exported(engram: Engram, operator: Engram) -> None:
    conversation = engram.conversations.create(title="Order")
    engram.messages.append(conversation.id, messages=[{"role": "user", "content": "👋\x00\u2028"}])
    engram.memories.create(content="note")
    other = Engram(api_key=operator.organizations.create(name="Other").key.secret)
    done = other.import_(engram.export())
    assert (done.conversations.created, done.messages.created, done.memories.created) == (1, 1, 1)
    assert done.problems == [] and done.operation_id is None
    assert list(other.export()) == list(engram.export())
    again = other.import_(json.dumps(each) + "\n" for each in engram.export())
    assert (again.messages.created, again.messages.existing) == (0, 1)


def test_imports_in_parts_and_continues(engram: Engram) -> None:
    lines = ["not json", *("{}" for _ in range(1_500))]
    reports: list[int] = []
    done = engram.import_(lines, on_progress=lambda summary: reports.append(summary.lines))
    assert reports == [1_000, 1_501]
    assert [problem.line for problem in done.problems] == list(range(1, 1_502))
    assert done.operation_id is not None
    assert engram.operations.get(done.operation_id).status == "succeeded"
    with pytest.raises(ValueError):
        engram.import_(["{}\n{}"])


@pytest.mark.anyio
async def test_imports_with_await(async_engram: AsyncEngram, operator: Engram) -> None:
    await async_engram.memories.create(content="note")
    async with AsyncEngram(api_key=operator.organizations.create(name="Other").key.secret) as other:
        done = await other.import_(async_engram.export())
        assert done.memories.created == 1
        assert [each async for each in other.export()] == [each async for each in async_engram.export()]


def test_continues_an_export_after_a_broken_connection(faults: FaultServer) -> None:
    kind = {"content-type": "application/x-ndjson"}
    end = {"type": "end", "conversations": 1, "messages": 0}
    faults.behaviours = [
        answer(200, ndjson(line(1)), kind),
        reset,
        answer(200, ndjson(line(2), {**end, "complete": False}), kind),
        answer(200, ndjson(line(3), {**end, "complete": True}), kind),
    ]
    client = Engram(base_url=faults.url, api_key="k")
    assert [each["id"] for each in client.export(user_id="u")] == ["conv_1", "conv_2", "conv_3"]
    assert [attempt.path for attempt in faults.attempts] == [
        "/v1/export?user_id=u",
        "/v1/export?user_id=u&after=conv_1",
        "/v1/export?user_id=u&after=conv_1",
        "/v1/export?user_id=u&after=conv_2",
    ]
