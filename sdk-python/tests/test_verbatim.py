"""What was stored comes back equal."""

from __future__ import annotations

import pytest

from engram_memories import ApiError, AsyncEngram, Engram

TEXTS = ["👩‍👩‍👧 naïve ﷽", "a\x00b\x01", "  leading\r\n\ttrailing \n", '"quotes" \\ and \u2028', "x" * 200_000]
PARTS = {"of": ["any", {"kind": None, "n": 1.5, "big": 2**53 - 1, "é": "\x00"}]}


def test_returns_messages_byte_for_byte(engram: Engram) -> None:
    conversation = engram.conversations.create(title="👋", metadata={"é": {"deep": [1, None]}})
    messages = [{"role": "user", "content": text, "parts": PARTS} for text in TEXTS]
    appended = engram.messages.append(conversation.id, messages=messages)
    assert (appended.first_sequence, appended.last_sequence) == (1, len(TEXTS))
    stored = list(engram.messages.list(conversation.id))
    assert [message.content for message in stored] == TEXTS
    assert all(message.parts == PARTS for message in stored)
    assert engram.conversations.get(conversation.id).metadata == {"é": {"deep": [1, None]}}


def test_refuses_what_cannot_be_kept(engram: Engram) -> None:
    conversation = engram.conversations.create()
    with pytest.raises(ApiError) as refused:
        engram.messages.append(conversation.id, messages=[{"role": "user", "content": "", "parts": {"n": 2**60}}])
    assert refused.value.status == 400
    with pytest.raises(ValueError):
        engram.messages.append(conversation.id, messages=[{"role": "user", "content": "\ud800"}])
    with pytest.raises(ValueError):
        engram.messages.append(
            conversation.id, messages=[{"role": "user", "content": "", "parts": {"n": float("nan")}}]
        )
    assert list(engram.messages.list(conversation.id)) == []


@pytest.mark.anyio
async def test_gives_the_same_results_with_await(engram: Engram, async_engram: AsyncEngram) -> None:
    # With a summary and tags, and indexed, so that nothing is written in the background between two reads.
    memory = await async_engram.memories.create(
        content=TEXTS[0], tags=["a", "b"], summary="Kept.", parts=PARTS, wait="indexed"
    )
    assert engram.memories.get(memory.id) == await async_engram.memories.get(memory.id)
    conversation = engram.conversations.create(user_id="u")
    engram.messages.append(conversation.id, messages=[{"role": "user", "content": "apples"}], wait="indexed")
    one = engram.search(query="apples", user_id="u")
    other = await async_engram.search(query="apples", user_id="u")
    assert one == other
    assert one.results[0].messages[0].content == "apples"
    listed = [each async for each in async_engram.messages.list(conversation.id)]
    assert listed == list(engram.messages.list(conversation.id))
    assert await async_engram.conversations.list(user_id="u").to_list(max=5) == engram.conversations.list(
        user_id="u"
    ).to_list(max=5)
