# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ArchiveCounts")


@_attrs_define
class ArchiveCounts:
    """Lines of each type."""

    conversations: int
    """ Number of conversations written so far. """
    messages: int
    """ Number of messages written so far. """
    memories: int
    """ Number of memories written so far. """
    memory_versions: int
    """ Number of earlier versions of memories written so far. """
    recalls: int
    """ Number of receipts of recall written so far. """

    def to_dict(self) -> dict[str, Any]:
        conversations = self.conversations

        messages = self.messages

        memories = self.memories

        memory_versions = self.memory_versions

        recalls = self.recalls

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversations": conversations,
                "messages": messages,
                "memories": memories,
                "memory_versions": memory_versions,
                "recalls": recalls,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversations = d.pop("conversations")

        messages = d.pop("messages")

        memories = d.pop("memories")

        memory_versions = d.pop("memory_versions")

        recalls = d.pop("recalls")

        archive_counts = cls(
            conversations=conversations,
            messages=messages,
            memories=memories,
            memory_versions=memory_versions,
            recalls=recalls,
        )

        return archive_counts
