# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="EndLine")


@_attrs_define
class EndLine:
    """The last line. A response that does not end with it was cut off."""

    type: Literal["end"]
    complete: bool
    """ `false` if the export has more lines. To get them, export again with `after` and `after_sequence` of the
    line before this one. """
    conversations: int
    """ Number of conversations in this response. """
    messages: int
    """ Number of messages in this response. """
    memories: int | Unset = UNSET
    """ Number of memories in this response. """
    memory_versions: int | Unset = UNSET
    """ Number of earlier versions of memories in this response. """
    recalls: int | Unset = UNSET
    """ Number of receipts of recall in this response. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        complete = self.complete

        conversations = self.conversations

        messages = self.messages

        memories = self.memories

        memory_versions = self.memory_versions

        recalls = self.recalls

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "complete": complete,
                "conversations": conversations,
                "messages": messages,
            }
        )
        if memories is not UNSET:
            field_dict["memories"] = memories
        if memory_versions is not UNSET:
            field_dict["memory_versions"] = memory_versions
        if recalls is not UNSET:
            field_dict["recalls"] = recalls

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type = cast(Literal["end"], d.pop("type"))
        if type != "end":
            raise ValueError(f"type must match const 'end', got '{type}'")

        complete = d.pop("complete")

        conversations = d.pop("conversations")

        messages = d.pop("messages")

        memories = d.pop("memories", UNSET)

        memory_versions = d.pop("memory_versions", UNSET)

        recalls = d.pop("recalls", UNSET)

        end_line = cls(
            type=type,
            complete=complete,
            conversations=conversations,
            messages=messages,
            memories=memories,
            memory_versions=memory_versions,
            recalls=recalls,
        )

        return end_line
