"""The session, with the runner of the OpenAI Agents SDK and a model of our own."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Agent, ModelResponse, Runner, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from engram_memories import Engram
from engram_memories.openai_agents import EngramSession

pytestmark = pytest.mark.anyio


class Fake(Model):
    """Answers with what the test gives it, and notes what it was asked."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.inputs: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
        self.inputs.append(input)
        return ModelResponse(output=[self.outputs.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def text(content: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=content, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


def call(name: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(call_id="call_1", name=name, arguments=arguments, type="function_call")


@function_tool
def weather(city: str) -> str:
    """Tells the weather."""
    return f"Sun in {city} ☀️"


async def test_runs_keep_their_history(engram: Engram) -> None:
    session = EngramSession(engram, "chat-1", user_id="maria", title="Trip")
    model = Fake(call("weather", '{"city":"Rome"}'), text("It is sunny."), text("Rome, you said."))
    agent = Agent(name="Guide", model=model, tools=[weather])
    await Runner.run(agent, "Weather in Rome? 👋", session=session)
    other = EngramSession(engram, "chat-1", user_id="maria")
    result = await Runner.run(agent, "Where did I ask about?", session=other)
    assert result.final_output == "Rome, you said."
    asked = model.inputs[-1]
    assert [item.get("type", "message") for item in asked] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
        "message",
    ]
    [conversation] = engram.conversations.list(external_id="chat-1").to_list(max=2)
    assert (conversation.title, conversation.user_id, conversation.message_count) == ("Trip", "maria", 6)
    stored = list(engram.messages.list(conversation.id))
    assert [(message.role, message.content) for message in stored[:3]] == [
        ("user", "Weather in Rome? 👋"),
        ("assistant", '{"city":"Rome"}'),
        ("tool", "Sun in Rome ☀️"),
    ]
    assert stored[1].tool_name == "weather"
    found = engram.search(query="sunny", user_id="maria")
    assert any(message.content == "It is sunny." for result in found.results for message in result.messages)


async def test_returns_items_equal_and_in_order(engram: Engram) -> None:
    session = EngramSession(engram, "chat-2")
    items: list[Any] = [
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "a\x00b"}, {"type": "input_image", "image_url": "x" * 700_000}],
        },
        {"role": "developer", "content": "Be brief.", "n": 2**70},
        {"type": "reasoning", "id": "r", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        *({"role": "user", "content": str(number)} for number in range(230)),
    ]
    await session.add_items(items)
    assert await session.get_items() == items
    assert await session.get_items(2) == items[-2:]
    assert await session.get_items(232) == items[-232:]
    assert await session.get_items(0) == []
    assert await EngramSession(engram, "chat-2", user_id="other").get_items() == []


async def test_pops_and_clears(engram: Engram) -> None:
    session = EngramSession(engram, "chat-3")
    assert await session.pop_item() is None
    big: Any = {"role": "user", "content": "y" * 250_000}
    await session.add_items([{"role": "user", "content": "one"}, big])
    assert await session.pop_item() == big
    assert await session.get_items() == [{"role": "user", "content": "one"}]
    await session.clear_session()
    await session.clear_session()
    assert await session.get_items() == []
    await session.add_items([{"role": "user", "content": "two"}])
    assert await session.get_items() == [{"role": "user", "content": "two"}]
