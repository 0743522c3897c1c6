"""The conversation that stores a thread (chat, session) of an agent framework."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ._owner import owner_of
from ._request import json_bytes
from .client import Engram
from .errors import ApiError
from .generated.models import Message
from .generated.types import UNSET, Unset

T = TypeVar("T")
_PIECE_CHARACTERS = 100_000
_CONTENT_CHARACTERS = 300_000
"""At most 4 bytes each, so a text of this length is within the limit of 1,000,000 bytes, with room."""
_BATCH_BYTES = 1_500_000
_BATCH_MESSAGES = 500
_TRIES = 5
_WINDOW = 100


@dataclass(frozen=True)
class Item:
    """What a framework stores: any JSON, with a text that search finds."""

    value: Any
    role: str = "assistant"
    content: str = ""
    fields: Mapping[str, Any] | None = None
    """Other fields of the message, such as `tool_name`."""


@dataclass(frozen=True)
class Stored:
    """An item as it was stored."""

    value: Any
    messages: Sequence[Message]
    """Its pieces, in order."""


class Thread:
    """The thread with this id. The first item creates its conversation, which has the id as `external_id`.

    An item of any size is stored: a larger one in several messages, its pieces, of which the last has the text.
    """

    def __init__(
        self,
        client: Engram,
        thread_id: str,
        *,
        user_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        **fields: Any,
    ) -> None:
        self._client = client
        self._owner = owner_of(user_id, agent_id)
        self.external_id = thread_id
        self._fields = fields
        self._id: str | None = None

    def append(self, items: Sequence[Item]) -> None:
        """Store items, oldest first. Each request stores all of its messages or none."""
        batch: list[dict[str, Any]] = []
        size = 0
        for message in (message for item in items for message in _messages_of(item)):
            length = len(json_bytes(message))
            if batch and (size + length > _BATCH_BYTES or len(batch) == _BATCH_MESSAGES):
                self._send(batch)
                batch, size = [], 0
            batch.append(message)
            size += length
        if batch:
            self._send(batch)

    def _send(self, messages: list[dict[str, Any]]) -> None:
        self._with(self._create, lambda id: self._client.messages.append(id, messages=messages))

    def newest_first(self) -> Iterator[Stored]:
        """The stored items, newest first. Pages are fetched as they are needed."""
        conversation_id = self._find()
        if conversation_id is None:
            return
        pieces: dict[str, dict[int, Message]] = {}
        messages = self._client.messages.list(conversation_id, newest=_WINDOW, limit=_WINDOW).page().items
        while messages:
            yield from _reversed_items(messages, pieces)
            top = messages[0].sequence - 1
            messages = []
            while top > 0 and not messages:
                bottom = max(1, top - _WINDOW + 1)
                window = self._client.messages.list(
                    conversation_id, from_sequence=bottom, to_sequence=top, limit=_WINDOW
                )
                messages, top = list(window), bottom - 1
        yield from _complete_items(pieces)

    def items(self) -> list[Stored]:
        """All items, oldest first."""
        conversation_id = self._find()
        if conversation_id is None:
            return []
        messages = list(self._client.messages.list(conversation_id, limit=1_000))
        pieces: dict[str, dict[int, Message]] = {}
        return [*_reversed_items(messages, pieces), *_complete_items(pieces)][::-1]

    def pop(self) -> Stored | None:
        """Remove and return the newest item. Safe when other programs add or remove items at the same time."""
        for attempt in range(_TRIES):
            conversation_id = self._find()
            last = next(self.newest_first(), None)
            if conversation_id is None or last is None:
                return None
            sequences = [piece.sequence for piece in last.messages]
            if sequences[-1] - sequences[0] + 1 > len(sequences):
                # A message of another program is between its pieces, and stays.
                for piece in reversed(last.messages):
                    self._client.messages.delete(conversation_id, piece.id)
                return last
            try:
                self._client.messages.replace(
                    conversation_id,
                    expected_last_sequence=sequences[-1],
                    from_sequence=sequences[0],
                    messages=[],
                )
                return last
            except ApiError as error:
                if error.code != "sequence_conflict" or attempt == _TRIES - 1:
                    raise
        return None

    def delete(self) -> None:
        """Delete the conversation. The next item creates a new one with the same `external_id`."""
        conversation_id = self._find()
        self._id = None
        if conversation_id is not None:
            try:
                self._client.conversations.delete(conversation_id)
            except ApiError as error:
                if error.code != "not_found":
                    raise

    def _find(self) -> str | None:
        if self._id is None:
            found = self._client.conversations.list(
                external_id=self.external_id, exact_owner=True, limit=1, **self._owner
            ).page()
            self._id = found.items[0].id if found.items else None
        return self._id

    def _create(self) -> str:
        if self._id is None:
            created = self._client.conversations.create(external_id=self.external_id, **self._owner, **self._fields)
            self._id = created.id
        return self._id

    def _with(self, find: Callable[[], str], act: Callable[[str], T]) -> T:
        known = self._id
        try:
            return act(find())
        except ApiError as error:
            # The id was known, and another program has deleted the conversation since: look it up again, once.
            if known is None or error.code != "not_found":
                raise
            self._id = None
            return act(find())


def _messages_of(item: Item) -> Iterator[dict[str, Any]]:
    text = json.dumps(item.value, ensure_ascii=False, separators=(",", ":"))
    texts = [text[i : i + _PIECE_CHARACTERS] for i in range(0, len(text), _PIECE_CHARACTERS)]
    name = secrets.token_hex(8)
    for number, piece in enumerate(texts):
        is_last = number == len(texts) - 1
        parts = {"item": name, "piece": number, "of": len(texts), "json": piece}
        content = item.content[:_CONTENT_CHARACTERS] if is_last else ""
        yield {"role": item.role, "content": content, "parts": parts, **((item.fields or {}) if is_last else {})}


def _reversed_items(messages: Sequence[Message], pieces: dict[str, dict[int, Message]]) -> Iterator[Stored]:
    """The items among the messages, in the order of their last pieces, newest first.

    Messages of other programs are left out.
    `pieces` keeps the items that are not complete yet, and those before them.
    """
    for message in reversed(messages):
        parts = message.parts
        if not isinstance(parts, dict) or not {"item", "piece", "of", "json"} <= parts.keys():
            continue
        pieces.setdefault(parts["item"], {})[parts["piece"]] = message
        while pieces and _is_complete(found := next(iter(pieces.values()))):
            del pieces[next(iter(pieces))]
            yield _to_stored(found)


def _complete_items(pieces: dict[str, dict[int, Message]]) -> Iterator[Stored]:
    """What is left at the beginning of a thread with an item of which a piece is missing."""
    return (_to_stored(found) for found in pieces.values() if _is_complete(found))


def _is_complete(found: Mapping[int, Message]) -> bool:
    return any(len(found) == piece.parts["of"] for piece in found.values())


def _to_stored(found: Mapping[int, Message]) -> Stored:
    ordered = [found[number] for number in range(len(found))]
    return Stored(json.loads("".join(piece.parts["json"] for piece in ordered)), ordered)
