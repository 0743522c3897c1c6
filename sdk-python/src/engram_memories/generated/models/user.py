# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="User")


@_attrs_define
class User:
    """A user: the `user_id` of conversations and memories. Nothing else is stored of users."""

    id: str
    """ Your own id for the user that the conversation or memory belongs to. """
    conversation_count: int | None
    """ Number of conversations with the user. Null if there are more than 1,000. """
    memory_count: int | None
    """ Number of memories of the user. Null if there are more than 1,000. """
    first_seen_at: None | str
    """ Time when the earliest conversation or memory of the user was created. Null if there is none, and while the
    100 earliest are being deleted. """
    last_seen_at: None | str
    """ Time when a conversation or memory of the user was last created or changed. Null if there is none, and while
    the 100 newest are being deleted. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        conversation_count: int | None
        conversation_count = self.conversation_count

        memory_count: int | None
        memory_count = self.memory_count

        first_seen_at: None | str
        first_seen_at = self.first_seen_at

        last_seen_at: None | str
        last_seen_at = self.last_seen_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "conversation_count": conversation_count,
                "memory_count": memory_count,
                "first_seen_at": first_seen_at,
                "last_seen_at": last_seen_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_conversation_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        conversation_count = _parse_conversation_count(d.pop("conversation_count"))

        def _parse_memory_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        memory_count = _parse_memory_count(d.pop("memory_count"))

        def _parse_first_seen_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        first_seen_at = _parse_first_seen_at(d.pop("first_seen_at"))

        def _parse_last_seen_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_seen_at = _parse_last_seen_at(d.pop("last_seen_at"))

        user = cls(
            id=id,
            conversation_count=conversation_count,
            memory_count=memory_count,
            first_seen_at=first_seen_at,
            last_seen_at=last_seen_at,
        )

        return user
