"""Histories and tools, with agents of Pydantic AI and a model of our own."""

from __future__ import annotations

import pytest

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from engram_memories import Engram
from engram_memories.pydantic_ai import EngramHistory, engram_tools

pytestmark = pytest.mark.anyio


def as_json(messages: list[ModelMessage]) -> bytes:
    """An image comes back as an object of another class, also from the framework's own JSON."""
    return ModelMessagesTypeAdapter.dump_json(messages)


async def test_runs_continue_a_history(engram: Engram) -> None:
    seen: list[list[ModelMessage]] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(messages)
        return ModelResponse(parts=[TextPart(f"Answer {len(seen)} 👋")])

    agent = Agent(FunctionModel(model), instructions="Be brief.")
    history = EngramHistory(engram, "chat-1", user_id="maria", title="Chat")
    image = BinaryContent(data=b"\x00\xff" * 300_000, media_type="image/png")
    first = await agent.run(["What is this?\x00", image], message_history=await history.load())
    await history.save(first.new_messages())
    again = EngramHistory(engram, "chat-1", user_id="maria")
    loaded = await again.load()
    assert as_json(loaded) == as_json(first.all_messages())
    second = await agent.run("And now?", message_history=loaded)
    await again.save(second.new_messages())
    assert len(seen[1]) == 3
    assert as_json(await history.load()) == as_json(second.all_messages())
    [conversation] = engram.conversations.list(external_id="chat-1").to_list(max=2)
    texts = [(each.role, each.content) for each in engram.messages.list(conversation.id) if each.content]
    assert texts == [
        ("user", "What is this?\x00"),
        ("assistant", "Answer 1 👋"),
        ("user", "And now?"),
        ("assistant", "Answer 2 👋"),
    ]
    await history.clear()
    assert await history.load() == []


async def test_a_model_searches_and_remembers(engram: Engram) -> None:
    calls = [
        ToolCallPart("remember", {"note": "Maria is allergic to walnuts."}),
        ToolCallPart("search_memory", {"query": "What must Maria not eat?"}),
    ]
    returned: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == {"search_memory", "remember"}
        returned.extend(str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart))
        return ModelResponse(parts=[calls.pop(0)] if calls else [TextPart("Done")])

    agent = Agent(FunctionModel(model), toolsets=[engram_tools(engram, user_id="maria")])
    result = await agent.run("I'm allergic to walnuts.")
    assert result.output == "Done"
    assert "Maria is allergic to walnuts." in returned[1]
    [memory] = engram.memories.list(user_id="maria").to_list(max=2)
    assert memory.content == "Maria is allergic to walnuts."
    history = EngramHistory(engram, "chat-2")
    await history.save(result.new_messages())
    assert await history.load() == result.new_messages()
