# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.tombstone_kind import TombstoneKind, check_tombstone_kind

T = TypeVar("T", bound="Tombstone")


@_attrs_define
class Tombstone:
    """What a deletion with `forget` leaves behind: hashes of ids, external ids and, for memories, contents, computed with
    a secret of the organization. It has no text, and no hash can be turned back into one.

    """

    id: str
    """ Id of a tombstone. """
    kind: TombstoneKind
    """ What the deletion deleted: one item, all that matched a filter (`conversations`, `memories`), or a user with
    all its data. """
    operation_id: str
    """ Id of the deletion. Its operation names the deleted item or user. """
    conversations: int
    """ Number of conversations deleted so far. They are refused with their messages. """
    messages: int
    """ Number of messages deleted so far, with those of the conversations. """
    memories: int
    """ Number of memories deleted so far. """
    created_at: str
    """ Time of the deletion. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        operation_id = self.operation_id

        conversations = self.conversations

        messages = self.messages

        memories = self.memories

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "operation_id": operation_id,
                "conversations": conversations,
                "messages": messages,
                "memories": memories,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_tombstone_kind(d.pop("kind"))

        operation_id = d.pop("operation_id")

        conversations = d.pop("conversations")

        messages = d.pop("messages")

        memories = d.pop("memories")

        created_at = d.pop("created_at")

        tombstone = cls(
            id=id,
            kind=kind,
            operation_id=operation_id,
            conversations=conversations,
            messages=messages,
            memories=memories,
            created_at=created_at,
        )

        return tombstone
