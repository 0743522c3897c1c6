"""Loops over events and messages."""

from __future__ import annotations

from itertools import islice

import pytest

from engram_memories import ApiError, AsyncEngram, Engram


def test_yields_events_and_messages_in_order(engram: Engram) -> None:
    conversation = engram.conversations.create()
    engram.messages.append(conversation.id, messages=[{"role": "user", "content": each} for each in "abc"])
    events = list(islice(engram.events.listen(after=0, type=["conversation.created", "messages.appended"]), 2))
    assert [event.type for event in events] == ["conversation.created", "messages.appended"]
    assert [each.content for each in islice(engram.conversations.follow(conversation.id, after=1), 2)] == ["b", "c"]


def test_ends_with_the_conversation(engram: Engram) -> None:
    conversation = engram.conversations.create()
    engram.messages.append(conversation.id, messages=[{"role": "user", "content": "a"}])
    seen = []
    for message in engram.conversations.follow(conversation.id):
        seen.append(message.content)
        engram.conversations.delete(conversation.id)
    assert seen == ["a"]
    with pytest.raises(ApiError):
        next(engram.conversations.follow("conv_unknown"))


@pytest.mark.anyio
async def test_follows_with_await(async_engram: AsyncEngram) -> None:
    conversation = await async_engram.conversations.create()
    await async_engram.messages.append(conversation.id, messages=[{"role": "user", "content": "a"}])
    async for message in async_engram.conversations.follow(conversation.id):
        assert message.content == "a"
        break
    async for event in async_engram.events.listen(after=0, type=["conversation.created"]):
        assert event.conversation_id == conversation.id
        break
