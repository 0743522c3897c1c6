"""A memory for LlamaIndex: the messages of a chat, and what was said and noted before that fits the question."""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import LLM, ChatMessage, MessageRole
from llama_index.core.memory import BaseMemory

from ._owner import owner_of
from ._text import text_of
from ._thread import Item, Thread
from .client import Engram
from .generated.types import UNSET, Unset

_ROLES = {
    MessageRole.USER: "user",
    MessageRole.TOOL: "tool",
    MessageRole.FUNCTION: "tool",
    MessageRole.SYSTEM: "system",
}


class EngramMemory(BaseMemory):
    """The messages of one chat. Each is stored as a message, with the original in `parts`.

    Needs the scopes `read`, `write` and `search`; `set` and `reset` also need `delete`.
    """

    _client: Engram = PrivateAttr()
    _owner: dict[str, Any] = PrivateAttr()
    _thread: Thread = PrivateAttr()
    _recall_tokens: int = PrivateAttr()
    _messages_max: int = PrivateAttr()

    def __init__(
        self,
        client: Engram,
        chat_id: str,
        *,
        user_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        recall_tokens: int = 0,
        messages_max: int = 200,
        **fields: Any,
    ) -> None:
        """Open a new or existing chat. Nothing is sent before the first call.

        Args:
            client: A client. The asynchronous methods use it in a thread.
            chat_id: The conversation's `external_id`. The conversation is created with the first message.
            user_id: The user. The chats of each user and agent are separate, even with the same id.
            agent_id: The agent.
            recall_tokens: Tokens of other conversations and memories that a question gets, at least 300; 0 for none.
            messages_max: How many of the latest messages a question gets.
            fields: Further fields of the conversation: `title`, `tags`, `metadata`.
        """
        super().__init__()
        self._client = client
        self._owner = owner_of(user_id, agent_id)
        self._thread = Thread(client, chat_id, user_id=user_id, agent_id=agent_id, **fields)
        self._recall_tokens = recall_tokens
        self._messages_max = messages_max

    @classmethod
    def class_name(cls) -> str:
        return "EngramMemory"

    @classmethod
    def from_defaults(
        cls, chat_history: list[ChatMessage] | None = None, llm: LLM | None = None, **kwargs: Any
    ) -> EngramMemory:
        """Open a chat and append messages to it. `kwargs` are the arguments of `EngramMemory`."""
        memory = cls(**kwargs)
        memory.put_messages(chat_history or [])
        return memory

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """Get the latest messages, after what was said and noted elsewhere that fits the input."""
        newest = [stored.value for _, stored in zip(range(self._messages_max), self._thread.newest_first())]
        messages = [ChatMessage.model_validate(value) for value in reversed(newest)]
        recalled = self._recall(input) if input and self._recall_tokens else ""
        return [ChatMessage(role=MessageRole.SYSTEM, content=recalled), *messages] if recalled else messages

    def _recall(self, query: str) -> str:
        answer = self._client.context(
            query=query,
            max_tokens=self._recall_tokens,
            exclude_conversation=self._thread.external_id,
            **self._owner,
        )
        return answer.text

    def get_all(self) -> list[ChatMessage]:
        return [ChatMessage.model_validate(stored.value) for stored in self._thread.items()]

    def put(self, message: ChatMessage) -> None:
        self.put_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        self._thread.append([_to_item(message) for message in messages])

    def set(self, messages: list[ChatMessage]) -> None:
        """Replace all messages."""
        self.reset()
        self.put_messages(messages)

    def reset(self) -> None:
        """Delete the conversation. The next message creates a new one with the same `external_id`."""
        self._thread.delete()


def _to_item(message: ChatMessage) -> Item:
    role = _ROLES.get(message.role, "assistant")
    return Item(message.model_dump(mode="json"), role, text_of(message.content or ""))
