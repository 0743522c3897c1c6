"""The memory, with chat engines and agents of LlamaIndex and a model of our own."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage, ImageBlock, MessageRole, MockLLM, TextBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import BaseMemory

from engram_memories import Engram
from engram_memories.llama_index import EngramMemory


def test_a_chat_engine_continues(engram: Engram) -> None:
    memory = EngramMemory(engram, "chat-1", user_id="maria", title="Chat")
    assert isinstance(memory, BaseMemory)
    SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory).chat("I'm allergic to walnuts 👋")
    again = EngramMemory(engram, "chat-1", user_id="maria")
    SimpleChatEngine.from_defaults(llm=MockLLM(), memory=again).chat("Book me a table.")
    contents = [message.content for message in again.get_all()]
    assert contents[0] == "I'm allergic to walnuts 👋"
    assert contents[2] == "Book me a table."
    # The model repeats its prompt, which has the history.
    assert "walnuts" in (contents[3] or "")
    assert [message.role for message in again.get_all()] == [MessageRole.USER, MessageRole.ASSISTANT] * 2


@pytest.mark.anyio
async def test_an_agent_continues(engram: Engram) -> None:
    memory = EngramMemory(engram, "chat-2")
    agent = FunctionAgent(llm=MockFunctionCallingLLM(), tools=[])
    await agent.run("Hello", memory=memory)
    await agent.run("Again", memory=memory)
    assert [message.content for message in memory.get_all() if message.role == MessageRole.USER] == ["Hello", "Again"]


def test_returns_messages_equal(engram: Engram) -> None:
    memory = EngramMemory(engram, "chat-3", messages_max=2)
    messages = [
        ChatMessage(role=MessageRole.SYSTEM, content="Be brief.\x00"),
        ChatMessage(
            role=MessageRole.USER, blocks=[TextBlock(text="What is this?"), ImageBlock(image=b"\xff" * 600_000)]
        ),
        ChatMessage(role=MessageRole.TOOL, content="42", additional_kwargs={"tool_call_id": "c"}),
    ]
    memory.put_messages(messages)
    assert memory.get_all() == messages
    assert memory.get() == messages[1:]
    memory.set(messages[:1])
    assert memory.get_all() == messages[:1]
    memory.reset()
    assert memory.get_all() == []


def test_recalls_what_fits_the_question(engram: Engram) -> None:
    engram.memories.create(content="Maria is allergic to walnuts.", user_id="maria", wait="indexed")
    memory = EngramMemory(engram, "chat-4", user_id="maria", recall_tokens=500)
    memory.put(ChatMessage(role=MessageRole.USER, content="Book me a table."))
    recalled, own = memory.get("What must Maria not eat?")
    assert recalled.role == MessageRole.SYSTEM and "walnuts" in (recalled.content or "")
    assert "Book me a table." not in (recalled.content or "")
    assert own.content == "Book me a table."


def opened(client: Engram, **fields: Any) -> EngramMemory:
    return EngramMemory.from_defaults([ChatMessage(role=MessageRole.USER, content="Hi")], client=client, **fields)


def test_opens_with_a_history(engram: Engram) -> None:
    memory = opened(engram, chat_id="chat-5")
    assert [message.content for message in memory.get_all()] == ["Hi"]
