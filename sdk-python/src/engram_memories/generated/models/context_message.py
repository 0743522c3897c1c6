# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role
from ..types import UNSET, Unset

T = TypeVar("T", bound="ContextMessage")


@_attrs_define
class ContextMessage:
    """A message of a context. `getMessage` returns its other fields."""

    id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves
    a gap. """
    role: MessageRole
    """ Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call. """
    name: None | str
    """ Name of the speaker. """
    tool_call_id: None | str
    """ Id of the tool call that the message makes or answers. """
    tool_name: None | str
    """ Name of the tool whose call or result the message is. """
    content: str
    """ Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty. """
    created_at: str
    """ Time when the message was said, with millisecond precision. It is the time that you set when you stored the
    message; otherwise the time of storing. """
    content_start: int | Unset = UNSET
    """ Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in
    JavaScript strings. """
    content_end: int | Unset = UNSET
    """ Only if `content` is a part: offset of its end in the whole content, in the same unit. """
    content_length: int | Unset = UNSET
    """ Only if `content` is a part: length of the whole content, in the same unit. `getMessage` returns the whole
    content. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        sequence = self.sequence

        role: str = self.role

        name: None | str
        name = self.name

        tool_call_id: None | str
        tool_call_id = self.tool_call_id

        tool_name: None | str
        tool_name = self.tool_name

        content = self.content

        created_at = self.created_at

        content_start = self.content_start

        content_end = self.content_end

        content_length = self.content_length

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "sequence": sequence,
                "role": role,
                "name": name,
                "tool_call_id": tool_call_id,
                "tool_name": tool_name,
                "content": content,
                "created_at": created_at,
            }
        )
        if content_start is not UNSET:
            field_dict["content_start"] = content_start
        if content_end is not UNSET:
            field_dict["content_end"] = content_end
        if content_length is not UNSET:
            field_dict["content_length"] = content_length

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        sequence = d.pop("sequence")

        role = check_message_role(d.pop("role"))

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

        content = d.pop("content")

        created_at = d.pop("created_at")

        content_start = d.pop("content_start", UNSET)

        content_end = d.pop("content_end", UNSET)

        content_length = d.pop("content_length", UNSET)

        context_message = cls(
            id=id,
            sequence=sequence,
            role=role,
            name=name,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            content=content,
            created_at=created_at,
            content_start=content_start,
            content_end=content_end,
            content_length=content_length,
        )

        return context_message
