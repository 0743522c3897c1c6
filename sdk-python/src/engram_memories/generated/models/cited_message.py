# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role

T = TypeVar("T", bound="CitedMessage")


@_attrs_define
class CitedMessage:
    message_id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number of the message. """
    role: MessageRole
    """ Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call. """
    name: None | str
    """ Name of the speaker. """
    content: str
    """ Content of the message. Of a longer one, the part with what is cited, at most 1000 characters. """
    created_at: str
    """ Time of the message. """

    def to_dict(self) -> dict[str, Any]:
        message_id = self.message_id

        sequence = self.sequence

        role: str = self.role

        name: None | str
        name = self.name

        content = self.content

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message_id": message_id,
                "sequence": sequence,
                "role": role,
                "name": name,
                "content": content,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        message_id = d.pop("message_id")

        sequence = d.pop("sequence")

        role = check_message_role(d.pop("role"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        content = d.pop("content")

        created_at = d.pop("created_at")

        cited_message = cls(
            message_id=message_id,
            sequence=sequence,
            role=role,
            name=name,
            content=content,
            created_at=created_at,
        )

        return cited_message
