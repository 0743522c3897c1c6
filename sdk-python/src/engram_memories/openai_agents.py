"""A session for the OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from agents.items import TResponseInputItem
from agents.memory import SessionABC, SessionSettings

from ._text import short_name, text_of
from ._thread import Item, Thread
from .client import Engram
from .generated.types import UNSET, Unset

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


class EngramSession(SessionABC):
    """The history of one session. Each item is stored as a message, with the original in `parts`.

    Needs the scopes `read` and `write`; `pop_item` and `clear_session` also need `delete`.
    """

    session_settings: SessionSettings | None = None

    def __init__(
        self,
        client: Engram,
        session_id: str,
        *,
        user_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        session_settings: SessionSettings | None = None,
        **fields: Any,
    ) -> None:
        """Open a new or existing session. Nothing is sent before the first call.

        Args:
            client: A client, which is used in a thread, so that one client works in every event loop.
            session_id: The conversation's `external_id`. The conversation is created with the first item.
            user_id: The user. The sessions of each user and agent are separate, even with the same id.
            agent_id: The agent.
            session_settings: How many of the latest items a run gets.
            fields: Further fields of the conversation: `title`, `tags`, `metadata`.
        """
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._thread = Thread(client, session_id, user_id=user_id, agent_id=agent_id, **fields)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Get the items, oldest first; with `limit`, only the latest ones."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return await asyncio.to_thread(self._items, limit)

    def _items(self, limit: int | None) -> list[TResponseInputItem]:
        if limit is None:
            return [stored.value for stored in self._thread.items()]
        newest = [stored.value for _, stored in zip(range(limit), self._thread.newest_first())]
        return newest[::-1]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Append items, oldest first."""
        await asyncio.to_thread(self._thread.append, [_to_item(cast("dict[str, Any]", item)) for item in items])

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove and return the latest item. Safe when other callers add or remove items at the same time."""
        stored = await asyncio.to_thread(self._thread.pop)
        return None if stored is None else cast("TResponseInputItem", stored.value)

    async def clear_session(self) -> None:
        """Delete the conversation. The next item creates a new one with the same `external_id`."""
        await asyncio.to_thread(self._thread.delete)


def _to_item(item: dict[str, Any]) -> Item:
    kind = item.get("type", "message")
    if kind == "message":
        return Item(item, _ROLES.get(item.get("role", ""), "assistant"), text_of(item.get("content")))
    if kind == "function_call":
        tool = {"tool_call_id": short_name(item.get("call_id")), "tool_name": short_name(item.get("name"))}
        return Item(item, content=str(item.get("arguments", "")), fields=_given(tool))
    if kind == "function_call_output":
        output = item.get("output")
        text = text_of(output) or json.dumps(output, ensure_ascii=False)
        return Item(item, "tool", text, _given({"tool_call_id": short_name(item.get("call_id"))}))
    return Item(item, content=text_of(item.get("content")))


def _given(fields: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}
