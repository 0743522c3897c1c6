# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role
from ..types import UNSET, Unset

T = TypeVar("T", bound="Message")


@_attrs_define
class Message:
    id: str
    """ Id of a message. """
    conversation_id: str
    """ Id of a conversation. """
    sequence: int
    """ Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves
    a gap. """
    role: MessageRole
    """ Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call. """
    content: str
    """ Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty. """
    name: None | str
    """ Name of the speaker. """
    tool_call_id: None | str
    """ Id of the tool call that the message makes or answers. """
    tool_name: None | str
    """ Name of the tool whose call or result the message is. """
    metadata: Any
    parts: Any
    """ The message as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    external_id: None | str
    """ Your own id for the message, unique within the conversation. """
    created_at: str
    """ Time when the message was said, with millisecond precision. It is the time that you set when you stored the
    message; otherwise the time of storing. """
    stored_at: str
    """ Time when the message was stored. """
    updated_at: None | str
    """ Time of the last change to content or metadata; null if there was none. """
    edited_since: bool | Unset = UNSET
    """ Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because
    earlier ones are not kept. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        conversation_id = self.conversation_id

        sequence = self.sequence

        role: str = self.role

        content = self.content

        name: None | str
        name = self.name

        tool_call_id: None | str
        tool_call_id = self.tool_call_id

        tool_name: None | str
        tool_name = self.tool_name

        metadata = self.metadata

        parts = self.parts

        external_id: None | str
        external_id = self.external_id

        created_at = self.created_at

        stored_at = self.stored_at

        updated_at: None | str
        updated_at = self.updated_at

        edited_since = self.edited_since

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "conversation_id": conversation_id,
                "sequence": sequence,
                "role": role,
                "content": content,
                "name": name,
                "tool_call_id": tool_call_id,
                "tool_name": tool_name,
                "metadata": metadata,
                "parts": parts,
                "external_id": external_id,
                "created_at": created_at,
                "stored_at": stored_at,
                "updated_at": updated_at,
            }
        )
        if edited_since is not UNSET:
            field_dict["edited_since"] = edited_since

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        conversation_id = d.pop("conversation_id")

        sequence = d.pop("sequence")

        role = check_message_role(d.pop("role"))

        content = d.pop("content")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        def _parse_tool_call_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        tool_call_id = _parse_tool_call_id(d.pop("tool_call_id"))

        def _parse_tool_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        tool_name = _parse_tool_name(d.pop("tool_name"))

        metadata = d.pop("metadata")

        parts = d.pop("parts")

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

        created_at = d.pop("created_at")

        stored_at = d.pop("stored_at")

        def _parse_updated_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        updated_at = _parse_updated_at(d.pop("updated_at"))

        edited_since = d.pop("edited_since", UNSET)

        message = cls(
            id=id,
            conversation_id=conversation_id,
            sequence=sequence,
            role=role,
            content=content,
            name=name,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            metadata=metadata,
            parts=parts,
            external_id=external_id,
            created_at=created_at,
            stored_at=stored_at,
            updated_at=updated_at,
            edited_since=edited_since,
        )

        return message
