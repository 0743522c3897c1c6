# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role

T = TypeVar("T", bound="ListedConversationLastMessageType0")


@_attrs_define
class ListedConversationLastMessageType0:
    """The message with the highest sequence number; null without messages. Present only with `include_last_message=true`."""

    id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves
    a gap. """
    role: MessageRole
    """ Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call. """
    name: None | str
    """ Name of the speaker. """
    excerpt: str
    """ The first 200 characters of the content. Fewer if the content is shorter, or takes more bytes compressed.
    """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        sequence = self.sequence

        role: str = self.role

        name: None | str
        name = self.name

        excerpt = self.excerpt

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "sequence": sequence,
                "role": role,
                "name": name,
                "excerpt": excerpt,
            }
        )

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

        excerpt = d.pop("excerpt")

        listed_conversation_last_message_type_0 = cls(
            id=id,
            sequence=sequence,
            role=role,
            name=name,
            excerpt=excerpt,
        )

        return listed_conversation_last_message_type_0
