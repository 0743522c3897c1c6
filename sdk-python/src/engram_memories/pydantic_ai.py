"""Message histories for Pydantic AI, and a tool with which an agent searches what was said before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest
from pydantic_ai.toolsets import FunctionToolset

from ._owner import owner_of
from ._text import short_name, text_of
from ._thread import Item, Thread
from .client import Engram
from .generated.types import UNSET, Unset


class EngramHistory:
    """The messages of one chat. Each is stored as a message, with the original in `parts`.

    Needs the scopes `read` and `write`; `clear` also needs `delete`.
    """

    def __init__(
        self,
        client: Engram,
        chat_id: str,
        *,
        user_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        **fields: Any,
    ) -> None:
        """Open a new or existing chat. Nothing is sent before the first call.

        Args:
            client: A client, which is used in a thread, so that one client works in every event loop.
            chat_id: The conversation's `external_id`. The conversation is created with the first message.
            user_id: The user. The chats of each user and agent are separate, even with the same id.
            agent_id: The agent.
            fields: Further fields of the conversation: `title`, `tags`, `metadata`.
        """
        self._thread = Thread(client, chat_id, user_id=user_id, agent_id=agent_id, **fields)

    async def load(self) -> list[ModelMessage]:
        """Get all messages, for the argument `message_history` of a run."""
        stored = await asyncio.to_thread(self._thread.items)
        return ModelMessagesTypeAdapter.validate_python([each.value for each in stored])

    async def save(self, new_messages: Sequence[ModelMessage]) -> None:
        """Append messages, such as `result.new_messages()`."""
        values = ModelMessagesTypeAdapter.dump_python(list(new_messages), mode="json")
        items = [_to_item(message, value) for message, value in zip(new_messages, values)]
        await asyncio.to_thread(self._thread.append, items)

    async def clear(self) -> None:
        """Delete the conversation. The next message creates a new one with the same `external_id`."""
        await asyncio.to_thread(self._thread.delete)


def engram_tools(
    client: Engram, *, user_id: str | Unset = UNSET, agent_id: str | Unset = UNSET
) -> FunctionToolset[Any]:
    """Tools with which a model searches conversations and memories, and remembers. Need `search` and `write`.

    Without a `user_id` and an `agent_id`, the model searches all that the key can access.
    """
    owner = owner_of(user_id, agent_id)

    def search_memory(query: str) -> str:
        """Search what was said and noted before, in all conversations.

        Args:
            query: What to look for, as a question or in keywords.
        """
        return client.context(query=query, max_tokens=2_000, **owner).text

    def remember(note: str) -> str:
        """Keep a fact for later conversations.

        Args:
            note: The fact, as a sentence that says all that is needed to understand it.
        """
        client.memories.create(content=note, **owner)
        return "Noted."

    return FunctionToolset([search_memory, remember])


def _to_item(message: ModelMessage, value: dict[str, Any]) -> Item:
    parts = value["parts"]
    text = text_of([text_of(part.get("content")) for part in parts if part["part_kind"] != "system-prompt"])
    if not isinstance(message, ModelRequest):
        return Item(value, "assistant", text)
    tools = [part for part in parts if part["part_kind"] == "tool-return"]
    if not tools:
        return Item(value, "user", text)
    names = {"tool_call_id": short_name(tools[0]["tool_call_id"]), "tool_name": short_name(tools[0]["tool_name"])}
    return Item(value, "tool", text, {name: each for name, each in names.items() if each})
