# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.event_type import EventType, check_event_type

T = TypeVar("T", bound="Event")


@_attrs_define
class Event:
    """A change in the organization. It has ids and numbers, never content."""

    id: str
    """ Id of the event. No other event of any organization has it. """
    sequence: int
    """ Position of the event in the log of the organization: 1, 2, 3, without gaps, in the order of the changes.
    """
    type: EventType
    """ What changed. `messages.indexed`: search by meaning now covers all messages up to `last_sequence`, except
    texts that the model rejects. `summary.created`: messages of a conversation have a summary. `operation.updated`:
    the status of an operation changed. `key.rotated` names the old key, and `key.created` follows for the new one.
    Types are added, but never renamed or removed: ignore those that you do not know. """
    conversation_id: None | str
    """ The conversation, for events of conversations, messages and summaries; otherwise null. """
    memory_id: None | str
    """ The memory, for events of memories; otherwise null. """
    operation_id: None | str
    """ The operation, for `operation.updated`; otherwise null. """
    key_id: None | str
    """ The key, for events of keys; otherwise null. """
    agent_id: None | str
    """ Agent of the conversation or memory; null if it has none, once it is purged, and for other events. """
    user_id: None | str
    """ User of the conversation or memory; null if it has none, once it is purged, and for other events. """
    first_sequence: int | None
    """ Sequence number of the first message that changed, or that a summary covers. Of a conversation that was
    created by a fork or an import, the first of its messages. Null for other events. """
    last_sequence: int | None
    """ Sequence number of the last message that changed, or that a summary covers, or up to which messages are
    indexed. Of a conversation that was created by a fork or an import, the last of its messages. Null for other
    events. """
    created_at: str
    """ Time of the change. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        sequence = self.sequence

        type: str = self.type

        conversation_id: None | str
        conversation_id = self.conversation_id

        memory_id: None | str
        memory_id = self.memory_id

        operation_id: None | str
        operation_id = self.operation_id

        key_id: None | str
        key_id = self.key_id

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        first_sequence: int | None
        first_sequence = self.first_sequence

        last_sequence: int | None
        last_sequence = self.last_sequence

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "sequence": sequence,
                "type": type,
                "conversation_id": conversation_id,
                "memory_id": memory_id,
                "operation_id": operation_id,
                "key_id": key_id,
                "agent_id": agent_id,
                "user_id": user_id,
                "first_sequence": first_sequence,
                "last_sequence": last_sequence,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        sequence = d.pop("sequence")

        type = check_event_type(d.pop("type"))

        def _parse_conversation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        conversation_id = _parse_conversation_id(d.pop("conversation_id"))

        def _parse_memory_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        memory_id = _parse_memory_id(d.pop("memory_id"))

        def _parse_operation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        operation_id = _parse_operation_id(d.pop("operation_id"))

        def _parse_key_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        key_id = _parse_key_id(d.pop("key_id"))

        def _parse_agent_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        agent_id = _parse_agent_id(d.pop("agent_id"))

        def _parse_user_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        user_id = _parse_user_id(d.pop("user_id"))

        def _parse_first_sequence(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        first_sequence = _parse_first_sequence(d.pop("first_sequence"))

        def _parse_last_sequence(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        last_sequence = _parse_last_sequence(d.pop("last_sequence"))

        created_at = d.pop("created_at")

        event = cls(
            id=id,
            sequence=sequence,
            type=type,
            conversation_id=conversation_id,
            memory_id=memory_id,
            operation_id=operation_id,
            key_id=key_id,
            agent_id=agent_id,
            user_id=user_id,
            first_sequence=first_sequence,
            last_sequence=last_sequence,
            created_at=created_at,
        )

        return event
