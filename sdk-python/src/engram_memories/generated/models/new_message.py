# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role
from ..types import UNSET, Unset

T = TypeVar("T", bound="NewMessage")


@_attrs_define
class NewMessage:
    role: MessageRole
    """ Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call. """
    content: str
    """ Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty. """
    name: None | str | Unset = UNSET
    """ Name of the speaker. """
    tool_call_id: None | str | Unset = UNSET
    """ Id of the tool call that the message makes or answers. """
    tool_name: None | str | Unset = UNSET
    """ Name of the tool whose call or result the message is. """
    metadata: Any | Unset = UNSET
    parts: Any | Unset = UNSET
    """ The message as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    external_id: None | str | Unset = UNSET
    """ Your own id for the message, unique within the conversation. If the same message is stored already, it is
    not stored again, and its id is returned in `existing_ids`. If a different message has this external id, the
    request fails with 409 and stores nothing. """
    created_at: str | Unset = UNSET
    """ Time when the message was said, with millisecond precision. Set it to store messages from the past. Default:
    now. """

    def to_dict(self) -> dict[str, Any]:
        role: str = self.role

        content = self.content

        name: None | str | Unset
        if isinstance(self.name, Unset):
            name = UNSET
        else:
            name = self.name

        tool_call_id: None | str | Unset
        if isinstance(self.tool_call_id, Unset):
            tool_call_id = UNSET
        else:
            tool_call_id = self.tool_call_id

        tool_name: None | str | Unset
        if isinstance(self.tool_name, Unset):
            tool_name = UNSET
        else:
            tool_name = self.tool_name

        metadata = self.metadata

        parts = self.parts

        external_id: None | str | Unset
        if isinstance(self.external_id, Unset):
            external_id = UNSET
        else:
            external_id = self.external_id

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "role": role,
                "content": content,
            }
        )
        if name is not UNSET:
            field_dict["name"] = name
        if tool_call_id is not UNSET:
            field_dict["tool_call_id"] = tool_call_id
        if tool_name is not UNSET:
            field_dict["tool_name"] = tool_name
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if parts is not UNSET:
            field_dict["parts"] = parts
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if created_at is not UNSET:
            field_dict["created_at"] = created_at

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        role = check_message_role(d.pop("role"))

        content = d.pop("content")

        def _parse_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        name = _parse_name(d.pop("name", UNSET))

        def _parse_tool_call_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        tool_call_id = _parse_tool_call_id(d.pop("tool_call_id", UNSET))

        def _parse_tool_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        tool_name = _parse_tool_name(d.pop("tool_name", UNSET))

        metadata = d.pop("metadata", UNSET)

        parts = d.pop("parts", UNSET)

        def _parse_external_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_id = _parse_external_id(d.pop("external_id", UNSET))

        created_at = d.pop("created_at", UNSET)

        new_message = cls(
            role=role,
            content=content,
            name=name,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            metadata=metadata,
            parts=parts,
            external_id=external_id,
            created_at=created_at,
        )

        return new_message
